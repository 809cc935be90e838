"""Validates whole frames: params and results against the definition that the schema has for their method."""

from __future__ import annotations

from functools import cache
from typing import Any

import pandas as pd

import acpinspect
from tests.protocol.schemas import definitions, validator

Problem = tuple[int, str]


@cache
def names_of(version: str) -> dict[tuple[str, str], str]:
    """The definition of each method's params (``Request``, ``Notification``) and result (``Response``)."""
    suffixes = ("Request", "Notification", "Response")
    return {
        (node["x-method"], suffix): name
        for name, node in definitions(version).items()
        for suffix in suffixes
        if "x-method" in node and name.endswith(suffix)
    }


def problems(events: pd.DataFrame, version: str) -> list[str]:
    """What is not valid in a table, by the unstable schema of a version; empty if all is."""
    found = []
    for event, message in zip(events.index, acpinspect.payloads(events), strict=True):
        if message is None:
            found.append(f"{event}: no message")
        else:
            found += [f"{event}: {text}" for text in frame_problems(message, events["method"][event], version)]
    return found


def frame_problems(message: dict[str, Any], method: object, version: str) -> list[str]:
    """What is not valid in one frame."""
    if message.get("jsonrpc") != "2.0":
        return ["jsonrpc"]
    if "method" in message:
        kind = "Request" if "id" in message else "Notification"
        value, name = message.get("params", {}), names_of(version).get((message["method"], kind))
        if name is None:
            return [] if message["method"] not in _all_methods() else [f"{version} has no {message['method']}"]
    elif "result" in message:
        value, name = message["result"], names_of(version).get((str(method), "Response"))
    else:
        value, name = message["error"], "Error"
    if name is None:
        return []
    return [
        f"{name} {list(error.path)} {error.message[:200]}" for error in validator(version, name).iter_errors(value)
    ]


@cache
def _all_methods() -> frozenset[str]:
    return frozenset(method for version in ("v1", "v2") for method, _ in names_of(version))
