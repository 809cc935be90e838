"""Against the Python SDK's accumulator where both define the same: tools, plan, mode, commands.

The SDK leaves a kind or status that was never sent as None, and an empty list too; here the schema's
defaults stand.
"""

from __future__ import annotations

from typing import Any

from acp import schema as acp
from acp.contrib.session_state import SessionAccumulator, SessionSnapshot
from hypothesis import given, settings
from hypothesis import strategies as st

from acpinspect.reducer import SessionState

from .build import Update, folded, text

ids = st.sampled_from(["", "a", "b", "__proto__"])
items = st.lists(
    st.one_of(
        st.text(max_size=3).map(lambda value: {"type": "content", "content": text(value)}),
        st.just({"type": "diff", "path": "/a", "oldText": None, "newText": "x"}),
        st.just({"type": "terminal", "terminalId": "x"}),
    ),
    max_size=2,
)
optional = {
    "kind": st.sampled_from(["read", "edit", "execute", "other"]),
    "status": st.sampled_from(["pending", "in_progress", "completed", "failed"]),
    "content": items,
    "locations": st.lists(st.sampled_from([{"path": "/a"}, {"path": "/b", "line": 3}]), max_size=2),
    "rawInput": st.sampled_from([{"x": [1]}, "in", 0, False]),
    "rawOutput": st.sampled_from([{"y": None}, "out", []]),
}
nullable = {key: st.none() | values for key, values in optional.items()} | {
    "title": st.none() | st.text(max_size=3)
}
entries = st.fixed_dictionaries(
    {
        "content": st.text(max_size=3),
        "priority": st.sampled_from(["low", "medium", "high"]),
        "status": st.sampled_from(["pending", "in_progress", "completed"]),
    }
)
commands = st.fixed_dictionaries({"name": st.text(max_size=3), "description": st.text(max_size=3)})
updates: st.SearchStrategy[Update] = st.one_of(
    st.fixed_dictionaries(
        {"sessionUpdate": st.just("tool_call"), "toolCallId": ids, "title": st.text(max_size=3)}, optional=optional
    ),
    st.fixed_dictionaries({"sessionUpdate": st.just("tool_call_update"), "toolCallId": ids}, optional=nullable),
    st.fixed_dictionaries({"sessionUpdate": st.just("plan"), "entries": st.lists(entries, max_size=3)}),
    st.fixed_dictionaries({"sessionUpdate": st.just("current_mode_update"), "currentModeId": st.text(max_size=3)}),
    st.fixed_dictionaries(
        {
            "sessionUpdate": st.just("available_commands_update"),
            "availableCommands": st.lists(commands, max_size=2),
        }
    ),
    st.fixed_dictionaries(
        {"sessionUpdate": st.just("agent_message_chunk"), "content": st.text(max_size=3).map(text)},
        optional={"messageId": st.sampled_from(["m1", "m2"])},
    ),
)


def accumulated(log: list[Update]) -> SessionSnapshot:
    accumulator = SessionAccumulator()
    for update in log:
        accumulator.apply(acp.SessionNotification.model_validate({"sessionId": "s", "update": update}))
    return accumulator.snapshot()


def wire(models: Any) -> list[Any]:
    """The SDK's objects as they are sent, without what is null."""
    return [model.model_dump(by_alias=True, exclude_none=True, mode="json") for model in models or ()]


def without_nulls(values: Any) -> list[Any]:
    return [{key: value for key, value in item.items() if value is not None} for item in values]


def theirs(snapshot: SessionSnapshot) -> dict[str, Any]:
    return {
        "tools": [
            (
                call.tool_call_id,
                call.title,
                call.kind or "other",
                call.status or "pending",
                wire(call.content),
                wire(call.locations),
                call.raw_input,
                call.raw_output,
            )
            for call in snapshot.tool_calls.values()
        ],
        "plan": wire(snapshot.plan_entries),
        "mode": snapshot.current_mode_id,
        "commands": wire(snapshot.available_commands),
        "text": "".join(chunk.content.text for chunk in snapshot.agent_messages),
    }


def ours(state: SessionState) -> dict[str, Any]:
    plan = state.plans.get("")
    return {
        "tools": [
            (
                call.tool_call_id,
                call.title,
                call.kind,
                call.status,
                without_nulls(call.content),
                list(call.locations),
                call.raw_input,
                call.raw_output,
            )
            for call in state.tool_calls.values()
        ],
        "plan": list(plan.entries) if plan else [],
        "mode": state.mode,
        "commands": list(state.commands),
    }


@settings(max_examples=60, deadline=None)
@given(st.lists(updates, min_size=1, max_size=10))
def test_tools_plan_mode_and_commands_are_those_of_the_sdk_at_every_step(log: list[Update]) -> None:
    for count in range(1, len(log) + 1):
        expected = theirs(accumulated(log[:count]))
        del expected["text"]
        assert ours(folded("v1", log[:count])) == expected


@settings(max_examples=30, deadline=None)
@given(st.lists(updates, min_size=1, max_size=10))
def test_no_text_is_lost_that_the_sdk_keeps(log: list[Update]) -> None:
    kept = "".join(message.text for message in folded("v1", log).messages.values())
    assert sorted(kept) == sorted(theirs(accumulated(log))["text"])
