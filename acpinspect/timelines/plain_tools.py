"""The fields of a tool call where all of its updates look as most do: typed readers find the last value of each.

Titles, kinds, statuses, places, and content of plain text: that is what agents send again and again. An update of
any other form is none of these readers' business; it takes the long way, through the schema. What can be large
stays where it is, in the table, until somebody looks at it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Final, Generic, Literal, TypedDict, TypeVar

import msgspec
from msgspec import UNSET, UnsetType

from acpinspect.protocol import ENUMS, VERSIONS, Version
from acpinspect.reducer import Rope
from acpinspect.reducer.late import Late
from acpinspect.reducer.values import FrozenDict, freeze
from acpinspect.timelines.acts import ACTS, PERMISSION
from acpinspect.timelines.texts import parsed

__all__ = ["plain_fields"]

T = TypeVar("T")
_CREATES: Final = ACTS.index("tool_call")
_QUOTE, _NULL = b'"n'  # what JSON of a string begins with, and of null alone


class _Text(msgspec.Struct, gc=False, forbid_unknown_fields=True):
    type: Literal["text"]
    text: msgspec.Raw


class _Item(msgspec.Struct, gc=False, forbid_unknown_fields=True):
    type: Literal["content"]
    content: _Text


class _Location(msgspec.Struct, gc=False, forbid_unknown_fields=True):
    path: str
    line: Annotated[int, msgspec.Meta(ge=0)] | UnsetType | None = UNSET


class _ToolCall(TypedDict, total=False):
    title: str | None
    name: str | None
    kind: str | None
    status: str | None
    content: tuple[_Item, ...] | None
    locations: tuple[_Location, ...] | None
    rawInput: msgspec.Raw
    rawOutput: msgspec.Raw
    _meta: dict[str, Any] | None


class _Updated(msgspec.Struct, gc=False):
    update: _ToolCall


class _Asked(msgspec.Struct, gc=False):
    toolCall: _ToolCall  # noqa: N815


class _AskedOf(msgspec.Struct, gc=False):
    subject: _Asked


class _Frame(msgspec.Struct, Generic[T], gc=False):
    params: T


_read_update: Final = msgspec.json.Decoder(_Frame[_Updated]).decode
_read_v1_permission: Final = msgspec.json.Decoder(_Frame[_Asked]).decode
_read_v2_permission: Final = msgspec.json.Decoder(_Frame[_AskedOf]).decode


def _read(version: Version, act: int, text: memoryview) -> _ToolCall:
    if act != PERMISSION:
        return _read_update(text).params.update
    asked = _read_v1_permission(text).params if version == "v1" else _read_v2_permission(text).params.subject
    return asked.toolCall


_CLOSED: Final[dict[Version, tuple[tuple[str, frozenset[str]], ...]]] = {
    version: tuple(
        (key, frozenset(enum.values))
        for key, enum in (("kind", ENUMS[version]["ToolKind"]), ("status", ENUMS[version]["ToolCallStatus"]))
        if not enum.open
    )
    for version in VERSIONS
}


def plain_fields(version: Version, acts: list[int], texts: list[memoryview]) -> Mapping[str, object] | None:
    """The last value of each field of a tool call, as `read_update` would leave it in one update with all of them.

    Args:
        version: The protocol version of the session.
        acts: Of updates and permission requests of one tool call; in v1 only the first may create it.
        texts: Their JSON.

    Returns:
        The values by key, nulls that say something included; ``None`` where an update is of another form.
    """
    fields: dict[str, Any] = {}
    try:
        for act, text in zip(acts, texts, strict=True):
            call = _values(_read(version, act, text))
            if version == "v1" and act != _CREATES and None in call.values():
                # Null says nothing there.
                call = {key: value for key, value in call.items() if value is not None}
            fields |= call
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None
    if any(fields.get(key) is not None and fields[key] not in values for key, values in _CLOSED[version]):
        return None
    return _late(fields)


def _values(call: _ToolCall) -> dict[str, Any]:
    """The values of one update, with null for null."""
    values: dict[str, Any] = call  # type: ignore[assignment]  # it is a dict
    for key in ("rawInput", "rawOutput"):
        if key in values and memoryview(values[key])[0] == _NULL:
            values[key] = None
    return values


def _late(fields: dict[str, Any]) -> Mapping[str, object] | None:
    """The fields, with arrays and free values to be made when somebody looks at them."""
    for key in ("rawInput", "rawOutput"):
        if fields.get(key) is not None:
            fields[key] = Late(_frozen, fields[key])
    items, places = fields.get("content"), fields.get("locations")
    if items:
        if any(memoryview(item.content.text)[0] != _QUOTE for item in items):
            return None
        fields["content"] = Late(_items, items)
    if places:
        fields["locations"] = Late(_places, places)
    return fields


def _frozen(raw: msgspec.Raw) -> object:
    return freeze(parsed(memoryview(raw)))


def _items(items: tuple[_Item, ...]) -> Rope[object]:
    blocks = [FrozenDict(type="text", text=_frozen(item.content.text)) for item in items]
    return Rope([FrozenDict(type="content", content=block) for block in blocks])


def _places(places: tuple[_Location, ...]) -> Rope[object]:
    lines = [{} if place.line is UNSET else {"line": place.line} for place in places]
    return Rope([FrozenDict(path=place.path, **line) for place, line in zip(places, lines, strict=True)])
