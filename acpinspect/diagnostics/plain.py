"""Which updates are plainly in order: valid for their schema, with no key that it doesn't have.

A typed decoder is built from the protocol's tables; it reads the raw JSON at the speed of the loader. It is
strict: what it takes is valid beyond doubt, what it refuses is looked at again, leniently and at leisure.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from itertools import islice
from typing import Annotated, Any, Final, Literal, TypeAlias, Union

import msgspec

from acpinspect.diagnostics.columns import Ints
from acpinspect.diagnostics.rawtext import RawTexts
from acpinspect.protocol import VARIANTS, Field, Variant, Version
from acpinspect.protocol.fields import (
    Anything,
    Flag,
    FreeObject,
    Integer,
    ListOf,
    Number,
    OneOf,
    Record,
    Shape,
    Tagged,
    Text,
)

__all__ = ["odd_rows"]

# Any: the types of msgspec are made here at run time, from tables.
_Type: TypeAlias = Any

_NEVER: Final[_Type] = Literal["\x00"]
"""A type that no protocol value is of: it sends the update to the lenient reader."""


class _Free(msgspec.Struct, frozen=True, gc=False):
    """Any object; the decoder skips what is in it."""


def odd_rows(raw: RawTexts, rows: Ints, version: Version) -> list[int]:
    """Those of some session/update rows that are not plainly in order.

    Args:
        raw: The JSON texts of the table.
        rows: Positions of the updates, all of one version.
        version: That version.

    Returns:
        Positions, ascending.
    """
    decode = _decoder(version)
    odd: list[int] = []
    taken: list[bool | None] = []
    texts = list(raw.slices(rows))
    position = 0
    while position < len(texts):
        try:
            # `extend` runs in C up to the first text that the decoder refuses.
            taken.extend(map(bool, map(decode, islice(texts, position, None))))
        except (msgspec.DecodeError, RecursionError):
            odd.append(int(rows[len(taken)]))
            taken.append(None)
        position = len(taken)
    return odd


@cache
def _decoder(version: Version) -> Callable[[memoryview], object]:
    updates = [_update(variant) for variant in VARIANTS[version].values()]
    flat = [one for many in updates for one in many]
    update: _Type = Union.__getitem__(tuple(flat))
    params = _struct("Params", [("sessionId", str), ("update", update), ("_meta", _FREE_META)], strict=True)
    message = _struct("Message", [("method", Literal["session/update"]), ("params", params)])
    decode: Callable[[memoryview], object] = msgspec.json.Decoder(message).decode
    return decode


def _update(variant: Variant) -> list[_Type]:
    """The types of a variant: one; a variant with cases that a tag tells apart is left to the lenient reader."""
    if not isinstance(variant.payload, Record):
        return []
    fields = [_member(field) for field in variant.payload.fields]
    return [_struct(variant.name, fields, tag=("sessionUpdate", variant.name), strict=True)]


_FREE_META: Final[_Type] = (_Free | None, None)


def _struct(
    name: str, members: list[tuple[str, _Type]], *, tag: tuple[str, str] | None = None, strict: bool = False
) -> _Type:
    """A struct type whose members are named as on the wire."""
    required = [m for m in members if not isinstance(m[1], tuple)]
    optional = [m for m in members if isinstance(m[1], tuple)]
    names = [name for name, _ in (*required, *optional)]
    fields: list[Any] = [(f"f{i}", kind) for i, (_, kind) in enumerate(required)]
    fields += [(f"f{i}", kind, default) for i, (_, (kind, default)) in enumerate(optional, start=len(required))]
    return msgspec.defstruct(
        f"_{name}",
        fields,
        rename={f"f{i}": wire for i, wire in enumerate(names)},
        tag_field=None if tag is None else tag[0],
        tag=None if tag is None else tag[1],
        forbid_unknown_fields=strict,
        frozen=True,
        gc=False,
    )


def _member(field: Field) -> tuple[str, _Type]:
    if isinstance(field.type, Anything):
        return field.name, (msgspec.Raw, msgspec.Raw(b""))  # a union with it would forget it
    kind = _type(field.type)
    if field.nullable:
        kind = Union[kind, None]  # noqa: UP007
    return field.name, kind if field.required else (kind, None)


def _type(shape: Shape) -> _Type:
    return _TYPES[type(shape)](shape)


def _text(shape: Text) -> _Type:
    if shape.capitals:
        return _NEVER
    if shape.enum is not None and not shape.enum.open:
        return Literal[tuple(shape.enum.values)]
    return Annotated[str, msgspec.Meta(min_length=shape.min_length)] if shape.min_length else str


def _integer(shape: Integer) -> _Type:
    return int if shape.minimum is None else Annotated[int, msgspec.Meta(ge=shape.minimum)]


def _number(shape: Number) -> _Type:
    return float if shape.minimum is None and shape.maximum is None else _NEVER


@cache
def _record(shape: Record) -> _Type:
    return _struct(shape.name.title().replace(" ", ""), [_member(field) for field in shape.fields])


@cache
def _tagged(shape: Tagged) -> _Type:
    cases = [
        _struct(
            f"{shape.name}_{name}".replace(" ", "_"),
            [_member(f) for f in (*shape.shared, *fields)],
            tag=(shape.tag, name),
        )
        for name, fields in shape.cases.items()
    ]
    return Union[tuple(cases)]  # noqa: UP007


def _list(shape: ListOf) -> _Type:
    return _NEVER if shape.min_items else list.__class_getitem__(_type(shape.item))


# Any: each maker takes its own shape.
_TYPES: Final[dict[type[Shape], Callable[[Any], _Type]]] = {
    Anything: lambda _: msgspec.Raw,
    FreeObject: lambda _: _Free,
    Flag: lambda _: bool,
    Text: _text,
    Integer: _integer,
    Number: _number,
    ListOf: _list,
    Record: _record,
    Tagged: _tagged,
    OneOf: lambda _: _NEVER,
}
