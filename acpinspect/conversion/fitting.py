"""Fits values into a version: what its reader would refuse or drop is a loss, and what is left is valid.

Whether a version can hold a value is asked of `acpinspect.protocol`, which says what the published schema says. So
a custom kind, a `cancelled` status, a block of a foreign type or a malformed field needs no rule of its own here.
"""

from __future__ import annotations

from acpinspect.conversion.steps import Json, Loss, Losses, as_object
from acpinspect.protocol import Issue, Reading, Version, read_content_blocks, read_update

__all__ = ["fit_blocks", "fit_list", "fit_update", "note_issues", "read_source"]


def note_issues(issues: tuple[Issue, ...], losses: Losses, prefix: str = "") -> None:
    """Make a loss of each issue; `prefix` is put before its path."""
    losses.extend(Loss(prefix + issue.path or "params", issue.reason) for issue in issues)


def read_source(update: object, version: Version, losses: Losses) -> Reading:
    """Read an update as its own version does; what has no effect there isn't carried and is a loss."""
    reading = read_update(update, version)
    if reading.rejected is None:
        note_issues(reading.issues, losses)
    return reading


def fit_update(update: Json, version: Version, losses: Losses, prefix: str = "") -> Json | None:
    """What a version can hold of an update that is written in its form.

    Args:
        update: An update of a variant that the version has.
        version: The version.
        losses: Gets what it can't hold.
        prefix: Put before the paths of the losses, where the original has the fields deeper.

    Returns:
        The update, in the order of its keys; ``None`` if nothing of it is left.

    >>> losses: Losses = []
    >>> fit_update({"sessionUpdate": "tool_call_update", "toolCallId": "t", "status": "cancelled"}, "v1", losses)
    {'sessionUpdate': 'tool_call_update', 'toolCallId': 't'}
    >>> losses[0].field
    'status'
    """
    reading = read_update(update, version)
    if reading.rejected is not None:
        first = reading.issues[-1] if reading.issues else Issue("sessionUpdate", reading.rejected)
        losses.append(Loss(prefix + (first.path or "sessionUpdate"), f"{first.reason}: {version} would reject it"))
        return None
    note_issues(reading.issues, losses, prefix)
    kept = {"sessionUpdate": update["sessionUpdate"], **reading.fields, **reading.extra}
    return {key: kept[key] for key in update if key in kept}


def fit_blocks(blocks: object, version: Version, losses: Losses, path: str) -> list[Json]:
    """The content blocks of an array that a version can hold.

    >>> losses: Losses = []
    >>> fit_blocks([{"type": "text", "text": "A"}, {"type": "_map"}], "v1", losses, "content")
    [{'type': 'text', 'text': 'A'}]
    >>> losses[0].field
    'content[1].type'
    """
    kept, issues = read_content_blocks(blocks, version)
    note_issues(issues, losses, path)
    return kept


def fit_list(key: str, items: object, variant: str, version: Version, losses: Losses) -> list[Json] | None:
    """The list of a result that also comes in an update of its own, as the version can hold it.

    Args:
        key: Where the list stands, in the result and in the update.
        items: The list, in the version's form.
        variant: The update's name.
        version: The version.
        losses: Gets what it can't hold.
    """
    if not isinstance(items, list):
        losses.append(Loss(key, "is no array"))
        return None
    fitted = fit_update({"sessionUpdate": variant, key: items}, version, losses)
    kept = as_object(fitted).get(key)
    return kept if isinstance(kept, list) else None
