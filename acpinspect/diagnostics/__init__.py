"""What is wrong in a log: fifty codes, each with evidence and remedy, and rules of one's own."""

from __future__ import annotations

from acpinspect.diagnostics.catalogue import CODES, Code, catalogue
from acpinspect.diagnostics.diagnosing import diagnose
from acpinspect.diagnostics.explain import explain_code
from acpinspect.diagnostics.findings import COLUMNS, SEVERITIES, Hit
from acpinspect.diagnostics.log import Log
from acpinspect.diagnostics.options import DiagnoseOptions
from acpinspect.diagnostics.registry import RULES, forget_rule, rule

__all__ = [
    "CODES",
    "COLUMNS",
    "RULES",
    "SEVERITIES",
    "Code",
    "DiagnoseOptions",
    "Hit",
    "Log",
    "catalogue",
    "diagnose",
    "explain_code",
    "forget_rule",
    "rule",
]
