# ruff: noqa: ANN401, S101 - a small language for cases: short names, JSON of any shape
"""Short ways to write a case: its updates, and by hand the state that is expected after each of them.

Nothing here asks the reducer. An expected state is the empty one with the parts that the case names.
"""

from __future__ import annotations

import base64
from dataclasses import dataclass
from typing import Any, Final, Literal, TypeAlias

JSON: TypeAlias = dict[str, Any]
Outcome: TypeAlias = Literal["applied", "rejected", "ignored"]
Version: TypeAlias = Literal["v1", "v2"]

APPLIED: Final = "applied"
REJECTED: Final = "rejected"
IGNORED: Final = "ignored"
SAME: Final = object()
"""Instead of a state: the state before the step."""

SEED_IDS: Final = "RFD Message ID"
SEED_UPDATES: Final = "RFD v2 Message Updates and Chunks"
RULES: Final = "README, Rules"
ORDER: Final = f"{RULES}: Order"
KEYS: Final = f"{RULES}: Keys"
TEXT: Final = f"{RULES}: Text"
UNKNOWN: Final = f"{RULES}: Unknown and malformed"
REPLAY: Final = f"{RULES}: Replay"
TURNS: Final = f"{RULES}: Turns"
OPEN: Final = f"{RULES}: The open message"
SCHEMA: Final = {"v1": "ACP schema v1", "v2": "ACP schema v2"}

_LISTS: Final = {
    "messages": "message",
    "tool_calls": "tool_call",
    "plans": "plan",
    "terminals": "terminal",
    "compactions": "compaction",
}
_LETTERS: Final = {"m": "message", "t": "tool_call", "p": "plan", "x": "terminal", "c": "compaction"}
IDLE_INFO: Final = {"title": None, "updated_at": None, "meta": None}
NO_RUN: Final = {"state": None, "stop_reason": None, "cancelling": False, "usage": None}


@dataclass(frozen=True)
class Case:
    """One vector: what it tests, where that is said, and its steps."""

    name: str
    protocol: Version
    tests: str
    source: str
    steps: tuple[JSON, ...]


def state(protocol: Version, *, order: str | None = None, **parts: Any) -> JSON:
    """The empty state with some parts.

    Args:
        protocol: The version.
        order: The entities as first seen, a letter and an index each: ``"m0 t0 m1"``. Not needed where all
            entities are of one kind.
        **parts: The parts that differ from the empty state.
    """
    whole: JSON = {
        "session_id": None,
        "protocol": protocol,
        **{name: [] for name in _LISTS},
        "notices": [],
        "mode": None,
        "available_modes": [],
        "config_options": [],
        "commands": [],
        "info": IDLE_INFO,
        "usage": None,
        "run": NO_RUN,
        "turn": 0,
        "epoch": 0,
    }
    unknown = parts.keys() - whole.keys()
    assert not unknown, unknown
    whole |= parts
    return whole | {"order": _order(whole, order)}


def _order(whole: JSON, order: str | None) -> list[JSON]:
    if order is not None:
        return [{"kind": _LETTERS[word[0]], "index": int(word[1:])} for word in order.split()]
    present = [name for name in _LISTS if whole[name]]
    assert len(present) < 2, f"say the order of {present}"
    return [{"kind": _LISTS[name], "index": index} for name in present for index in range(len(whole[name]))]


def case(name: str, protocol: Version, tests: str, source: str, *steps: tuple[Any, ...]) -> Case:
    """A case; each step is an update, the state after it, and its outcome where it isn't applied."""
    made: list[JSON] = []
    last = state(protocol)
    for sent, expected, *rest in steps:
        last = last if expected is SAME else expected
        made.append({"update": sent, "outcome": rest[0] if rest else APPLIED, "state": last})
    return Case(name, protocol, tests, source, tuple(made))


def frames(name: str, protocol: Version, tests: str, source: str, *steps: tuple[Any, ...]) -> Case:
    """A case of whole JSON-RPC messages of the session ``s``."""
    made: list[JSON] = []
    last = state(protocol, session_id="s")
    for sent, expected, *rest in steps:
        last = last if expected is SAME else expected
        made.append(
            {"message": {"jsonrpc": "2.0", **sent}, "outcome": rest[0] if rest else APPLIED, "state": last}
        )
    return Case(name, protocol, tests, source, tuple(made))


