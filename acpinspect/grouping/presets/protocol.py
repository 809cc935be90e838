"""The protocol's own rules, and acpinspect's: ids, heuristic, spec."""

from __future__ import annotations

from typing import Final

from acpinspect.grouping.policy import Policy, Rules, Stream
from acpinspect.grouping.vocabulary import EVERY

__all__ = ["POLICIES"]

_CLOSERS: Final = frozenset(
    {"tool_call", "tool:first_sight", "plan", "compaction:first", "turn_start", "prompt_answer", "load"}
)


def _others(role: str) -> frozenset[str]:
    return frozenset({"user", "agent", "thought"} - {role})


def _alike(stream: Stream, *, null_invalid: bool = False) -> Rules:
    return Rules(user=stream, agent=stream, thought=stream, prompt="none", null_invalid=null_invalid)


def _continued(role: str) -> Stream:
    return Stream(id="key", null="open", close_idless=_CLOSERS | _others(role))


def _guessed(role: str) -> Stream:
    return Stream(close_on=_CLOSERS | _others(role) | {f"{role}:whole"})


def _typed_run(role: str) -> Stream:
    own = {token for token in EVERY if token.split(":")[0] in (role, "permission")}
    return Stream(id="key", null="distinct", close_idless=EVERY - own)


SPEC: Final = Policy(
    name="spec",
    description="Ids where there are any, the heuristic where there are none: what the protocol asks for.",
    live=Rules(user=_continued("user"), agent=_continued("agent"), thought=_continued("thought"), prompt="none"),
    evidence="own",
    source="acpinspect, after the message-id RFD",
    faults=("two messages of one role in a row without ids are one",),
)

IDS: Final = Policy(
    name="ids",
    description="messageId alone; a chunk without one stands alone.",
    live=_alike(Stream(id="key", null="fresh")),
    evidence="own",
    source="acpinspect",
)

HEURISTIC: Final = Policy(
    name="heuristic",
    description="Ids are not looked at: what clients guessed before there were ids.",
    live=Rules(user=_guessed("user"), agent=_guessed("agent"), thought=_guessed("thought"), prompt="none"),
    evidence="own",
    source="acpinspect",
    faults=("two messages of one role in a row are one", "a message around a tool call is two"),
)

RFD_LITERAL: Final = Policy(
    name="rfd-literal",
    description="The message-id document word by word: ids keyed; without ids a run of one update type.",
    live=Rules(user=_typed_run("user"), agent=_typed_run("agent"), thought=_typed_run("thought")),
    evidence="specification",
    source="agentclientprotocol.com, Message ID RFD",
    date="2026-06",
    faults=("any update, even usage, splits a message without ids",),
)

SPEC_V2: Final = Policy(
    name="spec-v2",
    description="Protocol 2: upserts by id; a chunk without id is invalid.",
    live=_alike(Stream(id="key", null="distinct"), null_invalid=True),
    evidence="specification",
    source="agentclientprotocol.com, v2 Message Updates RFD",
    date="2026-06",
)

POLICIES: Final = (SPEC, IDS, HEURISTIC, RFD_LITERAL, SPEC_V2)
