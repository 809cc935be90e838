"""Extensions of VS Code and Obsidian."""

from __future__ import annotations

from typing import Final

from acpinspect.grouping.policy import Policy, Rules, Stream

__all__ = ["POLICIES"]

_HIDDEN: Final = Stream(show="never")
_FH_CLOSERS: Final = frozenset({"user", "turn_start", "turn_end", "load_end"})

VSCODE_FH: Final = Policy(
    name="vscode-acp-fh",
    description="formulahendry/vscode-acp: one text and one thought buffer a turn.",
    live=Rules(
        user=Stream(close_on={"agent:nonblank", "thought", "tool_call", "plan"}, nontext="drop"),
        agent=Stream(close_on=_FH_CLOSERS, empty="drop", blank_group="drop", nontext="drop"),
        thought=Stream(close_on=_FH_CLOSERS, nontext="drop"),
        prompt="open",
    ),
    evidence="executed",
    source="formulahendry/vscode-acp, src/ui/ChatWebviewProvider.ts",
    version="0.2.0 (main e737165)",
    date="2026-05",
    faults=(
        "messages in a row, and text before and after a tool, run together",
        "an echo of the prompt doubles it",
        "the next answer is written into a late bubble: late text is lost, the answer stands twice",
    ),
)

VSCODE_FH_PR56: Final = Policy(
    name="vscode-acp-fh-pr56",
    description="formulahendry/vscode-acp with pull request 56: split where the id changes.",
    live=Rules(
        user=Stream(id="compare", close_on={"agent:nonblank", "thought", "tool_call", "plan"}, nontext="drop"),
        agent=Stream(
            id="compare",
            close_on=_FH_CLOSERS,
            close_idless={"tool_call", "plan"},
            empty="drop",
            blank_group="drop",
            nontext="drop",
        ),
        thought=Stream(id="compare", close_on=_FH_CLOSERS, close_idless={"tool_call", "plan"}, nontext="drop"),
        prompt="open",
        dedup={"echo_block_optimistic"},
    ),
    evidence="pull-request text",
    source="formulahendry/vscode-acp",
    version="pull request 56 (open)",
    date="2026-08",
    faults=("what no id beside an id means isn't stated there; wildcard is assumed",),
)

VSCODE_OM: Final = Policy(
    name="vscode-acp-om",
    description="omercnet/vscode-acp: agent text only; a titled tool call or the end of the turn cuts.",
    live=Rules(
        user=_HIDDEN, thought=_HIDDEN, agent=Stream(close_on={"tool_call:titled", "turn_end"}, nontext="drop")
    ),
    evidence="executed",
    source="omercnet/vscode-acp, src/views/chat.ts, src/views/webview/main.ts",
    version="b0e8411",
    date="2025-12",
    faults=(
        "a late chunk opens a bubble that the next turn writes into",
        "every reply stands twice at the end of a turn without tools",
        "an empty chunk after a tool belongs to the text before it, which the parameters can't say",
    ),
)

OBSIDIAN_AGENT_CLIENT: Final = Policy(
    name="obsidian-agent-client",
    description="RAIT-09/obsidian-agent-client: a message has one slot for text and one for thought.",
    live=Rules(
        user=Stream(close_on={"agent", "thought", "tool:new", "plan"}, nontext="drop"),
        agent=Stream(close_on={"user", "tool:new", "turn_start"}, nontext="drop"),
        thought=Stream(close_on={"user", "tool:new", "turn_start"}, nontext="drop"),
        prompt="open",
    ),
    evidence="executed",
    source="RAIT-09/obsidian-agent-client, src/services/message-state.ts",
    version="0.10.6 (a34ea74)",
    date="2026-06",
    faults=("thought, text, thought, text becomes one thought and one text", "an echo doubles the prompt"),
)

_COPILOT_CLOSERS: Final = frozenset({"tool:new", "plan:first_in_turn", "turn_start"})

OBSIDIAN_COPILOT: Final = Policy(
    name="obsidian-copilot",
    description="logancyang/obsidian-copilot: trailing parts live, late chunks by id; another reducer on load.",
    live=Rules(
        user=_HIDDEN,
        agent=Stream(close_on=_COPILOT_CLOSERS | {"thought"}, empty="drop", nontext="drop"),
        thought=Stream(close_on=_COPILOT_CLOSERS | {"agent"}, empty="drop", nontext="drop"),
        late="route_by_id",
    ),
    load=Rules(
        user=Stream(
            id="compare",
            null="fresh",
            close_on={"agent", "thought:any", "tool_call", "plan"},
            blank_group="drop",
            nontext="absorb",
        ),
        agent=Stream(close_on={"user"}, blank_group="drop", nontext="absorb"),
        thought=_HIDDEN,
    ),
    evidence="executed",
    source="logancyang/obsidian-copilot, AgentSession.ts, AgentMessageStore.ts, replayTranscript.ts",
    version="4.0.2 (611831b7)",
    date="2026-08",
    faults=(
        "a replayed prompt of several chunks without id is shattered",
        "agent messages of one turn run together on reload",
        "late text without id is lost",
    ),
)

POLICIES: Final = (VSCODE_FH, VSCODE_FH_PR56, VSCODE_OM, OBSIDIAN_AGENT_CLIENT, OBSIDIAN_COPILOT)
