# ruff: noqa: ANN401 - a small language for cases: short names, JSON of any shape
"""Notices, compactions and unknown names of both versions, written once."""

from __future__ import annotations

from typing import Any

from .language import (
    IGNORED,
    JSON,
    REJECTED,
    SAME,
    UNKNOWN,
    Case,
    Maker,
    agent,
    chunk,
    compaction,
    text,
    up,
)


def _notices(m: Maker) -> list[Case]:
    c, source = m.c, f"{m.schema}: Notice"

    def one(severity: str, title: str, **more: Any) -> JSON:
        return {"severity": severity, "title": title, "description": None, "meta": None} | more

    first, second = one("info", "A"), one("warning", "B", description="b", meta={"x": 1})
    return [
        c(
            "notices/kept-in-order",
            "Notices are live advice without an id: each is one more, and none is an entity of the session.",
            source,
            (up("notice", severity="info", title="A"), m.s(notices=[first])),
            (
                up("notice", severity="warning", title="B", description="b", meta={"x": 1}),
                m.s(notices=[first, second]),
            ),
            (up("notice", severity="info", title="A", description=None), m.s(notices=[first, second, first])),
        ),
        c(
            "notices/custom-severity",
            "Severities are open: a custom one is kept.",
            f"{m.schema}: NoticeSeverity",
            (up("notice", severity="_acme_loud", title="A"), m.s(notices=[one("_acme_loud", "A")])),
        ),
        c(
            "notices/malformed-description",
            "A malformed description counts as none.",
            f"{source}.description, default on error",
            (up("notice", severity="info", title="A", description=7), m.s(notices=[first])),
        ),
        *(
            c(
                f"notices/{name}",
                "Severity and a title that isn't empty are required: otherwise the notice has no effect.",
                source,
                (up("notice", **fields), SAME, REJECTED),
            )
            for name, fields in [
                ("without-a-title", {"severity": "info"}),
                ("empty-title", {"severity": "info", "title": ""}),
                ("without-a-severity", {"title": "A"}),
                ("null-severity", {"severity": None, "title": "A"}),
            ]
        ),
    ]


A, B = [text("A")], [text("B"), text("C")]


def _compacts(status: str = "in_progress", **fields: Any) -> JSON:
    return up("compaction_update", compactionId="c", status=status, **fields)


def _part(value: str) -> JSON:
    return up("compaction_summary_chunk", compactionId="c", content=text(value))


def _compaction_patches(m: Maker) -> list[Case]:
    c, source = m.c, f"{m.schema}: CompactionUpdate"

    def s(*compactions: JSON, **parts: Any) -> JSON:
        return m.s(compactions=list(compactions), **parts)

    rows: list[tuple[str, Any, Any]] = [
        ("summary", A, B),
        ("error", "no", "still no"),
        ("meta", {"x": 1}, {"y": 2}),
    ]
    return [
        *(
            c(
                f"compactions/{key}-patch",
                f"{key} of a compaction is a patch field: a value replaces, omitted leaves, null clears it"
                f"{', and so does []' if key == 'summary' else ''}.",
                source,
                (_compacts(**{key: one}), s(compaction(**{key: one}))),
                (_compacts(), SAME),
                (_compacts(**{key: other}), s(compaction(**{key: other}))),
                (_compacts(**{key: None}), s(compaction())),
                *(
                    [(_compacts(summary=A), s(compaction(summary=A))), (_compacts(summary=[]), s(compaction()))]
                    if key == "summary"
                    else []
                ),
            )
            for key, one, other in rows
        ),
    ]


