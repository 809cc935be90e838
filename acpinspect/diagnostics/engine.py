"""Applies the rules to a log."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np

from acpinspect.diagnostics.catalogue import CODES, code_named
from acpinspect.diagnostics.findings import SEVERITIES, Hit, Severity, findings_table
from acpinspect.diagnostics.log import Log
from acpinspect.diagnostics.options import OptionsLike, as_options
from acpinspect.diagnostics.registry import RULES
from acpinspect.diagnostics.rules import register_all
from acpinspect.errors import ArgumentError

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["findings_in", "hits_of"]

_CLOSED = "update-after-close"


def findings_in(
    events: pd.DataFrame,
    *,
    codes: Iterable[str] | str | None,
    severity: Severity | None,
    policy: str,
    options: OptionsLike,
) -> pd.DataFrame:
    """The findings in one events table; arguments as `diagnose` takes them."""
    least = 0 if severity is None else _rank(severity)
    wanted = _wanted(codes)
    log = Log(events, policy, as_options(options))
    found = [(CODES[code], hit) for code in wanted for hit in log.hits(code)]
    return findings_table(
        events, [(code, hit) for code, hit in found if _rank(hit.severity or code.severity) >= least]
    )


def hits_of(log: Log, code: str) -> list[Hit]:
    """What one rule says, where it has a say: in its versions, and not after a session was closed."""
    register_all()
    entry = CODES[code]
    spoken = np.zeros(len(log), dtype=bool)
    for version in entry.versions:
        spoken |= log.v2 if version == "v2" else log.v1
    silent = frozenset() if code == _CLOSED else log.fired(_CLOSED)
    found = [hit for hit in RULES[code](log) if spoken[hit.row] and hit.row not in silent]
    return sorted(found, key=lambda hit: hit.row)


def _wanted(codes: Iterable[str] | str | None) -> list[str]:
    if codes is None:
        return list(CODES)
    names = [codes] if isinstance(codes, str) else list(codes)
    return list(dict.fromkeys(code_named(name).code for name in names))


def _rank(severity: str) -> int:
    if severity not in SEVERITIES:
        raise ArgumentError(f"There is no severity {severity!r}. Known severities: {', '.join(SEVERITIES)}.")
    return SEVERITIES.index(severity)
