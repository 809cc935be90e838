# ruff: noqa: D103, ANN401 - a small language for cases: short names, JSON of any shape
"""v1: messages with ids and without."""

from __future__ import annotations

from typing import Any

from .language import (
    JSON,
    KEYS,
    OPEN,
    REJECTED,
    SAME,
    SCHEMA,
    SEED_IDS,
    TEXT,
    Case,
    agent,
    case,
    chunk,
    compaction,
    message,
    plan,
    state,
    text,
    tool,
    up,
)

ID = f"{SEED_IDS}: Proposed Structure"
QUO = f"{SEED_IDS}: Status quo"
CALL = f"{SCHEMA['v1']}: ToolCall"
UPDATE = f"{SCHEMA['v1']}: ToolCallUpdate"
DIFF = {"type": "diff", "path": "/a", "oldText": None, "newText": "x"}
REFERENCE = {"type": "terminal", "terminalId": "x"}


def c(name: str, tests: str, source: str, *steps: tuple[Any, ...]) -> Case:
    return case(f"v1/{name}", "v1", tests, source, *steps)


def M(*messages: JSON, **more: Any) -> JSON:  # noqa: N802 - a state of messages
    return state("v1", messages=list(messages), **more)


def T(*tools: JSON, **more: Any) -> JSON:  # noqa: N802 - a state of tool calls
    return state("v1", tool_calls=list(tools), **more)


def idless(label: int, *content: Any, role: str = "agent", **more: Any) -> JSON:
    """A message without an id; its label is the number of messages before it."""
    return message(role, None, *content, label=label, **more)


def bare(value: str, role: str = "agent_message") -> JSON:
    """A chunk without an id."""
    return chunk(value, None, role)


TWO = M(idless(0, "A"), idless(1, "B"))

MESSAGES = [
    *(
        c(
            f"messages/{name}",
            "All chunks of one id are one message, and each appends its block.",
            ID,
            (chunk("A", "m1", name), M(message(role, "m1", "A"))),
            (chunk("B", "m1", name), M(message(role, "m1", "A", "B"))),
        )
        for role, name in [("user", "user_message"), ("agent", "agent_message"), ("thought", "agent_thought")]
    ),
    c(
        "messages/another-id-is-another-message",
        "A different id means a different message, also with nothing between.",
        ID,
        (chunk("A", "m1"), M(agent("A"))),
        (chunk("B", "m2"), M(agent("A"), agent("B", message_id="m2"))),
    ),
    c(
        "messages/an-id-that-comes-back",
        "An id that comes back is the same message, whatever stood between.",
        ID,
        (chunk("A", "m1"), M(agent("A"))),
        (chunk("x", "m2"), M(agent("A"), agent("x", message_id="m2"))),
        (
            up("tool_call", toolCallId="t", title="Dig"),
            M(agent("A"), agent("x", message_id="m2"), tool_calls=[tool(title="Dig")], order="m0 m1 t0"),
        ),
        (
            chunk("B", "m1"),
            M(agent("A", "B"), agent("x", message_id="m2"), tool_calls=[tool(title="Dig")], order="m0 m1 t0"),
        ),
    ),
    c(
        "messages/one-id-in-two-roles",
        "Role and id together name a message: one id in two roles is two messages.",
        KEYS,
        (chunk("A", "x", "agent_thought"), M(message("thought", "x", "A"))),
        (chunk("B", "x"), M(message("thought", "x", "A"), message("agent", "x", "B"))),
    ),
    *(
        c(
            f"messages/{name}-means-no-id",
            "In v1 the id is optional: absent, null and unusable are the same, and the chunk stays valid.",
            f"{SEED_IDS}: Should this field be required or optional?",
            (bare("A") | fields, M(idless(0, "A"))),
            (bare("B") | fields, M(idless(0, "A", "B"))),
        )
        for name, fields in [
            ("absent", {}),
            ("null", {"messageId": None}),
            ("a-number", {"messageId": 7}),
            ("an-object", {"messageId": {"id": "m1"}}),
        ]
    ),
    c(
        "messages/empty-string-is-an-id",
        "Ids are opaque: the empty string is one like any other.",
        f"{SEED_IDS}: What format should message IDs use?",
        (chunk("A", ""), M(agent("A", message_id=""))),
        (chunk("B", "m1"), M(agent("A", message_id=""), agent("B"))),
        (chunk("C", ""), M(agent("A", "C", message_id=""), agent("B"))),
    ),
    c(
        "messages/chunk-meta-is-the-chunk-s",
        "The metadata of a chunk is not that of the message; v1 has none for messages.",
        f"{SCHEMA['v1']}: ContentChunk._meta",
        (chunk("A") | {"_meta": {"x": 1}}, M(agent("A"))),
    ),
    c(
        "surrogates/halves-that-meet",
        "A character that was cut into two surrogate halves is whole again when the blocks are joined.",
        TEXT,
        (chunk("a\ud83c"), M(agent("a\ud83c", shows="a\ufffd"))),
        (chunk("\udf3b"), M(agent("a\ud83c", "\udf3b", shows="a\U0001f33b"))),
    ),
    c(
        "messages/unknown-block-type",
        "The block types of v1 are closed: a chunk with another one is malformed.",
        f"{SCHEMA['v1']}: ContentBlock",
        (up("agent_message_chunk", messageId="m1", content={"type": "_hologram"}), SAME, REJECTED),
    ),
    *(
        c(
            f"messages/chunk-with-{name}-content",
            "A chunk has exactly one content block; a chunk whose content is none is malformed as a whole.",
            f"{SCHEMA['v1']}: ContentChunk.content",
            (chunk("A"), M(agent("A"))),
            (up("agent_message_chunk", messageId="m1", **fields), SAME, REJECTED),
        )
        for name, fields in [("no", {}), ("null", {"content": None}), ("an-array-as", {"content": [text("B")]})]
    ),
]

