"""Two policies side by side: the model, and the widget in the kernel."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import ipywidgets
import pandas as pd
import pytest
import traitlets
from ipywidgets.widgets.widget import _instances

import acpinspect
from acpinspect.errors import ArgumentError
from acpinspect.widgets.comparison_explorer import ComparisonExplorer
from acpinspect.widgets.comparison_model import ComparisonModel
from tests.widgets.logs import chunk, hostile, prompt, sent, tool, two_sessions


def events() -> pd.DataFrame:
    frames = [prompt("Go"), sent(chunk("One.", "m1")), sent(chunk("Two.", "m2")), sent(tool("t"))]
    frames += [sent(chunk("Three.", "m2")), sent(chunk("Four.", "m3"))]
    return acpinspect.from_records(frames, protocol="v1")


@pytest.fixture
def explorer() -> Iterator[ComparisonExplorer]:
    made = acpinspect.explore_comparison(acpinspect.compare(events(), "spec", "heuristic"))
    yield made
    made.close()


def parts(root: ipywidgets.Widget) -> list[Any]:
    found = [root]
    for child in getattr(root, "children", ()):
        found += parts(child)
    return found


def shown(explorer: ComparisonExplorer) -> str:
    return "".join(part.value for part in parts(explorer) if isinstance(part, ipywidgets.HTML))


def test_both_conversations_stand_at_the_same_step() -> None:
    view = ComparisonModel(acpinspect.compare(events(), "spec", "heuristic")).view(3)
    assert "<mark>Two.</mark>" in view.a
    assert "One.<mark>Two.</mark>" in view.b


def test_each_side_says_why_it_does_what_it_does() -> None:
    why = ComparisonModel(acpinspect.compare(events(), "spec", "heuristic")).view(3).why
    assert why.count("finding reason") == 2
    assert "begins a message" in why
    assert "joins the message before" in why


def test_where_both_do_the_same_that_is_said() -> None:
    assert "Both do the same" in ComparisonModel(acpinspect.compare(events(), "spec", "heuristic")).view(2).why


def test_it_begins_at_the_first_difference_and_jumps_to_the_others(explorer: ComparisonExplorer) -> None:
    steps = [explorer.step]
    while (found := explorer.jump()) is not None:
        steps.append(found)
    assert steps == [3, 5, 6]
    assert "There is no later disagreement." in shown(explorer)
    assert [explorer.jump(forward=False), explorer.event] == [5, 4]


def test_a_prompt_that_only_one_shows_is_no_difference() -> None:
    model = ComparisonModel(acpinspect.compare(events(), "spec", "toad"))
    assert 1 not in model.a.apart


def test_other_policies_can_be_set_side_by_side(explorer: ComparisonExplorer) -> None:
    explorer.b = "ids"
    assert explorer.model.jump(0, forward=True) is None
    with pytest.raises(traitlets.TraitError):
        explorer.a = "nobody"
    assert explorer.a == "spec"


def test_all_clients_are_a_table_that_leads_to_where_they_go_wrong(explorer: ComparisonExplorer) -> None:
    button = next(part for part in parts(explorer) if getattr(part, "description", "") == "All clients")
    button.value = True
    assert "<th>zed-v1</th>" in shown(explorer)
    assert "data-go=" in shown(explorer)
    button.value = False
    assert "<th>zed-v1</th>" not in shown(explorer)


def test_a_page_can_ask_for_steps_and_differences_only(explorer: ComparisonExplorer) -> None:
    explorer._on_message(None, {"do": "go", "step": 1}, [])
    assert explorer.step == 1
    explorer._on_message(None, {"do": "jump", "kind": "disagreement", "forward": True}, [])
    assert explorer.step == 3
    for content in (None, {"do": "play"}, {"do": "go", "step": 10**9}, {"do": "written"}):
        explorer._on_message(None, content, [])
    assert 0 <= explorer.step <= explorer.model.last


def test_another_session_can_be_chosen() -> None:
    explorer = acpinspect.explore_comparison(acpinspect.compare(two_sessions(), "spec", "per-chunk"), "s1")
    session = next(part for part in parts(explorer) if getattr(part, "description", "") == "session")
    session.value = explorer.model.a.sessions[1].name
    assert (explorer.session, explorer.model.last) == ("s2", 4)
    explorer.close()


def test_what_can_not_stand_side_by_side_is_refused() -> None:
    truth = pd.DataFrame({"role": ["agent"], "text": ["One."]})
    with pytest.raises(ArgumentError, match="one log"):
        acpinspect.explore_comparison(acpinspect.compare(events(), truth, "spec"))
    with pytest.raises(ArgumentError, match="no policy"):
        acpinspect.explore_comparison(acpinspect.compare(events(), "spec", lambda table: [0] * len(table)))


def test_hostile_text_becomes_no_markup() -> None:
    model = ComparisonModel(acpinspect.compare(hostile(), "spec", "heuristic"))
    for step in range(model.last + 1):
        html = "".join(model.view(step)[1:])
        assert not any(start in html for start in ("<script", "<img", "<svg"))


def test_close_frees_every_widget() -> None:
    before = set(_instances)
    explorer = acpinspect.explore_comparison(acpinspect.compare(events(), "spec", "heuristic"))
    assert set(_instances) > before
    explorer.close()
    assert set(_instances) == before
