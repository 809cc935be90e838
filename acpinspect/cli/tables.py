"""A table in the form that was asked for: for people, as JSON or as CSV."""

from __future__ import annotations

import csv
import json
import os
import re
import sys
from collections.abc import Iterator, Sequence
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

from acpinspect.cli.screen import console, grid, printable

if TYPE_CHECKING:
    import pandas as pd

    from acpinspect.cli.options import Form

__all__ = ["as_json", "print_json_value", "print_table", "records", "shown"]

AT_A_TIME = 4096  # rows turned into Python objects at once
FOR_PEOPLE = 100  # rows of a table on the screen, unless `--limit` says otherwise

# Legal in JSON, but a terminal may act on them. They stand only inside strings, so an escape is exact.
_STEERING = re.compile("[\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\U000e0000-\U000e007f]")


def print_table(
    table: pd.DataFrame,
    form: Form | None,
    *,
    limit: int | None,
    columns: Sequence[str],
    numbers: Sequence[str] = (),
    elastic: str | None = None,
    wraps: bool = False,
) -> None:
    """Print a table: all of its columns for programs, the ones named for people.

    Args:
        table: The table; its index becomes the first column.
        form: ``"json"``, ``"csv"``, or a table for people.
        limit: At most so many rows; 0 for all. Without one, people get the first hundred, programs all.
        columns: What people see.
        numbers: Those of `columns` that stand to the right.
        elastic: The one of `columns` that is cut first on a narrow screen; else the last.
        wraps: What is too long for its column goes on in the next line, instead of being cut.
    """
    table = table.reset_index()
    if limit is None and form is None:
        limit = FOR_PEOPLE
    part = table.head(limit) if limit else table
    if form == "json":
        _print_json(part)
    elif form == "csv":
        _print_csv(part)
    else:
        out = console()
        if "source" in columns:
            part = part.assign(source=_without_folder(part["source"]))
        texts = [[shown(value) for value in row.values()] for row in records(part[list(columns)])]
        out.print(grid(columns, texts, width=out.width, numbers=numbers, elastic=elastic, wraps=wraps))
        if len(part) < len(table):
            out.print(f"{len(table) - len(part):,} more; --limit 0 shows all.")


def print_json_value(value: object) -> None:
    """Print one value as JSON; a table in it becomes a list of its rows."""
    sys.stdout.write(as_json(_listed(value)) + "\n")


def _listed(value: object) -> object:
    if isinstance(value, dict):
        return {key: _listed(item) for key, item in value.items()}
    return list(records(value)) if hasattr(value, "columns") else value  # type: ignore[arg-type]


def records(table: pd.DataFrame) -> Iterator[dict[str, object]]:
    """The rows as plain values: no value is None, a time is an ISO 8601 text, a list is a list."""
    for start in range(0, len(table), AT_A_TIME):
        part = table.iloc[start : start + AT_A_TIME]
        values = [_plain(part[name]) for name in part.columns]
        for row in zip(*values, strict=True):
            yield dict(zip(part.columns, row, strict=True))


def as_json(value: object) -> str:
    """Compact JSON; characters that could steer a terminal are escaped."""
    import orjson

    try:
        text = orjson.dumps(value, option=orjson.OPT_SERIALIZE_NUMPY).decode()
    except orjson.JSONEncodeError:  # lone surrogates, integers beyond 64 bits: what an agent sent, as it sent it
        text = json.dumps(value, separators=(",", ":"))
    return text if text.isascii() and "\x7f" not in text else _STEERING.sub(_escaped, text)


def shown(value: object) -> str:
    """One value as people read it: nothing for None, no trailing zeros, and lists with commas."""
    if value is None:
        return ""
    if isinstance(value, float):
        return f"{value:,.3f}".rstrip("0").rstrip(".")
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return ", ".join(map(shown, value))
    return str(value)


def _without_folder(sources: pd.Series) -> list[str]:
    """The names without the folder that they all share: what tells them apart stands at the end."""
    try:
        folder = os.path.commonpath([PurePath(name).parent for name in sources.unique()])
    except ValueError:  # no source at all, or absolute and relative names side by side
        folder = "."
    return [str(name).removeprefix(f"{folder}{os.sep}") for name in sources]


def _print_json(table: pd.DataFrame) -> None:
    """One array, one row a line: a document for `json.load`, lines for `grep`."""
    separator = "[\n"
    for row in records(table):
        sys.stdout.write(separator + as_json(row))
        separator = ",\n"
    sys.stdout.write("[]\n" if separator == "[\n" else "\n]\n")


def _print_csv(table: pd.DataFrame) -> None:
    """A header and the rows. On a terminal the text is made harmless; into a file it goes as it is."""
    safe = printable if sys.stdout.isatty() else str
    writer = csv.writer(sys.stdout, lineterminator="\n")
    writer.writerow(table.columns)
    for row in records(table):
        writer.writerow([safe(_csv_field(value)) for value in row.values()])


def _csv_field(value: object) -> str:
    if value is None:
        return ""
    return as_json(value) if isinstance(value, (list, dict, bool)) else str(value)


def _plain(column: pd.Series) -> list[object]:
    if column.dtype.kind == "M":
        return [None if time is None else time.isoformat().replace("+00:00", "Z") for time in _objects(column)]
    if column.dtype.kind == "m":
        return [None if span is None else span.total_seconds() for span in _objects(column)]
    return [value.tolist() if hasattr(value, "tolist") else value for value in _objects(column)]


def _objects(column: pd.Series) -> list[Any]:
    values = column.astype(object)
    return values.where(column.notna(), None).tolist()


def _escaped(match: re.Match[str]) -> str:
    code = ord(match.group())
    if code < 0x10000:
        return f"\\u{code:04x}"
    code -= 0x10000
    return f"\\u{0xD800 + (code >> 10):04x}\\u{0xDC00 + (code & 0x3FF):04x}"
