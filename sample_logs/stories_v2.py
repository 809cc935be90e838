"""The stories in protocol version 2: every message has an id, and can be sent whole."""

from __future__ import annotations

from random import Random

from wire import Json, Recording, block, content, encoded

CALL: Json = {"toolCallId": "call-run", "title": "Run the lamp test", "kind": "execute"}


def opened(rng: Random) -> Recording:
    """A recording in which the handshake of version 2 is done and a session is open."""
    recording = Recording(rng)
    recording.initialize(2)
    recording.new_session("sess-skerry-2")
    return recording


def ask(recording: Recording, question: str) -> None:
    """The user's prompt, accepted: the agent says so at once, and repeats it with an id of its own."""
    recording.result("agent", recording.prompt(question), {})
    recording.update("state_update", state="running")
    recording.whole("user", recording.identifier("user"), content=[block(question)])


def whole_messages(rng: Random) -> Recording:
    recording = opened(rng)
    ask(recording, "What does the log say of last night?")
    recording.say("agent", "A calm nigth, no ships.", "m-calm")
    recording.whole("agent", "m-calm", content=[block("A calm night, no ships.")])
    recording.whole("agent", "m-wind", content=[block("Wind from the north")])
    recording.chunk("agent", ", three knots.", "m-wind")
    recording.whole("agent", "m-wind", _meta={"keeper": {"source": "logbook"}})
    recording.say("agent", "The radio code is 4711.", "m-secret")
    recording.whole("agent", "m-secret", content=None)
    recording.say("thought", "I should not have said that.", "m-regret")
    recording.whole("thought", "m-regret", content=[])
    recording.chunk("agent", " Good visibility.", "m-calm")
    recording.update("state_update", state="idle", stopReason="end_turn")
    return recording


def turn(rng: Random) -> Recording:
    recording = opened(rng)
    ask(recording, "Run the lamp test, and tidy up after it.")
    recording.say("thought", "First the test, then the broom.", recording.identifier("think"))
    plan(recording, "in_progress", "pending")
    recording.say("agent", "I run the test.", recording.identifier("msg"))
    recording.update("tool_call_update", **CALL, status="pending")
    recording.update("state_update", state="requires_action")
    recording.permission(CALL, version=2)
    recording.update("state_update", state="running")
    terminal(recording)
    recording.update("tool_call_content_chunk", toolCallId="call-run", content=content("3 tests, all green"))
    recording.update("tool_call_update", toolCallId="call-run", status="completed")
    plan(recording, "completed", "completed")
    recording.say("agent", "All three tests pass, and the floor is clean.", recording.identifier("msg"))
    recording.update("usage_update", used=2048, size=200_000, cost={"amount": 0.02, "currency": "EUR"})
    recording.update("state_update", state="idle", stopReason="end_turn")
    return recording


def plan(recording: Recording, test: str, tidy: str) -> None:
    """The agent's plan as it stands: each update replaces it."""
    entries = [
        {"content": "Run the lamp test", "priority": "high", "status": test},
        {"content": "Tidy up", "priority": "low", "status": tidy},
    ]
    recording.update("plan_update", plan={"type": "items", "planId": "plan-1", "entries": entries})


def terminal(recording: Recording) -> None:
    """A terminal whose output comes in bytes: one letter is cut in two."""
    shown = {"type": "terminal", "terminalId": "term-1"}
    recording.update("terminal_update", terminalId="term-1", command="make lamp", cwd="/home/ada/skerry")
    recording.update("tool_call_update", toolCallId="call-run", status="in_progress", content=[shown])
    output = "phare allumé ✓\n3 passed\n".encode()
    for start, end in ((0, 12), (12, len(output))):
        recording.update("terminal_output_chunk", terminalId="term-1", data=encoded(output[start:end]))
    recording.update("terminal_update", terminalId="term-1", exitStatus={"exitCode": 0})