WITHOUT_IDS = [
    c(
        "idless/chunks-in-a-row",
        "Chunks of one role without ids, with nothing between, can't be told apart: they are one message.",
        QUO,
        (bare("Analyzing..."), M(idless(0, "Analyzing..."))),
        (bare("Found issues."), M(idless(0, "Analyzing...", "Found issues."))),
    ),
    c(
        "idless/another-role",
        "A chunk of another role closes the message, so that the role it had before begins a new one.",
        OPEN,
        (bare("A"), M(idless(0, "A"))),
        (bare("hm", "agent_thought"), M(idless(0, "A"), idless(1, "hm", role="thought"))),
        (bare("B"), M(idless(0, "A"), idless(1, "hm", role="thought"), idless(2, "B"))),
    ),
    c(
        "idless/tool-call",
        "A tool call closes the message.",
        QUO,
        (bare("A"), M(idless(0, "A"))),
        (
            up("tool_call", toolCallId="t", title="Dig"),
            M(idless(0, "A"), tool_calls=[tool(title="Dig")], order="m0 t0"),
        ),
        (
            bare("B"),
            TWO
            | {
                "tool_calls": [tool(title="Dig")],
                "order": M(idless(0, "A"), idless(1, "B"), tool_calls=[tool()], order="m0 t0 m1")["order"],
            },
        ),
    ),
    c(
        "idless/repeated-tool-call",
        "A tool_call closes the message also where its id is known.",
        OPEN,
        (up("tool_call", toolCallId="t", title="Dig"), T(tool(title="Dig"))),
        (bare("A"), T(tool(title="Dig"), messages=[idless(0, "A")], order="t0 m0")),
        (
            up("tool_call", toolCallId="t", title="Rake"),
            T(tool(title="Rake"), messages=[idless(0, "A")], order="t0 m0"),
        ),
        (bare("B"), T(tool(title="Rake"), messages=[idless(0, "A"), idless(1, "B")], order="t0 m0 m1")),
    ),
    c(
        "idless/first-and-later-tool-updates",
        "An update closes the message where the tool is new, not where it is known.",
        OPEN,
        (bare("A"), M(idless(0, "A"))),
        (up("tool_call_update", toolCallId="t"), M(idless(0, "A"), tool_calls=[tool()], order="m0 t0")),
        (bare("B"), T(tool(), messages=[idless(0, "A"), idless(1, "B")], order="m0 t0 m1")),
        (
            up("tool_call_update", toolCallId="t", status="completed"),
            T(tool(status="completed"), messages=[idless(0, "A"), idless(1, "B")], order="m0 t0 m1"),
        ),
        (
            bare("C"),
            T(tool(status="completed"), messages=[idless(0, "A"), idless(1, "B", "C")], order="m0 t0 m1"),
        ),
    ),
    c(
        "idless/plan",
        "A plan closes the message.",
        OPEN,
        (bare("A"), M(idless(0, "A"))),
        (up("plan", entries=[]), M(idless(0, "A"), plans=[plan("")], order="m0 p0")),
        (bare("B"), M(idless(0, "A"), idless(1, "B"), plans=[plan("")], order="m0 p0 m1")),
    ),
    c(
        "idless/compaction",
        "The first update of a compaction closes the message, later ones don't.",
        OPEN,
        (bare("A"), M(idless(0, "A"))),
        (
            up("compaction_update", compactionId="c", status="in_progress"),
            M(idless(0, "A"), compactions=[compaction()], order="m0 c0"),
        ),
        (bare("B"), M(idless(0, "A"), idless(1, "B"), compactions=[compaction()], order="m0 c0 m1")),
        (
            up("compaction_update", compactionId="c", status="completed"),
            M(idless(0, "A"), idless(1, "B"), compactions=[compaction(status="completed")], order="m0 c0 m1"),
        ),
        (
            bare("C"),
            M(idless(0, "A"), idless(1, "B", "C"), compactions=[compaction(status="completed")], order="m0 c0 m1"),
        ),
    ),
    c(
        "idless/session-level-updates",
        "Updates of the session as a whole leave the message open.",
        OPEN,
        (bare("A"), M(idless(0, "A"))),
        (up("current_mode_update", currentModeId="ask"), M(idless(0, "A"), mode="ask")),
        (up("available_commands_update", availableCommands=[]), SAME),
        (up("config_option_update", configOptions=[]), SAME),
        (
            up("usage_update", used=1, size=2),
            M(idless(0, "A"), mode="ask", usage={"used": 1, "size": 2, "cost": None, "meta": None}),
        ),
        (
            bare("B"),
            M(idless(0, "A", "B"), mode="ask", usage={"used": 1, "size": 2, "cost": None, "meta": None}),
        ),
    ),
    c(
        "idless/rejected-updates",
        "What has no effect leaves the message open as well.",
        OPEN,
        (bare("A"), M(idless(0, "A"))),
        (up("tool_call", toolCallId="t"), SAME, REJECTED),
        (up("agent_message", messageId="m1", content=[text("v2")]), SAME, REJECTED),
        (bare("B"), M(idless(0, "A", "B"))),
    ),
    c(
        "idless/after-a-message-with-an-id",
        "A chunk without an id continues the open message of its role, also where that has an id.",
        OPEN,
        (chunk("A", "m1"), M(agent("A"))),
        (bare("B"), M(agent("A", "B"))),
    ),
    c(
        "idless/an-id-never-joins",
        "A chunk with a new id never joins a message without one.",
        OPEN,
        (bare("A"), M(idless(0, "A"))),
        (chunk("B", "m1"), M(idless(0, "A"), agent("B"))),
    ),
    c(
        "idless/after-an-id-that-came-back",
        "The open message is the one that the last chunk went to: after m1, m2 and m1 again it is m1.",
        OPEN,
        (chunk("A", "m1"), M(agent("A"))),
        (chunk("x", "m2"), M(agent("A"), agent("x", message_id="m2"))),
        (chunk("B", "m1"), M(agent("A", "B"), agent("x", message_id="m2"))),
        (bare("C"), M(agent("A", "B", "C"), agent("x", message_id="m2"))),
    ),
    c(
        "idless/empty-chunk-of-another-role",
        "An empty chunk is a chunk: it closes and opens like any other.",
        OPEN,
        (bare("A"), M(idless(0, "A"))),
        (bare("", "agent_thought"), M(idless(0, "A"), idless(1, "", role="thought"))),
        (bare("B"), M(idless(0, "A"), idless(1, "", role="thought"), idless(2, "B"))),
    ),
]


CASES: list[Case] = [*MESSAGES, *WITHOUT_IDS]
