"""The pictures of comparisons: lanes of boundaries, and clients by kinds of fault."""

from __future__ import annotations

import itertools

import pandas as pd
import pytest
from matplotlib import colors
from matplotlib import pyplot as plt
from matplotlib.axes import Axes

import acpinspect
from acpinspect import ArgumentError, plot
from acpinspect.plotting.boundaries import SINGLE, STRETCHES
from acpinspect.plotting.clients import FAULTS
from tests.grouping.sequences import read, table_of


def events_of(text: str) -> pd.DataFrame:
    return table_of([read(text)])[0]


def legend(axes: Axes) -> list[str]:
    box = axes.get_legend()
    return [text.get_text() for text in box.get_texts()] if box else []


def test_each_grouping_has_a_lane() -> None:
    axes = plot.boundaries(acpinspect.compare(events_of("> a@m1 a@m2 <"), "ids", "heuristic"))
    assert [tick.get_text() for tick in axes.get_yticklabels()] == ["ids", "heuristic"]


def test_marks_stand_where_only_one_side_has_a_boundary() -> None:
    axes = plot.boundaries(acpinspect.compare(events_of("> a@m1 a@m2 c1 a@m2 <"), "spec", "toad"))
    marks = {
        mark.get_label(): mark.get_offsets()[:, 0].tolist()
        for mark in axes.collections
        if mark.get_label()[0] != "_"
    }
    assert marks == {"only spec": [1.0], "only toad": [2.0]}
    assert legend(axes) == ["only spec", "only toad"]


def test_every_message_is_a_bar() -> None:
    axes = plot.boundaries(acpinspect.compare(events_of("> a@m1 a@m1 a@m2 <"), "ids", "heuristic"))
    assert [len(bars.get_paths()) for bars in axes.collections[:2]] == [2, 1]


def test_many_gaps_are_counted_in_stretches() -> None:
    text = "> " + "a@m1 a@m2 " * SINGLE + "<"
    axes = plot.boundaries(acpinspect.compare(events_of(text), "ids", "heuristic"))
    assert len(axes.patches) == 3 * STRETCHES
    assert legend(axes) == [f"only ids: {2 * SINGLE - 1:,}"]


def test_both_lanes_of_stretches_have_one_scale() -> None:
    text = "> " + ("a@m1 a@m2 " * 3 + "c1 a@m2 " + "a@m2 " * 4) * 100 + "<"
    axes = plot.boundaries(acpinspect.compare(events_of(text), "ids", "heuristic"))
    lanes = [max(bar.get_height() for bar in axes.patches[i * STRETCHES : (i + 1) * STRETCHES]) for i in range(2)]
    assert lanes[0] > 2.5 * lanes[1] > 0


def test_nothing_to_compare_is_said() -> None:
    axes = plot.boundaries(acpinspect.compare(acpinspect.from_records([])))
    assert "no neighbouring" in axes.texts[0].get_text()


def test_a_cell_has_the_number_of_messages_and_clients_come_best_first() -> None:
    table = acpinspect.compare_clients(events_of("> a@m1 a@m2 <"), ["toad", "zed-v1"])
    axes = plot.clients(table)
    assert [tick.get_text() for tick in axes.get_yticklabels()] == ["zed-v1", "toad"]
    cells = [(text.get_position(), text.get_text()) for text in axes.texts]
    assert cells == [((FAULTS.index("merged"), 1), "2")]


def test_numbers_stand_out_from_their_cells() -> None:
    axes = plot.clients(acpinspect.compare_clients(events_of("> a@m1 t a@m1 a@m2 a@m3 a@m4 c1 a@m4 <")))
    image = axes.images[0]
    for text in axes.texts:
        column, row = text.get_position()
        cell = image.cmap(image.norm(image.get_array()[int(row), int(column)]))
        light, dark = sorted(sum(colors.to_rgb(c)) / 3 for c in (cell[:3], text.get_color()))[::-1]
        assert light - dark > 0.3


def test_clients_without_messages_are_said() -> None:
    assert (
        "no messages" in plot.clients(acpinspect.compare_clients(acpinspect.from_records([]))).texts[0].get_text()
    )


def test_a_table_that_is_not_of_clients_is_refused() -> None:
    with pytest.raises(ArgumentError, match="compare_clients"):
        plot.clients(pd.DataFrame({"right": [1]}))


def test_what_is_no_comparison_is_refused() -> None:
    with pytest.raises(ArgumentError, match="Expected a comparison, got DataFrame"):
        plot.boundaries(acpinspect.from_records([]))  # type: ignore[arg-type]


def test_gaps_are_counted_as_all_numbers_are() -> None:
    axes = plot.boundaries(acpinspect.compare(events_of("> " + "a@m1 a@m2 " * 800 + "<"), "ids", "heuristic"))
    axes.figure.canvas.draw()
    assert "1,000" in [tick.get_text() for tick in axes.get_xticklabels()]


def test_names_of_faults_run_aslant_on_narrow_axes_and_straight_on_wide_ones() -> None:
    table = acpinspect.compare_clients(events_of("> a@m1 a@m2 <"))
    _, narrow = plt.subplots(figsize=(5, 5))
    assert {tick.get_rotation() for tick in plot.clients(table, narrow).get_xticklabels()} == {30.0}
    assert {tick.get_rotation() for tick in plot.clients(table).get_xticklabels()} == {0.0}


def test_many_clients_on_low_axes_are_written_small() -> None:
    table = acpinspect.compare_clients(events_of("> a@m1 a@m2 <"))
    _, low = plt.subplots(figsize=(8, 3))
    axes = plot.clients(table, low)
    axes.figure.canvas.draw()
    boxes = [tick.get_window_extent() for tick in axes.get_yticklabels() if tick.get_visible()]
    ordered = sorted(boxes, key=lambda box: box.y0)
    assert all(below.y1 <= above.y0 + 1 for below, above in itertools.pairwise(ordered))
