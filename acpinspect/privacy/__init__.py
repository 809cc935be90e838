"""A log that may be shared: the same shape, no content."""

from __future__ import annotations

from acpinspect.privacy.redacting import redact
from acpinspect.privacy.reporting import LEFTOVER_COLUMNS, REPORT_COLUMNS, leftovers, redaction_report
from acpinspect.privacy.vocabulary import KINDS

__all__ = ["KINDS", "LEFTOVER_COLUMNS", "REPORT_COLUMNS", "leftovers", "redact", "redaction_report"]
