"""What one takes along from the explorer: a step, the bookmarks, the log that leads to a step, a minimal log."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from acpinspect.errors import ArgumentError
from acpinspect.events import parse
from acpinspect.widgets.markup import attribute, number, short
from acpinspect.widgets.minimal import minimal_logs

if TYPE_CHECKING:
    import pandas as pd

    from acpinspect.widgets.model import ExplorerModel

__all__ = ["EXPORTS", "LARGEST_LINK", "Export", "download_link", "export"]

LARGEST_LINK: Final = 1_500_000
"""More bytes than that are not put into a page."""


class Export(NamedTuple):
    """A file to take along.

    Attributes:
        name: Its name.
        text: What it holds; nothing where it could not be made.
        said: What there is to say of it.
    """

    name: str
    text: str
    said: str = ""


def export(model: ExplorerModel, what: str, step: int) -> list[Export]:
    """Make one of `EXPORTS`.

    Args:
        model: What is looked at.
        what: Which one.
        step: The step.

    Raises:
        ArgumentError: There is no such export or step, or nothing to export.
    """
    if what not in EXPORTS:
        raise ArgumentError(f"There is no export {what!r}. There is: {', '.join(EXPORTS)}.")
    name = model.choice.session_id or "session"
    stem = "".join(c if c.isascii() and (c.isalnum() or c in "-_") else "_" for c in name)[:40]
    return EXPORTS[what](model, model.checked(step), stem)


def _step(model: ExplorerModel, step: int, stem: str) -> list[Export]:
    """A step as JSON: the event, the state after it, what changed, what was found."""
    spine, diff, findings = model.spine, model.diff(step), model.findings
    document: dict[str, object] = {
        "session_id": spine.timeline.session_id,
        "protocol": spine.timeline.protocol,
        "policy": model.policy_name,
        "step": step,
        "event": int(spine.numbers[step - 1]) if step else None,
        "frame": _frame(spine.raw(step - 1)) if step else None,
        "diff": diff.to_dict(),
        "state": spine.timeline[step].to_dict(),
        "findings": _found(findings, int(spine.numbers[step - 1])) if step and findings is not None else [],
    }
    return [Export(f"{stem}-step-{step}.json", json.dumps(document, indent=2, ensure_ascii=True, default=str))]


def _frame(raw: str) -> object:
    try:
        return parse(raw)
    except (ValueError, RecursionError):
        return raw


def _found(findings: pd.DataFrame, event: int) -> list[dict[str, object]]:
    own = findings[findings["event"] == event]
    return [{name: row[name] for name in ("code", "severity", "message", "remedy")} for _, row in own.iterrows()]


def _bookmarks(model: ExplorerModel, _: int, stem: str) -> list[Export]:
    """The bookmarks as JSON."""
    if not model.bookmarks:
        raise ArgumentError("There are no bookmarks to export.")
    spine = model.spine
    marked = [
        {"step": step, "event": int(spine.numbers[step - 1]) if step else None, "note": note}
        for step, note in sorted(model.bookmarks.items())
    ]
    document = {"session_id": spine.timeline.session_id, "policy": model.policy_name, "bookmarks": marked}
    return [Export(f"{stem}-bookmarks.json", json.dumps(document, indent=2, ensure_ascii=True))]


def _leading(model: ExplorerModel, step: int, stem: str) -> list[Export]:
    """The session's events up to a step as NDJSON: what a reader needs to see that step, byte for byte.

    Of the session's updates all are kept that write to what the step writes to; of the rest, what is no update
    (prompts, answers, loads). An event that is no readable frame is left out.
    """
    spine = model.spine
    slot = int(spine.slots[step - 1]) if step else -1
    kept = []
    for position in range(step):
        act = spine.acting[position]
        own = position == step - 1 or int(spine.slots[position]) == slot >= 0
        if act != "unreadable" and (own or act in ("control", "nothing", "extension")):
            kept.append(spine.raw(position))
    return [Export(f"{stem}-to-step-{step}.ndjson", _lines(kept))]


def _minimal(model: ExplorerModel, step: int, stem: str) -> list[Export]:
    """For each finding at a step, the smallest log that still shows it, as NDJSON."""
    if step == 0:
        raise ArgumentError("Nothing was found before the first event. Go to a finding first.")
    findings, events = model.look_for_findings(), model.spine.events
    event = int(model.spine.numbers[step - 1])
    made: list[Export] = []
    for log in minimal_logs(events, findings, event):
        said = f"{log.code}: " + (
            log.problem or f"{len(log.raws):,} of {number(len(events), 'event')} still show it."
        )
        made.append(Export(f"{stem}-{log.code}.ndjson", _lines(log.raws), said))
    return made


def _lines(raws: Sequence[str]) -> str:
    return "".join(raw.replace("\r", " ").replace("\n", " ") + "\n" for raw in raws)


EXPORTS: Final[Mapping[str, Callable[[ExplorerModel, int, str], list[Export]]]] = {
    "step": _step,
    "bookmarks": _bookmarks,
    "log": _leading,
    "minimal": _minimal,
}
"""What can be taken along."""


def download_link(made: Export) -> str:
    """A link that saves an export as a file: all of it stands in the link, nothing is fetched."""
    name, text, _ = made
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
