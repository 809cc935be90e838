"""Helpers of SDKs, and rules known from the words of a pull request only."""

from __future__ import annotations

from typing import Final

from acpinspect.grouping.policy import Policy, Rules, Stream

__all__ = ["POLICIES"]

_HIDDEN: Final = Stream(show="never")

RUST_READ_TO_STRING: Final = Policy(
    name="rust-sdk-read-to-string",
    description="Rust SDK, read_to_string: all agent text up to the stop reason is one string.",
    live=Rules(user=_HIDDEN, agent=Stream(close_on={"turn_end"}, nontext="drop"), thought=_HIDDEN, prompt="none"),
    evidence="source",
    source="agentclientprotocol/rust-sdk, session.rs",
    date="2026-08",
    faults=("all messages of a turn run together", "a late chunk begins the next answer"),
)

PER_CHUNK: Final = Policy(
    name="per-chunk",
    description="Python SDK, SessionAccumulator: lists of chunks, not grouped at all.",
    live=Rules(user=Stream(id="each"), agent=Stream(id="each"), thought=Stream(id="each"), prompt="none"),
    evidence="executed",
    source="agentclientprotocol/python-sdk, contrib/session_state.py",
    version="0.11",
    date="2026-08",
    faults=("every chunk is a message", "the order between roles is lost"),
)

AML: Final = Policy(
    name="aml",
    description="aml, pull request 31: ids only if every chunk of the response has one, else one string.",
    live=Rules(
        user=_HIDDEN,
        agent=Stream(id="key", null="distinct", close_on={"turn_start"}, nontext="drop"),
        thought=_HIDDEN,
        prompt="none",
        unanimous_ids=True,
    ),
    evidence="pull-request text",
    source="aml",
    version="pull request 31",
    date="2026-08",
    faults=("one chunk without id takes the ids of the whole response away",),
)

_PASEO: Final = frozenset({"tool_call", "plan", "turn_end"})


def _paseo(role: str, *others: str) -> Stream:
    closers = _PASEO | set(others) | {f"{name}:nontext" for name in ("user", "agent", "thought")}
    return Stream(id="compare", null="distinct", close_on=closers - {role}, nontext="drop")


PASEO: Final = Policy(
    name="paseo",
    description="paseo, pull request 4701: ids, kinds, tool calls, plans and turns cut; tool status doesn't.",
    live=Rules(
        user=_paseo("user", "agent", "thought"),
        agent=_paseo("agent", "user", "thought", "turn_start"),
        thought=_paseo("thought", "user", "agent", "turn_start"),
    ),
    evidence="pull-request text",
    source="getpaseo/paseo",
    version="pull request 4701",
    date="2026-08",
    faults=("one id on both sides of a tool call is two messages",),
)

POLICIES: Final = (RUST_READ_TO_STRING, PER_CHUNK, AML, PASEO)
