"""Short sequences of ACP traffic: a notation to write them in, and the events that they stand for.

A sequence is words. ``>hi`` a prompt, ``<`` its answer, ``[`` and ``]`` a replay; ``u a t`` chunks of user, agent,
thought, with ``@id``, ``=text`` or ``~`` for an image; ``c1`` a tool_call, ``x1`` an update of it, with
``.status`` (``c1!`` has no title); ``ask1`` a permission request; else the name of an update: plan, usage, mode,
commands, config, info, other.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd

import acpinspect

Json = dict[str, Any]

ROLES = {"u": "user_message_chunk", "a": "agent_message_chunk", "t": "agent_thought_chunk"}
UPDATES: dict[str, Json] = {
    "plan": {"sessionUpdate": "plan", "entries": []},
    "usage": {"sessionUpdate": "usage_update", "used": 1, "size": 2},
    "mode": {"sessionUpdate": "current_mode_update", "currentModeId": "plan"},
    "commands": {"sessionUpdate": "available_commands_update", "availableCommands": []},
    "config": {"sessionUpdate": "config_option_update", "configOptions": []},
    "info": {"sessionUpdate": "session_info_update", "title": "Harbour"},
    "other": {"sessionUpdate": "_tide", "height": 3},
}
_CHUNK = re.compile(r"([uat])(?:@(\w*))?(?:(=)(.*)|(~))?$", re.DOTALL)
_TOOL = re.compile(r"([cx])(\w+?)(!)?(?:\.(\w+))?$")


@dataclass(frozen=True)
class Item:
    """One event of a sequence."""

    kind: str
    id: str | None = None
    text: str = ""
    image: bool = False
    tool: str = ""
    status: str | None = None
    titled: bool = True

    @property
    def chunk(self) -> bool:
        return self.kind in ROLES


def read(text: str) -> list[Item]:
    """The items of a sequence, as written."""
    return [_item(word, i) for i, word in enumerate(text.split(" "))]


def _item(word: str, i: int) -> Item:
    if word.startswith(">"):
        return Item("prompt", text=word[1:] or f"prompt {i}")
    if word in ("<", "[", "]"):
        return Item({"<": "end", "[": "load", "]": "loaded"}[word])
    if word in UPDATES:
        return Item(word)
    if word.startswith("ask"):
        return Item("ask", tool=word[3:])
    if match := _CHUNK.match(word):
        role, ident, given, own, image = match.groups()
        said = own.replace("\\n", "\n").replace("_", " ") if given else f"{role}{i} "
        return Item(role, id=ident, text=said, image=bool(image))
    if match := _TOOL.match(word):
        kind, tool, untitled, status = match.groups()
        return Item("call" if kind == "c" else "update", tool=tool, status=status, titled=not untitled)
    raise ValueError(word)


def table_of(sequences: Sequence[Sequence[Item]]) -> tuple[pd.DataFrame, list[list[int]]]:
    """One events table with a session for each sequence, and the row of each item."""
    records: list[Json] = [
        {"jsonrpc": "2.0", "id": "i", "method": "initialize", "params": {"protocolVersion": 1}},
        {"jsonrpc": "2.0", "id": "i", "result": {"protocolVersion": 1}},
    ]
    rows = []
    for number, items in enumerate(sequences):
        frames = list(_frames(items, f"s{number}"))
        rows.append([len(records) + i for i in range(len(frames))])
        records += frames
    return acpinspect.from_records(records, protocol="v1"), rows


def _frames(items: Sequence[Item], session: str) -> Iterable[Json]:
    asked, loading = "", ""
    for i, item in enumerate(items):
        ident = f"{session}-{i}"
        if item.kind == "prompt":
            asked = ident
            block = {"type": "text", "text": item.text}
            yield _request(ident, "session/prompt", {"sessionId": session, "prompt": [block]})
        elif item.kind == "end":
            yield {"jsonrpc": "2.0", "id": asked, "result": {"stopReason": "end_turn"}}
        elif item.kind == "load":
            loading = ident
            yield _request(ident, "session/load", {"sessionId": session, "cwd": "/", "mcpServers": []})
        elif item.kind == "loaded":
            yield {"jsonrpc": "2.0", "id": loading, "result": {}}
        elif item.kind == "ask":
            params = {"sessionId": session, "toolCall": {"toolCallId": item.tool}, "options": []}
            yield _request(ident, "session/request_permission", params)
        else:
            yield _notification(session, _update(item))


def _request(ident: str, method: str, params: Json) -> Json:
    return {"jsonrpc": "2.0", "id": ident, "method": method, "params": params}


def _notification(session: str, update: Json) -> Json:
    return {"jsonrpc": "2.0", "method": "session/update", "params": {"sessionId": session, "update": update}}


def _update(item: Item) -> Json:
    if item.chunk:
        text = {"type": "text", "text": item.text}
        block = {"type": "image", "mimeType": "image/png", "data": "AA"} if item.image else text
        own = {} if item.id is None else {"messageId": item.id}
        return {"sessionUpdate": ROLES[item.kind], "content": block, **own}
    if item.kind in ("call", "update"):
        own = {} if item.status is None else {"status": item.status}
        title = {"title": "Dig" if item.titled else ""} if item.kind == "call" else {}
        name = "tool_call" if item.kind == "call" else "tool_call_update"
        return {"sessionUpdate": name, "toolCallId": item.tool, **title, **own}
    return UPDATES[item.kind]


def groups_of(labels: Sequence[int], rows: Sequence[int]) -> list[list[int]]:
    """The groups of a sequence's items, in the order in which they first appear."""
    found: dict[int, list[int]] = {}
    for i, row in enumerate(rows):
        if labels[row] >= 0:
            found.setdefault(labels[row], []).append(i)
    return list(found.values())


