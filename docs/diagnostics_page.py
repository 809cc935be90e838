"""Text of ``docs/diagnostics.md``: how to find faults, and every code. `docs/make.py` writes it."""

from __future__ import annotations

import inspect
import re
from dataclasses import fields

from acpinspect.diagnostics import CODES, Code, DiagnoseOptions
from acpinspect.diagnostics.explain import EXAMPLES, marked_lines

HEAD = """# Diagnostics

`acpinspect.diagnose(events)` finds what is wrong in a log, or looks as if it were: {count} codes, each with the
event at which it shows, the evidence, a remedy and the place in the specification.

```python
import acpinspect

events = acpinspect.load("session.jsonl")
findings = acpinspect.diagnose(events, severity="warning")  # a DataFrame, sorted by event
print(acpinspect.explain_code("restated-message"))  # the long form, with a log before and after
acpinspect.catalogue()  # all codes as a table
```

The columns of the table of findings are in [columns.md](columns.md). `codes=[...]` chooses codes, `options=` sets
thresholds, `policy=` says whose messages are looked at.

## On the command line

```console
$ acpinspect lint session.jsonl
$ acpinspect lint logs/ --ignore no-message-ids --severity info
$ acpinspect lint logs/ --format sarif > findings.sarif
$ acpinspect lint logs/ --baseline known.json --update-baseline
$ acpinspect lint --explain glued-boundary
```

The exit status is 0 if nothing was found, 1 if something was, 2 if the command can't be carried out. A baseline
holds known findings; they don't fail, and new ones do. What stands in a log is printed, never obeyed.

## In tests

```python
from acpinspect.testing import assert_clean


def test_the_agent_writes_clean_logs(tmp_path):
    log = run_agent(tmp_path)  # yours
    assert_clean(log, ignore=["no-message-ids"])
```

## In continuous integration

```yaml
name: ACP logs
on: [push, pull_request]
permissions:
  contents: read
  security-events: write
jobs:
  lint:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
      - uses: actions/setup-python@v5
        with: {{ python-version: "3.12" }}
      - run: pip install acpinspect
      - run: ./record-sessions.sh logs/ # yours: writes what the agent sends
      - run: acpinspect lint logs/ --format github --baseline .acpinspect-known.json
      - if: always()
        run: acpinspect lint logs/ --format sarif > findings.sarif || true
      - if: always()
        uses: github/codeql-action/upload-sarif@v3
        with: {{ sarif_file: findings.sarif }}
```

## A rule of your own

A rule is a function of a `Log` that yields `Hit`s. `Log` has the table as `events`, and what the built-in rules
share.

```python
from acpinspect.diagnostics import Hit, rule


@rule("shouting", severity="info", means="Text in capitals.", remedy="Say it quietly.")
def shouting(log):
    for row, text in enumerate(log.text):
        if text.isupper():
            yield Hit(row, "This is loud.")
```

## Thresholds

`diagnose(events, options={{"replay_min": 20}})`, `acpinspect lint --option replay_min=20`.

| option | default | meaning |
|---|---|---|
{options}

## The codes

(…) after a severity: it is another one in special cases, which the code's own section tells. Each section has a
made-up log before and after; `>` marks the lines at which the rule speaks. `acpinspect lint --explain CODE` prints
the same.

| code | severity | versions | meaning |
|---|---|---|---|
{codes}
"""


def page() -> str:
    """The whole page."""
    head = HEAD.format(count=len(CODES), options="\n".join(_options()), codes="\n".join(map(_row, CODES.values())))
    return head + "".join(map(_section, CODES.values()))


def _options() -> list[str]:
    """One row a threshold, its meaning from the docstring."""
    doc = (inspect.getdoc(DiagnoseOptions) or "").replace("``", "`")
    said = dict(re.findall(r"^ {4}(\w+): (.*?)$", doc, re.MULTILINE))
    return [f"| `{field.name}` | `{field.default!r}` | {said[field.name]} |" for field in fields(DiagnoseOptions)]


def _row(code: Code) -> str:
    severity = f"{code.severity} (…)" if code.varies else code.severity
    return f"| [{code.code}](#{code.code}) | {severity} | {', '.join(code.versions)} | {code.means} |"


def _section(code: Code) -> str:
    severity = f"{code.severity}; {code.varies}" if code.varies else code.severity
    facts = {
        "Severity": severity,
        "Versions": ", ".join(code.versions),
        "When": code.found,
        "Do": code.remedy,
        "No fault": code.caveat,
        "Source": code.spec,
    }
    told = "\n".join(f"- **{name}**: {text}" for name, text in facts.items() if text not in ("", "-"))
    return f"\n### {code.code}\n\n{code.means}\n\n{told}\n\n{_example(code.code)}"


def _example(code: str) -> str:
    """The log before and after, the line at which the rule speaks marked."""
    example = EXAMPLES[code]
    options = "".join(f" (`{name}={value!r}`)" for name, value in example.options.items())
    shown = ((f"Before{options}:", example.before), ("After:", example.after))
    return "\n".join(
        f"{title}\n\n```text\n" + "\n".join(marked_lines(code, example, sketch)) + "\n```\n"
        for title, sketch in shown
    )
