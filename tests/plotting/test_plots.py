"""What all pictures have in common: Axes in, Axes out, any log, any style, any text."""

from __future__ import annotations

import io
import itertools
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pandas as pd
import pytest
from matplotlib import pyplot as plt
from matplotlib.axes import Axes

import acpinspect
from acpinspect import ArgumentError, EventsError, plot
from acpinspect.plotting.labels import label
from acpinspect.plotting.palette import OTHERS
from benchmarks.generate import generate
from tests.plotting.logs import MIXED, NOTHING, call, chunk, read, update

Draw = Callable[..., Axes]
ALL: list[Draw] = [plot.sessions, plot.chunks, plot.tools, plot.usage]
each = pytest.mark.parametrize("draw", ALL, ids=lambda draw: draw.__name__)
HOSTILE = "$\\frac{1}{ \x00\x1b[31m\u202e\U0001f6a2 </script>"


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> pd.DataFrame:
    return acpinspect.load(generate(20_000, path=tmp_path_factory.mktemp("logs") / "large.ndjson"))


def drawn(axes: Axes, form: str = "png") -> bytes:
    file = io.BytesIO()
    axes.figure.savefig(file, format=form, dpi=50, metadata={"Date": None} if form == "svg" else None)
    return file.getvalue()


@each
def test_a_picture_is_drawn_on_the_axes_that_are_given(draw: Draw) -> None:
    _, ax = plt.subplots()
    assert draw(MIXED, ax) is ax
    assert len(plt.get_fignums()) == 1


@each
def test_without_axes_a_figure_is_made(draw: Draw) -> None:
    assert isinstance(draw(MIXED), Axes)
    assert len(plt.get_fignums()) == 1


@each
def test_a_picture_has_a_title_and_names_its_axis(draw: Draw) -> None:
    axes = draw(MIXED)
    assert axes.get_title(loc="left")
    assert axes.get_xlabel() == "seconds since the recording began"


@each
def test_the_axis_can_count_events_instead(draw: Draw) -> None:
    assert draw(MIXED, by="event").get_xlabel() == "event"


@each
def test_a_log_with_nothing_to_show_says_so(draw: Draw) -> None:
    axes = draw(NOTHING)
    assert next(text.get_text() for text in axes.texts).startswith(("There is no", "No event"))
    drawn(axes)


@each
def test_an_empty_table_says_so_too(draw: Draw) -> None:
    assert len(draw(MIXED.iloc[:0]).texts) == 1


@each
def test_a_log_without_times_can_not_be_drawn_by_time(draw: Draw) -> None:
    with pytest.raises(ArgumentError, match="by='event'"):
        draw(NOTHING, by="time")


@each
def test_there_is_no_third_axis(draw: Draw) -> None:
    with pytest.raises(ArgumentError, match="'time' and 'event'"):
        draw(MIXED, by="line")


@each
def test_what_is_no_events_table_is_refused(draw: Draw) -> None:
    with pytest.raises(EventsError):
        draw(pd.DataFrame({"a": [1]}))


@each
@pytest.mark.parametrize("style", ["default", "dark_background"])
def test_hostile_text_is_drawn_without_a_warning_in_any_style(draw: Draw, style: str) -> None:
    log = read(chunk(0.0, HOSTILE, session=HOSTILE), call(1.0, HOSTILE, "failed", session=HOSTILE))
    with plt.style.context(style):
        assert drawn(draw(log))


@pytest.mark.parametrize("name", [HOSTILE, "_hidden", "$a$"])
def test_a_hostile_name_of_a_session_stands_in_a_legend(name: str) -> None:
    spent = {"sessionUpdate": "usage_update", "used": 5, "size": 9, "cost": {"amount": 1, "currency": name}}
    events = acpinspect.from_records([(name, spent), ("other", spent)])
    axes = plot.usage(events)
    assert drawn(axes)
    assert label(name, 20) in [text.get_text() for text in axes.get_legend().get_texts()]