# --- what is sent -----------------------------------------------------------------------------------------------


def text(value: str) -> JSON:
    """A text block."""
    return {"type": "text", "text": value}


def up(name: str, /, **fields: Any) -> JSON:
    """An update; `meta` stands for `_meta`."""
    return {"sessionUpdate": name, **{"_meta" if key == "meta" else key: value for key, value in fields.items()}}


def chunk(value: str, message_id: str | None = "m1", role: str = "agent_message") -> JSON:
    """A chunk of one text block, without an id where that is None."""
    sent = up(f"{role}_chunk", content=text(value))
    return sent if message_id is None else sent | {"messageId": message_id}


def whole(message_id: str = "m1", role: str = "agent_message", **fields: Any) -> JSON:
    """A whole-message update."""
    return up(role, messageId=message_id, **fields)


def b64(data: bytes) -> str:
    """Bytes as they are sent."""
    return base64.b64encode(data).decode("ascii")


def item(value: str) -> JSON:
    """A tool call's content item with one text block."""
    return {"type": "content", "content": text(value)}


def entry(content: str, status: str = "pending", priority: str = "medium") -> JSON:
    """A plan entry."""
    return {"content": content, "priority": priority, "status": status}


# --- what is expected -------------------------------------------------------------------------------------------


def message(role: str, message_id: str | None, *content: Any, shows: str | None = None, **more: Any) -> JSON:
    """A message of text blocks (strings) and other blocks; `shows` is its text where that isn't their join."""
    blocks = [text(block) if isinstance(block, str) else block for block in content]
    joined = "".join(block for block in content if isinstance(block, str))
    made = {"role": role, "message_id": message_id, "label": None, "epoch": 0, "content": blocks, "meta": None}
    return made | {"text": joined if shows is None else shows} | more


def agent(*content: Any, message_id: str | None = "m1", **more: Any) -> JSON:
    """An agent message."""
    return message("agent", message_id, *content, **more)


def tool(tool_call_id: str = "t", **more: Any) -> JSON:
    """A tool call with the defaults of a first sight."""
    return {
        "tool_call_id": tool_call_id,
        "title": None,
        "name": None,
        "kind": "other",
        "status": "pending",
        "content": [],
        "locations": [],
        "raw_input": None,
        "raw_output": None,
        "meta": None,
        "epoch": 0,
    } | more


def terminal(terminal_id: str = "x", output: bytes | None = None, **more: Any) -> JSON:
    """A terminal of which nothing else is known."""
    known = None if output is None else b64(output)
    made = {"terminal_id": terminal_id, "command": None, "cwd": None, "output": known, "exit_status": None}
    return made | {"meta": None, "epoch": 0} | more


def plan(plan_id: str, *entries: JSON, **more: Any) -> JSON:
    """A plan of entries."""
    made = {"plan_id": plan_id, "type": "items", "entries": list(entries), "content": None, "uri": None}
    return made | {"other": None, "meta": None} | more


def compaction(compaction_id: str = "c", status: str | None = "in_progress", **more: Any) -> JSON:
    """A compaction."""
    made = {
        "compaction_id": compaction_id,
        "status": status,
        "summary": [],
        "error": None,
        "meta": None,
        "epoch": 0,
    }
    return made | more


def run(name: str | None, stop_reason: str | None = None, **more: Any) -> JSON:
    """What the agent does."""
    return NO_RUN | {"state": name, "stop_reason": stop_reason} | more


# --- both versions ----------------------------------------------------------------------------------------------


class Maker:
    """Makes cases and states of one version, for what both do alike."""

    def __init__(self, version: Version) -> None:
        self.version = version
        self.schema = SCHEMA[version]

    def c(self, name: str, tests: str, source: str, *steps: tuple[Any, ...]) -> Case:
        """A case of this version."""
        return case(f"{self.version}/{name}", self.version, tests, source, *steps)

    def s(self, **parts: Any) -> JSON:
        """A state of this version."""
        return state(self.version, **parts)