_TEXTS = ("w ", "w ", "w ", "ok", "hi", "hi there", "", "\n", " ")
_IDS = (None, None, None, "m1", "m1", "m2", "m3")
_STATUSES = (None, "pending", "in_progress", "completed", "failed")
_KINDS = (
    ("a", 36), ("t", 14), ("u", 10), ("call", 8), ("update", 14), ("plan", 4), ("usage", 3), ("mode", 2),
    ("commands", 2), ("config", 2), ("info", 2), ("other", 1), ("ask", 2),
)  # fmt: skip


def random_sequence(rng: random.Random) -> list[Item]:
    """A replay or not, then some turns, with late chunks between them; tools of a replay don't come back."""
    items: list[Item] = []
    if rng.random() < 0.35:
        items += [Item("load"), *_body(rng, "r"), Item("loaded")]
        items += _body(rng, "t", most=2) if rng.random() < 0.2 else []
    for _ in range(rng.choice((0, 1, 1, 2, 3)) if items else rng.choice((1, 1, 2, 3))):
        items += [Item("prompt", text=rng.choice(("hi", "ok", "hi there"))), *_body(rng, "t"), Item("end")]
        items += _body(rng, "t", most=3) if rng.random() < 0.3 else []
    return items


def _body(rng: random.Random, tools: str, most: int = 9) -> list[Item]:
    shared = rng.random() < 0.15  # one id for all, as some agents do
    names, weights = zip(*_KINDS, strict=True)
    body = []
    for kind in rng.choices(names, weights, k=rng.randint(1, most)):
        if kind in ROLES:
            ident = "x" if shared else rng.choice(_IDS)
            body.append(Item(kind, id=ident, text=rng.choice(_TEXTS), image=rng.random() < 0.06))
        elif kind in ("call", "update"):
            status = rng.choice(_STATUSES)
            body.append(Item(kind, tool=f"{tools}{rng.randint(1, 2)}", status=status, titled=rng.random() < 0.9))
        else:
            body.append(Item(kind, tool=f"{tools}{rng.randint(1, 2)}" if kind == "ask" else ""))
    return body
