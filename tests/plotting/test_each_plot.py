"""What each picture shows."""

from __future__ import annotations

import numpy as np
import pytest
from matplotlib.axes import Axes

from acpinspect import plot
from acpinspect.plotting.stretches import joined, lanes_of
from tests.plotting.logs import MIXED, call, chunk, read, usage


def title(axes: Axes) -> str:
    return axes.get_title(loc="left")


def legend(axes: Axes) -> list[str]:
    box = axes.get_legend()
    return [text.get_text() for text in box.get_texts()] if box else []


def names(axes: Axes) -> list[str]:
    return [tick.get_text() for tick in axes.get_yticklabels()]


def test_each_session_has_a_row_in_the_order_of_the_log() -> None:
    axes = plot.sessions(read(chunk(0, "a", "late"), chunk(1, "b", "early"), chunk(2, "c", "late")))
    assert names(axes) == ["late", "early"]


def test_only_lanes_that_are_used_stand_in_the_legend() -> None:
    assert legend(plot.sessions(read(chunk(0, "a"), call(1, "t", "completed")))) == ["agent", "tool"]


def test_of_many_sessions_the_largest_are_shown() -> None:
    log = read(*[chunk(None, "a", f"s{i}") for i in range(60)], *[chunk(None, "b", "s55")] * 5)
    axes = plot.sessions(log)
    assert title(axes) == "Who speaks when: 60 sessions, the 40 largest"
    assert "s55" in names(axes)
    assert len(names(axes)) == 40


def test_a_replay_has_a_ground_of_its_own() -> None:
    load = {"jsonrpc": "2.0", "id": 1, "method": "session/load", "params": {"sessionId": "s1", "cwd": "/"}}
    done = {"jsonrpc": "2.0", "id": 1, "result": {}}
    assert "replay" in legend(plot.sessions(read(load, chunk(None, "a"), done, chunk(None, "b"))))


def test_a_pause_in_the_middle_of_a_message_is_a_stall() -> None:
    axes = plot.chunks(read(chunk(0, "a"), chunk(0.1, "b"), chunk(0.2, "c"), chunk(9.2, "d")))
    assert title(axes) == "Chunk sizes: 4 chunks, median 1 characters, 1 stall"
    assert [text.get_text() for text in axes.texts] == ["9.0 s"]


def test_a_pause_with_a_tool_call_in_it_is_none() -> None:
    axes = plot.chunks(read(chunk(0, "a"), call(4, "t", "completed"), chunk(9, "b")))
    assert title(axes).endswith("0 stalls")


def test_how_long_a_stall_is_can_be_said() -> None:
    log = read(chunk(0, "a"), chunk(0.4, "b"))
    assert title(plot.chunks(log, stall=0.3)).endswith("1 stall")
    assert title(plot.chunks(log)).endswith("0 stalls")


def test_without_times_nothing_is_said_of_stalls() -> None:
    assert title(plot.chunks(read(chunk(None, "a")))) == "Chunk sizes: 1 chunk, median 1 characters"


def test_an_empty_chunk_is_shown_at_the_bottom() -> None:
    axes = plot.chunks(read(chunk(0, ""), chunk(1, "abc")))
    assert axes.get_lines()[0].get_ydata().tolist() == [0.0, 3.0]
    assert axes.get_ylim()[0] < 0


def test_each_role_has_a_marker_of_its_own() -> None:
    assert [line.get_marker() for line in plot.chunks(MIXED).get_lines()] == ["o", "^"]


def test_a_few_calls_have_a_row_each_with_their_title() -> None:
    assert names(plot.tools(MIXED)) == ["Run t1", "Run t2"]


def test_a_call_has_the_status_of_its_last_update() -> None:
    axes = plot.tools(read(call(0, "t", "pending"), call(1, "t", "in_progress"), call(2, "t", "failed")))
    assert title(axes) == "Tool calls: 1, failed 1"


def test_many_calls_are_put_together_by_status() -> None:
    log = read(*[call(i, f"t{i}", "failed" if i % 4 == 0 else "completed") for i in range(80)])
    assert names(plot.tools(log)) == ["completed (60)", "failed (20)"]


def test_a_status_that_nobody_knows_is_another_one() -> None:
    assert title(plot.tools(read(call(0, "t", "paused")))).startswith("Tool calls: 1, ")


def test_calls_of_one_id_in_two_sessions_are_two() -> None:
    log = read(call(0, "t", "completed", "a"), call(1, "t", "completed", "b"))
    assert title(plot.tools(log)) == "Tool calls: 2, completed 2"


def test_the_size_of_the_context_is_a_line() -> None:
    axes = plot.usage(read(usage(0, 500), usage(1, 900)))
    assert axes.get_lines()[1].get_ydata()[0] == 1000
    assert title(axes) == "Context and cost: at most 900 of 1,000 tokens"


def test_a_nearly_empty_context_is_looked_at_closely() -> None:
    assert plot.usage(read(usage(0, 50))).get_ylim()[1] < 100


def test_the_cost_has_an_axis_of_its_own_with_its_currency() -> None:
    right = plot.usage(MIXED).figure.axes[1]
    assert right.get_ylabel() == "cost (USD)"
    assert right.get_lines()[0].get_ydata() == [0.2]


@pytest.mark.parametrize("used", ["many", None, True, [1]])
def test_a_use_that_is_no_number_is_passed_over(used: object) -> None:
    axes = plot.usage(read(usage(0, used), usage(1, 7)))
    assert axes.get_lines()[0].get_ydata().tolist() == [7.0]


def test_stretches_that_touch_are_one() -> None:
    starts, ends = joined(np.array([3.0, 0.0, 1.0]), np.array([4.0, 1.0, 2.0]), 0.1)
    assert (starts.tolist(), ends.tolist()) == ([0.0, 3.0], [2.0, 4.0])


def test_a_stretch_within_another_ends_nothing() -> None:
    starts, ends = joined(np.array([0.0, 1.0, 4.0]), np.array([9.0, 2.0, 5.0]), 0.1)
    assert (starts.tolist(), ends.tolist()) == ([0.0], [9.0])


def test_what_finds_no_lane_shares_the_last() -> None:
    starts = np.zeros(5)
    assert lanes_of(starts, starts + 1, 3).tolist() == [0, 1, 2, 2, 2]
