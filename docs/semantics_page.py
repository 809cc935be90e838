"""The page of the semantics: every update with what it does, and every vector. `docs/make.py` calls it."""

from __future__ import annotations

import json
from itertools import groupby

from acpinspect.protocol import VARIANTS
from acpinspect.protocol.fields import Field
from acpinspect.protocol.variants import UpdateShape, Variant
from acpinspect.vectors import Vector, vectors

EFFECT: dict[UpdateShape, str] = {
    "chunk": "appends its one content block to the message of its id; a new id begins a message",
    "whole": "makes or changes the message of its id: `content` (an array) and `_meta` are patch fields",
    "tool_call": "makes the tool call, or overwrites all of it",
    "tool_call_update": "changes the fields that it has; a new id makes the call with defaults",
    "tool_content_chunk": "appends one item to the content of the tool call",
    "terminal": "makes or changes the terminal; `output` replaces all bytes so far",
    "terminal_chunk": "appends bytes to the terminal's output, after decoding its own base64",
    "plan": "replaces the list of entries of the one plan",
    "plan_update": "replaces the plan of its id",
    "plan_removed": "removes the plan",
    "state": "says what the agent's work is doing: `running`, `idle` with a stop reason, `requires_action`",
    "commands": "replaces the list of commands",
    "mode": "sets the mode",
    "config": "replaces the list of options",
    "info": "changes title, time and `_meta` of the session, as patch fields in both versions",
    "usage": "replaces the tokens and the cost",
    "notice": "is shown while it is news; no part of the history",
    "compaction": "makes or changes the compaction, which stands where its id was first seen",
    "compaction_chunk": "appends one content block to the compaction's summary",
}

HEAD = """\
# What an update does

The rules by which acpinspect's reducers make a state of updates, one reducer for each version of the protocol.
They follow the published schemas and design documents; what those leave open is decided and written down in [the
rules of the vectors](vectors.md#rules). {count} vectors hold it, and can hold a reducer of yours.

```pycon
>>> from acpinspect.reducer import empty_state, v2
>>> def update(name, content):
...     return {{"sessionUpdate": name, "messageId": "m1", "content": content}}
>>> a, b, c = ({{"type": "text", "text": letter}} for letter in "ABC")
>>> state = empty_state("v2")
>>> for step in (update("agent_message_chunk", a), update("agent_message_chunk", b), update("agent_message", [c])):
...     state = v2.reduce(state, step)
...     print(state.message("m1").text)
A
AB
C

```

A reducer is pure: it takes a state and an update and gives the next state. States are frozen and share what a step
doesn't touch. An update that is malformed, unknown, or of the other version leaves the state as it was, and
`v2.apply(state, update)` says why.

```pycon
>>> step = v2.apply(state, {{"sessionUpdate": "agent_message_chunk", "content": a}})
>>> step.action, step.reason
('rejected', 'messageId is missing')

```

## Three states of a field

A patch field that is left out stays; `null` clears it; a value replaces it. For arrays, `[]` clears as well. On
the first sight of an id, left out means the default. `tool_call_update` of v1 has no `null`: it says nothing
there.

## The updates

**Bold**: required. *Slanted*: a patch field. An unstable update or field is marked †: it is in the unstable
schema only. Names that begin with `_` are extensions: kept, shown, and without effect unless [a reducer is
registered](api/reducer.md) for them. Any other name is unknown, and has no effect.
"""

VECTORS = """\
## The vectors

`acpinspect vectors -o DIR` writes them as JSON; [their README](vectors.md) says how to run them, in some fifty
lines of any language. One of them, its states cut down to the text:

```json
{example}
```

{tables}
"""

EXAMPLE = "v2/messages/whole-replaces-chunks"


def page() -> str:
    """The text of the page."""
    known = vectors()
    parts = [HEAD.format(count=len(known))]
    parts += [_updates(f"### {version}\n", list(table.values())) for version, table in VARIANTS.items()]
    tables = "\n\n".join(_theme(theme, list(group)) for theme, group in groupby(known, key=_theme_of))
    return "\n".join([*parts, VECTORS.format(example=_example(known), tables=tables)])


def _updates(title: str, variants: list[Variant]) -> str:
    lines = [title, "| update | key | what it does | fields |", "|---|---|---|---|"]
    for variant in variants:
        name = f"`{variant.name}`{'' if variant.stable else ' †'}"
        key = f"`{variant.key}`" if variant.key else "the session"
        fields = ", ".join(_field(field) for field in variant.fields)
        lines.append(f"| {name} | {key} | {EFFECT[variant.shape]} | {fields} |")
    return "\n".join([*lines, ""])


def _field(field: Field) -> str:
    name = f"`{field.name}`"
    if field.required:
        name = f"**{name}**"
    elif field.patch:
        name = f"*{name}*"
    return name if field.stable else f"{name} †"


def _theme_of(vector: Vector) -> str:
    return vector["name"].rpartition("/")[0]


def _theme(theme: str, group: list[Vector]) -> str:
    rows = [
        f"| `{one['name'].rpartition('/')[2]}` | {_cell(one['tests'])} | {_cell(one['source'])} |" for one in group
    ]
    return "\n".join([f"### {theme}\n", "| vector | what it tests | where that is said |", "|---|---|---|", *rows])


def _example(known: list[Vector]) -> str:
    """One vector, its states cut down to what it is about."""
    vector = next(one for one in known if one["name"] == EXAMPLE)
    steps = [
        {**step, "state": {"messages": [{"text": message["text"]} for message in step["state"]["messages"]]}}
        for step in vector["steps"]
    ]
    lines = [json.dumps(step, ensure_ascii=False) for step in steps]
    head = {name: vector[name] for name in ("name", "protocol", "tests", "source")}  # type: ignore[literal-required]
    return json.dumps(head, ensure_ascii=False)[:-1] + ',\n "steps": [\n  ' + ",\n  ".join(lines) + "]}"


def _cell(text: str) -> str:
    return text.replace("|", "&#124;").replace("<", "&lt;")
