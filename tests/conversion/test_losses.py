"""Each thing that one version has and the other can't hold: a row of its own, and an error by default."""

from __future__ import annotations

from typing import Any, NamedTuple

import pandas as pd
import pytest

import acpinspect
from acpinspect.conversion import COLUMNS
from acpinspect.protocol import Version
from tests.conversion.logs import Loss, asked, content_chunk, converted, frames_of, losses_of, plan, whole
from tests.wire import (
    chunk,
    error,
    initialize,
    permission,
    prompt,
    request,
    result,
    state,
    stop,
    text,
    tool_call,
    tool_update,
    update,
)

Json = dict[str, Any]
RUNNING = state("running")
IDLE = state("idle", stopReason="end_turn")
DIFF_V2 = {"type": "diff", "changes": [{"operation": "delete", "path": "/a"}]}
TERMINAL = {"type": "terminal", "terminalId": "x1"}
BASE64 = "aGk="
OPTIONS = result(1, configOptions=[])
YES = {"optionId": "y", "name": "Yes", "kind": "allow_once"}


class Case(NamedTuple):
    """A log, the losses of its conversion, and how many frames are left of it."""

    frames: list[Json]
    losses: list[Loss]
    left: int


def turn(*frames: Json) -> list[Json]:
    return [prompt(1), result(1), RUNNING, *frames]


