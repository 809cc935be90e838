"""The stories in protocol version 1, where the id of a message is optional."""

from __future__ import annotations

from random import Random

from wire import Recording

QUESTION = "Why does the lamp test fail since yesterday?"
THOUGHT = "The lamp test reads the schedule, so I look there first."
LOOKING = "Let me look at the schedule."
SCHEDULE = "# night shift\nlit: 18:40\ndark: 23:59\n"
FOUND = "The schedule goes dark at 23:59, so the last minute of the night is missing."
OFFER = "Shall I change it to 24:00?"


def opened(rng: Random, session: str = "sess-skerry-1") -> Recording:
    """A recording in which the handshake is done and a session is open."""
    recording = Recording(rng)
    recording.initialize()
    recording.new_session(session)
    return recording


def one_turn(recording: Recording, *, ids: bool) -> None:
    """A thought, a sentence, a tool call, and two answers with nothing between them."""

    def fresh() -> str | None:
        return recording.identifier("msg") if ids else None

    number = recording.prompt(QUESTION)
    recording.say("thought", THOUGHT, fresh())
    recording.say("agent", LOOKING, fresh())
    recording.tool(recording.identifier("call"), "Read schedule.yaml", "read", SCHEDULE)
    recording.say("agent", FOUND, fresh())
    recording.say("agent", OFFER, fresh())
    recording.update("usage_update", used=5120, size=200_000)
    recording.stop(number)


def with_ids(rng: Random) -> Recording:
    recording = opened(rng)
    one_turn(recording, ids=True)
    return recording


def without_ids(rng: Random) -> Recording:
    recording = opened(rng)
    one_turn(recording, ids=False)
    return recording


def mixed_ids(rng: Random) -> Recording:
    recording = opened(rng)
    number = recording.prompt("How bright is the lamp?")
    message = recording.identifier("msg")
    recording.chunk("agent", "The lamp has ", message)
    recording.chunk("agent", "a thousand watts, ")
    recording.chunk("agent", "and the lens does the rest.", message)
    recording.update("tool_call", toolCallId="call-lens", title="Read lens.md", kind="read", status="completed")
    recording.chunk("agent", "It is a ")
    recording.chunk("agent", "Fresnel lens.")
    recording.chunk("agent", "Ask me for a drawing.", recording.identifier("msg"))
    recording.stop(number)
    return recording


def doubled_text(rng: Random) -> Recording:
    recording = opened(rng)
    for question, answer in (
        ("Is the fog horn on?", "The fog horn is on since 04:10."),
        ("And the radio?", "The radio listens on channel 16."),
    ):
        number = recording.prompt(question)
        message = recording.identifier("msg")
        recording.say("agent", answer, message)
        recording.chunk("agent", answer, message)
        recording.stop(number)
    return recording


def id_reused(rng: Random) -> Recording:
    recording = opened(rng)
    for question, answer in (
        ("Who has the early watch?", "Mina has the early watch."),
        ("Who has the late one?", "Tomas has the late watch."),
    ):
        number = recording.prompt(question)
        recording.say("agent", answer, "msg-1")
        recording.stop(number)
    return recording


def replay(rng: Random) -> Recording:
    recording = opened(rng)
    question, answer = "When does the supply boat come?", "The supply boat comes on Thursday at noon."
    number = recording.prompt(question)
    recording.say("agent", answer, recording.identifier("msg"))
    recording.stop(number)
    recording.initialize()  # the client was started anew
    params: dict[str, object] = {"sessionId": recording.session, "cwd": "/home/ada/skerry", "mcpServers": []}
    load = recording.request("client", "session/load", params)
    recording.chunk("user", question, recording.identifier("old"))
    recording.chunk("agent", answer, recording.identifier("old"))
    recording.result("agent", load, {})
    number = recording.prompt("And the one after it?")
    recording.say("agent", "A week later, at nine in the morning.", recording.identifier("msg"))
    recording.stop(number)
    return recording


def subagents(rng: Random) -> Recording:
    recording = opened(rng)
    number = recording.prompt("Check the north stairs and the south stairs.")
    recording.say("agent", "I send two helpers.", recording.identifier("msg"))
    texts = {
        "north": "The north stairs are dry and all forty steps are sound.",
        "south": "The south stairs are wet and the ninth step is loose.",
    }
    words = {side: text.split() for side, text in texts.items()}
    ids = {side: recording.identifier("msg") for side in words}
    for side in words:
        recording.update("tool_call", toolCallId=f"task-{side}", title=f"Look at the {side} stairs", kind="other")
    for pair in zip(*words.values(), strict=True):
        for side, word in zip(words, pair, strict=True):
            recording.chunk("agent", word + " ", ids[side], _meta={"keeper": {"parentToolCallId": f"task-{side}"}})
    for side in words:
        recording.update("tool_call_update", toolCallId=f"task-{side}", status="completed")
    recording.say("agent", "One step needs a carpenter.", recording.identifier("msg"))
    recording.stop(number)
    return recording


def two_sessions(rng: Random) -> Recording:
    recording = opened(rng, "sess-east")
    recording.new_session("sess-west")
    asked = {}
    for session, question in (("sess-east", "Sweep the east pier."), ("sess-west", "Paint the west door.")):
        recording.session = session
        asked[session] = recording.prompt(question)
    for east, west in (("Sweeping ", "Painting "), ("the east ", "the west "), ("pier now.", "door now.")):
        recording.session = "sess-east"
        recording.chunk("agent", east)
        recording.session = "sess-west"
        recording.chunk("agent", west)
    recording.permission({"toolCallId": "call-paint", "title": "Open the paint", "kind": "execute"})
    recording.update("tool_call_update", toolCallId="call-paint", status="completed")
    recording.chunk("agent", "The door is blue.")
    for number in asked.values():
        recording.stop(number)
    return recording


def cancelled(rng: Random) -> Recording:
    recording = opened(rng)
    number = recording.prompt("Count all the gulls.")
    recording.say("agent", "I begin at the west cliff: one, two, three", recording.identifier("msg"))
    call = recording.identifier("call")
    recording.update("tool_call", toolCallId=call, title="Count gulls", kind="search", status="in_progress")
    recording.notify("client", "session/cancel", {"sessionId": recording.session})
    recording.chunk("agent", ", four", late := recording.identifier("msg"))
    recording.stop(number, "cancelled")
    recording.chunk("agent", ", five", late)
    return recording
