# ruff: noqa: D103, ANN401 - a small language for cases: short names, JSON of any shape
"""v1: the plan, the mode, and names of v2."""

from __future__ import annotations

from typing import Any

from .language import (
    JSON,
    REJECTED,
    SAME,
    SCHEMA,
    UNKNOWN,
    Case,
    agent,
    b64,
    case,
    chunk,
    entry,
    item,
    plan,
    state,
    text,
    up,
)


def c(name: str, tests: str, source: str, *steps: tuple[Any, ...]) -> Case:
    return case(f"v1/{name}", "v1", tests, source, *steps)


def M(*messages: JSON, **more: Any) -> JSON:  # noqa: N802 - a state of messages
    return state("v1", messages=list(messages), **more)


def plans(*entries: Any) -> JSON:
    return up("plan", entries=list(entries))


SOW, MOW = entry("Sow"), entry("Mow", "completed", "low")

SESSION = [
    c(
        "plan/replaced-as-a-whole",
        "The session has one plan, and each update replaces all of its entries.",
        f"{SCHEMA['v1']}: Plan",
        (plans(SOW, MOW), state("v1", plans=[plan("", SOW, MOW)])),
        (plans(MOW), state("v1", plans=[plan("", MOW)])),
        (plans(), state("v1", plans=[plan("")])),
    ),
    c(
        "plan/malformed-entry",
        "A malformed entry is left out and the others stay: one bad entry does not lose the plan.",
        f"{SCHEMA['v1']}: Plan.entries, skip invalid items",
        (plans(SOW, entry("Nap", "cancelled"), MOW), state("v1", plans=[plan("", SOW, MOW)])),
    ),
    c(
        "plan/malformed-entries",
        "Entries that are no array count as the empty list.",
        f"{SCHEMA['v1']}: Plan.entries, default on error",
        (plans(SOW), state("v1", plans=[plan("", SOW)])),
        (up("plan", entries="none"), state("v1", plans=[plan("")])),
    ),
    c(
        "plan/without-entries",
        "The list is required: without it the update has no effect.",
        f"{SCHEMA['v1']}: Plan",
        (plans(SOW), state("v1", plans=[plan("", SOW)])),
        (up("plan"), SAME, REJECTED),
    ),
    c(
        "plan/beside-plans-with-ids",
        "The one plan of v1 and plans with ids (unstable) stand beside each other.",
        f"{SCHEMA['v1']}: PlanUpdate",
        (plans(SOW), state("v1", plans=[plan("", SOW)])),
        (
            up("plan_update", plan={"type": "items", "planId": "p", "entries": [MOW]}),
            state("v1", plans=[plan("", SOW), plan("p", MOW)]),
        ),
        (up("plan_removed", planId="p"), state("v1", plans=[plan("", SOW)])),
    ),
    c(
        "plans/unknown-type",
        "The plan types of v1 are closed: an update with another one has no effect.",
        f"{SCHEMA['v1']}: PlanUpdateContent",
        (up("plan_update", plan={"type": "_tree", "planId": "p"}), SAME, REJECTED),
    ),
    c(
        "mode/set",
        "An update of the mode sets it.",
        f"{SCHEMA['v1']}: CurrentModeUpdate",
        (up("current_mode_update", currentModeId="ask"), state("v1", mode="ask")),
        (up("current_mode_update", currentModeId="code"), state("v1", mode="code")),
    ),
    *(
        c(
            f"mode/{name}",
            "The mode is a required string: without it the update has no effect.",
            f"{SCHEMA['v1']}: CurrentModeUpdate",
            (up("current_mode_update", currentModeId="ask"), state("v1", mode="ask")),
            (up("current_mode_update", **fields), SAME, REJECTED),
        )
        for name, fields in [("missing", {}), ("null", {"currentModeId": None}), ("object", {"currentModeId": {}})]
    ),
    *(
        c(
            f"unknown/v2-{sent['sessionUpdate']}",
            "An update that only v2 has is an unknown name in v1: it has no effect.",
            UNKNOWN,
            (chunk("A"), M(agent("A"))),
            (sent, SAME, REJECTED),
        )
        for sent in [
            up("user_message", messageId="m1", content=[text("B")]),
            up("agent_message", messageId="m1", content=[text("B")]),
            up("agent_thought", messageId="m1", content=[text("B")]),
            up("state_update", state="running"),
            up("tool_call_content_chunk", toolCallId="t", content=item("A")),
            up("terminal_update", terminalId="x", command="ls"),
            up("terminal_output_chunk", terminalId="x", data=b64(b"a")),
        ]
    ),
]


CASES: list[Case] = SESSION
