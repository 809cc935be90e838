# ruff: noqa: D103, ANN401 - a small language for cases: short names, JSON of any shape
"""v2: what the agent does, turns, custom plans, and names of v1."""

from __future__ import annotations

from typing import Any

from .language import (
    JSON,
    REJECTED,
    SAME,
    SCHEMA,
    TURNS,
    UNKNOWN,
    Case,
    agent,
    case,
    chunk,
    entry,
    plan,
    run,
    state,
    up,
)

STATE = f"{SCHEMA['v2']}: StateUpdate"


def c(name: str, tests: str, source: str, *steps: tuple[Any, ...]) -> Case:
    return case(f"v2/{name}", "v2", tests, source, *steps)


def S(run_state: JSON, turn: int, **more: Any) -> JSON:  # noqa: N802 - a state, as short as can be
    return state("v2", run=run_state, turn=turn, **more)


def says(name: str, **fields: Any) -> JSON:
    return up("state_update", state=name, **fields)


TOKENS = {"totalTokens": 3, "inputTokens": 2, "outputTokens": 1}

CASES: list[Case] = [
    c(
        "state/from-running-to-idle",
        "running and idle say what the foreground work does; the idle that ends it says why.",
        STATE,
        (says("running"), S(run("running"), 1)),
        (says("idle", stopReason="end_turn"), S(run("idle", "end_turn"), 1)),
    ),
    *(
        c(
            f"state/stop-reason-{reason}",
            "An idle update carries the reason for which the work stopped; custom ones are kept.",
            f"{SCHEMA['v2']}: StopReason",
            (says("running"), S(run("running"), 1)),
            (says("idle", stopReason=reason), S(run("idle", reason), 1)),
        )
        for reason in ("max_tokens", "max_turn_requests", "refusal", "cancelled", "_acme_lunch")
    ),
    c(
        "state/requires-action",
        "requires_action says that the work waits for the user; it goes on with running, in the same turn.",
        STATE,
        (says("running"), S(run("running"), 1)),
        (says("requires_action"), S(run("requires_action"), 1)),
        (says("running"), S(run("running"), 1)),
    ),
    c(
        "state/custom-state",
        "A custom or future state is kept as it is.",
        f"{STATE}, other",
        (says("_acme_dreaming", depth=2), S(run("_acme_dreaming"), 0)),
        (says("pondering"), S(run("pondering"), 0)),
    ),
    c(
        "state/stop-reason-omitted-or-null",
        "An idle update without a stop reason reports none; the one before is not kept.",
        f"{SCHEMA['v2']}: IdleStateUpdate.stopReason",
        (says("idle", stopReason="end_turn"), S(run("idle", "end_turn"), 0)),
        (says("idle"), S(run("idle"), 0)),
        (says("idle", stopReason="refusal"), S(run("idle", "refusal"), 0)),
        (says("idle", stopReason=None), S(run("idle"), 0)),
    ),
    c(
        "state/running-forgets-the-stop-reason",
        "The stop reason belongs to the idle state that reported it; a state after it has none.",
        STATE,
        (says("idle", stopReason="end_turn"), S(run("idle", "end_turn"), 0)),
        (says("running"), S(run("running"), 1)),
    ),
    c(
        "state/stop-reason-on-running",
        "Only idle has a stop reason: on another state it is an unknown key.",
        f"{SCHEMA['v2']}: RunningStateUpdate",
        (says("running", stopReason="end_turn"), S(run("running"), 1)),
    ),
    c(
        "state/usage-of-the-work",
        "An idle update may say the tokens of the work that ended.",
        f"{SCHEMA['v2']}: IdleStateUpdate.usage",
        (says("idle", usage=TOKENS), S(run("idle", usage=TOKENS), 0)),
        (says("idle"), S(run("idle"), 0)),
    ),
    c(
        "state/malformed-fields",
        "A malformed stop reason or usage counts as none; the state holds.",
        f"{SCHEMA['v2']}: IdleStateUpdate, default on error",
        (says("idle", stopReason=7, usage="some"), S(run("idle"), 0)),
    ),
    *(
        c(
            f"state/{name}",
            "The state is required, and a string: otherwise the update has no effect.",
            STATE,
            (says("running"), S(run("running"), 1)),
            (up("state_update", **fields), SAME, REJECTED),
        )
        for name, fields in [
            ("without-a-state", {"stopReason": "end_turn"}),
            ("null-state", {"state": None}),
            ("number-as-state", {"state": 1}),
        ]
    ),
    c(
        "turns/counted-by-running",
        "A turn begins with the first running while none is open, and ends with idle.",
        TURNS,
        (says("running"), S(run("running"), 1)),
        (says("running"), S(run("running"), 1)),
        (says("idle"), S(run("idle"), 1)),
        (says("idle"), S(run("idle"), 1)),
        (says("running"), S(run("running"), 2)),
    ),
    c(
        "turns/updates-while-idle",
        "Updates may come while the agent is idle: they change neither state nor turn.",
        STATE,
        (says("idle", stopReason="end_turn"), S(run("idle", "end_turn"), 0)),
        (chunk("late"), S(run("idle", "end_turn"), 0, messages=[agent("late")])),
    ),
    c(
        "plans/custom-type",
        "A plan of a custom type keeps its payload as it was sent, and nothing of it is read.",
        f"{SCHEMA['v2']}: PlanUpdateContent, other",
        (
            up("plan_update", plan={"type": "_tree", "planId": "p", "entries": [1], "content": "x"}),
            state(
                "v2",
                plans=[
                    plan("p", type="_tree", other={"type": "_tree", "planId": "p", "entries": [1], "content": "x"})
                ],
            ),
        ),
    ),
    c(
        "plans/cancelled-and-custom-values",
        "v2 knows a cancelled entry, and custom statuses and priorities are kept.",
        f"{SCHEMA['v2']}: PlanEntryStatus",
        (
            up(
                "plan_update",
                plan={
                    "type": "items",
                    "planId": "p",
                    "entries": [entry("A", "cancelled"), entry("B", "_acme_later", "_acme_vital")],
                },
            ),
            state("v2", plans=[plan("p", entry("A", "cancelled"), entry("B", "_acme_later", "_acme_vital"))]),
        ),
    ),
    *(
        c(
            f"unknown/v1-{sent['sessionUpdate']}",
            "An update that only v1 has is an unknown name in v2: it has no effect.",
            UNKNOWN,
            (sent, SAME, REJECTED),
        )
        for sent in [
            up("plan", entries=[entry("A")]),
            up("current_mode_update", currentModeId="ask"),
        ]
    ),
]
