"""The long form of a code, with an example."""

from __future__ import annotations

import json
import textwrap
from typing import Final

from acpinspect.diagnostics.catalogue import Code, code_named
from acpinspect.diagnostics.example import Example
from acpinspect.diagnostics.examples_messages import MESSAGE_EXAMPLES
from acpinspect.diagnostics.examples_others import OTHER_EXAMPLES
from acpinspect.diagnostics.sketch import sketched

__all__ = ["EXAMPLES", "explain_code", "marked_lines"]

_WIDTH: Final = 100

EXAMPLES: Final[dict[str, Example]] = {**MESSAGE_EXAMPLES, **OTHER_EXAMPLES}
"""An example for every code of the catalogue."""


def explain_code(code: str) -> str:
    """Say at length what a code means, when its rule speaks and what to do, with a made-up log before and after.

    Args:
        code: One of `catalogue`.

    Returns:
        Text of several lines. The line of the example at which the rule speaks begins with ``>``.

    Raises:
        ArgumentError: If there is no such code.

    Example:
        >>> import acpinspect
        >>> print(acpinspect.explain_code("empty-turn").splitlines()[0])
        empty-turn (warning, v1)
    """
    entry = code_named(code)
    return "\n".join([*_said(entry), *_shown(entry)]) + "\n"


def _said(entry: Code) -> list[str]:
    severity = f"{entry.severity}; {entry.varies}" if entry.varies else entry.severity
    facts = (
        ("When", entry.found),
        ("Do", entry.remedy),
        ("No fault", entry.caveat),
        ("Severity", severity if entry.varies else ""),
        ("Source", entry.spec),
    )
    head = f"{entry.code} ({entry.severity}, {' '.join(entry.versions)})"
    shown = [_fact(name, text) for name, text in facts if text not in ("", "-")]
    return [head, "", entry.means, "", *shown]


def _fact(name: str, text: str) -> str:
    """A fact beside its name, in lines that fit a terminal."""
    return textwrap.fill(text, _WIDTH, initial_indent=f"{name + ':':<10}", subsequent_indent=" " * 10)


def _shown(entry: Code) -> list[str]:
    example = EXAMPLES.get(entry.code)
    if example is None:
        return []
    options = "".join(f" ({name} = {value!r})" for name, value in example.options.items())
    before, after = (
        marked_lines(entry.code, example, example.before),
        marked_lines(entry.code, example, example.after),
    )
    return ["", f"Before{options}:", *before, "", "After:", *after]


def marked_lines(code: str, example: Example, sketch: str) -> list[str]:
    """The frames of a sketch as JSON, those at which the rule speaks marked."""
    from acpinspect.diagnostics.diagnosing import diagnose
    from acpinspect.records import from_records

    frames = sketched(sketch, example.version)
    found = diagnose(from_records(frames, protocol=example.version), codes=[code], options=example.options)
    events = set(found["event"])
    return [
        f"{'>' if event in events else ' '} {json.dumps(_bare(frame), ensure_ascii=False)}"
        for event, frame in enumerate(frames)
    ]


def _bare(frame: dict[str, object]) -> dict[str, object]:
    """The frame without the member that is the same in all."""
    return {key: value for key, value in frame.items() if key != "jsonrpc"}
