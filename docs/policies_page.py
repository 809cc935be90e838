"""The page of the policies: written from the parameters and the measures. `docs/make.py` calls it."""

from __future__ import annotations

from acpinspect.comparison.kinds import KINDS
from acpinspect.comparison.measures import MEASURES
from acpinspect.grouping.parameters import POLICY_VALUES, RULES_VALUES, STREAM_VALUES, Values
from acpinspect.grouping.vocabulary import TOKENS

INTRODUCTION = """\
# Policies: how clients make messages, and how to compare them

A policy is the rule that makes messages of events. It is data: a frozen tree of parameters that can be read,
compared by value, written as JSON, and changed.

```python
import acpinspect

events = acpinspect.load("sample_logs/v1_subagents.ndjson")
acpinspect.policies()  # the table of all
acpinspect.messages(events, "zed-v1")  # as Zed shows it
print(acpinspect.get_policy("zed-v1").describe())

mine = acpinspect.get_policy("zed-v1").replace(name="mine", agent={"null": "distinct"})
acpinspect.group(events, mine)
acpinspect.group(events, lambda events: events["role"].astype(object))  # where parameters don't reach
acpinspect.register_policy(mine)  # now "mine" is a name like any other
```

Another package adds policies by an entry point of the group `acpinspect.policies`: a `Policy`, a list of them,
or a function that gives them. `acpinspect.grouping.outcomes(events, policy)` says of each event its label, or
why it has none: hidden, empty, blank, not text, late, echo, invalid id, load, rejected, other.

What is read is the segment: one text buffer of the client. The prompt that the client sent and shows is an event
with a label too. A session starts anew with each load. A log that shows no prompts counts as within a turn.
Presets of protocol 1 take a whole-message update of protocol 2 for a chunk with an id.

Presets for real clients are in [the clients](clients.md).
"""

COMPARING = """\
## Comparing

```python
comparison = acpinspect.compare(events, "ids", "heuristic")  # two policies over one log
comparison.disagreements  # where only one has a boundary
comparison.kinds  # what became of each message of a
comparison.measures  # in numbers
comparison.worst(5)

truth = acpinspect.messages(events, "ids")[["role", "text"]]
acpinspect.compare(events, truth, "spec")  # against a table of role and text

log = acpinspect.load("sample_logs/v1_replay.ndjson")
live, replay = log[log["phase"] == "live"], log[log["phase"] == "replay"]
acpinspect.compare_logs(live, replay, "spec")  # one session in two logs

acpinspect.compare_clients(events)  # which clients show it wrongly, and where it begins
print(acpinspect.explain(events, "toad", 12))  # why there is a boundary, and what others do
```

A gap lies between two neighbouring message events of a session that both sides show. Prompts that only one side
shows are no difference. Logs and tables of true messages are aligned role by role, by the words that both have;
where one side runs two messages together without a space, the word at the seam is not found.

### Kinds

The gravest first. A message can be of several: `kind` is the gravest, `also` the others.
"""

HIDDEN = """\
## Ids under `_meta`

Some agents carried ids under `_meta` before there was `messageId`. `acpinspect.discover_meta_ids(events)` finds
paths whose values behave as ids, scored, with the evidence: on how many chunks they stand, how often neighbours
agree, whether they change where a message must end, whether they agree with `messageId`. Nothing is taken
silently: `policy.with_meta_id("update._meta.x.id")`.

## Cues

Guesses that close every open message, off by default; no client studied uses one: `policy.replace(cues={"gap":
5.0})`. `gap`: seconds without a chunk. `content_type`: another block type. `state`: a state update of protocol
2. `start`, `end`: the name of an extension update, or a key of a chunk's `_meta`, that marks a message.
"""

MEASURED = """\
### Measures

Over what both sides show; `a` is the reference. Measures of boundaries are blind to reordering and doubled text:
see the kinds.
"""


def page() -> str:
    """The text of the page."""
    parts = [INTRODUCTION, HIDDEN, _parameters(), COMPARING, _kinds(), MEASURED, _measures()]
    return "\n".join(parts).rstrip() + "\n"


def _parameters() -> str:
    lines = ["## The parameters\n", "Of each role (`user`, `agent`, `thought`), live and in a replay:\n"]
    lines += _values(STREAM_VALUES)
    lines += ["| `close_on` | set of tokens | they close the open message |"]
    lines += ["| `close_idless` | set of tokens | they close it only for chunks without id |"]
    lines += ["", "Of each phase (`live`, `load`):\n", *_values(RULES_VALUES)]
    lines += ["| `null_invalid` | `True` | a chunk without id is an error and is not shown |"]
    lines += ["| `unanimous_ids` | `True` | ids count only where every agent chunk of the turn has one |"]
    lines += ["| `drop_all` | `True` | nothing of the phase is shown |"]
    lines += ["", "Of the policy:\n", *_values(POLICY_VALUES)]
    lines += ["", "### Tokens\n", "| token | the event |", "|---|---|"]
    lines += [f"| `{name}` | {meaning} |" for name, meaning in TOKENS.items()]
    return "\n".join([*lines, ""])


def _values(parameters: Values) -> list[str]:
    lines = ["| parameter | value | meaning |", "|---|---|---|"]
    for name, values in parameters.items():
        lines += [f"| `{name}` | `{value}` | {meaning} |" for value, meaning in values.items()]
    return lines


def _kinds() -> str:
    rows = [f"| `{name}` | {meaning} |" for name, meaning in KINDS.items()]
    return "\n".join(["| kind | meaning |", "|---|---|", *rows, ""])


def _measures() -> str:
    rows = ["| measure | meaning | formula | range, best first | source |", "|---|---|---|---|---|"]
    for m in MEASURES:
        formula = m.formula.replace("|", "\\|")
        rows.append(f"| `{m.name}` | {m.meaning} | {formula} | {m.range} | {m.source} |")
    return "\n".join([*rows, ""])
