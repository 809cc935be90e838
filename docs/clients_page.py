"""The page of the clients: written from the presets of their policies. `docs/make.py` calls it."""

from __future__ import annotations

from acpinspect.grouping.policy import Policy
from acpinspect.grouping.presets import PRESETS

HEAD = """\
# The clients

How real clients make messages of events, each as a [policy](policies.md) that can be applied to any log:
`acpinspect.messages(events, "zed-v1")` shows what Zed shows, `acpinspect.compare_clients(events)` asks all of them
which messages they show wrongly.

```console
$ acpinspect policies toad
toad: Toad: a response and a thought block; a thought doesn't close the response.
...
```

These are facts about programs, read or run at one time. Each says how it is known; judge it by that. A client
that shows a log otherwise than its preset says is worth an issue, with the log and the version. A client that is
missing is [a row and three sequences](contributing.md#a-policy-of-a-client).

The first {own} are no clients: the rules of the protocol and of acpinspect itself.

"""


def page() -> str:
    """The text of the page."""
    rows = ["| policy | rule | known from | as of |", "|---|---|---|---|"]
    rows += [f"| [`{p.name}`](#{p.name}) | {p.description} | {_origin(p)} | {p.date or '-'} |" for p in PRESETS]
    own = sum(policy.evidence in ("own", "specification") for policy in PRESETS)
    return HEAD.format(own=own) + "\n".join([*rows, "", *map(_section, PRESETS)])


def _origin(policy: Policy) -> str:
    return f"{policy.evidence}: " + ", ".join(part for part in (policy.source, policy.version) if part)


def _section(policy: Policy) -> str:
    """What `describe` says, as Markdown: its headings and its lists."""
    _, known, *told = policy.describe().splitlines()
    lines = [f"## {policy.name}", "", policy.description, "", known]
    for line in told:
        if line.startswith("  "):
            lines += [f"- {line.strip()}"]
        elif line.startswith("Known to be wrong: "):
            continue
        else:
            lines += ["", line, ""] if line.endswith(":") else ["", line]
    if policy.faults:
        lines += ["", "Known to be wrong:", "", *(f"- {fault}" for fault in policy.faults)]
    return "\n".join([*lines, ""])
