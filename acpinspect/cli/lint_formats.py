"""The forms in which `acpinspect lint` prints findings: text, JSON, SARIF, annotations of GitHub."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias
from urllib.parse import quote

import acpinspect
from acpinspect.cli.lint_text import print_findings
from acpinspect.cli.tables import as_json, records

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["WRITERS", "Output"]

Output = Literal["text", "json", "sarif", "github"]
Writer: TypeAlias = "Callable[[pd.DataFrame, pd.DataFrame, pd.DataFrame], None]"

SARIF_LEVELS: Final = {"info": "note", "warning": "warning", "error": "error"}
GITHUB_LEVELS: Final = {"info": "notice", "warning": "warning", "error": "error"}


def _placed(findings: pd.DataFrame, events: pd.DataFrame) -> Iterator[dict[str, Any]]:
    """The findings as plain values, with source and line."""
    import pandas as pd

    where = events.loc[findings["event"], ["source", "line"]].astype({"source": "string"})
    return records(pd.concat([where.reset_index(drop=True), findings.reset_index(drop=True)], axis=1))


def _write_json(findings: pd.DataFrame, events: pd.DataFrame, _: pd.DataFrame) -> None:
    lines = ",\n".join(as_json(record) for record in _placed(findings, events))
    sys.stdout.write(f"[\n{lines}\n]\n" if lines else "[]\n")


def _write_github(findings: pd.DataFrame, events: pd.DataFrame, _: pd.DataFrame) -> None:
    for one in _placed(findings, events):
        place = f"file={_property(one['source'])}" + (f",line={one['line']}" if one["line"] else "")
        title = _property(one["code"])
        message = _data(f"{one['message']} {one['remedy']} (event {one['event']})")
        sys.stdout.write(f"::{GITHUB_LEVELS[one['severity']]} {place},title={title}::{message}\n")


def _data(text: str) -> str:
    """Text of an annotation: GitHub reads a command a line, and some signs are escaped."""
    from acpinspect.cli.screen import printable

    return printable(text).replace("%", "%25")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")


def _write_sarif(findings: pd.DataFrame, events: pd.DataFrame, _: pd.DataFrame) -> None:
    from acpinspect.diagnostics.baseline import fingerprints
    from acpinspect.diagnostics.catalogue import CODES

    found = list(_placed(findings, events))
    used = [code for code in CODES if any(one["code"] == code for one in found)]
    prints = fingerprints((one["source"], one["code"], one["message"]) for one in found)
    driver = {
        "name": "acpinspect",
        "version": acpinspect.__version__,
        "rules": [_rule(code) for code in used],
    }
    log = {
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [
            {
                "tool": {"driver": driver},
                "columnKind": "unicodeCodePoints",
                "results": [_result(one, used, name) for one, name in zip(found, prints, strict=True)],
            }
        ],
    }
    sys.stdout.write(json.dumps(log, indent=2) + "\n")


def _rule(name: str) -> dict[str, Any]:
    from acpinspect.diagnostics.catalogue import CODES

    code = CODES[name]
    return {
        "id": code.code,
        "shortDescription": {"text": code.means or code.code},
        "fullDescription": {"text": code.found or code.means or code.code},
        "help": {"text": code.remedy or code.code},
        "defaultConfiguration": {"level": SARIF_LEVELS[code.severity]},
        "properties": {"spec": code.spec, "versions": list(code.versions)},
    }


def _result(one: dict[str, Any], used: list[str], fingerprint: str) -> dict[str, Any]:
    location: dict[str, Any] = {"artifactLocation": {"uri": quote(one["source"].replace("\\", "/"), safe="/")}}
    if one["line"]:
        location["region"] = {"startLine": one["line"]}
    return {
        "ruleId": one["code"],
        "ruleIndex": used.index(one["code"]),
        "level": SARIF_LEVELS[one["severity"]],
        "message": {"text": one["message"]},
        "locations": [{"physicalLocation": location}],
        "partialFingerprints": {"acpinspect/v1": fingerprint},
        "properties": {"event": one["event"], "session": one["session_id"], "related": one["related"]},
    }


WRITERS: Final[dict[Output, Writer]] = {
    "text": print_findings,
    "json": _write_json,
    "sarif": _write_sarif,
    "github": _write_github,
}
"""How each form is written to standard output: findings, events, and the findings of too low a severity."""
