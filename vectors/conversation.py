"""Frames beside updates: prompts and their responses, cancels, replays."""

from __future__ import annotations

from .language import (
    IGNORED,
    OPEN,
    REPLAY,
    SAME,
    SCHEMA,
    TURNS,
    Case,
    agent,
    chunk,
    message,
    run,
    text,
    tool,
    up,
)
from .wire import CANCEL, ENDED, IDLE, RUNNING, RUNS, S, asks, bare, c, fails, gets, idless, prompt, sends

V1_PROMPTS = [
    c(
        "v1",
        "a-turn",
        "In v1 a turn runs from the prompt to its response, which says why it ended; the prompt is no message.",
        f"{SCHEMA['v1']}: PromptResponse",
        (prompt(), S("v1", run=RUNS, turn=1)),
        (sends(chunk("A")), S("v1", run=RUNS, turn=1, messages=[agent("A")])),
        (gets({"stopReason": "end_turn"}), S("v1", run=ENDED, turn=1, messages=[agent("A")])),
    ),
    c(
        "v1",
        "a-prompt-that-fails",
        "An error ends the turn too, without a stop reason.",
        TURNS,
        (prompt(), S("v1", run=RUNS, turn=1)),
        (fails(), S("v1", run=run("idle"), turn=1)),
    ),
    c(
        "v1",
        "two-prompts-at-once",
        "Each prompt of v1 is a turn; the agent is idle when all are answered.",
        TURNS,
        (prompt(1), S("v1", run=RUNS, turn=1)),
        (prompt(2), S("v1", run=RUNS, turn=2)),
        (gets({"stopReason": "cancelled"}, 1), SAME, IGNORED),
        (gets({"stopReason": "end_turn"}, 2), S("v1", run=ENDED, turn=2)),
    ),
    c(
        "v1",
        "prompts-close-messages",
        "A prompt and its response each close the open message.",
        OPEN,
        (bare("A"), S("v1", messages=[idless(0, "A")])),
        (prompt(), S("v1", messages=[idless(0, "A")], run=RUNS, turn=1)),
        (bare("B"), S("v1", messages=[idless(0, "A"), idless(1, "B")], run=RUNS, turn=1)),
        (
            gets({"stopReason": "end_turn"}),
            S("v1", messages=[idless(0, "A"), idless(1, "B")], run=ENDED, turn=1),
        ),
        (bare("C"), S("v1", messages=[idless(0, "A"), idless(1, "B"), idless(2, "C")], run=ENDED, turn=1)),
    ),
    c(
        "v1",
        "cancelled",
        "A cancel is noted; updates may still arrive, and the response says that the turn was cancelled.",
        f"{SCHEMA['v1']}: CancelNotification",
        (prompt(), S("v1", run=RUNS, turn=1)),
        (CANCEL, S("v1", run=run("running", cancelling=True), turn=1)),
        (sends(chunk("A")), S("v1", run=run("running", cancelling=True), turn=1, messages=[agent("A")])),
        (gets({"stopReason": "cancelled"}), S("v1", run=run("idle", "cancelled"), turn=1, messages=[agent("A")])),
    ),
    c(
        "v1",
        "cancel-while-idle",
        "A cancel while nothing runs has no effect.",
        f"{SCHEMA['v1']}: CancelNotification",
        (CANCEL, SAME, IGNORED),
    ),
]

V2_PROMPTS = [
    c(
        "v2",
        "a-turn",
        "In v2 the response to a prompt only acknowledges; state updates say when the work begins and ends.",
        f"{SCHEMA['v2']}: PromptResponse",
        (prompt(), S("v2", turn=1)),
        (gets({}), SAME, IGNORED),
        (RUNNING, S("v2", run=RUNS, turn=1)),
        (
            sends(up("user_message", messageId="u1", content=[text("Go")])),
            S("v2", run=RUNS, turn=1, messages=[message("user", "u1", "Go")]),
        ),
        (
            sends(up("state_update", state="idle", stopReason="end_turn")),
            S("v2", run=ENDED, turn=1, messages=[message("user", "u1", "Go")]),
        ),
    ),
    c(
        "v2",
        "running-before-the-prompt",
        "A turn begins with the prompt or with running, whichever comes first.",
        TURNS,
        (RUNNING, S("v2", run=RUNS, turn=1)),
        (prompt(), SAME, IGNORED),
        (IDLE, S("v2", run=run("idle"), turn=1)),
        (prompt(2), S("v2", run=run("idle"), turn=2)),
        (RUNNING, S("v2", run=RUNS, turn=2)),
    ),
    c(
        "v2",
        "cancelled",
        "A cancel is noted, and the idle update says that the work was cancelled.",
        f"{SCHEMA['v2']}: CancelSessionNotification",
        (RUNNING, S("v2", run=RUNS, turn=1)),
        (CANCEL, S("v2", run=run("running", cancelling=True), turn=1)),
        (
            sends(up("state_update", state="requires_action")),
            S("v2", run=run("requires_action", cancelling=True), turn=1),
        ),
        (
            sends(up("state_update", state="idle", stopReason="cancelled")),
            S("v2", run=run("idle", "cancelled"), turn=1),
        ),
    ),
]


