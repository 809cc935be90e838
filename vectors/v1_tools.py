# ruff: noqa: D103, ANN401 - a small language for cases: short names, JSON of any shape
"""v1: tool calls and their updates."""

from __future__ import annotations

from typing import Any

from .language import (
    JSON,
    ORDER,
    REJECTED,
    SAME,
    SCHEMA,
    Case,
    agent,
    case,
    chunk,
    item,
    state,
    text,
    tool,
    up,
)

CALL = f"{SCHEMA['v1']}: ToolCall"
UPDATE = f"{SCHEMA['v1']}: ToolCallUpdate"
DIFF = {"type": "diff", "path": "/a", "oldText": None, "newText": "x"}
REFERENCE = {"type": "terminal", "terminalId": "x"}


def c(name: str, tests: str, source: str, *steps: tuple[Any, ...]) -> Case:
    return case(f"v1/{name}", "v1", tests, source, *steps)


def T(*tools: JSON, **more: Any) -> JSON:  # noqa: N802 - a state of tool calls
    return state("v1", tool_calls=list(tools), **more)


def call(**fields: Any) -> JSON:
    return up("tool_call", toolCallId="t", **fields)


def update(**fields: Any) -> JSON:
    return up("tool_call_update", toolCallId="t", **fields)


# key, attribute, a value, another value, the default
_FIELDS: list[tuple[str, str, Any, Any, Any]] = [
    ("title", "title", "Dig", "Rake", None),
    ("name", "name", "dig", "rake", None),
    ("kind", "kind", "edit", "read", "other"),
    ("status", "status", "in_progress", "completed", "pending"),
    ("content", "content", [item("A")], [item("B"), DIFF], []),
    ("locations", "locations", [{"path": "/a"}], [{"path": "/b", "line": 3}], []),
    ("rawInput", "raw_input", {"depth": [1]}, "text", None),
    ("rawOutput", "raw_output", ["a"], False, None),
    ("meta", "meta", {"x": 1}, {"y": 2}, None),
]
_FULL: JSON = {
    "title": "Dig",
    "kind": "edit",
    "status": "completed",
    "content": [item("A")],
    "locations": [{"path": "/a"}],
    "raw_input": {"d": 1},
    "raw_output": "done",
    "meta": {"x": 1},
}
_FULL_CALL = call(
    title="Dig",
    kind="edit",
    status="completed",
    content=[item("A")],
    locations=[{"path": "/a"}],
    rawInput={"d": 1},
    rawOutput="done",
    meta={"x": 1},
)

