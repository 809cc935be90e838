# ruff: noqa: D103, ANN401 - a small language for cases: short names, JSON of any shape
"""v2: tool calls, their updates and content chunks."""

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
    terminal,
    text,
    tool,
    up,
)

UPSERT = f"{SCHEMA['v2']}: ToolCallUpdate"
CHUNK = f"{SCHEMA['v2']}: ToolCallContentChunk"
TERMINAL = f"{SCHEMA['v2']}: TerminalUpdate"
OUTPUT = f"{SCHEMA['v2']}: TerminalOutputChunk"
DIFF = {"type": "diff", "changes": [{"operation": "modify", "path": "/a"}]}
REFERENCE = {"type": "terminal", "terminalId": "x"}
CUSTOM = {"type": "_chart", "points": [1]}
LINE = {"path": "/a", "line": 3}


def S(*tools: JSON, **more: Any) -> JSON:  # noqa: N802 - a state, as short as can be
    return state("v2", tool_calls=list(tools), **more)


def c(name: str, tests: str, source: str, *steps: tuple[Any, ...]) -> Case:
    return case(f"v2/{name}", "v2", tests, source, *steps)


def sent(tool_call_id: str = "t", **fields: Any) -> JSON:
    return up("tool_call_update", toolCallId=tool_call_id, **fields)


def more(value: JSON, tool_call_id: str = "t") -> JSON:
    return up("tool_call_content_chunk", toolCallId=tool_call_id, content=value)


# key, attribute, a value, another value, the default
_FIELDS: list[tuple[str, str, Any, Any, Any]] = [
    ("title", "title", "Dig", "Rake", None),
    ("name", "name", "dig", "rake", None),
    ("kind", "kind", "edit", "_acme_dig", "other"),
    ("status", "status", "in_progress", "cancelled", "pending"),
    ("content", "content", [item("A")], [item("B"), DIFF], []),
    ("locations", "locations", [{"path": "/a"}], [LINE, {"path": "/b"}], []),
    ("rawInput", "raw_input", {"depth": [1]}, "text", None),
    ("rawOutput", "raw_output", ["a", None], {"ok": True}, None),
    ("meta", "meta", {"x": 1}, {"y": 2}, None),
]


def _patch(key: str, attribute: str, one: Any, other: Any, default: Any) -> Case:
    steps: list[tuple[Any, ...]] = [
        (sent(**{key: one}), S(tool(**{attribute: one}))),
        (sent(), S(tool(**{attribute: one}))),
        (sent(**{key: other}), S(tool(**{attribute: other}))),
        (sent(**{key: None}), S(tool(**{attribute: default}))),
        (sent(**{key: one}), S(tool(**{attribute: one}))),
    ]
    if default == []:
        steps.append((sent(**{key: []}), S(tool(**{attribute: []}))))
    also = " and [] clear" if default == [] else " clears"
    tests = f"{key} of a tool call is a patch field: a value replaces, omitted leaves, null{also} it."
    return c(f"tools/{attribute}-patch", tests, UPSERT, *steps)


