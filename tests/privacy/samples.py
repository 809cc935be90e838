"""A frame for every variant, method and case of the protocol, with a string at every place that can hold one."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from typing import Any

from acpinspect.protocol import METHODS, VARIANTS, Version
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
from tests.wire import notification, request, result

Steps = tuple[str | int, ...]


def frames(version: Version) -> Iterator[dict[str, Any]]:
    """All updates of a version, then a request and a response of each method."""
    for variant in VARIANTS[version].values():
        for payload in _of(variant.payload):
            payload["sessionUpdate"] = variant.name
            yield notification("session/update", sessionId="s1", update=payload)
    for number, (name, method) in enumerate(sorted(METHODS.items())):
        call = method.calls.get(version)
        if call is not None and name != "session/update":
            yield {**request(f"r{number}", name), "params": dict.fromkeys(sorted(call.params), "x")}
            yield {**result(f"r{number}"), "result": dict.fromkeys(sorted(call.result or {"_meta"}), "x")}
    yield {"jsonrpc": "2.0", "id": "r", "error": {"code": 1, "message": "x", "data": {"x": ["x"]}}}


def _of(shape: Shape) -> list[Any]:
    match shape:
        case Text():
            return [shape.enum.values[0] if shape.enum else "x"]
        case Integer() | Number():
            return [1]
        case Flag():
            return [True]
        case Anything() | FreeObject():
            return [{"x": "x", "y": ["x", {"z": "x"}]}]
        case ListOf():
            return [_of(shape.item)]
        case Record():
            return _objects(shape.fields)
        case Tagged():
            cases = [(name, (*shape.shared, *fields)) for name, fields in shape.cases.items()]
            return [{shape.tag: name, **value} for name, fields in cases for value in _objects(fields)]
        case OneOf():
            return [value for option in shape.options for value in _of(option)]
    raise AssertionError(shape)


def _objects(fields: tuple[Field, ...]) -> list[dict[str, Any]]:
    """Objects with all fields, so many that each form of each field is in one."""
    forms = {field.name: _of(field.type) for field in fields}
    count = max((len(values) for values in forms.values()), default=1)
    return [copy.deepcopy({name: values[i % len(values)] for name, values in forms.items()}) for i in range(count)]


def string_places(value: Any, steps: Steps = ()) -> Iterator[Steps]:
    """The places of all strings of a JSON value."""
    match value:
        case str():
            yield steps
        case dict():
            for key, item in value.items():
                yield from string_places(item, (*steps, key))
        case list():
            for i, item in enumerate(value):
                yield from string_places(item, (*steps, i))


def planted(frame: dict[str, Any], place: Steps, secret: str) -> dict[str, Any]:
    """The frame with a secret at a place."""
    frame = copy.deepcopy(frame)
    holder: Any = frame
    for step in place[:-1]:
        holder = holder[step]
    holder[place[-1]] = secret
    return frame
