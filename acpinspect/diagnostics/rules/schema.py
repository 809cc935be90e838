"""Rules about the shape of what is sent: schema, names, spelling, unknown keys and methods."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np

from acpinspect.diagnostics.findings import Hit, Severity, quote
from acpinspect.diagnostics.log import Log
from acpinspect.diagnostics.registry import builtin
from acpinspect.protocol import METHODS, VARIANTS, VERSIONS, Version

__all__: list[str] = []

_V1_ONLY: Final = frozenset(VARIANTS["v1"]) - frozenset(VARIANTS["v2"])


@builtin("schema-invalid")
def _schema_invalid(log: Log) -> Iterator[Hit]:
    silent = log.fired("wrong-field-case", "message-id-invalid", "unknown-update")
    for row, issue in log.oddities.invalid.items():
        if row not in silent:
            name = log.name("update", row) or "The update"
            yield Hit(row, f"{name} doesn't fit the schema of {log.version(row)}: {issue}.")


@builtin("wrong-field-case")
def _wrong_field_case(log: Log) -> Iterator[Hit]:
    for row, told in log.oddities.wrong_case.items():
        yield Hit(row, told)


@builtin("unknown-update")
def _unknown_update(log: Log) -> Iterator[Hit]:
    silent = log.fired("wrong-field-case")
    names = log.events["update"].astype(object).to_numpy()
    for version in VERSIONS:
        mask = log.v2 if version == "v2" else log.v1
        known = log.has("update", *VARIANTS[version])
        unknown = mask & log.is_update & log.events["update"].notna().to_numpy() & ~known
        for row in np.flatnonzero(unknown).tolist():
            if row not in silent:
                severity, told = _verdict(str(names[row]), version)
                yield Hit(row, f"{quote(str(names[row]), 60)} {told}.", severity)


def _verdict(name: str, version: Version) -> tuple[Severity, str]:
    if name.startswith("_"):
        return "info", "is a custom update"
    if version == "v1":
        return "error", "is an update of v2, not of v1" if name in VARIANTS["v2"] else "is no update of v1"
    if name in _V1_ONLY:
        return "error", "is an update of v1, not of v2"
    return "warning", "is no update of v2, which keeps such names for itself"


@builtin("unknown-field")
def _unknown_field(log: Log) -> Iterator[Hit]:
    silent = log.fired("wrong-field-case", "unknown-update", "schema-invalid", "update-after-close")
    done: set[tuple[int, str, str]] = set()
    for row, extras in sorted(log.oddities.extra.items()):
        for extra in extras if row not in silent else ():
            key = (int(log.session[row]), extra.owner, extra.key)
            if key not in done:
                done.add(key)
                owner, version = quote(extra.owner, 60), log.version(row)
                yield Hit(row, f"{owner} has no field {quote(extra.key)} in the schema of {version}.")


@builtin("unknown-method")
def _unknown_method(log: Log) -> Iterator[Hit]:
    categories = [str(name) for name in log.events["method"].cat.categories]
    strange = [name for name in categories if not name.startswith(("_", "$/")) and _lacks(name)]
    rows = np.flatnonzero(log.has("method", *strange) & log.has("kind", "request", "notification"))
    methods = log.events["method"].astype(object).to_numpy()
    done: set[tuple[int, str]] = set()
    for row in rows.tolist():
        method, key = str(methods[row]), (int(log.recording[row]), str(methods[row]))
        if key not in done and not _has(method, log.version(row)):
            done.add(key)
            yield Hit(row, f"{quote(method, 60)} is no method of {log.version(row)}.")


def _lacks(method: str) -> bool:
    return not (_has(method, "v1") and _has(method, "v2"))


def _has(method: str, version: Version) -> bool:
    return method in METHODS and version in METHODS[method].calls
