"""What the results of responses say to whoever pairs them with their requests, as columns.

A result may be large: it is looked at once, where its line is read.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import numpy as np
import pyarrow as pa

from acpinspect.events import parse
from acpinspect.protocol.methods import result_methods
from acpinspect.reading.arrays import constant, sparse_category
from acpinspect.reading.extract import identifier

__all__ = ["ACKNOWLEDGED", "STOPPED", "methods_named", "result_columns", "version_in"]

STOPPED: Final = "stopped"
ACKNOWLEDGED: Final = "acknowledged"
"""How the result of a prompt ends it: with a stop reason (v1), or with an empty object (v2)."""

_GREATEST: Final = 2**63 - 1


def result_columns(n: int, responses: Iterable[tuple[int, bytes]]) -> dict[str, pa.Array]:
    """Four columns: the methods whose result it may be, its session and version, and how it ends a prompt.

    Args:
        n: How many rows.
        responses: Position and JSON text of those that are responses.
    """
    results = {i: result for i, text in responses if (result := _result(text)) is not _NONE}
    if not results:
        nothing = constant(None, n)
        named = dict.fromkeys(("_result_of", "_result_session", "_result_ends"), nothing)
        return {**named, "_result_version": pa.nulls(n, pa.int64())}
    objects = {i: result for i, result in results.items() if isinstance(result, dict)}
    versions = {i: version_in(result) for i, result in objects.items()}
    return {
        "_result_of": sparse_category(n, {i: _joined(result) for i, result in results.items()}),
        "_result_session": sparse_category(n, {i: identifier(one.get("sessionId")) for i, one in objects.items()}),
        "_result_ends": sparse_category(n, {i: _ending(one) for i, one in objects.items()}),
        "_result_version": _numbers(n, {i: number for i, number in versions.items() if number is not None}),
    }


def methods_named(joined: str) -> frozenset[str]:
    """The methods of a value of the column `_result_of`.

    >>> sorted(methods_named("session/load session/resume"))
    ['session/load', 'session/resume']
    """
    return frozenset(joined.split(" "))


def version_in(holder: object) -> int | None:
    """The protocolVersion of params or of a result; None where there is none, or it is no integer.

    >>> version_in({"protocolVersion": 2})
    2
    """
    version = holder.get("protocolVersion") if isinstance(holder, dict) else None
    return version if isinstance(version, int) and not isinstance(version, bool) else None


_NONE: Final = object()


def _result(text: bytes) -> object:
    message = parse(text)
    return message.get("result") if isinstance(message, dict) else _NONE


def _joined(result: object) -> str | None:
    return " ".join(sorted(result_methods(result))) or None


def _ending(result: dict[str, object]) -> str | None:
    return STOPPED if "stopReason" in result else None if result else ACKNOWLEDGED


def _numbers(n: int, values: dict[int, int]) -> pa.Array:
    """An integer column; what 64 bits don't hold becomes the greatest or least number that they hold."""
    numbers, missing = np.zeros(n, np.int64), np.ones(n, bool)
    rows = list(values)
    numbers[rows] = [max(-_GREATEST, min(number, _GREATEST)) for number in values.values()]
    missing[rows] = False
    return pa.array(numbers, mask=missing)
