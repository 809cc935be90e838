"""What two reduced states of one log must have in common, whichever version each is written in."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

import pandas as pd

import acpinspect
from acpinspect.protocol import Version
from acpinspect.reducer import SessionState, empty_state, fold

Fact = tuple[str, str, str]
Facts = dict[Fact, object]

_OF_TOOL = ("title", "name", "kind", "status", "locations", "raw_input", "raw_output", "meta", "epoch")
_SESSION = ("commands", "config_options", "info", "usage", "run", "notices", "compactions")


def facts(events: pd.DataFrame, protocol: Version) -> Facts:
    """All that both versions can hold of the sessions of a table, each under what it is about."""
    messages = [message for message in acpinspect.payloads(events) if message is not None]
    found: Facts = {}
    for session, state in fold(messages, protocol).items():
        found |= {(session, kind, key): value for kind, key, value in _facts(state)}
    return found


def differences(before: Facts, after: Facts) -> set[Fact]:
    """The facts that differ; of a session that one of the two doesn't have, what isn't as at its beginning."""
    nothing = {(kind, key): value for kind, key, value in _facts(empty_state("v1"))}

    def value(known: Facts, fact: Fact) -> object:
        return known.get(fact, nothing.get(fact[1:]))

    return {fact for fact in before.keys() | after.keys() if value(before, fact) != value(after, fact)}


def facts_of_losses(events: pd.DataFrame, conversion: acpinspect.Conversion, protocol: Version) -> set[Fact]:
    """What may be different after a conversion: all facts of the entities that its losses are about."""
    other: Version = "v1" if protocol == "v2" else "v2"
    every = facts(events, protocol).keys() | facts(conversion.events, other).keys()
    about = {_about(events, event) for event in conversion.losses["event"]}
    return {fact for fact in every if any(_is_about(fact, *one) for one in about)}


def _about(events: pd.DataFrame, event: int) -> tuple[str, str]:
    """The kind of fact that an event changes, and the beginning of its key."""
    row = events.loc[event]
    if isinstance(row["role"], str):
        return "message", f"{row['epoch']} {row['role']} "
    if isinstance(row["tool_call_id"], str):
        return "tool", f"{row['epoch']} {row['tool_call_id']} "
    if isinstance(row["update"], str) and row["update"].startswith("plan"):
        return "plan", ""
    if row["update"] == "state_update" or row["method"] == "session/prompt":
        return "session", "run"
    return "session", _FIELD_OF.get(row["update"], "?")


def _is_about(fact: Fact, kind: str, key: str) -> bool:
    return fact[1] == kind and fact[2].startswith(key)


_FIELD_OF = {
    "available_commands_update": "commands",
    "config_option_update": "config_options",
    "session_info_update": "info",
    "usage_update": "usage",
}


def _facts(state: SessionState) -> Iterable[tuple[str, str, object]]:
    plain: dict[str, Any] = state.to_dict(events=False)
    ordinals = _ordinals(plain["messages"])
    for ordinal, message in zip(ordinals, plain["messages"], strict=True):
        yield "message", ordinal, (message["content"], message["text"])
    for tool in plain["tool_calls"]:
        key = f"{tool['epoch']} {tool['tool_call_id']}"
        for name in _OF_TOOL:
            yield "tool", f"{key} {name}", tool[name]
        yield "tool", f"{key} content", [item for item in tool["content"] if item["type"] == "content"]
    for place, plan in enumerate(plain["plans"]):
        yield "plan", str(place), plan["entries"]
    for name in _SESSION:
        yield "session", name, _same_names(plain[name])


def _ordinals(messages: list[dict[str, Any]]) -> list[str]:
    """Messages by their place among those of their epoch and role: ids may be given in the conversion."""
    seen: Counter[str] = Counter()
    ordinals = []
    for message in messages:
        place = f"{message['epoch']} {message['role']}"
        seen[place] += 1
        ordinals.append(f"{place} {seen[place]}")
    return ordinals


def _same_names(value: object) -> object:
    """Options and commands under the names that v2 has for their parts."""
    if isinstance(value, list):
        return [_same_names(item) for item in value]
    if not isinstance(value, dict):
        return value
    names = {"id": "configId", "group": "groupId"}
    made = {names.get(key, key): _same_names(item) for key, item in value.items()}
    if isinstance(made.get("input"), dict):
        made["input"] = {"type": "text", **made["input"]}
    return made
