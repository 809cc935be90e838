# ruff: noqa: D103, ANN401 - a small language for cases: short names, JSON of any shape
"""v2: messages that are malformed, as a whole or in part."""

from __future__ import annotations

from typing import Any

from .language import (
    JSON,
    REJECTED,
    SAME,
    SCHEMA,
    SEED_IDS,
    SEED_UPDATES,
    UNKNOWN,
    Case,
    agent,
    case,
    chunk,
    state,
    text,
    up,
    whole,
)

PROPOSAL = f"{SEED_UPDATES}: What we propose to do about it"
INTERACTION = f"{SEED_UPDATES}: Interaction between updates and chunks"
QUESTIONS = f"{SEED_UPDATES}: Frequently asked questions"
IMAGE = {"type": "image", "data": "QQ==", "mimeType": "image/png"}
LINK = {"type": "resource_link", "uri": "file:///a", "name": "a"}
HOLOGRAM = {"type": "_hologram", "rays": [1, 2]}
ROLES = {"user": "user_message", "agent": "agent_message", "thought": "agent_thought"}


def S(*messages: JSON, **more: Any) -> JSON:  # noqa: N802 - a state, as short as can be
    return state("v2", messages=list(messages), **more)


def c(name: str, tests: str, source: str, *steps: tuple[Any, ...]) -> Case:
    return case(f"v2/messages/{name}", "v2", tests, source, *steps)


def _bad_id(name: str, fields: JSON) -> list[Case]:
    return [
        c(
            f"{kind}-with-{name}-id-is-rejected",
            "The id is required, and a string: an update without a usable one has no effect.",
            f"{SEED_IDS}: Should this field be required or optional?",
            (chunk("A"), S(agent("A"))),
            (sent | fields, SAME, REJECTED),
        )
        for kind, sent in [("chunk", chunk("B", None)), ("whole", up("agent_message", content=[text("B")]))]
    ]


REJECTIONS = [
    *_bad_id("no", {}),
    *_bad_id("a-null", {"messageId": None}),
    *_bad_id("a-number-as", {"messageId": 1}),
    *_bad_id("an-object-as", {"messageId": {"id": "m1"}}),
    *(
        c(
            f"chunk-with-{name}-content-is-rejected",
            "A chunk has exactly one content block; a chunk whose content is none is malformed as a whole.",
            f"{SCHEMA['v2']}: ContentChunk.content",
            (chunk("A"), S(agent("A"))),
            (up("agent_message_chunk", messageId="m1", **fields), SAME, REJECTED),
        )
        for name, fields in [
            ("no", {}),
            ("null", {"content": None}),
            ("an-array-as", {"content": [text("B")]}),
            ("a-string-as", {"content": "B"}),
            ("untyped", {"content": {"text": "B"}}),
            ("textless", {"content": {"type": "text"}}),
            ("null-text", {"content": {"type": "text", "text": None}}),
        ]
    ),
]

LENIENCY = [
    *(
        c(
            f"whole-with-{name}-content",
            "Content that is no array counts as omitted: what was there stays, and the rest of the update holds.",
            f"{SCHEMA['v2']}: AgentMessage.content, default on error",
            (chunk("A"), S(agent("A"))),
            (whole(content=content, meta={"x": 1}), S(agent("A", meta={"x": 1}))),
        )
        for name, content in [("a-string-as", "B"), ("an-object-as", text("B")), ("a-number-as", 7)]
    ),
    c(
        "whole-with-a-malformed-block",
        "A malformed item of the content is left out, and the others stay.",
        f"{SCHEMA['v2']}: AgentMessage.content, skip invalid items",
        (
            whole(content=[text("A"), {"type": "text"}, "B", None, text("C")]),
            S(agent("A", "C")),
        ),
    ),
    c(
        "whole-with-malformed-blocks-only",
        "Where all items are malformed, the content is the empty array, which clears.",
        f"{SCHEMA['v2']}: AgentMessage.content, skip invalid items",
        (chunk("A"), S(agent("A"))),
        (whole(content=[{"type": "text"}]), S(agent())),
    ),
    *(
        c(
            f"whole-with-{name}-meta",
            "Metadata that is no object counts as omitted.",
            f"{SCHEMA['v2']}: AgentMessage._meta, default on error",
            (whole(meta={"x": 1}), S(agent(meta={"x": 1}))),
            (whole(meta=meta, content=[text("A")]), S(agent("A", meta={"x": 1}))),
        )
        for name, meta in [("a-string-as", "x"), ("an-array-as", [1])]
    ),
    c(
        "chunk-with-malformed-meta",
        "Malformed metadata of a chunk does not keep the chunk from being applied.",
        f"{SCHEMA['v2']}: ContentChunk._meta, default on error",
        (chunk("A") | {"_meta": "x"}, S(agent("A"))),
    ),
    c(
        "unknown-keys-of-an-update",
        "Keys of an update that the protocol doesn't name have no effect.",
        UNKNOWN,
        (chunk("A") | {"mood": "good", "text": "B"}, S(agent("A"))),
    ),
]


CASES: list[Case] = [*REJECTIONS, *LENIENCY]
