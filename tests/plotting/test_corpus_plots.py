"""The pictures of a corpus: agents by ids, agents by clients."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from matplotlib.axes import Axes

from acpinspect import ArgumentError, plot


def sessions(*rows: tuple[str | None, str | None]) -> pd.DataFrame:
    return pd.DataFrame(rows, columns=["agent", "ids"])


def clients(*rows: tuple[str | None, str, int, int]) -> pd.DataFrame:
    return pd.DataFrame(rows, columns=["agent", "policy", "messages", "right"])


def names(axes: Axes) -> list[str]:
    return [tick.get_text() for tick in axes.get_yticklabels()]


def legend(axes: Axes) -> list[str]:
    box = axes.get_legend()
    return [text.get_text() for text in box.get_texts()] if box else []


def test_an_agent_is_a_bar_of_its_sessions_by_ids() -> None:
    rows = [("gull", "never"), ("keeper", "always"), ("keeper", "sometimes"), ("keeper", "always"), (None, None)]
    axes = plot.ids(sessions(*rows))
    assert names(axes) == ["keeper", "gull", "(not told)"]
    assert [[bar.get_width() for bar in part] for part in axes.containers] == [
        [2, 0, 0],
        [1, 0, 0],
        [0, 1, 0],
        [0, 0, 1],
    ]
    assert axes.get_title(loc="left") == "Ids of 3 agents"


def test_only_what_there_is_stands_in_the_legend() -> None:
    assert legend(plot.ids(sessions(("a", "always"), ("b", "never")))) == ["every piece has an id", "none has one"]


def test_of_many_agents_those_with_the_most_sessions_are_drawn() -> None:
    axes = plot.ids(sessions(*[(f"a{i}", "always") for i in range(40)], ("a39", "never")))
    assert len(names(axes)) == 30
    assert names(axes)[0] == "a39"
    assert axes.get_title(loc="left") == "Ids of 40 agents, the 30 with the most sessions"


def test_a_cell_is_the_share_of_an_agents_messages_that_a_client_shows_wrongly() -> None:
    axes = plot.agents(
        clients(("a", "toad", 2, 1), ("a", "zed", 2, 2), ("b", "toad", 500, 498), ("a", "toad", 2, 0))
    )
    assert names(axes) == ["b", "a"]
    assert [tick.get_text() for tick in axes.get_xticklabels()] == ["toad", "zed"]
    cells = {tuple(text.get_position()): text.get_text() for text in axes.texts}
    assert cells == {(0, 0): "<1", (0, 1): "75", (1, 1): "0"}
    [image] = axes.images
    assert np.isclose(float(image.get_array()[1, 0]), 0.75)


def test_an_agent_without_messages_is_left_out() -> None:
    axes = plot.agents(clients(("a", "toad", 0, 0), ("b", "toad", 1, 1)))
    assert names(axes) == ["b"]


@pytest.mark.parametrize("draw", [plot.ids, plot.agents])
def test_a_table_without_rows_says_so(draw: Any) -> None:
    axes = draw(sessions() if draw is plot.ids else clients())
    assert "There are no" in axes.texts[0].get_text()


@pytest.mark.parametrize("draw", [plot.ids, plot.agents])
def test_another_table_is_refused(draw: Any) -> None:
    with pytest.raises(ArgumentError, match="The table lacks"):
        draw(pd.DataFrame({"x": [1]}))


@pytest.mark.parametrize("draw", [plot.ids, plot.agents])
def test_names_of_a_log_are_no_formulas_and_no_markup(draw: Any) -> None:
    name = "$\\frac{1}{0}$\n" + "x" * 99
    axes = draw(sessions((name, "always")) if draw is plot.ids else clients((name, "to$ad$", 2, 1)))
    axes.figure.canvas.draw()
    assert names(axes)[0].startswith("$\\frac{1}{0}$ xx")
    assert len(names(axes)[0]) <= 32