TOOLS = [
    *(_patch(*field) for field in _FIELDS),
    c(
        "tools/first-sight",
        "The first update of an id makes the call: what it omits is empty, its kind other and its status pending.",
        UPSERT,
        (sent(), S(tool())),
    ),
    c(
        "tools/first-sight-null",
        "Null on a first sight means the default as well.",
        UPSERT,
        (
            sent(title=None, kind=None, status=None, content=None, locations=None, rawInput=None, rawOutput=None),
            S(tool()),
        ),
    ),
    c(
        "tools/several-fields-at-once",
        "One update may patch several fields; those that it omits stay.",
        UPSERT,
        (
            sent(title="Dig", kind="edit", status="pending", rawInput={"d": 1}),
            S(tool(title="Dig", kind="edit", raw_input={"d": 1})),
        ),
        (
            sent(status="completed", content=[item("deep")]),
            S(tool(title="Dig", kind="edit", raw_input={"d": 1}, status="completed", content=[item("deep")])),
        ),
        (
            sent(kind=None, rawInput=None),
            S(tool(title="Dig", status="completed", content=[item("deep")])),
        ),
    ),
    c(
        "tools/falsy-raw-values",
        "Zero, false, the empty string and the empty object are values, not null.",
        UPSERT,
        (sent(rawInput=0, rawOutput=False), S(tool(raw_input=0, raw_output=False))),
        (sent(rawInput="", rawOutput={}), S(tool(raw_input="", raw_output={}))),
        (sent(rawInput=[]), S(tool(raw_input=[], raw_output={}))),
    ),
    c(
        "tools/raw-values-are-not-looked-into",
        "Raw input and output may be any JSON, with nulls and any keys inside.",
        UPSERT,
        (
            sent(rawInput={"toolCallId": None, "_meta": {"a": [None]}}),
            S(tool(raw_input={"toolCallId": None, "_meta": {"a": [None]}})),
        ),
    ),
    c(
        "tools/title-of-an-empty-string",
        "The empty string is a title; it does not clear.",
        UPSERT,
        (sent(title="Dig"), S(tool(title="Dig"))),
        (sent(title=""), S(tool(title=""))),
    ),
    c(
        "tools/content-chunk-makes-the-call",
        "A content chunk of an unknown id makes the call with its defaults.",
        CHUNK,
        (more(item("A")), S(tool(content=[item("A")]))),
        (sent(title="Dig"), S(tool(title="Dig", content=[item("A")]))),
    ),
    c(
        "tools/content-chunks-append",
        "A content chunk appends its one item to what is there, whatever put it there.",
        CHUNK,
        (sent(content=[item("A")]), S(tool(content=[item("A")]))),
        (more(item("B")), S(tool(content=[item("A"), item("B")]))),
        (more(DIFF), S(tool(content=[item("A"), item("B"), DIFF]))),
    ),
    c(
        "tools/content-replaces-chunks",
        "Content in an update replaces all items, also those that chunks appended; later chunks append to it.",
        CHUNK,
        (more(item("A")), S(tool(content=[item("A")]))),
        (more(item("B")), S(tool(content=[item("A"), item("B")]))),
        (sent(content=[item("AB")]), S(tool(content=[item("AB")]))),
        (more(item("C")), S(tool(content=[item("AB"), item("C")]))),
    ),
    c(
        "tools/chunk-after-clearing",
        "After null the content is empty, and a chunk begins it anew.",
        CHUNK,
        (more(item("A")), S(tool(content=[item("A")]))),
        (sent(content=None), S(tool())),
        (more(item("B")), S(tool(content=[item("B")]))),
    ),
    c(
        "tools/chunk-meta-is-the-chunk-s",
        "The metadata of a content chunk is not that of the call.",
        f"{CHUNK}._meta",
        (sent(meta={"x": 1}), S(tool(meta={"x": 1}))),
        (more(item("A")) | {"_meta": {"chunk": 1}}, S(tool(meta={"x": 1}, content=[item("A")]))),
    ),
    c(
        "tools/interleaved",
        "Updates of one call do not touch another.",
        UPSERT,
        (sent("t", status="in_progress"), S(tool("t", status="in_progress"))),
        (sent("u", status="in_progress"), S(tool("t", status="in_progress"), tool("u", status="in_progress"))),
        (
            more(item("A"), "t"),
            S(tool("t", status="in_progress", content=[item("A")]), tool("u", status="in_progress")),
        ),
        (
            sent("u", status="failed"),
            S(tool("t", status="in_progress", content=[item("A")]), tool("u", status="failed")),
        ),
    ),
    c(
        "tools/status-may-go-back",
        "A status is set as it is sent, in any order; the receiver doesn't judge.",
        f"{SCHEMA['v2']}: ToolCallStatus",
        (sent(status="completed"), S(tool(status="completed"))),
        (sent(status="pending"), S(tool())),
        (sent(status="_acme_waiting"), S(tool(status="_acme_waiting"))),
    ),
    c(
        "tools/items-of-all-types",
        "Items are content, diffs and references to terminals; an item of an unknown type is kept.",
        f"{SCHEMA['v2']}: ToolCallContent",
        (
            sent(content=[item("A"), DIFF, REFERENCE, CUSTOM]),
            S(tool(content=[item("A"), DIFF, REFERENCE, CUSTOM])),
        ),
    ),
    c(
        "tools/reference-makes-no-terminal",
        "A reference to a terminal in a tool call doesn't make the terminal; its own updates do.",
        f"{SCHEMA['v2']}: Terminal",
        (sent(content=[REFERENCE]), S(tool(content=[REFERENCE]))),
        (
            up("terminal_update", terminalId="x", command="ls"),
            S(tool(content=[REFERENCE]), terminals=[terminal(command="ls")], order="t0 x0"),
        ),
    ),
    c(
        "tools/order-among-messages",
        "Messages and tool calls stand in one order of first sight; later updates move neither.",
        ORDER,
        (chunk("A"), state("v2", messages=[agent("A")])),
        (sent(), S(tool(), messages=[agent("A")], order="m0 t0")),
        (
            chunk("B", "m2"),
            S(tool(), messages=[agent("A"), agent("B", message_id="m2")], order="m0 t0 m1"),
        ),
        (
            sent(status="completed"),
            S(tool(status="completed"), messages=[agent("A"), agent("B", message_id="m2")], order="m0 t0 m1"),
        ),
    ),
]

