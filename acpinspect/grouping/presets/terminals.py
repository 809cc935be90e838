"""Clients of terminals and terminal editors: Toad, agent-shell, CodeCompanion, Avante, acpx."""

from __future__ import annotations

from typing import Final

from acpinspect.grouping.parameters import Blank
from acpinspect.grouping.policy import Policy, Rules, Stream

__all__ = ["POLICIES"]

_HIDDEN: Final = Stream(show="never")
_TOAD_CLOSERS: Final = frozenset(
    {"user", "tool:new", "tool:idle_or_done", "plan", "permission", "turn_start", "turn_end"}
)

TOAD: Final = Policy(
    name="toad",
    description="Toad: a response and a thought block; a thought doesn't close the response.",
    live=Rules(
        user=Stream(id="each", empty="drop", nontext="drop"),
        agent=Stream(close_on=_TOAD_CLOSERS, nontext="drop"),
        thought=Stream(close_on=_TOAD_CLOSERS | {"agent"}, blank="drop_at_start", nontext="drop"),
    ),
    evidence="executed",
    source="batrachianai/toad, src/toad/acp/agent.py, src/toad/widgets/conversation.py",
    version="0.6.18 (f68ebee)",
    date="2026-05",
    faults=(
        "text after a thought is put above the thought",
        "a replayed prompt of several chunks is shattered",
        "an echo shows the prompt twice",
    ),
)

_SHELL_CLOSERS: Final = frozenset({"tool_call", "tool_update", "plan", "commands", "permission", "turn_start"})


def _shell(*others: str) -> Stream:
    closers = _SHELL_CLOSERS | set(others)
    return Stream(close_on=closers, empty="absorb", newline="absorb_at_start", nontext="absorb")


AGENT_SHELL: Final = Policy(
    name="agent-shell",
    description="agent-shell: a run of one type; user chunks only on load; late chunks are dropped.",
    live=Rules(
        user=_HIDDEN,
        agent=_shell("user", "thought"),
        thought=_shell("user", "agent"),
        late="drop",
    ),
    load=Rules(
        user=_shell("agent", "thought"),
        agent=_shell("user", "thought"),
        thought=_shell("user", "agent"),
        late="drop",
    ),
    evidence="executed",
    source="xenodium/agent-shell, agent-shell.el",
    version="a fork of March 2026, acp.el 4d7d58d",
    date="2026-03",
    faults=("every tick of a tool splits text", "two replayed prompts without ids are one", "late text is lost"),
)

CODECOMPANION: Final = Policy(
    name="codecompanion",
    description="CodeCompanion: blocks of one kind, cut where a tool's card is drawn; another reducer on load.",
    live=Rules(
        user=_HIDDEN,
        agent=Stream(close_on={"thought", "tool:card", "turn_start"}, empty="drop", newline="absorb_at_start"),
        thought=Stream(close_on={"agent", "tool:card", "turn_start"}, empty="drop", newline="absorb_at_start"),
        late="drop",
    ),
    load=Rules(
        user=Stream(close_on={"agent:nonempty"}, empty="drop"),
        agent=Stream(close_on={"user"}, empty="drop"),
        thought=_HIDDEN,
    ),
    evidence="executed",
    source="olimorris/codecompanion.nvim, handler.lua, builder.lua, render.lua",
    version="f1afd025",
    date="2026-08",
    faults=(
        "several replayed prompts in a row read as one line",
        "agent text before and after tools runs together on reload",
        "late text is lost",
    ),
)

_AVANTE_CLOSERS: Final = frozenset({"tool:stands", "tool:result", "turn_start"})

AVANTE: Final = Policy(
    name="avante",
    description="Avante: the last message of the history takes a chunk of its kind; user chunks are ignored.",
    live=Rules(
        user=_HIDDEN,
        agent=Stream(close_on=_AVANTE_CLOSERS | {"thought"}, nontext="drop"),
        thought=Stream(close_on=_AVANTE_CLOSERS | {"agent"}, nontext="drop"),
    ),
    evidence="executed",
    source="yetone/avante.nvim, lua/avante/llm.lua",
    version="a9334315, Neovim 0.11",
    date="2026-08",
    faults=(
        "text around a call that is in progress runs together",
        "replayed agent text of all turns runs together: prompts are not shown",
    ),
)


def _acpx(blank: Blank) -> Rules:
    return Rules(user=Stream(id="each"), agent=_acpx_part("thought", blank), thought=_acpx_part("agent", blank))


def _acpx_part(other: str, blank: Blank) -> Stream:
    closers = {"user", other, "tool:new_in_run", "turn_start"}
    return Stream(close_on=closers, empty="drop", blank=blank, nontext="drop")


ACPX: Final = Policy(
    name="acpx",
    description="acpx: the last part takes a chunk of its kind; replays are dropped.",
    live=_acpx("keep"),
    load=Rules(drop_all=True),
    evidence="executed",
    source="openclaw/acpx, src/session/conversation-model.ts",
    version="0.19.1",
    date="2026-08",
    faults=("ids are not looked at", "an echo shows the prompt twice", "text is cut at 8,000 characters"),
)

ACPX_018: Final = Policy(
    name="acpx-0.18",
    description="acpx up to 0.18: as acpx, but blank chunks are lost and replays are shown.",
    live=_acpx("drop"),
    evidence="executed",
    source="openclaw/acpx, src/session/conversation-model.ts",
    version="0.18 (1b56415b)",
    date="2026-08",
    faults=("line breaks between paragraphs are lost", "a replayed prompt of several chunks is shattered"),
)

POLICIES: Final = (TOAD, AGENT_SHELL, CODECOMPANION, AVANTE, ACPX, ACPX_018)