def _compactions(m: Maker) -> list[Case]:
    c, source = m.c, f"{m.schema}: CompactionUpdate"

    def s(*compactions: JSON, **parts: Any) -> JSON:
        return m.s(compactions=list(compactions), **parts)

    return [
        c(
            "compactions/status",
            "Each update says the status, a custom one too.",
            source,
            (_compacts(), s(compaction())),
            (_compacts("completed"), s(compaction(status="completed"))),
            (_compacts("_acme_resting"), s(compaction(status="_acme_resting"))),
        ),
        c(
            "compactions/summary-in-chunks",
            "A chunk appends one block to the summary; a summary in an update replaces what chunks appended.",
            f"{m.schema}: CompactionSummaryChunk",
            (_compacts(), s(compaction())),
            (_part("A"), s(compaction(summary=A))),
            (_part("B"), s(compaction(summary=[text("A"), text("B")]))),
            (_compacts("completed", summary=B), s(compaction(status="completed", summary=B))),
        ),
        c(
            "compactions/chunk-on-first-sight",
            "A chunk of an unknown id makes the compaction; its status is unknown until an update says it.",
            f"{m.schema}: CompactionSummaryChunk",
            (_part("A"), s(compaction(status=None, summary=A))),
            (_compacts(), s(compaction(summary=A))),
        ),
        c(
            "compactions/place",
            "The first update fixes where the compaction stands; later ones patch it in place.",
            source,
            (chunk("A", "m1"), m.s(messages=[agent("A")])),
            (_compacts(), s(compaction(), messages=[agent("A")], order="m0 c0")),
            (
                chunk("B", "m2"),
                s(compaction(), messages=[agent("A"), agent("B", message_id="m2")], order="m0 c0 m1"),
            ),
            (
                _compacts("completed"),
                s(
                    compaction(status="completed"),
                    messages=[agent("A"), agent("B", message_id="m2")],
                    order="m0 c0 m1",
                ),
            ),
        ),
    ]


def _malformed_compactions(m: Maker) -> list[Case]:
    c, source = m.c, f"{m.schema}: CompactionUpdate"
    return [
        *(
            c(
                f"compactions/{name}",
                "Id and status are required, and a chunk's block: otherwise the update has no effect.",
                source,
                (_compacts(), m.s(compactions=[compaction()])),
                (update, SAME, REJECTED),
            )
            for name, update in [
                ("without-an-id", up("compaction_update", status="completed")),
                ("without-a-status", up("compaction_update", compactionId="c", summary=A)),
                ("null-status", up("compaction_update", compactionId="c", status=None)),
                ("chunk-without-content", up("compaction_summary_chunk", compactionId="c")),
                ("chunk-without-an-id", up("compaction_summary_chunk", content=text("A"))),
            ]
        ),
    ]


def _unknown(m: Maker) -> list[Case]:
    c = m.c
    before = (chunk("A"), m.s(messages=[agent("A")]))
    return [
        c(
            "unknown/extension",
            "A name that begins with an underscore is an extension: kept by who keeps logs, without effect here.",
            UNKNOWN,
            before,
            (up("_acme/agent_message_chunk", messageId="m1", content=text("B")), SAME, IGNORED),
        ),
        *(
            c(
                f"unknown/{name}",
                tests,
                UNKNOWN,
                before,
                (sent, SAME, REJECTED),
            )
            for name, tests, sent in [
                (
                    "name-of-the-future",
                    "A name that the version doesn't have has no effect.",
                    up("agent_song", messageId="m1", content=text("B")),
                ),
                (
                    "name-in-another-case",
                    "Names are compared exactly: another spelling is another name.",
                    up("agentMessageChunk", messageId="m1", content=text("B")),
                ),
                (
                    "without-a-name",
                    "An update without its discriminator has no effect, whatever else it holds.",
                    {"messageId": "m1", "content": text("B")},
                ),
                (
                    "null-as-name",
                    "A discriminator that is no string has no effect.",
                    {"sessionUpdate": None, "messageId": "m1", "content": text("B")},
                ),
                ("null-as-update", "An update that is no object has no effect.", None),
                ("array-as-update", "An update that is no object has no effect.", [chunk("B")]),
                ("string-as-update", "An update that is no object has no effect.", "agent_message_chunk"),
            ]
        ),
    ]


def _made(m: Maker) -> list[Case]:
    parts = (_notices, _compaction_patches, _compactions, _malformed_compactions, _unknown)
    return [made for part in parts for made in part(m)]


CASES: list[Case] = [*_made(Maker("v1")), *_made(Maker("v2"))]