TO_V1: dict[str, Case] = {
    "a whole message without content": Case(
        [update("agent_message", messageId="m1", _meta={"a": 1})], [("agent_message", "content")], 0
    ),
    "content that is null": Case(
        [update("agent_message", messageId="m1", content=None)], [("agent_message", "content")], 0
    ),
    "content that is empty": Case([whole("m1")], [("agent_message", "content")], 0),
    "metadata that is null": Case([whole("m1", "A", _meta=None)], [("agent_message", "_meta")], 1),
    "content and metadata that are null": Case(
        [update("user_message", messageId="m1", content=None, _meta=None)],
        [("user_message", "_meta"), ("user_message", "content")],
        0,
    ),
    "content after a chunk": Case([chunk("A", "m1"), whole("m1", "B")], [("agent_message", "content")], 1),
    "content after content": Case([whole("m1", "A"), whole("m1", "A")], [("agent_message", "content")], 1),
    "content after content that was cleared": Case(
        [whole("m1", "A"), whole("m1"), whole("m1", "B")],
        [("agent_message", "content"), ("agent_message", "content")],
        1,
    ),
    "a block of a foreign type": Case(
        [update("agent_message", messageId="m1", content=[{"type": "_map"}, text("A")])],
        [("agent_message", "content[0].type")],
        1,
    ),
    "a chunk of a foreign type": Case(
        [update("agent_message_chunk", messageId="m1", content={"type": "_map"})],
        [("agent_message_chunk", "content.type")],
        0,
    ),
    "running without a prompt": Case([RUNNING], [("state_update", "state")], 0),
    "idle without a prompt": Case([IDLE], [("state_update", "stopReason")], 0),
    "idle before anything": Case([state("idle")], [("state_update", "state")], 0),
    "idle without a stop reason": Case(turn(state("idle")), [("state_update", "stopReason")], 2),
    "a stop reason of one's own": Case(
        turn(state("idle", stopReason="_acme_paused")), [("state_update", "stopReason")], 2
    ),
    "an agent that waits for an action": Case(
        turn(state("requires_action"), RUNNING, IDLE), [("state_update", "state")], 2
    ),
    "a state of one's own": Case(turn(state("_acme_asleep"), IDLE), [("state_update", "state")], 2),
    "metadata of running": Case(
        [prompt(1), result(1), state("running", _meta={"a": 1}), IDLE], [("state_update", "_meta")], 2
    ),
    "metadata of both ends of a turn": Case(
        [prompt(1), result(1, _meta={"a": 1}), RUNNING, state("idle", stopReason="end_turn", _meta={"a": 2})],
        [("session/prompt", "_meta")],
        2,
    ),
    "an acknowledgement of a turn without end": Case(turn(), [("session/prompt", "result")], 1),
    "an acknowledgement before another connection": Case(
        [prompt(1), result(1), *initialize(2, 2)], [("session/prompt", "result")], 3
    ),
    "a stop reason in an acknowledgement": Case(
        [prompt(1), stop(1), RUNNING, IDLE], [("session/prompt", "stopReason")], 2
    ),
    "what an acknowledgement says when it was answered": Case(
        [prompt(1), RUNNING, IDLE, result(1, seen=True)], [("session/prompt", "seen")], 2
    ),
    "a terminal": Case([update("terminal_update", terminalId="x1")], [("terminal_update", "sessionUpdate")], 0),
    "output of a terminal": Case(
        [update("terminal_output_chunk", terminalId="x1", data=BASE64)],
        [("terminal_output_chunk", "sessionUpdate")],
        0,
    ),
    "a terminal in a tool call": Case(
        [tool_update(title="Dig", content=[TERMINAL])], [("tool_call_update", "content[0]")], 1
    ),
    "a diff": Case([tool_update(title="Dig", content=[DIFF_V2])], [("tool_call_update", "content[0]")], 1),
    "a diff that is appended": Case(
        [tool_update(title="Dig"), update("tool_call_content_chunk", toolCallId="t1", content=DIFF_V2)],
        [("tool_call_content_chunk", "content")],
        1,
    ),
    "content of a foreign type in a tool call": Case(
        [tool_update(title="Dig", content=[{"type": "_map"}])], [("tool_call_update", "content[0].type")], 1
    ),
    "metadata of a content chunk": Case(
        [tool_update(title="Dig"), content_chunk("t1", "A", _meta={"a": 1})],
        [("tool_call_content_chunk", "_meta")],
        2,
    ),
    "a cancelled tool call": Case(
        [tool_update(title="Dig", status="cancelled")], [("tool_call_update", "status")], 1
    ),
    "a kind of tool of one's own": Case(
        [tool_update(title="Dig", kind="_sow")], [("tool_call_update", "kind")], 1
    ),
    "a title that is cleared": Case(
        [tool_update(title="Dig"), tool_update(title=None)], [("tool_call_update", "title")], 2
    ),
    "a field that is cleared of a tool call without a title": Case(
        [asked({"toolCallId": "t1", "rawInput": 1}, title="t1"), tool_update(rawInput=None)],
        [("tool_call_update", "rawInput")],
        2,
    ),
    "a tool call that never gets a title": Case(
        [tool_update(status="pending"), tool_update(status="completed")],
        [("tool_call_update", "title"), ("tool_call_update", "title")],
        0,
    ),
    "a second plan": Case([plan("p1", "Dig"), plan("p2", "Sow")], [("plan_update", "plan.planId")], 1),
    "a plan that is no list": Case(
        [update("plan_update", plan={"type": "markdown", "planId": "p", "content": "# Dig"})],
        [("plan_update", "plan.type")],
        0,
    ),
    "a cancelled entry of a plan": Case(
        [plan("p1", "Dig", status="cancelled")], [("plan_update", "plan.entries[0].status")], 1
    ),
    "metadata of both a plan and its update": Case(
        [
            update(
                "plan_update",
                plan={"type": "items", "planId": "p", "entries": [], "_meta": {"a": 1}},
                _meta={"a": 2},
            )
        ],
        [("plan_update", "plan._meta")],
        1,
    ),
    "a plan that is removed": Case([update("plan_removed", planId="p")], [("plan_removed", "sessionUpdate")], 0),
    "an extension": Case([update("_acme_tick")], [("_acme_tick", "sessionUpdate")], 0),
    "an unknown update": Case([update("mood_update")], [("mood_update", "sessionUpdate")], 0),
    "an update of v1 that v2 ignores": Case([tool_call()], [("tool_call", "sessionUpdate")], 0),
    "a malformed update": Case(
        [update("agent_message_chunk", content=text("A"))], [("agent_message_chunk", "messageId")], 0
    ),
    "a malformed field": Case([tool_update(title="Dig", locations=3)], [("tool_call_update", "locations")], 1),
    "input of a command that is no text": Case(
        [
            update(
                "available_commands_update",
                availableCommands=[{"name": "n", "description": "d", "input": {"type": "_form"}}],
            )
        ],
        [("available_commands_update", "availableCommands[0].input")],
        1,
    ),
    "an option of a foreign type": Case(
        [update("config_option_update", configOptions=[{"configId": "c", "name": "C", "type": "_dial"}])],
        [("config_option_update", "configOptions[0].type")],
        1,
    ),
    "a request about no tool call": Case(
        [asked({}, subject=None), result(9, outcome={"outcome": "cancelled"})],
        [("session/request_permission", "subject"), ("session/request_permission", "result")],
        0,
    ),
    "a request about a command": Case(
        [asked({}, subject={"type": "command", "command": "ls", "cwd": "/"})],
        [("session/request_permission", "subject")],
        0,
    ),
    "a title of a request that is not the tool call's": Case(
        [asked({"toolCallId": "t1", "title": "Dig"}, title="May I?")], [("session/request_permission", "title")], 1
    ),
    "a description of a request": Case(
        [asked({"toolCallId": "t1", "title": "Dig"}, description="Deep")],
        [("session/request_permission", "description")],
        1,
    ),
    "an option of a request of one's own kind": Case(
        [asked({"toolCallId": "t1", "title": "Dig"}, options=[YES, YES | {"kind": "_maybe"}])],
        [("session/request_permission", "options[1].kind")],
        1,
    ),
    "an outcome of one's own": Case(
        [asked({"toolCallId": "t1", "title": "Dig"}), result(9, outcome={"outcome": "_later"})],
        [("session/request_permission", "outcome")],
        1,
    ),
    "a replay from somewhere else": Case(
        [request(1, "session/resume", sessionId="s1", cwd="/", replayFrom={"type": "_message"})],
        [("session/resume", "replayFrom")],
        1,
    ),
    "metadata of a replay": Case(
        [request(1, "session/resume", sessionId="s1", cwd="/", replayFrom={"type": "start", "_meta": {"a": 1}})],
        [("session/resume", "replayFrom._meta")],
        1,
    ),
    "an acknowledgement of a prompt before the log": Case(
        [chunk("A", "m1"), result(7, messageId="u1")],
        [("session/prompt", "messageId"), ("session/prompt", "result")],
        1,
    ),
    "a malformed request about a tool call": Case(
        [asked({"toolCallId": "t1", "title": "Dig"}, options=[])], [("session/request_permission", "options")], 1
    ),
    "a value of an option of a foreign type": Case(
        [request(1, "session/set_config_option", sessionId="s1", configId="c", type="_dial", value=3), OPTIONS],
        [("session/set_config_option", "type"), ("session/set_config_option", "result")],
        0,
    ),
    "a server of a foreign type": Case(
        [request(1, "session/new", cwd="/", mcpServers=[{"type": "_pigeon", "name": "n"}])],
        [("session/new", "mcpServers[0]")],
        1,
    ),
}

