"""The pages of the Python API: every public name, by what it is for. `docs/make.py` writes them."""

from __future__ import annotations

import inspect
from dataclasses import dataclass
from importlib import import_module
from types import ModuleType


@dataclass(frozen=True, slots=True)
class Page:
    """One page of the reference: names of `acpinspect` or, with dots, of its modules."""

    name: str
    title: str
    about: str
    names: tuple[str, ...]


def names_of(module: str, *left_out: str) -> tuple[str, ...]:
    """All public names of a module, as the pages name them."""
    public = import_module(f"acpinspect.{module}").__all__
    return tuple(f"{module}.{name}" for name in public if name not in left_out)


PAGES = (
    Page(
        "reading",
        "Reading and writing",
        "From a recording to the [events table](../columns.md#the-events-table), and back. Most functions below "
        "and on the other pages take the path of a log as well as its events table.",
        (
            "load",
            "scan",
            "follow",
            "from_records",
            "payload",
            "payloads",
            "load_report",
            "summarize",
            "write",
            "formats",
            "detect",
        ),
    ),
    Page(
        "recording",
        "Recording",
        "A log where there is none yet: see [Recording](../recording.md).",
        ("record", "Recorder", *names_of("recording", "Recorder", "record")),
    ),
    Page(
        "messages",
        "Messages and policies",
        "Which events are one message, by which rule. [How events become messages](../grouping.md) tells the "
        "rules, [The clients](../clients.md) and [Policies](../policies.md) the presets and parameters.",
        (
            "messages",
            "group",
            "policies",
            "get_policy",
            "register_policy",
            "Policy",
            "Rules",
            "Stream",
            "Cues",
            "discover_meta_ids",
            "grouping.outcomes",
        ),
    ),
    Page(
        "comparing",
        "Comparing",
        "Two groupings of one log, one session in two logs, or all clients at once.",
        ("compare", "compare_logs", "compare_clients", "explain", "Comparison"),
    ),
    Page(
        "many",
        "Many logs",
        "A folder of recordings as one thing, here or on a cluster: see [Many logs](../many_logs.md).",
        ("corpus", "Corpus"),
    ),
    Page(
        "states",
        "The timeline",
        "The state at any step, and the event that made each piece of it: see [the timeline](../timeline.md).",
        ("timeline", "Timeline", *names_of("timelines", "EntityLike", "Timeline", "timeline")),
    ),
    Page(
        "reducer",
        "The reducer",
        "The state as a value and the pure steps that make it. Most users want the [timeline](states.md); this is "
        "for who extends the reducer or folds by hand: see [what an update does](../semantics.md).",
        (*names_of("reducer", "v1", "v2"), "reducer.v1.reduce", "reducer.v2.reduce"),
    ),
    Page(
        "diagnosing",
        "Diagnosing",
        "What is wrong in a log: see [Diagnostics](../diagnostics.md).",
        ("diagnose", "catalogue", "explain_code", "rule", "diagnostics.Hit", *names_of("testing")),
    ),
    Page(
        "converting",
        "Converting",
        "A log in the other version of the protocol: see [Conversion](../conversion.md).",
        ("convert", "Conversion"),
    ),
    Page(
        "sharing",
        "Sharing",
        "A log without its content, and the smallest one that shows a fault: see [Privacy](../privacy.md) and "
        "[Minimizing](../minimize.md).",
        ("redact", "redaction_report", "leftovers", "minimize", "bug_report"),
    ),
    Page(
        "seeing",
        "Seeing",
        "The [explorer](../explorer.md), the [report](../report.md) and the [pictures](../plots.md).",
        ("explore", "explore_comparison", "report", *names_of("plot")),
    ),
    Page(
        "vectors",
        "Vectors",
        "Logs with the state after each step, to test a reducer in any language: see "
        "[their README](../vectors.md).",
        names_of("vectors"),
    ),
    Page(
        "errors",
        "Errors",
        "All that acpinspect raises on purpose is an `AcpInspectError`, and its message says what was wrong, "
        "where, and what to do.",
        (
            "AcpInspectError",
            "SourceError",
            "NotACPError",
            "ReadError",
            "ArgumentError",
            "EventsError",
            "ConversionError",
            "StartError",
            "WorkerError",
        ),
    ),
)


def pages() -> dict[str, str]:
    """Each page, by its name."""
    return {"api/index.md": _index(), **{f"api/{page.name}.md": _page(page) for page in PAGES}}


def found(name: str) -> object:
    """What a name of the pages stands for."""
    module, _, attribute = f"acpinspect.{name}".rpartition(".")
    return getattr(import_module(module), attribute)


def _index() -> str:
    lines = ["# The Python API\n", "Every public name. Its docstring's example runs as a test.\n"]
    for page in PAGES:
        lines += [f"- [{page.title}]({page.name}.md): " + ", ".join(f"`{name}`" for name in page.names)]
    tree = "\n".join(page.name for page in PAGES)
    return "\n".join([*lines, f"\n```{{toctree}}\n:hidden:\n\n{tree}\n```\n"])


def _page(page: Page) -> str:
    entries = "\n\n".join(_entry(name) for name in page.names)
    return f"# {page.title}\n\n{page.about}\n\n```{{eval-rst}}\n{entries}\n```\n"


def _entry(name: str) -> str:
    value = found(name)
    if inspect.isclass(value):
        return f".. autoclass:: acpinspect.{name}\n   :members:"
    kind = "autofunction" if callable(value) else "automodule" if isinstance(value, ModuleType) else "autodata"
    return f".. {kind}:: acpinspect.{name}"
