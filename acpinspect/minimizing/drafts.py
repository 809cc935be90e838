"""A log in the making: its frames as JSON values, which can be changed and written again."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import orjson
import pandas as pd

from acpinspect.events import parse
from acpinspect.minimizing.validity import Json, fits
from acpinspect.protocol import VERSIONS, Version

__all__ = ["Draft", "Path", "Piece", "draft_of", "strings", "walk"]

Path: TypeAlias = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class Piece:
    """A frame.

    Attributes:
        raw: Its JSON text.
        value: The value; None where it is no message, which then stays as it is.
        method: Its method; of a response, that of its request.
        version: The protocol version.
    """

    raw: str
    value: Json | None
    method: str | None
    version: Version

    def changed(self, value: Json) -> Piece | None:
        """The piece with another value; None if that doesn't fit the schema as well as before."""
        if value == self.value:
            return self
        if self.value is None or not fits(value, self.value, self.method, self.version):
            return None
        return Piece(_written(value), value, self.method, self.version)


Draft: TypeAlias = list[Piece]


def draft_of(events: pd.DataFrame) -> Draft:
    """The frames of an events table."""
    columns = zip(events["raw"], events["kind"], events["method"], events["protocol"], strict=True)
    return [_piece(str(raw), str(kind), method, protocol) for raw, kind, method, protocol in columns]


def _piece(raw: str, kind: str, method: object, protocol: object) -> Piece:
    value: Any = None
    if kind not in ("unreadable", "other"):
        try:
            value = parse(raw)
        except (ValueError, RecursionError):
            value = None
    version: Version = VERSIONS[1] if protocol == VERSIONS[1] else VERSIONS[0]
    return Piece(
        raw, value if isinstance(value, dict) else None, method if isinstance(method, str) else None, version
    )


def _written(value: Json) -> str:
    try:
        return orjson.dumps(value).decode()
    except TypeError:
        return json.dumps(value, separators=(",", ":"))


def walk(value: object, path: Path = ()) -> Iterator[tuple[Path, object]]:
    """All values below a value, each with its path, outer ones before inner ones."""
    inner: Sequence[tuple[str | int, object]] = ()
    if isinstance(value, dict):
        inner = list(value.items())
    elif isinstance(value, list):
        inner = list(enumerate(value))
    for step, item in inner:
        yield (*path, step), item
        yield from walk(item, (*path, step))


def strings(value: object) -> Iterator[tuple[str, Path, str]]:
    """All strings below a value: the key under which each stands (also through arrays), its path, itself."""
    for path, item in walk(value):
        if isinstance(item, str):
            keys = [step for step in path if isinstance(step, str)]
            yield keys[-1] if keys else "", path, item
