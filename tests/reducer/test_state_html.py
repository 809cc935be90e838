"""A state in a notebook: one line about the session, and a row for each of its last entities."""

from __future__ import annotations

import re

import pytest

from acpinspect.protocol import Version
from acpinspect.reducer import SessionState, apply_frame, empty_state
from acpinspect.reducer.state_html import state_html

from .build import REDUCERS, Update, b64, chunk, folded, text, update, whole

ENTRY = {"content": "Sow", "priority": "low", "status": "pending"}


def rows(state: SessionState) -> list[tuple[str, ...]]:
    """The cells of each row, without the head."""
    found = re.findall(r"<tr>(.*?)</tr>", state_html(state))
    return [tuple(re.findall(r'<td style="text-align:left">(.*?)</td>', row)) for row in found[1:]]


def facts(state: SessionState) -> list[str]:
    """What the line about the session says."""
    line = re.match(r"<p>(.*?)</p>", state_html(state))
    assert line is not None
    return line[1].split(" · ")


def of(version: Version, *updates: Update) -> SessionState:
    return folded(version, updates)


def test_a_new_session_has_nothing_yet() -> None:
    assert state_html(empty_state("v1")) == (
        "<p>session without id (v1) · turn 0, not begun</p><p>nothing yet</p>"  # no table without a row
    )


def test_the_line_says_what_is_known_of_the_session() -> None:
    state = empty_state("v2", "s1")
    for sent in (
        update("state_update", state="idle", stopReason="refusal"),
        update("session_info_update", title="Tides"),
        update("usage_update", used=1234, size=200_000),
    ):
        state = REDUCERS["v2"].reduce(state, sent)
    assert facts(state) == [
        "session s1 (v2)",
        "turn 0, idle",
        "stopped: refusal",
        "Tides",
        "1,234 of 200,000 tokens",
    ]


def test_the_line_says_the_turn_and_the_mode() -> None:
    prompt = {"id": 1, "method": "session/prompt", "params": {"sessionId": "s", "prompt": []}}
    state = apply_frame(of("v1", update("current_mode_update", currentModeId="ask")), prompt).state
    assert facts(state) == ["session without id (v1)", "turn 1, running", "mode ask"]


def test_the_table_has_a_head_and_a_row_for_each_entity() -> None:
    head, one, two = [["what", "id", "state", "text"], ["agent", "m1", "", "A"], ["agent", "m2", "", "B"]]
    left = ' style="text-align:left"'
    table = "".join(f"<th{left}>{name}</th>" for name in head) + "</tr>"
    table += "".join(f"<tr>{''.join(f'<td{left}>{cell}</td>' for cell in row)}</tr>" for row in (one, two))
    assert state_html(of("v1", chunk("A"), chunk("B", "m2"))).endswith(f"</p><table><tr>{table}</table>")


@pytest.mark.parametrize(
    ("version", "sent", "row"),
    [
        ("v1", chunk("A"), ("agent", "m1", "", "A")),
        ("v1", chunk("A", None), ("agent", "", "", "A")),
        ("v1", update("tool_call", toolCallId="t", title="Dig"), ("tool call", "t", "pending", "Dig")),
        ("v1", update("tool_call_update", toolCallId="t"), ("tool call", "t", "pending", "")),
        (
            "v1",
            update("plan", entries=[ENTRY, {**ENTRY, "status": "completed"}, {**ENTRY, "status": "completed"}]),
            ("plan", "", "2 of 3 done", ""),
        ),
        (
            "v2",
            update("plan_update", plan={"type": "markdown", "planId": "p", "content": "# Sow"}),
            ("plan", "p", "0 of 0 done", "# Sow"),
        ),
        (
            "v2",
            update("plan_update", plan={"type": "file", "planId": "p", "uri": "file:///plan.md"}),
            ("plan", "p", "0 of 0 done", "file:///plan.md"),
        ),
        ("v2", update("terminal_update", terminalId="x"), ("terminal", "x", "runs", "")),
        (
            "v2",
            update("terminal_update", terminalId="x", output={"data": b64(b"ok\xff")}, exitStatus={"exitCode": 0}),
            ("terminal", "x", "ended", "ok\ufffd"),
        ),
        (
            "v2",
            update("compaction_update", compactionId="c", status="completed", summary=[text("S")]),
            ("compaction", "c", "completed", "S"),
        ),
        (
            "v2",
            update("compaction_summary_chunk", compactionId="c", content=text("S")),
            ("compaction", "c", "", "S"),
        ),
    ],
    ids=[
        "a message",
        "a message without id",
        "a tool call",
        "a tool call without title",
        "a plan of entries",
        "a plan of text",
        "a plan in a file",
        "a terminal that runs",
        "a terminal that ended",
        "a compaction",
        "a compaction without status",
    ],
)
def test_an_entity_is_a_row(version: Version, sent: Update, row: tuple[str, ...]) -> None:
    assert rows(of(version, sent)) == [row]


@pytest.mark.parametrize("count", [20, 21, 1_500])
def test_the_last_twenty_are_shown_and_the_others_are_counted(count: int) -> None:
    state = of("v2", *(whole(f"m{n}", content=[text(f"t{n}")]) for n in range(count)))
    assert [row[3] for row in rows(state)] == [f"t{n}" for n in range(count - 20, count)]
    said = f"<p>{count - 20:,} earlier ones are not shown</p><table>" if count > 20 else "not begun</p><table>"
    assert said in state_html(state)


def test_a_long_text_is_cut() -> None:
    [row] = rows(of("v1", chunk("x" * 241)))
    assert row[3] == "x" * 240 + "…"
    [row] = rows(of("v1", chunk("x" * 240)))
    assert row[3] == "x" * 240


def test_of_a_long_output_the_end_is_shown() -> None:
    data = b"begin" + b"." * 1_000
    [row] = rows(of("v2", update("terminal_output_chunk", terminalId="x", data=b64(data))))
    assert row[3] == "." * 240 + "…"


def test_line_breaks_and_signs_that_do_not_print_are_made_visible() -> None:
    [row] = rows(of("v1", chunk("a\nb\t<c>\u202e")))
    assert row[3] == "a↵b\\t&lt;c&gt;\\u202e"
