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
from tests.widgets.logs import chunk, hostile, prompt, restated, sent, tool, two_sessions


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
    assert "3 differences" in shown(explorer)
    assert [explorer.jump(forward=False), explorer.event] == [5, 4]


def test_a_prompt_that_only_one_shows_is_no_difference() -> None:
    model = ComparisonModel(acpinspect.compare(events(), "spec", "toad"))
    assert model.a.apart.tolist() == [3, 5, 6]  # of the six steps, the prompt is the first


def test_other_policies_can_be_set_side_by_side(explorer: ComparisonExplorer) -> None:
    explorer.b = "ids"
    assert explorer.model.jump(0, forward=True) is None
    with pytest.raises(traitlets.TraitError):
        explorer.a = "nobody"
    assert explorer.a == "spec"


def test_all_clients_are_a_table_that_leads_to_where_they_go_wrong(explorer: ComparisonExplorer) -> None:
    assert 'data-pick="zed-v1"' in shown(explorer)
    assert 'title="go to this event">event 2</button></td></tr>' in shown(explorer)
    button = next(part for part in parts(explorer) if getattr(part, "description", "") == "All clients")
    button.value = False
    assert 'data-pick="zed-v1"' not in shown(explorer)


def test_clients_that_show_the_same_stand_in_one_row(explorer: ComparisonExplorer) -> None:
    rows = explorer.model.clients().split("<tr>")[2:]
    names = [row.split("data-pick=")[1:] for row in rows]
    assert sum(map(len, names)) == 26
    assert len(names) < 10
    assert rows[-1].count("<td>") == rows[0].count("<td>")


def test_a_client_of_the_table_is_set_side_by_side_with_the_left_one(explorer: ComparisonExplorer) -> None:
    explorer._on_message(None, {"do": "pick", "policy": "per-chunk"}, [])
    assert (explorer.a, explorer.b) == ("spec", "per-chunk")
    explorer._on_message(None, {"do": "pick", "policy": "nobody"}, [])
    assert explorer.b == "per-chunk"
    assert "There is no policy" in shown(explorer)


def test_the_table_is_held_against_whatever_stands_on_the_left(explorer: ComparisonExplorer) -> None:
    explorer.a = "heuristic"
    assert "clients, against heuristic" in shown(explorer)


def test_a_long_log_is_opened_without_the_table_and_searched_when_that_is_wanted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name in ("_AT_ONCE", "_SEARCHED"):
        monkeypatch.setattr(f"acpinspect.widgets.comparison_explorer.{name}", 3)
    explorer = acpinspect.explore_comparison(acpinspect.compare(restated(), "spec", "heuristic"))
    assert "data-pick=" not in shown(explorer)
    assert not explorer.model.a.knows_findings
    explorer._go(0)
    explorer._on_message(None, {"do": "jump", "kind": "finding", "forward": True}, [])
    assert explorer.event == 4
    assert "restated-message" in shown(explorer)
    explorer.close()


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


def alternating(table: pd.DataFrame) -> list[int | None]:
    """A grouping that no policy makes: every second chunk begins a message."""
    rows = table["role"].notna().cumsum().tolist()
    return [None if pd.isna(role) else number // 2 for role, number in zip(table["role"], rows, strict=True)]


def glued(table: pd.DataFrame) -> list[int | None]:
    """All that the agent says as one message."""
    return [0 if role == "agent" else None for role in table["role"]]


def other_alternating() -> Any:
    """Another function of the same name."""

    def alternating(table: pd.DataFrame) -> list[int | None]:
        return glued(table)

    return alternating


MINE = acpinspect.get_policy("toad").replace(name="mine")
CHANGED = acpinspect.get_policy("spec").replace(name="spec", prompt="closed")


@pytest.mark.parametrize(
    ("a", "b", "names"),
    [
        (MINE, "spec", ("mine", "spec")),
        (CHANGED, "spec", ("spec (given)", "spec")),
        (alternating, MINE, ("alternating", "mine")),
        (acpinspect.get_policy("toad"), alternating, ("toad", "alternating")),
        (alternating, other_alternating(), ("alternating", "alternating (given)")),
    ],
)
def test_any_two_groupings_of_a_log_can_stand_side_by_side(a: Any, b: Any, names: tuple[str, str]) -> None:
    explorer = acpinspect.explore_comparison(acpinspect.compare(events(), a, b))
    assert explorer.model.names == names
    left, right = (acpinspect.messages(events(), policy) for policy in (a, b))
    view = explorer.model.view(explorer.model.last)
    for table, html in ((left, view.a), (right, view.b)):
        assert html.count('class="item agent') == int((table["role"] == "agent").sum())
    for label, name in zip(("left", "right"), names, strict=True):
        selector = next(part for part in parts(explorer) if getattr(part, "description", "") == label)
        assert selector.value == name
        assert {"zed-v1", "spec", *names} <= set(selector.options)
    explorer.close()


def test_after_a_client_was_looked_at_what_was_given_can_be_chosen_again() -> None:
    explorer = acpinspect.explore_comparison(acpinspect.compare(events(), alternating, MINE))
    right = next(part for part in parts(explorer) if getattr(part, "description", "") == "right")
    right.value = "zed-v1"
    assert (explorer.a, explorer.b) == (alternating, "zed-v1")
    right.value = "mine"
    assert (explorer.a, explorer.b) == (alternating, MINE)
    explorer.close()


def test_the_reason_of_a_function_is_that_it_said_so() -> None:
    model = ComparisonModel(acpinspect.compare(events(), alternating, "per-chunk"))
    step = model.jump(0, forward=True)
    assert step is not None
    assert "The function said so." in model.view(step).why


def test_true_messages_can_stand_beside_a_policy() -> None:
    truth = pd.DataFrame({"role": "agent", "text": ["One.", "Two.Three.", "Four."]})
    model = ComparisonModel(acpinspect.compare(events(), truth, "spec"))
    assert model.names == ("truth", "spec")
    assert [model.jump(0, forward=True), model.jump(5, forward=True)] == [None, None]
    model.choose(model.a.policy, "heuristic")
    assert model.jump(0, forward=True) == 3
    assert "So the true messages are." in model.view(3).why


def test_two_logs_are_refused() -> None:
    live, replay = events(), events()
    with pytest.raises(ArgumentError, match="not two logs"):
        acpinspect.explore_comparison(acpinspect.compare_logs(live, replay))


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


def test_what_is_no_comparison_is_refused() -> None:
    with pytest.raises(ArgumentError, match="Expected a comparison, got DataFrame"):
        acpinspect.explore_comparison(events())  # type: ignore[arg-type]
