"""Applications: sesori, AionUi, Agent of Empires, marimo, Jupyter AI, Simple Agent Manager."""

from __future__ import annotations

from typing import Final

from acpinspect.grouping.policy import Policy, Rules, Stream

__all__ = ["POLICIES"]

_HIDDEN: Final = Stream(show="never")
_SESORI_CLOSERS: Final = frozenset({"tool:new_in_turn", "agent:id", "turn_start"})
_NOTHING: Final = Rules(drop_all=True)


def _sesori_live() -> Stream:
    return Stream(id="key", null="distinct", close_idless=_SESORI_CLOSERS, empty="drop", nontext="own")


SESORI: Final = Policy(
    name="sesori",
    description="sesori: by id; without ids an envelope that tools and ids close; another reducer on load.",
    live=Rules(user=_HIDDEN, agent=_sesori_live(), thought=_sesori_live()),
    load=Rules(
        user=Stream(id="compare", null="distinct", close_on={"agent", "thought"}, empty="drop", nontext="own"),
        agent=Stream(id="compare", null="distinct", close_on={"user", "tool:new"}, empty="drop", nontext="own"),
        thought=Stream(
            id="compare",
            null="distinct",
            close_on={"user"},
            close_idless={"tool:new"},
            empty="drop",
            nontext="own",
        ),
        id_scope="role",
    ),
    empty_id="absent",
    evidence="source",
    source="sesori-ai/sesori_apps_monorepo, acp_event_mapper.dart, acp_session_loader.dart",
    version="78c6b8fa",
    date="2026-08",
    faults=("live and load disagree about text around a tool", "thoughts without ids run together across text"),
)

_AIONUI_CLOSERS: Final = frozenset({"tool_call", "plan", "turn_end", "load_end"})


def _aionui() -> Stream:
    return Stream(id="key", null="distinct", close_on=_AIONUI_CLOSERS, empty="drop", nontext="drop")


AIONUI: Final = Policy(
    name="aionui",
    description="AionUi: by id until a tool call, a plan or the end of the turn; replays are dropped.",
    live=Rules(user=_HIDDEN, agent=_aionui(), thought=_aionui()),
    load=_NOTHING,
    evidence="partly executed",
    source="iOfficeAI/AionUi, MessageTranslator.ts",
    version="7817141a",
    date="2026-08",
    faults=(
        "one id on both sides of a tool call is two messages",
        "a late chunk without id takes the next turn's text in, above its prompt",
        "ids spelled default, plan or thought-... collide with its own",
    ),
)

_AOE_CLOSERS: Final = frozenset(
    {
        "user", "thought:any", "agent:nontext", "tool_call", "tool_update", "plan", "usage", "mode", "commands",
        "config", "permission", "turn_start", "turn_end",
    }
)  # fmt: skip

AGENT_OF_EMPIRES: Final = Policy(
    name="agent-of-empires",
    description="Agent of Empires: text in a row is one group, any other event ends it; restated text is dropped.",
    live=Rules(
        user=Stream(id="each"),
        agent=Stream(close_on=_AOE_CLOSERS, nontext="drop"),
        thought=_HIDDEN,
        dedup={"restated_block"},
    ),
    evidence="partly executed",
    source="agent-of-empires, src/acp/acp_client/update_events.rs, transcript.rs",
    version="1e94fa2a, 0334dbb3",
    date="2026-08",
    faults=(
        "a usage tick in mid-sentence begins a new group",
        "a real repetition under a new id is dropped",
        "a restatement after a tool call, or with other white space, is not noticed",
        "text with the markers of /compact cuts, which the parameters can't say",
    ),
)

_MARIMO_CLOSERS: Final = frozenset(
    {"user", "thought", "tool_call", "tool_update", "plan", "mode", "commands", "turn_start"}
)

MARIMO: Final = Policy(
    name="marimo",
    description="marimo: a run of one update type; each user and thought chunk is a buffer of its own.",
    live=Rules(
        user=Stream(id="each"),
        agent=Stream(close_on=_MARIMO_CLOSERS, nontext="own"),
        thought=Stream(id="each"),
    ),
    evidence="executed",
    source="marimo-team/marimo, marimo-team/use-acp",
    version="marimo 3955fdf, use-acp 0.2.6",
    date="2026-08",
    faults=(
        "a list of commands that nobody sees splits a sentence",
        "usage, config and info updates are refused by its SDK",
    ),
)

JUPYTER_AI: Final = Policy(
    name="jupyter-ai",
    description="jupyter-ai-acp-client: agent text, cut by a tool that is new in the turn; replays are dropped.",
    live=Rules(user=_HIDDEN, agent=Stream(close_on={"tool:new_in_turn", "turn_start"}), thought=_HIDDEN),
    load=_NOTHING,
    evidence="executed",
    source="jupyter-ai-contrib/jupyter-ai-acp-client, default_acp_client.py",
    version="0.3.3 (de14d85)",
    date="2026-07",
    faults=("messages in a row run together", "thoughts are not shown"),
)

_SAM_CLOSERS: Final = frozenset({"tool_call", "plan:first", "mode", "info", "other", "turn_start", "turn_end"})

SAM: Final = Policy(
    name="sam",
    description="Simple Agent Manager: the last item takes a chunk of its kind while it streams.",
    live=Rules(
        user=Stream(
            id="each",
            close_on={"agent", "thought", "tool_call", "plan:first", "mode", "info", "other"},
            nontext="absorb",
        ),
        agent=Stream(close_on=_SAM_CLOSERS | {"user", "thought"}, nontext="absorb"),
        thought=Stream(close_on=_SAM_CLOSERS | {"user", "agent"}, nontext="absorb"),
        dedup={"echo_text_tail"},
    ),
    evidence="executed",
    source="raphaeltm/simple-agent-manager, packages/acp-client/src/hooks/useAcpMessages.ts",
    version="0.1.0 (b672af23)",
    date="2026-08",
    faults=(
        "a change of mode or title splits a message",
        "a repeated user text is swallowed",
        "ids are not looked at",
    ),
)

POLICIES: Final = (SESORI, AIONUI, AGENT_OF_EMPIRES, MARIMO, JUPYTER_AI, SAM)
