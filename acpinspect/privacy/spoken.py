"""What is said in a log: the text of each message event, and the texts that a reader sees as one."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from typing import Final

import numpy as np
import pandas as pd

from acpinspect.events import parse
from acpinspect.grouping import group
from acpinspect.grouping.tokens import tokens

__all__ = ["Spoken", "Stretch", "spoken_in"]

_DESTROYED: Final = "\ufffd"


@dataclass(eq=False, slots=True)
class Stretch:
    """A message, or the part of it from one replacement of its content to the next.

    Attributes:
        rows: Its events, as positions in the table.
        replaces: The stretch of the same message that it takes the place of.
    """

    rows: list[int]
    replaces: Stretch | None = None
    joined: str | None = None


@dataclass(slots=True)
class Spoken:
    """What is said in a log.

    Attributes:
        texts: The text of each message event, by row, with surrogate halves as they are.
        stretches: All stretches, in order of their messages.
        by_role: The rows of each session and role, in order.
        epochs: For each session and role: the stretches of an epoch, and those of the next one.
    """

    texts: dict[int, str]
    stretches: list[Stretch] = field(default_factory=list)
    by_role: list[list[int]] = field(default_factory=list)
    epochs: list[tuple[list[Stretch], list[Stretch]]] = field(default_factory=list)

    def text(self, stretch: Stretch) -> str:
        """The text of a stretch."""
        if stretch.joined is None:
            stretch.joined = "".join(self.texts[row] for row in stretch.rows)
        return stretch.joined


def spoken_in(events: pd.DataFrame) -> Spoken:
    """Read what is said in an events table, message by message under the policy `spec`."""
    labels = group(events).fillna(-1).to_numpy(dtype=np.int64)
    seen = tokens(events)
    rows = np.flatnonzero(labels >= 0)
    rows = rows[np.argsort(labels[rows], kind="stable")]
    spoken = Spoken(_texts(events, rows.tolist()))
    replaces = seen.whole & events["content_type"].notna().to_numpy()
    by_role: dict[tuple[int, int], list[int]] = defaultdict(list)
    for row in np.sort(rows).tolist():
        by_role[int(seen.session[row]), int(seen.role[row])].append(row)
    spoken.by_role = list(by_role.values())
    epochs: dict[tuple[int, int, int], list[Stretch]] = defaultdict(list)
    starts = np.flatnonzero(np.diff(labels[rows], prepend=-1))
    for own in np.split(rows, starts[1:]) if len(rows) else []:
        stretches = _stretches(own.tolist(), replaces)
        spoken.stretches += stretches
        row = int(own[0])
        epochs[int(seen.session[row]), int(seen.role[row]), int(seen.epoch[row])] += stretches
    spoken.epochs = [
        (before, after)
        for (session, role, epoch), after in epochs.items()
        if epoch and (before := epochs.get((session, role, epoch - 1)))
    ]
    return spoken


def _stretches(rows: list[int], replaces: np.ndarray) -> list[Stretch]:
    found: list[Stretch] = []
    for row in rows:
        if not found or replaces[row]:
            found.append(Stretch([row], found[-1] if found else None))
        else:
            found[-1].rows.append(row)
    return found


def _texts(events: pd.DataFrame, rows: list[int]) -> dict[int, str]:
    """The column shows halves of surrogate pairs as destroyed; the JSON tells."""
    texts = dict(zip(rows, events["text"].iloc[rows].fillna("").tolist(), strict=True))
    for row, text in texts.items():
        if _DESTROYED in text:
            texts[row] = _text_of(str(events["raw"].iloc[row]), text)
    return texts


def _text_of(raw: str, shown: str) -> str:
    """The text with surrogate halves as they are; as the column shows it where the JSON is too deep to be read."""
    try:
        content = parse(raw)["params"]["update"].get("content")
    except (ValueError, RecursionError, KeyError, TypeError, AttributeError):
        return shown
    blocks = content if isinstance(content, list) else [content]
    found = (block.get("text") for block in blocks if isinstance(block, dict) and block.get("type") == "text")
    return "".join(text for text in found if isinstance(text, str))
