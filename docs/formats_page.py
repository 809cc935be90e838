"""The page of the formats: written from the registry of the readers. `docs/make.py` calls it."""

from __future__ import annotations

from acpinspect.reading.registry import Dialect, dialects

HEAD = """\
# Formats

`acpinspect.load` finds out by the content which format a recording is in; a file's name says nothing. {count}
formats of ACP traffic are known, special ones asked before general ones, and what no format fits is read line by
line: a line with JSON in it is looked at, whatever stands around it.

```console
$ acpinspect formats sample_logs/vscode_traffic.log
source              format              evidence
──────────────────────────────────────────────────────────────────────────────────────
vscode_traffic.log  vscode-acp-traffic  headers [time] >>> or <<< with JSON below them
```

```pycon
>>> import acpinspect as acp
>>> [found.format for found in acp.detect("sample_logs/zed_copy.json")]
['zed-acp-logs-copy']
>>> events = acp.load("sample_logs/zed_copy.json", format="zed-acp-logs-copy")  # when it shall not be guessed

```

What holds for all of them:

- Nothing is dropped. A record that is no message, a torn line, an unreadable byte is a row of the events table
  with its reason in `problem`, and `acpinspect.load_report` counts them.
- The order is the file's; times are never used to sort, and never invented. Times without a zone give `elapsed`
  only, unless `tz=` says the zone.
- Which side sent a message is told by its method where that tells it. Labels (`in`, `<<<`, `from`) mean opposite
  things with different writers, so a label is believed only as far as the methods bear it out.
- gzip, bz2, xz, zstd and zip are opened by content, archives and folders file by file, rotated files and the two
  halves of a pair of `tee` logs together. UTF-8, UTF-16 and byte order marks are recognised.
- The JSON of each message is kept as it was written. *Lossy* formats have thrown a part away before we see it.

## ACP traffic

In the order in which they are asked.

| format | what it is | who writes it | lossy |
|---|---|---|---|
{formats}

## Recognised, to say that it is none

`load` raises `NotACPError`, which says what to do instead.

| format | what it is | what to do |
|---|---|---|
{foreign}

## A log that isn't recognised

Any program that writes the JSON of its messages into a log, one a line or in records of its own, is read by one
of the general formats at the end of the table. If the messages are there and `load` doesn't find them, that is a
fault of ours: a [redacted](privacy.md) page of the log is all that an issue needs. A format of your own is one
file: see [Contributing](contributing.md#a-format).
"""


def page() -> str:
    """The text of the page."""
    ours, foreign = [one for one in dialects() if not one.negative], [one for one in dialects() if one.negative]
    return HEAD.format(
        count=len(ours),
        formats="\n".join(map(_row, ours)),
        foreign="\n".join(f"| `{one.name}` | {_cell(one.title)} | {_cell(one.hint)} |" for one in foreign),
    )


def _row(one: Dialect) -> str:
    return f"| `{one.name}` | {_cell(one.title)} | {_cell(one.writer)} | {'yes' if one.lossy else ''} |"


def _cell(text: str) -> str:
    return text.replace("|", "&#124;").replace("<", "&lt;")