_OLD, _NEW = agent("A"), agent("A", epoch=1)
REPLAYS = [
    c(
        "v1",
        "load",
        "A load begins a replay with its request: an id that comes again is another message.",
        REPLAY,
        (sends(chunk("A")), S("v1", messages=[_OLD])),
        (asks("session/load", cwd="/w", mcpServers=[]), S("v1", messages=[_OLD], epoch=1), IGNORED),
        (sends(chunk("A")), S("v1", messages=[_OLD, _NEW], epoch=1)),
        (gets({}), SAME, IGNORED),
        (sends(chunk("B")), S("v1", messages=[_OLD, agent("A", "B", epoch=1)], epoch=1)),
    ),
    c(
        "v1",
        "load-and-tool-calls",
        "After a load the id of a tool call is another call: nothing of the old one is patched.",
        REPLAY,
        (
            sends(up("tool_call", toolCallId="t", title="Dig", status="completed")),
            S("v1", tool_calls=[tool(title="Dig", status="completed")]),
        ),
        (
            asks("session/load", cwd="/w", mcpServers=[]),
            S("v1", tool_calls=[tool(title="Dig", status="completed")], epoch=1),
            IGNORED,
        ),
        (
            sends(up("tool_call_update", toolCallId="t", title="Again")),
            S("v1", tool_calls=[tool(title="Dig", status="completed"), tool(title="Again", epoch=1)], epoch=1),
        ),
    ),
    c(
        "v1",
        "load-that-fails",
        "The replay begins with the request, also where the load fails.",
        REPLAY,
        (asks("session/load", cwd="/w", mcpServers=[]), S("v1", epoch=1), IGNORED),
        (fails(), SAME, IGNORED),
    ),
    c(
        "v1",
        "resume",
        "A resume without replay goes on with the same messages.",
        REPLAY,
        (sends(chunk("A")), S("v1", messages=[_OLD])),
        (asks("session/resume", cwd="/w"), SAME, IGNORED),
        (gets({}), SAME, IGNORED),
        (sends(chunk("B")), S("v1", messages=[agent("A", "B")])),
    ),
    c(
        "v1",
        "resume-that-replays-unasked",
        "History that comes between a resume and its response is a replay from its first update on.",
        REPLAY,
        (sends(chunk("A")), S("v1", messages=[_OLD])),
        (asks("session/resume", cwd="/w"), SAME, IGNORED),
        (sends(up("current_mode_update", currentModeId="ask")), S("v1", messages=[_OLD], mode="ask")),
        (sends(chunk("A")), S("v1", messages=[_OLD, _NEW], mode="ask", epoch=1)),
        (gets({}), SAME, IGNORED),
    ),
    c(
        "v2",
        "resume-with-replay",
        "A resume that asks for a replay begins one with its request; the states in it are no turns.",
        REPLAY,
        (sends(chunk("A")), S("v2", messages=[_OLD])),
        (
            asks("session/resume", cwd="/w", replayFrom={"type": "start"}),
            S("v2", messages=[_OLD], epoch=1),
            IGNORED,
        ),
        (RUNNING, S("v2", messages=[_OLD], epoch=1, run=RUNS)),
        (
            sends(up("agent_message", messageId="m1", content=[text("A")])),
            S("v2", messages=[_OLD, _NEW], epoch=1, run=RUNS),
        ),
        (IDLE, S("v2", messages=[_OLD, _NEW], epoch=1, run=run("idle"))),
        (gets({}), SAME, IGNORED),
        (RUNNING, S("v2", messages=[_OLD, _NEW], epoch=1, run=RUNS, turn=1)),
    ),
    *(
        c(
            "v2",
            f"resume-with-{name}-replay-from",
            "A resume that doesn't ask for a replay goes on with the same messages.",
            REPLAY,
            (sends(chunk("A")), S("v2", messages=[_OLD])),
            (asks("session/resume", cwd="/w", **fields), SAME, IGNORED),
            (gets({}), SAME, IGNORED),
            (sends(chunk("B")), S("v2", messages=[agent("A", "B")])),
        )
        for name, fields in [("no", {}), ("null", {"replayFrom": None})]
    ),
]


CASES: list[Case] = [*V1_PROMPTS, *V2_PROMPTS, *REPLAYS]
