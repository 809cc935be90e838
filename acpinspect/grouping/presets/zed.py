"""Zed's reducers: before ids, with ids, of protocol 2, and two proposals."""

from __future__ import annotations

from typing import Final

from acpinspect.grouping.parameters import Dedup, Id, Prompt
from acpinspect.grouping.policy import Policy, Rules, Stream

__all__ = ["POLICIES"]

_SOURCE: Final = "zed-industries/zed, crates/acp_thread/src/acp_thread.rs"
_TOOL: Final = "tool:new"


def _zed(id: Id, prompt: Prompt, dedup: Dedup, *, agent_id: Id | None = None) -> Rules:  # noqa: A002  (the parameter's name)
    """Adjacency: a chunk joins the last entry if that is of its kind."""
    return Rules(
        user=Stream(id=id, close_on={"agent", "thought", _TOOL}),
        agent=Stream(id=agent_id or id, close_on={"user", "thought", _TOOL, "turn_start"}),
        thought=Stream(id=agent_id or id, close_on={"user", "agent", _TOOL, "turn_start"}),
        prompt=prompt,
        dedup={dedup},
    )


_V1_FAULTS: Final = (
    "a tool card splits one message in two",
    "m1, m2, m1 becomes three messages",
    "a notice without id is glued to the next reply with one",
    "a consolidated copy doubles the reply",
    "two replayed prompts without ids are one",
)

V1: Final = Policy(
    name="zed-v1",
    description="Zed since it knows ids: the last entry takes a chunk of its kind if the ids go together.",
    live=_zed("compare", "open_null_only", "echo_block_optimistic"),
    evidence="source",
    source=_SOURCE,
    version="after pull request 59927",
    date="2026-06",
    faults=_V1_FAULTS,
)

PRE_IDS: Final = Policy(
    name="zed-pre-ids",
    description="Zed before ids: the last entry takes any chunk of its kind.",
    live=_zed("ignore", "open", "echo_block_last"),
    evidence="source",
    source=_SOURCE,
    version="00293ca7",
    date="2026-05",
    faults=(
        "messages with different ids run together",
        "a replayed user message with two equal chunks loses one",
        *_V1_FAULTS[3:],
    ),
)

P62503: Final = V1.replace(
    name="zed-62503",
    description="Zed with pull request 62503: an id after text without one only names that text.",
    dedup={"echo_block_optimistic", "swallow_consolidated"},
    evidence="pull-request text",
    version="pull request 62503 (closed)",
    faults=("real text is lost where an agent begins to send ids in mid-message", *_V1_FAULTS[:3], _V1_FAULTS[4]),
)

P62672: Final = Policy(
    name="zed-62672",
    description="Zed with pull request 62672: the block of an id first, then the last entry.",
    live=_zed("compare", "open_null_only", "echo_block_optimistic", agent_id="key_then_compare"),
    evidence="pull-request text",
    source=_SOURCE,
    version="pull request 62672 (open)",
    date="2026-08",
    faults=_V1_FAULTS[2:],
)

V2: Final = Policy(
    name="zed-v2",
    description="Zed for protocol 2: by id over the whole thread; an id in two roles is an error.",
    live=Rules(
        user=Stream(id="key", null="distinct"),
        agent=Stream(id="key", null="distinct"),
        thought=Stream(id="key", null="distinct"),
        prompt="none",
        id_scope="role",
        kind_conflict="reject",
        null_invalid=True,
    ),
    evidence="source",
    source=_SOURCE,
    version="newest stored",
    date="2026-08",
    faults=("an agent that shares one id between thought and message loses the second of them",),
)

POLICIES: Final = (V1, PRE_IDS, V2, P62503, P62672)
