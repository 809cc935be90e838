"""Keys and values that the schema doesn't have: wrong spellings, faults, unknown fields."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from acpinspect.diagnostics.columns import Mask
from acpinspect.diagnostics.plain import odd_rows
from acpinspect.protocol import (
    VARIANTS,
    VERSIONS,
    Version,
    params_keys,
    read_update,
    result_keys,
    snake_spellings,
    update_keys,
)

if TYPE_CHECKING:
    from acpinspect.diagnostics.log import Log

__all__ = ["Extra", "Oddities", "read_oddities"]

_UPDATE: Final = "session/update"


class Extra(NamedTuple):
    """A key that the schema doesn't have: of which method or variant, and its name."""

    owner: str
    key: str


@dataclass(slots=True)
class Oddities:
    """What was found, by row.

    Attributes:
        wrong_case: What is spelled wrong, as a sentence.
        invalid: Why an update doesn't fit its schema.
        extra: Keys that the schema doesn't have.
    """

    wrong_case: dict[int, str] = field(default_factory=dict)
    invalid: dict[int, str] = field(default_factory=dict)
    extra: dict[int, list[Extra]] = field(default_factory=dict)


def read_oddities(log: Log) -> Oddities:
    """Look at all that is not plainly in order. Cost: one typed decode for each update, a parse for the others."""
    found = Oddities()
    sessionless = _sessionless(log)
    for version in VERSIONS:
        rows = np.flatnonzero(log.is_update & (log.v2 if version == "v2" else log.v1))
        for row in odd_rows(log.raw, rows, version):
            optional = bool(sessionless[log.recording[row]])
            _look_at_update(found, row, log.part(row, "params"), version, session_optional=optional)
    others = log.has("kind", "request", "notification", "response") & ~log.is_update
    methods = log.events["method"].astype(object).to_numpy()
    response = log.has("kind", "response")
    for row in np.flatnonzero(others & log.events["method"].notna().to_numpy()).tolist():
        keys_of, place = (result_keys, "result") if response[row] else (params_keys, "params")
        known = keys_of(str(methods[row]), log.version(row))
        value = None if known is None else log.part(row, place)
        if known is not None and isinstance(value, dict):
            _look_at_keys(found, row, value, known, place, str(methods[row]))
    return found


def _sessionless(log: Log) -> Mask:
    """Recordings whose format keeps no session ids: their absence is no fault of the agent."""
    n = int(log.recording.max(initial=-1)) + 1
    named = log.recording[log.events["session_id"].notna().to_numpy()]
    mask: Mask = np.bincount(named[named >= 0], minlength=n) == 0
    return mask


def _look_at_update(found: Oddities, row: int, params: Any, version: Version, *, session_optional: bool) -> None:  # noqa: ANN401
    update = params.get("update") if isinstance(params, dict) else None
    if isinstance(params, dict):
        _look_at_keys(found, row, params, _params_of_update(version), "params", _UPDATE)
    name = update.get("sessionUpdate") if isinstance(update, dict) else None
    if isinstance(update, dict):
        known = isinstance(name, str) and name in VARIANTS[version]
        keys = update_keys(name, version) if known and isinstance(name, str) else _all_update_keys(version)
        _look_at_keys(found, row, update, keys, "update", str(name))
        if isinstance(name, str) and not name.startswith("_") and any(c.isupper() for c in name):
            found.wrong_case.setdefault(row, f"sessionUpdate is {name[:60]!r}, in camelCase.")
    if isinstance(name, str) and name not in VARIANTS[version]:
        return
    issue = _issue(params, version, session_optional=session_optional)
    if issue is not None:
        found.invalid[row] = issue


def _issue(params: Any, version: Version, *, session_optional: bool) -> str | None:  # noqa: ANN401
    """The first reason why the params of an update don't fit the schema."""
    if not isinstance(params, dict):
        return "params is no object"
    session = params.get("sessionId")
    if not isinstance(session, str) and not (session is None and session_optional):
        return "sessionId is no string" if "sessionId" in params else "sessionId is missing"
    if "update" not in params:
        return "update is missing"
    issues = read_update(params["update"], version).issues
    if issues:
        return str(issues[0]) if issues[0].path else f"update {issues[0].reason}"
    meta = params.get("_meta")
    return None if meta is None or isinstance(meta, dict) else "params._meta is no object"


def _look_at_keys(
    found: Oddities, row: int, value: dict[str, object], known: frozenset[str], place: str, owner: str
) -> None:
    if value.keys() <= known:
        return
    spelled = snake_spellings(known)
    for key in value:
        if key in known:
            continue
        if key in spelled:
            found.wrong_case.setdefault(row, f"{place} has the key {key}, which should be {spelled[key]}.")
        elif not key.startswith("_"):
            found.extra.setdefault(row, []).append(Extra(owner, key))


@cache
def _all_update_keys(version: Version) -> frozenset[str]:
    return _union(update_keys(name, version) for name in VARIANTS[version])


@cache
def _params_of_update(version: Version) -> frozenset[str]:
    return params_keys(_UPDATE, version) or frozenset()


def _union(sets: Iterable[frozenset[str]]) -> frozenset[str]:
    return frozenset().union(*sets)
