"""The smallest log that still shows a fault, and how to write it up."""

from __future__ import annotations

from acpinspect.minimizing.markdown import bug_report
from acpinspect.minimizing.searching import minimize

__all__ = ["bug_report", "minimize"]
