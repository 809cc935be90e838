# ruff: noqa: D103, ANN401 - a small language for cases: short names, JSON of any shape
"""v2: whole-message updates and chunks."""

from __future__ import annotations

from typing import Any

from .language import (
    JSON,
    KEYS,
    ORDER,
    SAME,
    SCHEMA,
    SEED_IDS,
    SEED_UPDATES,
    TEXT,
    UNKNOWN,
    Case,
    agent,
    case,
    chunk,
    message,
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


def _of_role(role: str, name: str) -> list[Case]:
    def shown(*content: Any, **more: Any) -> JSON:
        return S(message(role, "m1", *content, **more))

    def sent(**fields: Any) -> JSON:
        return whole(role=name, **fields)

    meta = {"source": "replay"}
    return [
        c(
            f"{name}-chunks-append",
            "A chunk makes the message of its id where it is new, and later chunks append their one block to it.",
            INTERACTION,
            (chunk("A", role=name), shown("A")),
            (chunk("B", role=name), shown("A", "B")),
        ),
        c(
            f"{name}-content-patch",
            "The content of a whole update is a patch field: a value replaces, omitted leaves, null and [] clear.",
            PROPOSAL,
            (sent(content=[text("A")]), shown("A")),
            (sent(), shown("A")),
            (sent(content=[text("B"), text("C")]), shown("B", "C")),
            (sent(content=None), shown()),
            (sent(content=[text("D")]), shown("D")),
            (sent(content=[]), shown()),
        ),
        c(
            f"{name}-meta-patch",
            "The metadata of a whole update is a patch field: a value replaces, omitted leaves, null clears.",
            PROPOSAL,
            (sent(meta=meta), shown(meta=meta)),
            (sent(), shown(meta=meta)),
            (sent(meta={"other": 1}), shown(meta={"other": 1})),
            (sent(meta=None), shown()),
            (sent(meta={}), shown(meta={})),
        ),
        c(
            f"{name}-first-sight-omitted",
            "For a new id, omitted fields have their defaults: no content, no metadata.",
            PROPOSAL,
            (sent(), shown()),
        ),
        c(
            f"{name}-first-sight-null",
            "For a new id, null is the default too.",
            PROPOSAL,
            (sent(content=None, meta=None), shown()),
        ),
    ]


SEQUENCES = [
    c(
        "whole-replaces-chunks",
        "Content in a whole update replaces all content of the message, also what chunks accumulated: A, B, "
        "then [C] is [C].",
        INTERACTION,
        (chunk("A"), S(agent("A"))),
        (chunk("B"), S(agent("A", "B"))),
        (whole(content=[text("C")]), S(agent("C"))),
    ),
    c(
        "chunk-appends-to-whole",
        "A chunk after a whole update appends to its content: [A], then B is [A, B].",
        INTERACTION,
        (whole(content=[text("A")]), S(agent("A"))),
        (chunk("B"), S(agent("A", "B"))),
    ),
    c(
        "whole-without-content-keeps-content",
        "A whole update without content changes the metadata and leaves the content.",
        INTERACTION,
        (chunk("A"), S(agent("A"))),
        (whole(meta={"source": "replay"}), S(agent("A", meta={"source": "replay"}))),
    ),
    c(
        "update-before-chunks",
        "A whole update may come before any chunk; it makes the message, and later chunks append.",
        QUESTIONS,
        (whole(), S(agent())),
        (chunk("A"), S(agent("A"))),
    ),
    c(
        "chunks-before-update",
        "Chunks may come before a whole update; its content then replaces what they accumulated.",
        QUESTIONS,
        (chunk("dr"), S(agent("dr"))),
        (chunk("aft"), S(agent("dr", "aft"))),
        (whole(content=[text("final")]), S(agent("final"))),
        (chunk("!"), S(agent("final", "!"))),
    ),
    c(
        "redacted-then-streamed-again",
        "An agent can withdraw what it said and stream the message again under the same id.",
        f"{SEED_UPDATES}: Status quo",
        (chunk("secret"), S(agent("secret"))),
        (whole(content=[]), S(agent())),
        (chunk("clean"), S(agent("clean"))),
    ),
    c(
        "meta-null-keeps-content",
        "Clearing one patch field leaves the others: null metadata does not touch the content.",
        PROPOSAL,
        (whole(content=[text("A")], meta={"x": 1}), S(agent("A", meta={"x": 1}))),
        (whole(meta=None), S(agent("A"))),
        (chunk("B"), S(agent("A", "B"))),
    ),
    c(
        "content-null-keeps-meta",
        "Clearing the content does not touch the metadata.",
        PROPOSAL,
        (whole(content=[text("A")], meta={"x": 1}), S(agent("A", meta={"x": 1}))),
        (whole(content=None), S(agent(meta={"x": 1}))),
    ),
    c(
        "meta-is-replaced-as-a-whole",
        "A metadata value replaces the old one; their keys are not merged.",
        PROPOSAL,
        (whole(meta={"a": 1, "b": 2}), S(agent(meta={"a": 1, "b": 2}))),
        (whole(meta={"b": 3}), S(agent(meta={"b": 3}))),
    ),
    c(
        "chunk-meta-is-the-chunk-s",
        "The metadata of a chunk belongs to the chunk: it neither sets nor clears that of the message.",
        f"{SCHEMA['v2']}: ContentChunk._meta",
        (chunk("A") | {"_meta": {"chunk": 1}}, S(agent("A"))),
        (whole(meta={"x": 1}), S(agent("A", meta={"x": 1}))),
        (chunk("B") | {"_meta": {"chunk": 2}}, S(agent("A", "B", meta={"x": 1}))),
        (chunk("C") | {"_meta": None}, S(agent("A", "B", "C", meta={"x": 1}))),
    ),
    c(
        "same-content-again",
        "A whole update is applied as it stands, also where it repeats what is there.",
        PROPOSAL,
        (whole(content=[text("A")]), S(agent("A"))),
        (whole(content=[text("A")]), SAME),
    ),
]

IDS = [
    c(
        "ids-interleaved",
        "Updates and chunks are applied in the order received for each id, whatever stands between them.",
        INTERACTION,
        (chunk("A", "m1"), S(agent("A"))),
        (chunk("x", "m2"), S(agent("A"), agent("x", message_id="m2"))),
        (chunk("B", "m1"), S(agent("A", "B"), agent("x", message_id="m2"))),
        (chunk("y", "m2"), S(agent("A", "B"), agent("x", "y", message_id="m2"))),
    ),
    c(
        "whole-of-one-id-among-chunks-of-another",
        "A whole update replaces the content of its own id only.",
        INTERACTION,
        (chunk("A", "m1"), S(agent("A"))),
        (chunk("x", "m2"), S(agent("A"), agent("x", message_id="m2"))),
        (whole("m1", content=[text("B")]), S(agent("B"), agent("x", message_id="m2"))),
        (chunk("y", "m2"), S(agent("B"), agent("x", "y", message_id="m2"))),
    ),
    c(
        "later-update-keeps-the-place",
        "A message stands where its id was first seen; no later update moves it.",
        ORDER,
        (chunk("First", "m1"), S(agent("First"))),
        (chunk("Second", "m2"), S(agent("First"), agent("Second", message_id="m2"))),
        (whole("m1", content=[text("Edited")]), S(agent("Edited"), agent("Second", message_id="m2"))),
    ),
    c(
        "one-id-in-three-roles",
        "Role and id together name a message: one id in several roles is several messages.",
        KEYS,
        (chunk("A", "x", "user_message"), S(message("user", "x", "A"))),
        (chunk("B", "x"), S(message("user", "x", "A"), message("agent", "x", "B"))),
        (
            chunk("C", "x", "agent_thought"),
            S(message("user", "x", "A"), message("agent", "x", "B"), message("thought", "x", "C")),
        ),
        (
            whole("x", "user_message", content=None),
            S(message("user", "x"), message("agent", "x", "B"), message("thought", "x", "C")),
        ),
    ),
    c(
        "empty-string-is-an-id",
        "Ids are opaque: the empty string is one like any other.",
        f"{SEED_IDS}: What format should message IDs use?",
        (chunk("A", ""), S(agent("A", message_id=""))),
        (chunk("B", "m1"), S(agent("A", message_id=""), agent("B"))),
        (chunk("C", ""), S(agent("A", "C", message_id=""), agent("B"))),
    ),
    c(
        "ids-are-compared-as-strings",
        "Ids are compared as strings, never parsed: 1, 01 and 1 with a space are three.",
        f"{SEED_IDS}: What format should message IDs use?",
        (chunk("A", "1"), S(agent("A", message_id="1"))),
        (chunk("B", "01"), S(agent("A", message_id="1"), agent("B", message_id="01"))),
        (
            chunk("C", "1 "),
            S(agent("A", message_id="1"), agent("B", message_id="01"), agent("C", message_id="1 ")),
        ),
    ),
    c(
        "ids-differ-by-case-and-normal-form",
        "Ids that look alike are different when their code points are.",
        f"{SEED_IDS}: What format should message IDs use?",
        (chunk("A", "\u00e9"), S(agent("A", message_id="\u00e9"))),
        (chunk("B", "e\u0301"), S(agent("A", message_id="\u00e9"), agent("B", message_id="e\u0301"))),
        (
            chunk("C", "\u00c9"),
            S(
                agent("A", message_id="\u00e9"),
                agent("B", message_id="e\u0301"),
                agent("C", message_id="\u00c9"),
            ),
        ),
    ),
    c(
        "ids-that-programming-languages-know",
        "Any string is an id, also one that an implementation's own tables could stumble over.",
        f"{SEED_IDS}: What format should message IDs use?",
        (chunk("A", "__proto__"), S(agent("A", message_id="__proto__"))),
        (chunk("B", "constructor"), S(agent("A", message_id="__proto__"), agent("B", message_id="constructor"))),
        (
            whole("__proto__", content=[text("C")]),
            S(agent("C", message_id="__proto__"), agent("B", message_id="constructor")),
        ),
    ),
]

CONTENT = [
    c(
        "blocks-of-all-types",
        "Content is any mix of blocks, in order; only text blocks are text.",
        f"{SCHEMA['v2']}: ContentBlock",
        (whole(content=[text("A"), IMAGE, text("B"), LINK]), S(agent("A", IMAGE, "B", LINK))),
        (up("agent_message_chunk", messageId="m1", content=IMAGE), S(agent("A", IMAGE, "B", LINK, IMAGE))),
    ),
    c(
        "block-of-an-unknown-type",
        "A block of a type that the receiver doesn't know is kept as it is.",
        f"{SCHEMA['v2']}: ContentBlock, other",
        (up("agent_message_chunk", messageId="m1", content=HOLOGRAM), S(agent(HOLOGRAM))),
        (whole(content=[HOLOGRAM, text("A")]), S(agent(HOLOGRAM, "A"))),
    ),
    c(
        "unknown-keys-of-a-block",
        "Keys of a block that the protocol doesn't name are kept.",
        UNKNOWN,
        (
            up("agent_message_chunk", messageId="m1", content=text("A") | {"x": 1}),
            S(agent(text("A") | {"x": 1}, shows="A")),
        ),
    ),
    c(
        "empty-and-blank-chunks",
        "A chunk of an empty or blank text is a chunk like any other.",
        f"{SCHEMA['v2']}: ContentChunk",
        (chunk(""), S(agent(""))),
        (chunk(" "), S(agent("", " "))),
        (chunk("\n"), S(agent("", " ", "\n"))),
    ),
    case(
        "v2/surrogates/halves-that-meet",
        "v2",
        "A character that was cut into two surrogate halves is whole again when the blocks are joined.",
        TEXT,
        (
            whole(content=[text("\ud83c"), text("\udf3b and \ud83c")]),
            S(agent("\ud83c", "\udf3b and \ud83c", shows="\U0001f33b and \ufffd")),
        ),
        (
            chunk("\udf31"),
            S(agent("\ud83c", "\udf3b and \ud83c", "\udf31", shows="\U0001f33b and \U0001f331")),
        ),
    ),
    c(
        "texts-are-joined-without-anything-between",
        "The text of a message is the join of its text blocks: nothing is added, trimmed or folded.",
        TEXT,
        (whole(content=[text(" A "), text("\r\n"), text("B\t")]), S(agent(" A ", "\r\n", "B\t"))),
    ),
]


CASES: list[Case] = [
    *(made for role, name in ROLES.items() for made in _of_role(role, name)),
    *SEQUENCES,
    *IDS,
    *CONTENT,
]
