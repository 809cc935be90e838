"""The guesses that a user may add to a policy: where something hints that a message ends or begins."""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt
import pandas as pd

from acpinspect.events import parse
from acpinspect.grouping.policy import Cues
from acpinspect.grouping.tokens import Tokens

__all__ = ["cut_rows"]

Ints = npt.NDArray[np.int64]
Mask = npt.NDArray[np.bool_]

_DEPTHS: Final = ("params", "update", "content")  # each can carry `_meta`


def cut_rows(events: pd.DataFrame, seen: Tokens, cues: Cues) -> Mask:
    """The rows before which everything open is closed.

    Args:
        events: The table.
        seen: Its tokens.
        cues: The guesses that are wanted.
    """
    cut = np.zeros(len(events), dtype=bool)
    chunks = _in_sessions(seen, seen.role >= 0)
    if cues.gap is not None:
        elapsed = events["elapsed"].to_numpy()[chunks]
        with np.errstate(invalid="ignore"):
            cut[chunks[1:][np.diff(elapsed) > cues.gap]] = True
    if cues.content_type:
        _cut_changes(events, seen, chunks, cut)
    if cues.state:
        cut[(events["update"] == "state_update").to_numpy()] = True
    if cues.start or cues.end:
        _cut_markers(events, seen, cues, cut)
    return cut


def _in_sessions(seen: Tokens, mask: Mask) -> Ints:
    rows = np.flatnonzero(mask & (seen.session >= 0))
    return rows[np.argsort(seen.session[rows], kind="stable")]


def _cut_changes(events: pd.DataFrame, seen: Tokens, chunks: Ints, cut: Mask) -> None:
    """Cut where the block type differs from that of the chunk before, of the same role and session."""
    kind = events["content_type"].cat.codes.to_numpy()
    for role in range(3):
        rows = chunks[seen.role[chunks] == role]
        changed = (kind[rows[1:]] != kind[rows[:-1]]) & (seen.session[rows[1:]] == seen.session[rows[:-1]])
        cut[rows[1:][changed]] = True


def _cut_markers(events: pd.DataFrame, seen: Tokens, cues: Cues, cut: Mask) -> None:
    """Cut at the markers: a start before its event, an end before the next chunk of the session."""
    update = events["update"]
    cut[update.isin([cues.start, cues.end]).to_numpy()] = True
    rows = _in_sessions(seen, seen.role >= 0)
    after_end = -1
    for row in rows.tolist():
        keys = _meta_keys(events["raw"].iloc[row])
        if after_end == seen.session[row] or (cues.start is not None and cues.start in keys):
            cut[row] = True
        after_end = int(seen.session[row]) if cues.end is not None and cues.end in keys else -1


def _meta_keys(raw: str) -> set[str]:
    """The keys under the `_meta` of the params, the update and the content block."""
    if '"_meta"' not in raw:
        return set()
    keys: set[str] = set()
    value: object = parse(raw)
    for name in _DEPTHS:
        value = value.get(name) if isinstance(value, dict) else None
        meta = value.get("_meta") if isinstance(value, dict) else None
        keys.update(meta if isinstance(meta, dict) else ())
    return keys
