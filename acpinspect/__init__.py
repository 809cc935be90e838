"""acpinspect: find out what really happened in an Agent Client Protocol log.

Names are loaded when they are first used, so that ``import acpinspect`` costs next to nothing.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

if TYPE_CHECKING:
    from acpinspect.collection import Corpus, corpus
    from acpinspect.comparison import Comparison, compare, compare_clients, compare_logs, explain
    from acpinspect.conversion import Conversion, convert
    from acpinspect.diagnostics import catalogue, diagnose, explain_code, rule
    from acpinspect.errors import (
        AcpInspectError,
        ArgumentError,
        ConversionError,
        EventsError,
        NotACPError,
        ReadError,
        SourceError,
        StartError,
        WorkerError,
    )
    from acpinspect.events import payload, payloads
    from acpinspect.following import follow
    from acpinspect.grouping import Cues, Policy, Rules, Stream, get_policy, group, policies, register_policy
    from acpinspect.grouping.meta_ids import discover_meta_ids
    from acpinspect.html_report import report
    from acpinspect.loading import detect, formats, load
    from acpinspect.message_table import messages
    from acpinspect.minimizing import bug_report, minimize
    from acpinspect.privacy import leftovers, redact, redaction_report
    from acpinspect.problems import load_report
    from acpinspect.recording import Recorder, record
    from acpinspect.records import from_records
    from acpinspect.scanning import scan
    from acpinspect.summary import summarize
    from acpinspect.timelines import Timeline, timeline
    from acpinspect.widgets import explore, explore_comparison
    from acpinspect.writing import write

_ROOM_OF = {
    "AcpInspectError": "errors",
    "ArgumentError": "errors",
    "Comparison": "comparison",
    "Conversion": "conversion",
    "ConversionError": "errors",
    "Corpus": "collection",
    "Cues": "grouping",
    "EventsError": "errors",
    "NotACPError": "errors",
    "Policy": "grouping",
    "ReadError": "errors",
    "Recorder": "recording",
    "Rules": "grouping",
    "SourceError": "errors",
    "StartError": "errors",
    "Stream": "grouping",
    "Timeline": "timelines",
    "WorkerError": "errors",
    "bug_report": "minimizing",
    "catalogue": "diagnostics",
    "compare": "comparison",
    "compare_clients": "comparison",
    "compare_logs": "comparison",
    "convert": "conversion",
    "corpus": "collection",
    "detect": "loading",
    "diagnose": "diagnostics",
    "discover_meta_ids": "grouping.meta_ids",
    "explain": "comparison",
    "explain_code": "diagnostics",
    "explore": "widgets",
    "explore_comparison": "widgets",
    "follow": "following",
    "formats": "loading",
    "from_records": "records",
    "get_policy": "grouping",
    "group": "grouping",
    "leftovers": "privacy",
    "load": "loading",
    "load_report": "problems",
    "messages": "message_table",
    "minimize": "minimizing",
    "payload": "events",
    "payloads": "events",
    "policies": "grouping",
    "record": "recording",
    "redact": "privacy",
    "redaction_report": "privacy",
    "register_policy": "grouping",
    "report": "html_report",
    "rule": "diagnostics",
    "scan": "scanning",
    "summarize": "summary",
    "timeline": "timelines",
    "write": "writing",
}

_MODULES = ("plot", "reducer", "testing", "vectors")
"""Public modules, which a user reaches as attributes."""

__all__ = [
    "AcpInspectError",
    "ArgumentError",
    "Comparison",
    "Conversion",
    "ConversionError",
    "Corpus",
    "Cues",
    "EventsError",
    "NotACPError",
    "Policy",
    "ReadError",
    "Recorder",
    "Rules",
    "SourceError",
    "StartError",
    "Stream",
    "Timeline",
    "WorkerError",
    "__version__",
    "bug_report",
    "catalogue",
    "compare",
    "compare_clients",
    "compare_logs",
    "convert",
    "corpus",
    "detect",
    "diagnose",
    "discover_meta_ids",
    "explain",
    "explain_code",
    "explore",
    "explore_comparison",
    "follow",
    "formats",
    "from_records",
    "get_policy",
    "group",
    "leftovers",
    "load",
    "load_report",
    "messages",
    "minimize",
    "payload",
    "payloads",
    "policies",
    "record",
    "redact",
    "redaction_report",
    "register_policy",
    "report",
    "rule",
    "scan",
    "summarize",
    "timeline",
    "write",
]


def __getattr__(name: str) -> Any:  # noqa: ANN401  (any of the public names)
    if name in _MODULES:
        return importlib.import_module(f"acpinspect.{name}")
    room = _ROOM_OF.get(name)
    if room is None:
        raise AttributeError(f"module 'acpinspect' has no attribute {name!r}")
    # No public name is that of a module: importing the module would put it in the name's place.
    value = getattr(importlib.import_module(f"acpinspect.{room}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
