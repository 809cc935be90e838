"""What the tests of the diagnostics have in common: findings as plain tuples."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

import acpinspect
from acpinspect.diagnostics.sketch import sketched

Report = list[tuple[int, str, str]]
"""Event, code and severity of each finding, sorted."""


def report(events: pd.DataFrame, **settings: Any) -> Report:
    """The findings of a table."""
    findings = acpinspect.diagnose(events, **settings)
    columns = (findings["event"].tolist(), findings["code"].astype(str), findings["severity"].astype(str))
    return sorted(zip(*columns, strict=True))


def report_frames(
    frames: Sequence[Any], version: str = "v1", options: Mapping[str, object] | None = None, **settings: Any
) -> Report:
    """The findings of some JSON-RPC frames."""
    events = acpinspect.from_records(frames, protocol=version)
    return report(events, options=options, **settings)


def report_sketch(text: str, version: str = "v1", **settings: Any) -> Report:
    """The findings of a sketch."""
    return report_frames(sketched(text, version), version, **settings)


def loud(found: Report) -> Report:
    """Warnings and errors only."""
    return [finding for finding in found if finding[2] != "info"]