TOOL_REJECTIONS = [
    *(
        c(
            f"tools/{name}",
            "The id of a tool call is required, and a string: without it the update has no effect.",
            UPSERT,
            (sent(title="Dig"), S(tool(title="Dig"))),
            (update, SAME, REJECTED),
        )
        for name, update in [
            ("without-an-id", up("tool_call_update", title="Rake")),
            ("null-as-id", up("tool_call_update", toolCallId=None, title="Rake")),
            ("number-as-id", up("tool_call_update", toolCallId=7, title="Rake")),
            ("chunk-without-an-id", up("tool_call_content_chunk", content=item("A"))),
        ]
    ),
    *(
        c(
            f"tools/chunk-with-{name}-content",
            "A content chunk has exactly one well-formed item; otherwise it has no effect.",
            CHUNK,
            (more(item("A")), S(tool(content=[item("A")]))),
            (up("tool_call_content_chunk", toolCallId="t", **fields), SAME, REJECTED),
        )
        for name, fields in [
            ("no", {}),
            ("null", {"content": None}),
            ("an-array-as", {"content": [item("B")]}),
            ("a-block-as", {"content": {"type": "content"}}),
        ]
    ),
    c(
        "tools/v1-tool-call",
        "tool_call is an update of v1; v2 has no such name, and it has no effect.",
        f"{SCHEMA['v2']}: SessionUpdate",
        (up("tool_call", toolCallId="t", title="Dig"), SAME, REJECTED),
    ),
]

_TITLE = sent(title="Dig", status="in_progress", content=[item("A")], rawInput=1, locations=[LINE], meta={"x": 1})
_TITLED = {
    "title": "Dig",
    "status": "in_progress",
    "content": [item("A")],
    "raw_input": 1,
    "locations": [LINE],
    "meta": {"x": 1},
}
TOOL_LENIENCY = [
    *(
        c(
            f"tools/malformed-{key}",
            f"A malformed {key} counts as omitted: the stored value stays, and the rest of the update holds.",
            f"{UPSERT}.{'_meta' if key == 'meta' else key}, default on error",
            (_TITLE, S(tool(**_TITLED))),
            (sent(**{key: value}, rawOutput="done"), S(tool(**_TITLED, raw_output="done"))),
        )
        for key, value in [
            ("title", 7),
            ("name", []),
            ("kind", 7),
            ("status", {"value": "failed"}),
            ("content", "B"),
            ("locations", {"path": "/b"}),
            ("meta", "x"),
        ]
    ),
    c(
        "tools/malformed-item",
        "A malformed item of the content is left out, and the others stay.",
        f"{UPSERT}.content, skip invalid items",
        (
            sent(content=[item("A"), {"type": "content"}, text("B"), 7, item("C")]),
            # A bare text block is an item of an unknown type, which v2 keeps.
            S(tool(content=[item("A"), text("B"), item("C")])),
        ),
    ),
    c(
        "tools/malformed-location",
        "A malformed location is left out; a malformed line number is left out of its location.",
        f"{UPSERT}.locations, skip invalid items",
        (
            sent(locations=[{"path": "/a"}, {"line": 3}, "/b", {"path": "/c", "line": "x"}]),
            S(tool(locations=[{"path": "/a"}, {"path": "/c"}])),
        ),
    ),
]


CASES: list[Case] = [*TOOLS, *TOOL_REJECTIONS, *TOOL_LENIENCY]
