"""Timelines, differences and blames are shown as text and as HTML in which nothing of a log is alive."""

from __future__ import annotations

from html.parser import HTMLParser
from typing import Any

import pytest

import acpinspect
from acpinspect.timelines import Timeline
from tests.timelines.make import ABC, events_of
from tests.wire import chunk, prompt, tool_call, update, whole

EVIL = "<script>alert(1)</script>\"'&<img src=x onerror=y>"


class Tags(HTMLParser):
    """The tags of a page, and its text."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.text = ""
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:  # noqa: ARG002
        self.tags.add(tag)

    def handle_data(self, data: str) -> None:
        self.text += data


def html(shown: Any) -> Tags:
    return Tags(shown._repr_html_())


@pytest.fixture
def evil() -> Timeline:
    frames = [
        whole(EVIL, EVIL),
        whole(EVIL, "B"),
        update("session_info_update", title=EVIL),
        update("tool_call_update", toolCallId=EVIL, title=EVIL, rawOutput={EVIL: EVIL}),
    ]
    for frame in frames:
        frame["params"]["sessionId"] = EVIL
    return acpinspect.timeline(events_of(frames, "v2"))


def test_nothing_of_a_log_becomes_html(evil: Timeline) -> None:
    diffs = [evil.diff(step) for step in range(1, 5)]
    shown: list[Any] = [evil, *diffs, *(evil.blame(entity) for entity in evil.entities)]
    for one in shown:
        assert html(one).tags <= {"style", "table", "tr", "td", "th", "ins", "del", "p"}
    assert EVIL in html(evil).text
    assert EVIL in html(evil.blame(evil.entities[0])).text


def test_a_difference_marks_what_came_and_what_went() -> None:
    diff = acpinspect.timeline(events_of(ABC(), "v2")).diff(3)
    assert {"ins", "del"} <= html(diff).tags
    assert repr(diff).splitlines()[:3] == [
        "Diff of step 2 and step 3:",
        "~ agent message m1",
        "    content: at 0 - 'AB' + 'C'",
    ]


def test_a_timeline_says_what_is_in_it() -> None:
    timeline = acpinspect.timeline(events_of([prompt(1), chunk("A"), tool_call("t")], "v1"))
    assert repr(timeline) == (
        "Timeline: session s1; protocol v1; events 3; turns 1; at the end 1 message, 1 tool call"
    )
    assert "1 message, 1 tool call" in html(timeline).text


def test_an_empty_timeline_can_be_shown() -> None:
    timeline = acpinspect.timeline(acpinspect.from_records([]))
    assert "no id" in repr(timeline)
    assert "nothing" in html(timeline).text


def test_control_characters_are_shown_and_not_sent() -> None:
    blame = acpinspect.timeline(events_of([chunk("\x1b[31mred\u202e", "m\x00")], "v1")).blame("m\x00")
    assert "\x1b" not in repr(blame)
    assert "\u202e" not in repr(blame)
    assert "\\x1b[31mred" in repr(blame)


def test_long_texts_are_cut_and_long_tables_end() -> None:
    timeline = acpinspect.timeline(events_of([chunk("x" * 5_000, "m1") for _ in range(100)], "v1"))
    assert len(repr(timeline.blame("m1"))) < 20_000
    assert "40 more pieces" in repr(timeline.blame("m1"))
    assert "40 more rows" in html(timeline.blame("m1")).text


def test_additions_removals_and_session_fields_have_their_lines() -> None:
    timeline = acpinspect.timeline(events_of([prompt(1), chunk("A", "m1")], "v1"))
    forward, back = repr(timeline.diff(0, 2)).splitlines(), repr(timeline.diff(2, 0)).splitlines()
    assert "+ agent message m1  A" in forward
    assert "- agent message m1  A" in back
    assert any(line.startswith("~ session run: ") for line in forward)