TO_V2: dict[str, Case] = {
    "a mode": Case(
        [update("current_mode_update", currentModeId="plan")], [("current_mode_update", "sessionUpdate")], 0
    ),
    "a request to set the mode": Case(
        [request(1, "session/set_mode", sessionId="s1", modeId="plan"), result(1)],
        [("session/set_mode", "method"), ("session/set_mode", "result")],
        0,
    ),
    "the modes of a new session": Case(
        [
            request(1, "session/new", cwd="/", mcpServers=[]),
            result(1, sessionId="s1", modes={"currentModeId": "a", "availableModes": []}),
        ],
        [("session/new", "modes")],
        2,
    ),
    "a file that is read": Case(
        [request(1, "fs/read_text_file", sessionId="s1", path="/a"), result(1, content="A")],
        [("fs/read_text_file", "method"), ("fs/read_text_file", "result")],
        0,
    ),
    "a file that can not be read": Case(
        [initialize()[0], request(1, "fs/read_text_file", sessionId="s1", path="/a"), error(1)],
        [("fs/read_text_file", "method"), ("fs/read_text_file", "error")],
        1,
    ),
    "a file that is written": Case(
        [request(1, "fs/write_text_file", sessionId="s1", path="/a", content="A")],
        [("fs/write_text_file", "method")],
        0,
    ),
    "a terminal of the client": Case(
        [request(1, "terminal/create", sessionId="s1", command="ls"), result(1, terminalId="x1")],
        [("terminal/create", "method"), ("terminal/create", "result")],
        0,
    ),
    "a terminal in a tool call": Case([tool_call(content=[TERMINAL])], [("tool_call", "content[0]")], 1),
    "an update of v2 that v1 ignores": Case([whole("m1", "A")], [("agent_message", "sessionUpdate")], 0),
    "a malformed update": Case([update("tool_call", toolCallId="t1")], [("tool_call", "title")], 0),
    "a malformed field": Case(
        [update("agent_message_chunk", messageId=3, content=text("A"))], [("agent_message_chunk", "messageId")], 1
    ),
    "a malformed diff": Case(
        [tool_call(content=[{"type": "diff", "path": "/a"}])], [("tool_call", "content[0].newText")], 1
    ),
    "options that are no list": Case(
        [request(1, "session/new", cwd="/", mcpServers=[]), result(1, sessionId="s1", configOptions={})],
        [("session/new", "configOptions")],
        2,
    ),
    "an update that is none": Case(
        [request(1, "session/update") | {"params": 3}], [("session/update", "update")], 0
    ),
    "a cost without a currency of three letters": Case(
        [update("usage_update", used=1, size=2, cost={"amount": 1, "currency": "euro"})],
        [("usage_update", "cost.currency")],
        1,
    ),
    "a priority beyond 1": Case(
        [update("agent_message_chunk", messageId="m", content=text("A") | {"annotations": {"priority": 5}})],
        [("agent_message_chunk", "content.annotations.priority")],
        1,
    ),
    "a response without a stop reason": Case([prompt(1), result(1)], [("session/prompt", "stopReason")], 4),
    "a request without options": Case(
        [permission(1), result(1, outcome={"outcome": "cancelled"})],
        [("session/request_permission", "options"), ("session/request_permission", "result")],
        1,
    ),
    "a prompt without blocks": Case(
        [request(1, "session/prompt", sessionId="s1", prompt="Go")], [("session/prompt", "prompt")], 2
    ),
    "a server over SSE": Case(
        [request(1, "session/new", cwd="/", mcpServers=[{"type": "sse", "name": "n", "url": "u", "headers": []}])],
        [("session/new", "mcpServers[0]")],
        1,
    ),
    "a request without what it needs": Case([request(1, "session/new")], [("session/new", "cwd")], 0),
    "a value that is no value of an option": Case(
        [request(1, "session/set_config_option", sessionId="s1", configId="c", value=3)],
        [("session/set_config_option", "value")],
        0,
    ),
}

