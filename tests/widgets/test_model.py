"""The explorer without a browser and without a widget: what it shows at a step, where it goes, what it keeps."""

from __future__ import annotations

import base64
import html.parser
import json
import re
from pathlib import Path

import numpy as np
import pytest

import acpinspect
from acpinspect.errors import ArgumentError
from acpinspect.widgets.minimal import minimal_logs
from acpinspect.widgets.model import ExplorerModel
from acpinspect.widgets.passages import Span, passage
from tests.widgets.logs import answer, chunk, hostile, prompt, restated, sent, text, tool, turn, two_sessions

ENOUGH = 20_000
"""Characters of HTML for a step."""


def seen(model: ExplorerModel, step: int) -> str:
    view = model.view(step)
    return view.conversation + view.detail


class Tags(html.parser.HTMLParser):
    """The elements and attributes of a piece of HTML."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: set[str] = set()
        self.attributes: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.add(tag)
        self.attributes |= {name for name, _ in attrs}


def test_a_step_shows_what_is_there_and_marks_what_its_event_wrote() -> None:
    shown = ExplorerModel(turn()).view(4).conversation
    assert "One <mark>two.</mark>" in shown
    assert "Let me see." in shown
    assert "this event" in shown


def test_what_comes_later_is_shown_as_coming_and_can_be_hidden() -> None:
    model = ExplorerModel(turn())
    assert "to come" in model.view(4).conversation
    model.show_future = False
    assert "to come" not in model.view(4).conversation
    assert "Done." not in model.view(4).conversation


def test_the_prompt_of_the_client_stands_before_the_answer() -> None:
    shown = ExplorerModel(turn()).view(8).conversation
    assert shown.index("Build it") < shown.index("Let me see.") < shown.index("Done.")


def test_a_step_shows_only_what_it_changed() -> None:
    detail = ExplorerModel(turn()).view(4).detail
    assert "agent message m1" in detail
    assert "<ins>two.</ins>" in detail
    assert "thought message" not in detail


def test_of_a_record_only_what_is_another_is_shown_as_changed() -> None:
    model = ExplorerModel(turn())
    detail = model.view(1).detail
    assert "<b>session run</b> state <ins>running</ins>" in detail
    assert "cancelling" not in detail


def test_a_rejected_event_says_why_nothing_changed() -> None:
    model = ExplorerModel(acpinspect.from_records([sent({"sessionUpdate": "agent_message_chunk"})], protocol="v1"))
    assert "Nothing changed: rejected" in model.view(1).detail


def test_a_view_depends_on_the_step_alone() -> None:
    there, back = ExplorerModel(turn()), ExplorerModel(turn())
    forward = [there.view(step) for step in range(there.last + 1)]
    backward = [back.view(step) for step in range(back.last, -1, -1)]
    assert forward == backward[::-1]


def test_there_is_no_step_after_the_last() -> None:
    model = ExplorerModel(turn())
    with pytest.raises(ArgumentError, match="the last one is 8"):
        model.view(9)


@pytest.mark.parametrize(
    ("kind", "steps"),
    [("boundary", [2, 3, 7]), ("turn", [1]), ("tool", [5]), ("replaced", []), ("finding", [])],
)
def test_jumps_lead_to_each_landmark_of_a_kind(kind: str, steps: list[int]) -> None:
    model = ExplorerModel(turn())
    found, at = [], 0
    while (step := model.jump(kind, at, forward=True)) is not None:
        found.append(step)
        at = step
    assert found == steps
    assert model.jump(kind, model.last + 1, forward=False) == (steps[-1] if steps else None)


def test_a_disagreement_is_where_two_policies_begin_messages_differently() -> None:
    events = acpinspect.from_records([sent(chunk("a", "m1")), sent(chunk("b", "m2"))], protocol="v1")
    assert ExplorerModel(events).landmarks("disagreement").tolist() == [2]
    assert ExplorerModel(events, against="ids").landmarks("disagreement").tolist() == []


def test_arrows_and_jumps_go_by_what_the_filter_keeps() -> None:
    model = ExplorerModel(turn())
    model.choose_filter("role:agent")
    assert model.kept.tolist() == [3, 4, 7]
    assert [model.move(0, 1), model.move(4, 1), model.move(7, 1), model.move(5, -1), model.move(3, -1)] == [
        3,
        7,
        7,
        4,
        0,
    ]
    assert model.landmarks("boundary").tolist() == [3, 7]
    assert [model.step_at(place) for place in range(4)] == [0, 3, 4, 7]


@pytest.mark.parametrize(
    ("line", "kept"),
    [
        ("", [1, 2, 3, 4, 5, 6, 7, 8]),
        ("role:agent two", [4]),
        ("-role:agent update:*", [2, 5, 6]),
        ('text:"see."', [2]),
        ("tool:call-1", [5, 6]),
        ("lane:tools", [5, 6]),
        ("event:2-3", [3, 4]),
        ("step:7-", [7, 8]),
        ("method:session/prompt kind:request", [1]),
        ('raw:"stopReason"', [8]),
        ("role:nobody", []),
    ],
)
def test_a_filter_line_keeps_what_it_says(line: str, kept: list[int]) -> None:
    model = ExplorerModel(turn())
    model.choose_filter(line)
    assert model.kept.tolist() == kept


def test_a_filter_line_offers_what_keeps_a_part_of_the_session() -> None:
    model = ExplorerModel(restated())
    model.look_for_findings()
    offers = model.offers()
    assert {
        "lane:agent",
        "update:tool_call",
        "method:session/prompt",
        "turn:2",
        "finding:restated-message",
    } <= set(offers)
    for offer in offers:
        model.choose_filter(offer)
        assert 0 < len(model.kept) < model.last


def test_a_filter_line_offers_nothing_that_it_could_not_read() -> None:
    model = ExplorerModel(hostile())
    for offer in model.offers():
        model.choose_filter(offer)
        assert len(model.kept)


def test_a_request_says_by_which_event_it_was_answered_and_an_answer_what_it_answers() -> None:
    model = ExplorerModel(turn())
    assert "answered by event 7" in model.view(1).detail
    assert "answers event 0" in model.view(8).detail


def test_a_reply_says_how_long_it_took() -> None:
    frames = [
        {"ts": 1_772_000_000.0 + 2.5 * i, "message": frame} for i, frame in enumerate([prompt("x"), answer()])
    ]
    model = ExplorerModel(acpinspect.from_records([*frames, {"ts": 1_772_000_009.0, "message": sent(chunk("a"))}]))
    assert "answered by event 1</button> after 2.500 s" in model.view(1).detail


def test_an_event_says_its_turn_and_its_phase() -> None:
    assert "turn 1 · live" in ExplorerModel(turn()).view(3).detail


@pytest.mark.parametrize("line", ["colour:red", "step:x", "x" * 600])
def test_a_filter_that_means_nothing_is_refused_and_changes_nothing(line: str) -> None:
    model = ExplorerModel(turn())
    model.choose_filter("role:agent")
    with pytest.raises(ArgumentError):
        model.choose_filter(line)
    assert model.filter_line == "role:agent"
    assert model.kept.tolist() == [3, 4, 7]


def test_a_selection_keeps_the_steps_between_its_ends() -> None:
    model = ExplorerModel(turn())
    model.choose_filter("role:agent", (4, 7))
    assert model.kept.tolist() == [4, 7]


def test_a_click_in_a_text_leads_to_the_event_that_wrote_it() -> None:
    events = acpinspect.from_records([sent(chunk(word, "m1")) for word in ("ab", "🎻c", "de")], protocol="v1")
    model = ExplorerModel(events)
    found = [model.written_by(0, 0, units, 3) for units in range(7)]
    assert found == [1, 1, 2, 2, 2, 3, 3]
    assert model.written_by(0, 3, 1, 3) == 3
    assert model.written_by(99, 0, 0, 3) is None


def test_findings_stand_beside_their_event_with_the_remedy() -> None:
    same = "The build stops in the parser: a missing import."
    frames = [prompt("x"), sent(chunk(same[:20], "m1")), sent(chunk(same[20:], "m1")), sent(chunk(same, "m9"))]
    model = ExplorerModel(acpinspect.from_records(frames, protocol="v1"))
    assert model.findings is None
    model.look_for_findings()
    assert model.findings is not None
    step = model.jump("finding", 0, forward=True)
    assert step is not None
    assert "Remedy:" in model.view(step).detail


def test_a_note_beside_a_message_does_not_look_like_a_fault() -> None:
    frames = [prompt("x"), sent(chunk("", "m1")), sent(chunk("Done. ", "m1")), sent(chunk("Now.", "m2")), answer()]
    events = acpinspect.from_records(frames, protocol="v1")
    for severity, said in (
        ("info", 'class="chip " title="info">ℹ'),
        ("warning", 'class="chip bad" title="warning">⚠'),
    ):
        findings = acpinspect.diagnose(events).head(1).assign(event=2, code="a-code", severity=severity)
        assert f"{said} a-code" in ExplorerModel(events, findings=findings).view(3).conversation


def test_a_terminal_shows_no_colour_codes() -> None:
    output = base64.b64encode(b"\x1b[31mred\x1b[0m and \x1b[1;2Hplain").decode()
    frames = [
        sent({"sessionUpdate": "terminal_update", "terminalId": "t1", "command": "make"}),
        sent({"sessionUpdate": "terminal_output_chunk", "terminalId": "t1", "data": output}),
    ]
    model = ExplorerModel(acpinspect.from_records(frames, protocol="v2"))
    assert "red and plain" in model.view(2).conversation


def test_another_session_forgets_what_belonged_to_the_first() -> None:
    model = ExplorerModel(two_sessions(), "s1")
    model.bookmarks[1], model.pinned = "here", 1
    model.choose_session("s2")
    assert (model.last, model.bookmarks, model.pinned) == (4, {}, None)


def test_without_a_name_the_biggest_session_is_shown() -> None:
    assert ExplorerModel(two_sessions()).choice.session_id == "s2"


def test_sessions_of_one_name_in_two_recordings_are_two_choices(tmp_path: Path) -> None:
    lines = {"a": ["one"], "b": ["two", "three"]}
    for name, words in lines.items():
        frames = [prompt(name), *(sent(chunk(word, "m1")) for word in words)]
        (tmp_path / f"{name}.ndjson").write_text("\n".join(map(json.dumps, frames)), encoding="utf-8")
    model = ExplorerModel(acpinspect.load(tmp_path, progress=False))
    assert len({choice.name for choice in model.sessions}) == 2
    shown = []
    for choice in model.sessions:
        model.choose_session(choice.name)
        shown.append((model.last, "three" in model.view(model.last).conversation))
    assert sorted(shown) == [(2, False), (3, True)]


def test_a_pin_shows_what_is_different_from_the_pinned_step() -> None:
    model = ExplorerModel(turn())
    model.pinned = 2
    assert "from step 2 (pinned) to step 4" in model.view(4).detail
    assert "<ins>One two.</ins>" in model.view(4).detail


def test_a_log_without_sessions_can_be_opened() -> None:
    model = ExplorerModel(acpinspect.from_records([{"jsonrpc": "2.0", "id": 1, "method": "initialize"}]))
    assert model.last == 0
    assert "Nothing is in the conversation yet." in model.view(0).conversation
    assert model.strip().lanes == b""


def test_the_policy_says_which_messages_there_are() -> None:
    model = ExplorerModel(acpinspect.from_records([sent(chunk("a", "m1")), sent(chunk("b", "m2"))], protocol="v1"))
    assert model.landmarks("boundary").tolist() == [1, 2]
    model.choose_policy("heuristic")
    assert model.landmarks("boundary").tolist() == [1]


def test_clients_are_asked_who_would_begin_a_message() -> None:
    detail = ExplorerModel(turn()).view(4).detail
    assert "<b>begin a message here</b>: per-chunk</div>" in detail
    assert "<b>join it to the message before</b>: the other 25</summary>" in detail


def test_where_all_clients_do_the_same_that_is_all_that_is_said() -> None:
    assert "All 26 clients begin a message here." in ExplorerModel(turn()).view(3).detail


def test_of_what_is_no_part_of_a_message_no_client_is_asked() -> None:
    assert "which clients" not in ExplorerModel(turn()).view(5).detail
    assert "which clients" in ExplorerModel(turn()).view(4).detail


def test_clients_are_not_asked_before_that_is_wanted_where_it_would_take_long(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("acpinspect.widgets.model.SHOWN_UP_TO", 7)
    model = ExplorerModel(turn())
    assert "per-chunk" not in model.view(4).detail
    model.show_clients = True
    assert "per-chunk" in model.view(4).detail


def test_a_step_and_bookmarks_are_exported_as_json() -> None:
    model = ExplorerModel(turn())
    model.bookmarks[4] = "look"
    step = json.loads(model.export("step", 4)[0].text)
    assert step["event"] == 3
    assert step["state"]["messages"][-1]["text"] == "One two."
    bookmarks = json.loads(model.export("bookmarks", 4)[0].text)
    assert bookmarks["bookmarks"] == [{"step": 4, "event": 3, "note": "look"}]


def test_the_log_that_leads_to_a_step_loads_again(tmp_path: Path) -> None:
    ExplorerModel(turn()).save(tmp_path / "part.ndjson", 4)
    part = ExplorerModel(acpinspect.load(tmp_path / "part.ndjson", progress=False))
    assert "One <mark>two.</mark>" in part.view(part.last).conversation
    assert "Let me see." not in part.view(part.last).conversation


def test_a_minimal_log_shows_what_was_found_at_the_step_and_no_more(tmp_path: Path) -> None:
    model = ExplorerModel(restated())
    made = model.export("minimal", 5)
    assert [(each.name, each.said) for each in made] == [
        ("s1-restated-message.ndjson", "restated-message: 2 of 9 events still show it.")
    ]
    model.save(tmp_path / "small.ndjson", 5, "minimal")
    small = acpinspect.load(tmp_path / "small.ndjson", protocol="v1", progress=False)
    assert acpinspect.diagnose(small, severity="warning")["code"].tolist() == ["restated-message"]


def test_a_minimal_log_is_made_for_each_code_that_was_found_at_the_step() -> None:
    same = "The build stops in the parser: a missing import."
    frames = [sent(chunk(same[:20], "m1")), sent(chunk(same[20:], "m1")), sent(chunk(same)), answer()]
    made = ExplorerModel(acpinspect.from_records(frames, protocol="v1")).export("minimal", 3)
    assert [each.name for each in made] == [
        "s1-glued-boundary.ndjson", "s1-mixed-message-ids.ndjson", "s1-restarted-message.ndjson",
    ]  # fmt: skip
    for each in made:
        small = acpinspect.load(each.text.encode(), protocol="v1")
        assert each.name[3:-7] in acpinspect.diagnose(small)["code"].tolist()


@pytest.mark.parametrize(
    ("what", "step", "said"),
    [
        ("minimal", 0, "before the first event"),
        ("minimal", 2, "Nothing was found at event 1"),
        ("bookmarks", 2, "no bookmarks"),
        ("all", 2, "There is: step, bookmarks, log, minimal"),
        ("step", 99, "the last one is 9"),
    ],
)
def test_where_there_is_nothing_to_export_that_is_said(what: str, step: int, said: str) -> None:
    with pytest.raises(ArgumentError, match=said):
        ExplorerModel(restated()).export(what, step)


def test_of_a_long_log_the_command_is_said_instead(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("acpinspect.widgets.minimal.MOST_EVENTS", 8)
    with pytest.raises(ArgumentError, match="acpinspect minimize LOG --code restated-message --event 4 -o"):
        ExplorerModel(restated()).export("minimal", 5)


def test_a_finding_that_the_log_does_not_show_by_itself_has_no_minimal_log(tmp_path: Path) -> None:
    findings = acpinspect.diagnose(restated()).assign(code="glued-boundary")
    model = ExplorerModel(restated(), findings=findings)
    [made] = model.export("minimal", 5)
    assert (made.text, made.said[:59]) == ("", "glued-boundary: There is no finding of glued-boundary in th")
    with pytest.raises(ArgumentError, match="no finding of glued-boundary"):
        model.save(tmp_path / "small.ndjson", 5, "minimal")
    assert not (tmp_path / "small.ndjson").exists()


def test_when_the_time_is_over_the_smallest_log_so_far_is_taken() -> None:
    events = restated()
    findings = acpinspect.diagnose(events)
    hasty, patient = (minimal_logs(events, findings, 4, seconds)[0].raws for seconds in (0, 60))
    assert len(patient) < len(hasty) <= len(events)


def test_the_strip_has_one_column_entry_for_each_step() -> None:
    data = ExplorerModel(turn()).strip()
    assert list(data.lanes) == [0, 2, 1, 1, 3, 3, 1, 5]
    assert np.frombuffer(data.events, "<i4").tolist() == list(range(8))
    assert [data.words[code] for code in data.names][1] == "agent_thought_chunk"
    assert [bool(mark & 1) for mark in data.marks] == [False, True, True, False, False, False, True, False]


def test_hostile_text_becomes_no_markup_anywhere() -> None:
    model = ExplorerModel(hostile())
    model.look_for_findings()
    model.show_clients = True
    for step in range(model.last + 1):
        tags = Tags(seen(model, step))
        assert not tags.elements & {"script", "img", "svg", "style", "iframe", "link", "textarea"}
        assert not {name for name in tags.attributes if name.startswith("on")}
        assert tags.attributes <= {"class", "data-at", "data-go", "data-slot", "dir", "open", "title", "type"}


def test_characters_that_steer_are_shown_as_signs() -> None:
    model = ExplorerModel(hostile())
    shown = "".join(seen(model, step) for step in range(model.last + 1))
    assert not set("\x00\x1b\u202e\u2066") & set(shown)
    assert "nul ␀ escape ␛[31m" in shown
    assert "⇄right to left⇄" in shown


def test_a_step_never_takes_much_html() -> None:
    model = ExplorerModel(hostile())
    model.look_for_findings()
    assert max(len(seen(model, step)) for step in range(model.last + 1)) < ENOUGH


def test_many_long_messages_and_a_deep_frame_take_no_more() -> None:
    deep: object = "x"
    for _ in range(60):
        deep = {"k": [deep] * 3} if _ < 3 else {"k": deep}
    frames = [sent(chunk("word " * 2_000, f"m{i}")) for i in range(30)]
    frames.append(sent(tool("t", rawInput=deep, content=[{"type": "content", "content": text("out " * 9_000)}])))
    model = ExplorerModel(acpinspect.from_records(frames, protocol="v1"))
    assert max(len(seen(model, step)) for step in range(model.last + 1)) < ENOUGH
    assert "earlier items not shown" in model.view(model.last).conversation


def test_a_part_of_a_table_can_be_looked_at() -> None:
    events = turn()
    model = ExplorerModel(events[events["role"].notna()])
    assert [int(number) for number in model.spine.numbers] == [1, 2, 3, 6]
    assert "conversation at event 3" in model.view(3).conversation
    assert "One <mark>two.</mark>" in model.view(3).conversation


def test_halves_of_characters_can_be_shown() -> None:
    lonely, whole = "\ud83c", ("a\ud83c", "\udfbbb")
    frames = [
        sent(chunk(lonely, lonely)),
        sent(tool(lonely, title=lonely)),
        *(sent(chunk(half, "m")) for half in whole),
    ]
    model = ExplorerModel(acpinspect.from_records(frames, protocol="v1"))
    model.look_for_findings()
    assert all(seen(model, step).encode() for step in range(model.last + 1))
    assert "a🎻b" in model.view(4).conversation.replace("<mark>", "").replace("</mark>", "")


def test_an_event_that_is_no_json_is_shown_as_it_was_written(tmp_path: Path) -> None:
    path = tmp_path / "torn.ndjson"
    frames = "\n".join(json.dumps(frame) for frame in (prompt("x"), sent(chunk("a", "m1"))))
    path.write_text(frames + '\n{"jsonrpc": "2.0", "method": "session/upd', encoding="utf-8")
    model = ExplorerModel(acpinspect.load(path, progress=False))
    assert model.last >= 2
    assert "<mark>a</mark>" in model.view(2).conversation


@pytest.mark.parametrize("longest", [40, 100, 999])
def test_a_long_text_keeps_its_ends_and_what_is_marked(longest: int) -> None:
    text_ = "".join(f"{number:04}" for number in range(250))
    shown = passage(text_, longest, (Span(600, 604),))
    assert shown.startswith('<span class="run" data-at="0">0000')
    assert "<mark>0150</mark>" in shown
    assert len(shown) < longest + 400
    for start, piece in re.findall(r'data-at="(\d+)">(.*?)</span>', shown):
        plain = piece.replace("<mark>", "").replace("</mark>", "")
        assert text_[int(start) : int(start) + len(plain)] == plain