TOOLS = [
    c(
        "tools/call-with-defaults",
        "A call needs an id and a title; an omitted kind is other, an omitted status pending.",
        CALL,
        (call(title="Dig"), T(tool(title="Dig"))),
    ),
    c(
        "tools/call-with-all-fields",
        "A call may say everything at once.",
        CALL,
        (_FULL_CALL, T(tool(**_FULL))),
    ),
    c(
        "tools/repeated-call-overwrites",
        "A call of a known id overwrites it: what it omits goes back to the default, and it keeps its place.",
        CALL,
        (_FULL_CALL, T(tool(**_FULL))),
        (up("tool_call", toolCallId="u", title="Other"), T(tool(**_FULL), tool("u", title="Other"))),
        (call(title="Rake"), T(tool(title="Rake"), tool("u", title="Other"))),
    ),
    *(
        c(
            f"tools/{attribute}-update",
            f"{key} in an update replaces where it is present and not null; omitted and null leave the value.",
            UPDATE,
            (update(**{key: one}), T(tool(**{attribute: one}))),
            (update(), SAME),
            (update(**{key: None}), SAME),
            (update(**{key: other}), T(tool(**{attribute: other}))),
        )
        for key, attribute, one, other, _ in _FIELDS
    ),
    *(
        c(
            f"tools/{key}-emptied",
            f"An empty list of {key} replaces the old one: it is a value, not null.",
            UPDATE,
            (update(**{key: [one]}), T(tool(**{key: [one]}))),
            (update(**{key: []}), T(tool())),
        )
        for key, one in [("content", item("A")), ("locations", {"path": "/a"})]
    ),
    c(
        "tools/content-is-not-appended",
        "Content in an update replaces the collection; agents that stream send all of it each time.",
        UPDATE,
        (call(title="Build"), T(tool(title="Build"))),
        (update(content=[item("A")]), T(tool(title="Build", content=[item("A")]))),
        (update(content=[item("A\nB")]), T(tool(title="Build", content=[item("A\nB")]))),
    ),
    c(
        "tools/update-of-an-unknown-id",
        "An update of an id that was never called makes the call with its defaults.",
        UPDATE,
        (update(status="completed"), T(tool(status="completed"))),
        (call(title="Dig"), T(tool(title="Dig"))),
    ),
    c(
        "tools/interleaved",
        "Updates of one call do not touch another.",
        UPDATE,
        (call(title="Dig"), T(tool(title="Dig"))),
        (up("tool_call", toolCallId="u", title="Rake"), T(tool(title="Dig"), tool("u", title="Rake"))),
        (update(status="failed"), T(tool(title="Dig", status="failed"), tool("u", title="Rake"))),
    ),
    c(
        "tools/status-may-go-back",
        "A status is set as it is sent, in any order; the receiver doesn't judge.",
        f"{SCHEMA['v1']}: ToolCallStatus",
        (call(title="Dig", status="completed"), T(tool(title="Dig", status="completed"))),
        (update(status="in_progress"), T(tool(title="Dig", status="in_progress"))),
    ),
    c(
        "tools/items-of-all-types",
        "Items are content, diffs and references to terminals.",
        f"{SCHEMA['v1']}: ToolCallContent",
        (
            call(title="Dig", content=[item("A"), DIFF, REFERENCE]),
            T(tool(title="Dig", content=[item("A"), DIFF, REFERENCE])),
        ),
    ),
    c(
        "tools/order-among-messages",
        "Messages and tool calls stand in one order of first sight; later updates move neither.",
        ORDER,
        (call(title="Dig"), T(tool(title="Dig"))),
        (chunk("A"), T(tool(title="Dig"), messages=[agent("A")], order="t0 m0")),
        (
            update(status="completed"),
            T(tool(title="Dig", status="completed"), messages=[agent("A")], order="t0 m0"),
        ),
    ),
    *(
        c(
            f"tools/call-{name}",
            "Id and title of a call are required strings: without them it has no effect.",
            CALL,
            (call(title="Dig"), T(tool(title="Dig"))),
            (sent, SAME, REJECTED),
        )
        for name, sent in [
            ("without-a-title", call(status="completed")),
            ("with-a-null-title", call(title=None, status="completed")),
            ("without-an-id", up("tool_call", title="Rake")),
            ("with-a-number-as-id", up("tool_call", toolCallId=7, title="Rake")),
        ]
    ),
    c(
        "tools/update-without-an-id",
        "The id of an update is required: without it the update has no effect.",
        UPDATE,
        (call(title="Dig"), T(tool(title="Dig"))),
        (up("tool_call_update", status="completed"), SAME, REJECTED),
    ),
    *(
        c(
            f"tools/call-with-malformed-{key}",
            f"A malformed {key} of a call counts as its default.",
            f"{CALL}.{key}, default on error",
            (call(title="Dig", **{key: value}), T(tool(title="Dig"))),
        )
        for key, value in [
            ("kind", "dance"),
            ("status", "cancelled"),
            ("content", "text"),
            ("locations", "/a"),
            ("name", 7),
        ]
    ),
    *(
        c(
            f"tools/update-with-malformed-{key}",
            f"A malformed {key} of an update counts as omitted: the value stays.",
            f"{UPDATE}.{key}, default on error",
            (_FULL_CALL, T(tool(**_FULL))),
            (update(**{key: value}), SAME),
        )
        for key, value in [
            ("title", 7),
            ("kind", "dance"),
            ("status", "done"),
            ("content", "text"),
            ("locations", 7),
        ]
    ),
    c(
        "tools/malformed-item",
        "A malformed item of the content is left out, and the others stay; the item types of v1 are closed.",
        f"{UPDATE}.content, skip invalid items",
        (
            update(content=[item("A"), {"type": "_chart"}, {"type": "content"}, text("B"), item("C")]),
            T(tool(content=[item("A"), item("C")])),
        ),
    ),
]


CASES: list[Case] = TOOLS