@each
def test_a_large_log_gives_few_shapes(draw: Draw, large: pd.DataFrame) -> None:
    axes = draw(large)
    points = sum(len(line.get_xdata()) for line in axes.get_lines())
    bars = sum(len(bars.get_paths()) for bars in axes.collections)
    assert 0 < points + bars < 15_000


@each
def test_labels_do_not_overlap_in_a_large_log(draw: Draw, large: pd.DataFrame) -> None:
    axes = draw(large)
    drawn(axes)
    boxes = [tick.get_window_extent() for tick in axes.get_yticklabels() if tick.get_text()]
    ordered = sorted(boxes, key=lambda box: box.y0)
    assert all(low.y1 <= high.y0 + 1 for low, high in itertools.pairwise(ordered))


@each
def test_labels_do_not_overlap_on_small_axes_either(draw: Draw, large: pd.DataFrame) -> None:
    _, grid = plt.subplots(3, 2, figsize=(8, 6))
    axes = draw(large, grid[0, 0])
    drawn(axes)
    shown = [tick for tick in axes.get_yticklabels() if tick.get_text() and tick.get_visible()]
    ordered = sorted((tick.get_window_extent() for tick in shown), key=lambda box: box.y0)
    assert all(low.y1 <= high.y0 + 1 for low, high in itertools.pairwise(ordered))
    assert all(tick.get_fontsize() >= 5 for tick in shown)


def test_a_moment_can_be_seen_on_small_axes_too() -> None:
    figure, ax = plt.subplots(figsize=(4, 3))
    axes = plot.sessions(read(chunk(0.0, "Now"), *(call(100.0 + i, f"t{i}", "completed") for i in range(99))), ax)
    figure.canvas.draw()
    agent = next(bars for bars in axes.collections if bars.get_paths() and bars.get_paths()[0].vertices[0][0] < 5)
    box = agent.get_paths()[0].transformed(axes.transData).get_extents()
    assert box.width * 72 / figure.dpi > 0.9


def test_sessions_of_one_id_are_told_apart_by_their_recording(tmp_path: Path) -> None:
    for name, session in (("a", "s1"), ("b", "s1"), ("c", "s2")):
        frames = [chunk(None, "Hi", session), update(None, session, "usage_update", used=5, size=9)]
        (tmp_path / f"{name}.ndjson").write_text("\n".join(map(json.dumps, frames)), encoding="utf-8")
    events = acpinspect.load(tmp_path, progress=False)
    names = ["a.ndjson, s1", "b.ndjson, s1", "s2"]
    assert [tick.get_text() for tick in plot.sessions(events).get_yticklabels()] == names
    assert [text.get_text() for text in plot.usage(events).get_legend().get_texts()][:3] == names


@each
def test_the_same_log_gives_the_same_picture(draw: Draw) -> None:
    with plt.rc_context({"svg.hashsalt": "same"}):
        assert drawn(draw(MIXED), "svg") == drawn(draw(MIXED), "svg")


@pytest.mark.parametrize("background", ["#ffffff", "#111418"])
@pytest.mark.parametrize("colour", OTHERS)
def test_every_colour_can_be_seen_on_white_and_on_black(colour: str, background: str) -> None:
    def luminance(text: str) -> float:
        parts = [int(text[i : i + 2], 16) / 255 for i in (1, 3, 5)]
        linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    light, dark = sorted((luminance(colour), luminance(background)), reverse=True)
    assert (light + 0.05) / (dark + 0.05) > 2


def test_a_label_is_one_short_line() -> None:
    assert label("Run\n the   build\t" + "x" * 100, 12) == "Run the bui…"


def test_what_no_font_can_draw_becomes_a_box() -> None:
    assert label("a\x00b\u202ec\U0001f6a2") == "a□b□c□"


def test_importing_the_pictures_does_not_import_matplotlib() -> None:
    code = "import sys, acpinspect.plot; print('matplotlib' in sys.modules)"
    root = Path(acpinspect.__file__).parents[1]
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, encoding="utf-8", cwd=root)
    assert result.stdout == "False\n"