CASES = [("v1", name, case) for name, case in TO_V1.items()] + [("v2", name, case) for name, case in TO_V2.items()]
each_case = pytest.mark.parametrize(
    ("to", "case"), [(to, case) for to, _, case in CASES], ids=[f"to {to}: {name}" for to, name, _ in CASES]
)


@each_case
def test_what_can_not_be_carried_is_a_row_and_the_rest_is_carried(to: Version, case: Case) -> None:
    assert losses_of(case.frames, to) == case.losses
    assert len(frames_of(converted(case.frames, to, on_loss="report"))) == case.left


@each_case
def test_what_can_not_be_carried_is_an_error_by_default(to: Version, case: Case) -> None:
    with pytest.raises(acpinspect.ConversionError) as raised:
        converted(case.frames, to)
    assert (raised.value.variant, raised.value.field) == case.losses[0]


def test_the_error_says_where_what_and_why() -> None:
    frames = [chunk("A", "m1"), whole("m1", "B"), whole("m1")]
    with pytest.raises(acpinspect.ConversionError) as raised:
        converted(frames, "v1")
    assert raised.value.event == 1
    assert raised.value.reason == "v1 can't replace what it has had of the message"
    what, others, remedy = str(raised.value).split(". ")
    assert (
        what
        == "Event 1 has no form in v1: agent_message: content: v1 can't replace what it has had of the message"
    )
    assert others == "1 more can't be carried"
    assert "on_loss='report'" in remedy


def test_losses_stand_in_the_order_of_the_events() -> None:
    frames = [tool_update(status="pending"), whole("m1"), RUNNING]
    losses = converted(frames, "v1", on_loss="report").losses
    assert losses["event"].tolist() == [0, 1, 2]
    assert losses["session_id"].tolist() == ["s1", "s1", "s1"]


def test_the_columns_of_the_losses_have_their_types_with_and_without_rows() -> None:
    for frames in ([], [RUNNING]):
        losses = converted(frames, "v1", on_loss="report").losses
        assert {name: str(kind) for name, kind in losses.dtypes.items()} == {c.name: c.dtype for c in COLUMNS}
        assert losses.index.name == "loss"


def test_an_unreadable_record_is_lost() -> None:
    events = acpinspect.from_records([chunk("A", "m1"), chunk("B", "m1")])
    events["kind"] = events["kind"].cat.add_categories("unreadable")
    events.loc[1, "kind"] = "unreadable"
    losses = acpinspect.convert(events, "v2", on_loss="report").losses
    assert losses["event"].tolist() == [1]
    assert pd.isna(losses["variant"][0])


def test_an_unknown_version_is_an_error() -> None:
    with pytest.raises(acpinspect.ArgumentError, match="v3"):
        acpinspect.convert(acpinspect.from_records([]), "v3")  # type: ignore[arg-type]


def test_an_unknown_answer_to_losses_is_an_error() -> None:
    with pytest.raises(acpinspect.ArgumentError, match="ignore"):
        acpinspect.convert(acpinspect.from_records([]), "v1", on_loss="ignore")  # type: ignore[arg-type]


def test_a_table_that_is_none_of_events_is_an_error() -> None:
    with pytest.raises(acpinspect.EventsError):
        acpinspect.convert(pd.DataFrame(), "v1")


def test_a_notebook_shows_every_reason_whole_and_escapes_what_the_log_says() -> None:
    events = acpinspect.from_records([state("running"), update("<b>\x1b</b>")], protocol="v2")
    shown = acpinspect.convert(events, "v1", on_loss="report")._repr_html_()
    assert "v1 says that the agent runs by a prompt, and none waits" in shown
    assert "&lt;b&gt;" in shown
    assert "<b>" not in shown
    assert "\x1b" not in shown
