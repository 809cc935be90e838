"""What one takes along from the explorer: a step, the bookmarks, or the log that leads to a step."""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from acpinspect.events import parse
from acpinspect.timelines import Diff
from acpinspect.widgets.markup import attribute, short
from acpinspect.widgets.spine import Spine

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["LARGEST_LINK", "bookmarks_text", "download_link", "minimal_log", "step_json"]

LARGEST_LINK: Final = 1_500_000
"""More bytes than that are not put into a page."""


def step_json(spine: Spine, step: int, diff: Diff, findings: pd.DataFrame | None, policy: str) -> str:
    """A step as JSON: the event, the state after it, what changed, what was found."""
    document: dict[str, object] = {
        "session_id": spine.timeline.session_id,
        "protocol": spine.timeline.protocol,
        "policy": policy,
        "step": step,
        "event": int(spine.numbers[step - 1]) if step else None,
        "frame": _frame(spine.raw(step - 1)) if step else None,
        "diff": diff.to_dict(),
        "state": spine.timeline[step].to_dict(),
        "findings": _found(findings, int(spine.numbers[step - 1])) if step and findings is not None else [],
    }
    return json.dumps(document, indent=2, ensure_ascii=True, default=str)


def _frame(raw: str) -> object:
    try:
        return parse(raw)
    except (ValueError, RecursionError):
        return raw


def _found(findings: pd.DataFrame, event: int) -> list[dict[str, object]]:
    own = findings[findings["event"] == event]
    return [{name: row[name] for name in ("code", "severity", "message", "remedy")} for _, row in own.iterrows()]


def bookmarks_text(spine: Spine, bookmarks: Mapping[int, str], policy: str) -> str:
    """The bookmarks as JSON."""
    marked = [
        {"step": step, "event": int(spine.numbers[step - 1]) if step else None, "note": note}
        for step, note in sorted(bookmarks.items())
    ]
    document = {"session_id": spine.timeline.session_id, "policy": policy, "bookmarks": marked}
    return json.dumps(document, indent=2, ensure_ascii=True)


def minimal_log(spine: Spine, step: int) -> str:
    """The session's events up to a step as NDJSON: what a reader needs to see that step, byte for byte.

    Of the session's updates all are kept that write to what the step writes to; of the rest, what is no update
    (prompts, answers, loads). An event that is no readable frame is left out.
    """
    slot = int(spine.slots[step - 1]) if step else -1
    kept = []
    for position in range(step):
        act = spine.acting[position]
        own = position == step - 1 or int(spine.slots[position]) == slot >= 0
        if act != "unreadable" and (own or act in ("control", "nothing", "extension")):
            kept.append(spine.raw(position).replace("\n", " "))
    return "\n".join(kept) + ("\n" if kept else "")


def download_link(name: str, text: str) -> str:
    """A link that saves a text as a file: all of it stands in the link, nothing is fetched."""
    data = text.encode("utf-8", "backslashreplace")
    if len(data) > LARGEST_LINK:
        return (
            f'<span class="none">{short(name)} has {len(data):,} bytes, too many for a link: '
            "use explorer.model.save(path).</span>"
        )
    coded = base64.b64encode(data).decode("ascii")
    kind = "application/json" if name.endswith("json") else "text/plain"
    return (
        f'<a class="save" download="{attribute(name)}" href="data:{kind};base64,{coded}">'
        f"Save {short(name)} ({len(data):,} bytes)</a>"
    )
