# ruff: noqa: ANN401 - a small language for cases: short names, JSON of any shape
"""Plans by id of both versions, written once; where the two differ, the case says so."""

from __future__ import annotations

from typing import Any

from .language import (
    IGNORED,
    JSON,
    REJECTED,
    SAME,
    Case,
    Maker,
    entry,
    plan,
    up,
)

SOW, REAP, MOW = entry("Sow"), entry("Reap", "in_progress", "high"), entry("Mow", "completed", "low")


def _items(plan_id: str, *entries: Any) -> JSON:
    return up("plan_update", plan={"type": "items", "planId": plan_id, "entries": list(entries)})


def _of(**content: Any) -> JSON:
    return up("plan_update", plan={"planId": "p", **content})


def _plans(m: Maker) -> list[Case]:
    c, s, source = m.c, m.s, f"{m.schema}: PlanUpdate"
    return [
        c(
            "plans/replaced-as-a-whole",
            "Each update of a plan replaces all of its entries.",
            source,
            (_items("p", SOW, REAP), s(plans=[plan("p", SOW, REAP)])),
            (_items("p", MOW), s(plans=[plan("p", MOW)])),
            (_items("p"), s(plans=[plan("p")])),
        ),
        c(
            "plans/two-plans",
            "Plans are kept by id, in the order of first sight; an update touches its own plan only.",
            source,
            (_items("p", SOW), s(plans=[plan("p", SOW)])),
            (_items("q", MOW), s(plans=[plan("p", SOW), plan("q", MOW)])),
            (_items("p", REAP), s(plans=[plan("p", REAP), plan("q", MOW)])),
        ),
        c(
            "plans/removed",
            "A removed plan is gone; the others stay.",
            f"{m.schema}: PlanRemoved",
            (_items("p", SOW), s(plans=[plan("p", SOW)])),
            (_items("q", MOW), s(plans=[plan("p", SOW), plan("q", MOW)])),
            (up("plan_removed", planId="p"), s(plans=[plan("q", MOW)])),
        ),
        c(
            "plans/removed-and-made-again",
            "A plan that comes again after its removal is a new one: it stands last.",
            f"{m.schema}: PlanRemoved",
            (_items("p", SOW), s(plans=[plan("p", SOW)])),
            (_items("q", MOW), s(plans=[plan("p", SOW), plan("q", MOW)])),
            (up("plan_removed", planId="p"), s(plans=[plan("q", MOW)])),
            (_items("p", REAP), s(plans=[plan("q", MOW), plan("p", REAP)])),
        ),
        c(
            "plans/removal-of-an-unknown-plan",
            "Removing a plan that isn't there has no effect.",
            f"{m.schema}: PlanRemoved",
            (up("plan_removed", planId="p"), SAME, IGNORED),
        ),
    ]


def _types(m: Maker) -> list[Case]:
    c, s, source = m.c, m.s, f"{m.schema}: PlanUpdate"
    return [
        c(
            "plans/markdown",
            "A plan can be markdown text instead of entries.",
            f"{m.schema}: PlanMarkdown",
            (_of(type="markdown", content="# Sow"), s(plans=[plan("p", type="markdown", content="# Sow")])),
            (_of(type="markdown", content=""), s(plans=[plan("p", type="markdown", content="")])),
        ),
        c(
            "plans/file",
            "A plan can be a file that a URI names.",
            f"{m.schema}: PlanFile",
            (_of(type="file", uri="file:///p.md"), s(plans=[plan("p", type="file", uri="file:///p.md")])),
        ),
        c(
            "plans/changes-its-type",
            "An update replaces the whole plan, also by one of another type; nothing of the old one stays.",
            source,
            (_items("p", SOW), s(plans=[plan("p", SOW)])),
            (_of(type="markdown", content="# Sow"), s(plans=[plan("p", type="markdown", content="# Sow")])),
            (_items("p", MOW), s(plans=[plan("p", MOW)])),
        ),
        c(
            "plans/meta",
            "The metadata of a plan is replaced with the plan: what an update doesn't repeat is gone.",
            source,
            (_of(type="items", entries=[SOW], _meta={"x": 1}), s(plans=[plan("p", SOW, meta={"x": 1})])),
            (_items("p", SOW), s(plans=[plan("p", SOW)])),
        ),
    ]


def _malformed(m: Maker) -> list[Case]:
    c, s, source = m.c, m.s, f"{m.schema}: PlanUpdate"
    bad_status = entry("Nap", "cancelled") if m.version == "v1" else {"content": "Nap", "status": "pending"}
    return [
        c(
            "plans/malformed-entry",
            "A malformed entry is left out, and the others stay.",
            f"{m.schema}: PlanItems.entries, skip invalid items",
            (_items("p", SOW, bad_status, "Rest", None, MOW), s(plans=[plan("p", SOW, MOW)])),
        ),
        c(
            "plans/malformed-entries",
            "Entries that are no array count as the empty list.",
            f"{m.schema}: PlanItems.entries, default on error",
            (_items("p", SOW), s(plans=[plan("p", SOW)])),
            (_of(type="items", entries="none"), s(plans=[plan("p")])),
        ),
        *(
            c(
                f"plans/{name}",
                "An update without a readable plan of a known id has no effect.",
                source,
                (_items("p", SOW), s(plans=[plan("p", SOW)])),
                (sent, SAME, REJECTED),
            )
            for name, sent in [
                ("without-a-plan", up("plan_update")),
                ("null-as-plan", up("plan_update", plan=None)),
                ("without-an-id", up("plan_update", plan={"type": "items", "entries": [MOW]})),
                ("without-a-type", up("plan_update", plan={"planId": "p", "entries": [MOW]})),
                ("without-entries", _of(type="items")),
                ("removal-without-an-id", up("plan_removed")),
                ("removal-of-a-null-id", up("plan_removed", planId=None)),
            ]
        ),
    ]


def _made(m: Maker) -> list[Case]:
    return [made for part in (_plans, _types, _malformed) for made in part(m)]


CASES: list[Case] = [*_made(Maker("v1")), *_made(Maker("v2"))]
