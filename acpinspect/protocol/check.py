"""Reads the payload of a `session/update` as its version's schema would: what is kept, what is dropped, and why.

The schema has two markers of leniency. Where a field is marked default-on-error a malformed value counts as the
default; where it is marked skip-invalid-items, a malformed item is dropped and the rest stays. Anything else that
is malformed takes the whole update with it. Source: the published unstable schemas; ``spec/semantics.md``.

What the schemas only annotate is not checked: the upper bound of a ``uint64``, ``format: uri``, base64.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

import msgspec

from acpinspect.protocol.blocks import CONTENT_BLOCK
from acpinspect.protocol.fields import ListOf, Record, Version
from acpinspect.protocol.notes import MALFORMED, SHOWN_CHARACTERS, Issue, Notes
from acpinspect.protocol.payloads import PERMISSION, TOOL_CALL_PATCH
from acpinspect.protocol.readers import list_reader, reader_of
from acpinspect.protocol.scalars import Reader
from acpinspect.protocol.variants import VARIANTS, Variant

__all__ = ["Blocks", "Issue", "Permission", "Reading", "read_content_blocks", "read_permission", "read_update"]


class Reading(msgspec.Struct, frozen=True):
    """What a reader that follows the schema makes of one update.

    Attributes:
        variant: Which variant it is; ``None`` where the version has no such name.
        fields: The usable fields that are present, without ``sessionUpdate``; nulls stay ``None``. The values are
            those of the update itself, copied only where something was dropped from them: don't change them.
        extra: Keys that the variant doesn't have, as they are.
        issues: Where the update doesn't fit the schema; empty exactly if it is valid.
        rejected: Why the whole update has no effect, else ``None``; a rejected update has no fields.
    """

    variant: Variant | None
    fields: dict[str, object]
    extra: dict[str, object]
    issues: tuple[Issue, ...]
    rejected: str | None


class Permission(msgspec.Struct, frozen=True):
    """What a reader that follows the schema makes of the params of a `session/request_permission`.

    Attributes:
        tool_call: The usable fields of the tool call that the request carries, also where the rest of the request
            is malformed; ``None`` where it carries none, or none that can be read.
        fields: The usable params; empty if the request is rejected.
        issues: Where the params don't fit the schema.
        rejected: Why the request is malformed as a whole, else ``None``.
    """

    tool_call: dict[str, object] | None
    fields: dict[str, object]
    issues: tuple[Issue, ...]
    rejected: str | None


class Blocks(NamedTuple):
    """The usable content blocks of an array, and what is wrong with the others."""

    blocks: list[dict[str, object]]
    issues: tuple[Issue, ...]


class _Plan(NamedTuple):
    """How one variant is read."""

    variant: Variant
    read: Reader
    known: frozenset[str]  # the keys of the variant, but for those that depend on a tag
    tag: str | None
    known_by_case: Mapping[str, frozenset[str]]


def _plan(variant: Variant) -> _Plan:
    payload = variant.payload
    if isinstance(payload, Record):
        return _Plan(variant, reader_of(payload), frozenset(f.name for f in payload.fields), None, {})
    shared = frozenset({payload.tag, *(f.name for f in payload.shared)})
    by_case = {case: shared | {f.name for f in fields} for case, fields in payload.cases.items()}
    return _Plan(variant, reader_of(payload), shared, payload.tag, by_case)


_PLANS: Final[dict[str, dict[str, _Plan]]] = {
    version: {name: _plan(variant) for name, variant in table.items()} for version, table in VARIANTS.items()
}
_NO_ISSUES: Final[tuple[Issue, ...]] = ()


def read_update(update: object, version: Version) -> Reading:
    """Read one update, the value of ``params.update`` of a `session/update`.

    Args:
        update: A JSON value.
        version: The protocol version of the connection.

    Returns:
        The variant, its usable fields, and everything that is wrong.

    A malformed optional field is left out; a malformed required list counts as empty; a bad item is dropped:

    >>> reading = read_update({"sessionUpdate": "plan", "entries": [
    ...     {"content": "dig", "priority": "low", "status": "pending"},
    ...     {"content": "rest", "priority": "low", "status": "cancelled"}]}, "v1")
    >>> len(reading.fields["entries"]), reading.rejected
    (1, None)
    >>> print(reading.issues[0])
    entries[1].status is 'cancelled', which is none of pending, in_progress, completed

    Anything else that is malformed takes the whole update with it:

    >>> read_update({"sessionUpdate": "agent_message", "content": []}, "v2").rejected
    'messageId is missing'
    """
    if not isinstance(update, dict):
        return _reject(None, [Issue("", "is no object")], "the update is no object")
    name = update.get("sessionUpdate")
    plan = _PLANS[version].get(name) if isinstance(name, str) else None
    if plan is None:
        return _reject_unknown(update, name, version)
    notes: Notes = []
    cleaned = plan.read(update, notes)
    if not isinstance(cleaned, dict):
        return _reject(plan.variant, notes, str(notes[-1]))
    fields = dict(cleaned)
    del fields["sessionUpdate"]
    known = plan.known if plan.tag is None else plan.known_by_case.get(update[plan.tag], plan.known)
    extra = {} if fields.keys() <= known else _split_off(fields, known)
    return Reading(plan.variant, fields, extra, tuple(notes) if notes else _NO_ISSUES, None)


def _split_off(fields: dict[str, object], known: frozenset[str]) -> dict[str, object]:
    """Take the keys that aren't known out of `fields`."""
    return {key: fields.pop(key) for key in list(fields) if key not in known}


