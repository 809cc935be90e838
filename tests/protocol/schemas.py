"""Reads the published schemas into one plain form, and our tables into the same form, to compare them.

The form: ``("text", values, open, least, pattern)``, ``("integer", minimum)``, ``("number", minimum, maximum)``,
``("flag",)``, ``("any",)``, ``("object",)``, ``("list", item, least)``, ``("record", members)``,
``("tagged", tag, shared, cases, other)``, ``("one of", options)``; a member is
``(required, nullable, lenient, skip, form)``.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from functools import cache
from typing import Any

from jsonschema import Draft202012Validator

from acpinspect.protocol.fields import (
    Anything,
    Field,
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
from tests.conftest import SHARED

Form = tuple[Any, ...]

# Every form that reads an update or a permission request stops long before this depth.
_DEEPEST = 30


@cache
def definitions(version: str, *, stable: bool = False) -> dict[str, Any]:
    """The named definitions of one published schema."""
    name = f"acp-{version}.schema.json" if stable else f"acp-{version}.unstable.schema.json"
    return json.loads((SHARED / "spec" / name).read_text(encoding="utf-8"))["$defs"]


@cache
def validator(version: str, definition: str) -> Draft202012Validator:
    """A validator of one definition of the unstable schema."""
    defs = definitions(version)
    return Draft202012Validator({"$ref": f"#/$defs/{definition}", "$defs": defs})


def is_valid(value: object, version: str, definition: str = "SessionUpdate") -> bool:
    """Whether a value fits a definition of the unstable schema."""
    return validator(version, definition).is_valid(value)


# --- schemas ----------------------------------------------------------------------------------------------------


def schema_form(node: dict[str, Any], defs: dict[str, Any], depth: int = 0) -> Form:
    """The form of a schema node, nullability aside."""
    assert depth < _DEEPEST
    node = _resolve(node, defs)
    branches = node.get("oneOf") or node.get("anyOf")
    if branches:
        return _branches_form(node, [b for b in branches if b.get("type") != "null"], defs, depth)
    kind = node.get("type")
    kind = next((k for k in kind if k != "null"), None) if isinstance(kind, list) else kind
    return _FORMS[kind](node, defs, depth)


def _resolve(node: dict[str, Any], defs: dict[str, Any]) -> dict[str, Any]:
    while "$ref" in node or ("allOf" in node and "properties" not in node):
        node = defs[(node if "$ref" in node else node["allOf"][0])["$ref"].removeprefix("#/$defs/")]
    return node


def _branches_form(node: dict[str, Any], branches: list[dict[str, Any]], defs: dict[str, Any], depth: int) -> Form:
    if all(b.get("type") == "string" for b in branches):
        values = tuple(b["const"] for b in branches if "const" in b)
        return ("text", values, any("const" not in b for b in branches), 0, None)
    tag = _tag_of(branches)
    if tag is not None:
        return _tagged_form(tag, node, branches, defs, depth)
    forms = tuple(schema_form(b, defs, depth + 1) for b in branches)
    return forms[0] if len(forms) == 1 else ("one of", forms)


def _tag_of(branches: list[dict[str, Any]]) -> str | None:
    for name, member in branches[0].get("properties", {}).items():
        if "const" in member:
            return name
    return None


def _tagged_form(
    tag: str, node: dict[str, Any], branches: list[dict[str, Any]], defs: dict[str, Any], depth: int
) -> Form:
    cases, other = {}, None
    for branch in branches:
        members = _members(branch, defs, depth)
        for ref in branch.get("allOf", []):
            members |= _members(_resolve(ref, defs), defs, depth)
        members.pop(tag)
        if "const" in branch["properties"][tag]:
            cases[branch["properties"][tag]["const"]] = members
        else:
            other = members
    return ("tagged", tag, _members(node, defs, depth), cases, other)


def _members(node: dict[str, Any], defs: dict[str, Any], depth: int) -> dict[str, Any]:
    required = node.get("required", ())
    return {
        name: (
            name in required,
            _is_nullable(member),
            "x-deserialize-default-on-error" in member,
            "x-deserialize-skip-invalid-items" in member,
            schema_form(member, defs, depth + 1),
        )
        for name, member in node.get("properties", {}).items()
    }


def _is_nullable(node: dict[str, Any]) -> bool:
    if not node.keys() & {"type", "$ref", "allOf", "anyOf", "oneOf"}:
        return True
    kind = node.get("type")
    return (isinstance(kind, list) and "null" in kind) or {"type": "null"} in [
        {"type": b.get("type")} for b in node.get("anyOf", [])
    ]


def _object_form(node: dict[str, Any], defs: dict[str, Any], depth: int) -> Form:
    if "properties" not in node:
        return ("object",)
    return ("record", _members(node, defs, depth))


_FORMS: dict[str | None, Any] = {
    None: lambda *_: ("any",),
    "string": lambda n, *_: ("text", (), True, n.get("minLength", 0), n.get("pattern")),
    "integer": lambda n, *_: ("integer", n.get("minimum")),
    "number": lambda n, *_: ("number", n.get("minimum"), n.get("maximum")),
    "boolean": lambda *_: ("flag",),
    "array": lambda n, defs, depth: ("list", schema_form(n["items"], defs, depth + 1), n.get("minItems", 0)),
    "object": _object_form,
}


def update_cases(version: str, *, stable: bool = False) -> dict[str, Any]:
    """The form of each update that a schema names."""
    defs = definitions(version, stable=stable)
    branches = defs["SessionUpdate"].get("oneOf") or defs["SessionUpdate"]["anyOf"]
    named = [b for b in branches if "const" in b["properties"]["sessionUpdate"]]
    return {b["properties"]["sessionUpdate"]["const"]: schema_form(b["allOf"][0], defs) for b in named}


# --- tables -----------------------------------------------------------------------------------------------------


def table_form(shape: Shape, *, stable: bool = False) -> Form:
    """The form of a shape of our tables; with `stable`, without what only the unstable schema has."""
    return _SHAPES[type(shape)](shape, stable)


def fields_form(fields: Iterable[Field], *, stable: bool = False) -> dict[str, Any]:
    """The form of the members of an object."""
    return {
        f.name: (
            f.required,
            f.nullable,
            f.default_on_error,
            f.skip_invalid_items,
            table_form(f.type, stable=stable),
        )
        for f in fields
        if f.stable or not stable
    }


def _text_form(shape: Text, _: bool) -> Form:
    pattern = f"^[A-Z]{{{shape.capitals}}}$" if shape.capitals else None
    values = () if shape.enum is None else shape.enum.values
    return ("text", values, shape.enum is None or shape.enum.open, shape.min_length, pattern)


def _tagged_table_form(shape: Tagged, stable: bool) -> Form:
    hidden = shape.unstable_cases if stable else frozenset()
    cases = {
        name: fields_form(fields, stable=stable) for name, fields in shape.cases.items() if name not in hidden
    }
    other = None if shape.other is None else fields_form(shape.other, stable=stable)
    return ("tagged", shape.tag, fields_form(shape.shared, stable=stable), cases, other)


_SHAPES: dict[type, Any] = {
    Anything: lambda *_: ("any",),
    FreeObject: lambda *_: ("object",),
    Flag: lambda *_: ("flag",),
    Text: _text_form,
    Integer: lambda s, _: ("integer", s.minimum),
    Number: lambda s, _: ("number", s.minimum, s.maximum),
    ListOf: lambda s, stable: ("list", table_form(s.item, stable=stable), s.min_items),
    Record: lambda s, stable: ("record", fields_form(s.fields, stable=stable)),
    Tagged: _tagged_table_form,
    OneOf: lambda s, stable: ("one of", tuple(table_form(o, stable=stable) for o in s.options)),
}