def _reject(variant: Variant | None, issues: Notes, reason: str) -> Reading:
    return Reading(variant, {}, {}, tuple(issues), reason)


def _reject_unknown(update: dict[str, object], name: object, version: Version) -> Reading:
    if not isinstance(name, str):
        issue = Issue("sessionUpdate", "is no string" if "sessionUpdate" in update else "is missing")
        return _reject(None, [issue], str(issue))
    reason = f"is {name[:SHOWN_CHARACTERS]!r}, which is no update of {version}"
    # v2 lets any name pass, so that a later version can add some; v1 doesn't.
    issues = [Issue("sessionUpdate", reason)] if version == "v1" else []
    return _reject(None, issues, f"sessionUpdate {reason}")


_READ_PERMISSION: Final[dict[str, Reader]] = {v: reader_of(shape) for v, shape in PERMISSION.items()}
_READ_TOOL_CALL: Final[dict[str, Reader]] = {
    version: reader_of(Record("tool call", fields)) for version, fields in TOOL_CALL_PATCH.items()
}


def read_permission(params: object, version: Version) -> Permission:
    """Read the params of one `session/request_permission`.

    Args:
        params: A JSON value.
        version: The protocol version of the connection.

    Returns:
        The tool call that the request carries, and everything that is wrong.

    >>> permission = read_permission({"sessionId": "s1", "toolCall": {"toolCallId": "t1", "kind": "dig"},
    ...     "options": []}, "v1")
    >>> permission.tool_call, permission.rejected
    ({'toolCallId': 't1'}, None)
    >>> print(permission.issues[0])
    toolCall.kind is 'dig', which is none of read, edit, delete, move, search, execute, think, fetch, ...
    """
    notes: Notes = []
    cleaned = _READ_PERMISSION[version](params, notes)
    tool_call = _READ_TOOL_CALL[version](_carried(params, version), [])
    return Permission(
        tool_call=tool_call if isinstance(tool_call, dict) else None,
        fields=cleaned if isinstance(cleaned, dict) else {},
        issues=tuple(notes),
        rejected=str(notes[-1]) if cleaned is MALFORMED else None,
    )


def _carried(params: object, version: Version) -> object:
    """The tool call in the params of a permission request, unread."""
    if not isinstance(params, dict):
        return None
    if version == "v1":
        return params.get("toolCall")
    subject = params.get("subject")
    if isinstance(subject, dict) and subject.get("type") == "tool_call":
        return subject.get("toolCall")
    return None


_READ_BLOCKS: Final[dict[str, Reader]] = {
    version: list_reader(ListOf(shape), skip=True) for version, shape in CONTENT_BLOCK.items()
}


def read_content_blocks(blocks: object, version: Version) -> Blocks:
    """Read an array of content blocks, such as the ``prompt`` of a `session/prompt`; drop malformed ones.

    Args:
        blocks: A JSON value; one block that stands alone is taken as an array of it.
        version: The protocol version of the connection.

    Returns:
        The usable blocks, and what is wrong with the others.

    >>> blocks, issues = read_content_blocks([{"type": "text", "text": "dig"}, {"type": "text"}], "v1")
    >>> blocks, str(issues[0])
    ([{'type': 'text', 'text': 'dig'}], '[1].text is missing')
    """
    notes: Notes = []
    cleaned = _READ_BLOCKS[version]([blocks] if isinstance(blocks, dict) else blocks, notes)
    return Blocks(cleaned if isinstance(cleaned, list) else [], tuple(notes))
