"""The explorer's widget in the kernel: traits that a notebook sets and observes, and what a page may ask for."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import ipywidgets
import numpy as np
import pytest
import traitlets
from ipywidgets.widgets.widget import _instances

import acpinspect
from acpinspect.errors import ArgumentError, EventsError
from acpinspect.widgets.explorer import Explorer
from tests.widgets.logs import chunk, hostile, restated, sent, turn, two_sessions


@pytest.fixture
def explorer() -> Iterator[Explorer]:
    made = acpinspect.explore(turn())
    yield made
    made.close()


def shown(explorer: Explorer) -> str:
    return "".join(part.value for part in parts(explorer) if isinstance(part, ipywidgets.HTML))


def parts(root: ipywidgets.Widget) -> list[ipywidgets.Widget]:
    found = [root]
    for child in getattr(root, "children", ()):
        found += parts(child)
    return found


def named(explorer: Explorer, tooltip: str) -> Any:
    return next(part for part in parts(explorer) if str(getattr(part, "tooltip", None)).startswith(tooltip))


def labelled(explorer: Explorer, label: str) -> Any:
    return next(
        part
        for part in parts(explorer)
        if getattr(part, "description", None) == label and not isinstance(part, ipywidgets.Button)
    )


def ask(explorer: Explorer, **content: object) -> None:
    explorer._on_message(None, content, [])


def test_it_begins_with_the_first_event_and_says_where_it_is(explorer: Explorer) -> None:
    assert (explorer.step, explorer.event, explorer.session, explorer.policy) == (1, 0, "s1", "spec")


def test_a_step_that_is_set_is_shown(explorer: Explorer) -> None:
    explorer.step = 4
    assert "One <mark>two.</mark>" in shown(explorer)
    assert explorer.strip.step == 4


def test_a_step_that_there_is_not_is_refused_and_changes_nothing(explorer: Explorer) -> None:
    with pytest.raises(traitlets.TraitError, match="the last one is 8"):
        explorer.step = 9
    assert explorer.step == 1


def test_what_was_said_is_gone_with_the_next_step(explorer: Explorer) -> None:
    named(explorer, "previous tool").click()
    assert "There is no earlier tool." in shown(explorer)
    explorer.step = 4
    assert "There is no earlier tool." not in shown(explorer)


def test_a_notebook_can_observe_the_step(explorer: Explorer) -> None:
    seen: list[int] = []
    explorer.observe(lambda change: seen.append(change["new"]), "step")
    named(explorer, "next event").click()
    named(explorer, "last").click()
    named(explorer, "previous event").click()
    named(explorer, "first").click()
    assert seen == [2, 8, 7, 0]


def test_each_button_leads_where_its_name_says(explorer: Explorer) -> None:
    named(explorer, "next boundary").click()
    assert explorer.step == 2
    named(explorer, "next tool").click()
    assert explorer.step == 5
    named(explorer, "previous turn").click()
    assert explorer.step == 1
    named(explorer, "previous tool").click()
    assert "There is no earlier tool." in shown(explorer)
    named(explorer, "to where the last jump began").click()
    assert explorer.step == 5


def test_every_button_and_field_has_a_name(explorer: Explorer) -> None:
    buttons = [part for part in parts(explorer) if isinstance(part, ipywidgets.Button | ipywidgets.ToggleButton)]
    fields = [part for part in parts(explorer) if isinstance(part, ipywidgets.Text | ipywidgets.Dropdown)]
    assert len(buttons) > 20
    assert all(button.tooltip for button in buttons)
    assert all(field.description for field in fields)


def test_another_policy_shows_other_messages() -> None:
    frames = [sent(chunk("a", "m1")), sent(chunk("b", "m2"))]
    explorer = acpinspect.explore(acpinspect.from_records(frames, protocol="v1"), step=2)
    explorer.policy = "heuristic"
    assert "a<mark>b</mark>" in shown(explorer)
    assert labelled(explorer, "policy").value == "heuristic"
    explorer.close()


def test_a_policy_of_ones_own_can_be_looked_through(explorer: Explorer) -> None:
    explorer.policy = acpinspect.get_policy("zed-v1").replace(name="my-zed")
    assert labelled(explorer, "policy").value == "my-zed"


def test_policies_that_were_given_can_be_chosen_again(explorer: Explorer) -> None:
    mine, other = (acpinspect.get_policy("zed-v1").replace(name=name) for name in ("my-zed", "spec"))
    explorer.policy = mine
    explorer.policy = other
    assert explorer.policy is other
    assert labelled(explorer, "policy").value == "spec (given)"
    labelled(explorer, "policy").value = "my-zed"
    assert explorer.policy is mine
    labelled(explorer, "policy").value = "spec"
    assert explorer.policy == "spec"
    assert "as <b>spec</b> shows it" in shown(explorer)


def test_a_policy_of_a_registered_name_is_not_taken_for_that_one() -> None:
    frames = [sent(chunk("a", "m1")), sent(chunk("b", "m2"))]
    explorer = acpinspect.explore(acpinspect.from_records(frames, protocol="v1"), step=2)
    explorer.policy = acpinspect.get_policy("heuristic").replace(name="spec")
    assert "a<mark>b</mark>" in shown(explorer)
    explorer.policy = "spec"
    assert "a<mark>b</mark>" not in shown(explorer)
    explorer.close()


def test_a_function_can_be_looked_through() -> None:
    explorer = acpinspect.explore(turn(), policy=lambda events: events["role"].isna().to_list(), step=4)
    assert labelled(explorer, "policy").value == "<lambda>"
    assert "as <b>&lt;lambda&gt;</b> shows it" in shown(explorer)
    explorer.close()


def test_the_policy_that_disagreements_are_told_with_is_what_the_selector_says() -> None:
    explorer = acpinspect.explore(turn(), against="toad")
    against = labelled(explorer, "against")
    assert against.value == "toad"
    against.value = ""
    assert explorer.model.against == "heuristic"
    explorer.policy = "heuristic"
    assert (against.label, explorer.model.against) == ("auto (spec)", "spec")
    explorer.close()


@pytest.mark.parametrize(("trait", "value"), [("policy", "nobody"), ("session", "nobody"), ("policy", 7)])
def test_what_there_is_not_is_refused_and_changes_nothing(explorer: Explorer, trait: str, value: object) -> None:
    before = getattr(explorer, trait)
    with pytest.raises(traitlets.TraitError):
        setattr(explorer, trait, value)
    assert getattr(explorer, trait) == before
    assert "as <b>spec</b> shows it" in shown(explorer)


def test_another_session_keeps_the_step_where_it_can() -> None:
    explorer = acpinspect.explore(two_sessions(), step=4)
    explorer.session = "s1"
    assert explorer.step == explorer.model.last == 2
    labelled(explorer, "session").value = explorer.model.sessions[1].name
    assert explorer.session == "s2"
    explorer.close()


def test_a_filter_is_kept_by_arrows_and_strip(explorer: Explorer) -> None:
    explorer.filter = "role:agent"
    named(explorer, "next event").click()
    assert explorer.step == 3
    assert np.frombuffer(explorer.strip.kept, "<i4").tolist() == [3, 4, 7]


def test_the_filter_offers_what_there_is_in_the_session() -> None:
    explorer = acpinspect.explore(two_sessions())
    offered = labelled(explorer, "filter")
    assert "lane:agent" in offered.options
    assert "method:session/prompt" in offered.options
    explorer.session = "s1"
    assert list(offered.options) == explorer.model.offers()
    explorer.close()


def test_a_filter_that_means_nothing_is_said_and_keeps_the_old_one(explorer: Explorer) -> None:
    explorer.filter = "role:agent"
    explorer.filter = "colour:<b>"
    assert "⚠ There is no field 'colour'" in shown(explorer)
    assert explorer.model.kept.tolist() == [3, 4, 7]


def test_findings_are_a_trait() -> None:
    explorer = acpinspect.explore(hostile())
    assert explorer.findings is not None
    assert set(explorer.findings.columns) >= {"code", "event", "remedy"}
    explorer.close()


def test_bookmarks_lead_back(explorer: Explorer) -> None:
    explorer.step = 4
    explorer.bookmark("the <b>text</b>")
    explorer.step = 1
    labelled(explorer, "bookmarks").value = 4
    assert explorer.step == 4


def test_a_bookmarked_step_says_so_until_that_is_forgotten(explorer: Explorer) -> None:
    forget = named(explorer, "forget the bookmark")
    explorer.step = 4
    labelled(explorer, "note").value = "the <b>text</b>"
    named(explorer, "keep this step").click()
    assert "bookmark the &lt;b&gt;text&lt;/b&gt;" in shown(explorer)
    assert (explorer.strip.flags, forget.disabled) == ([4], False)
    explorer.step = 5
    assert forget.disabled
    explorer.step = 4
    forget.click()
    assert "bookmark the" not in shown(explorer)
    assert (explorer.strip.flags, explorer.model.bookmarks) == ([], {})


def test_the_strip_shows_which_step_is_pinned(explorer: Explorer) -> None:
    explorer.step = 2
    named(explorer, "compare every step").value = True
    assert explorer.strip.pinned == 2
    named(explorer, "compare every step").value = False
    assert explorer.strip.pinned == -1


def test_what_belongs_to_another_session_leaves_the_strip() -> None:
    explorer = acpinspect.explore(two_sessions(), step=2)
    explorer.bookmark()
    named(explorer, "compare every step").value = True
    explorer.session = "s1"
    assert (explorer.strip.flags, explorer.strip.pinned) == ([], -1)
    explorer.close()


def test_a_pinned_step_is_what_others_are_compared_with(explorer: Explorer) -> None:
    explorer.step = 2
    named(explorer, "compare every step").value = True
    explorer.step = 4
    assert "from step 2 (pinned) to step 4" in shown(explorer)


def test_exports_are_links_that_fetch_nothing(explorer: Explorer) -> None:
    explorer.bookmark("here")
    for what in ("step", "bookmarks", "log"):
        labelled(explorer, "export").value = what
        assert 'href="data:' in shown(explorer)
        assert labelled(explorer, "export").value == ""


def test_a_minimal_log_is_a_link_beside_what_it_shows() -> None:
    explorer = acpinspect.explore(restated(), step=5)
    labelled(explorer, "export").value = "minimal"
    assert 'download="s1-restated-message.ndjson"' in shown(explorer)
    assert "restated-message: 2 of 9 events still show it." in shown(explorer)
    explorer.close()


def test_an_export_that_there_is_not_is_said_and_leaves_no_link(explorer: Explorer) -> None:
    labelled(explorer, "export").value = "minimal"
    assert "Nothing was found at event 0" in shown(explorer)
    assert 'role="alert"' in shown(explorer)
    assert "download=" not in shown(explorer)


def test_a_page_can_ask_for_what_it_may(explorer: Explorer) -> None:
    ask(explorer, do="jump", kind="tool", forward=True)
    assert explorer.step == 5
    ask(explorer, do="go", step=4)
    assert explorer.step == 4
    ask(explorer, do="written", slot=1, start=0, units=0)
    assert explorer.step == 3
    ask(explorer, do="select", range=[6, 3])
    assert explorer.model.kept.tolist() == [3, 4, 5, 6]
    ask(explorer, do="select", range=[])
    assert len(explorer.model.kept) == 8
    explorer.strip.step = 7
    assert explorer.step == 7


@pytest.mark.parametrize(
    "content",
    [
        None,
        {},
        {"do": "close"},
        {"do": ["go"]},
        {"do": "go", "step": "5"},
        {"do": "go", "step": 10**30},
        {"do": "jump", "kind": "__class__"},
        {"do": "jump", "kind": ["tool"]},
        {"do": "select", "range": ["a", None]},
        {"do": "written", "slot": -5, "start": "x", "units": 10**12},
        {"do": "written", "slot": 10**12},
    ],
)
def test_what_a_page_may_not_ask_for_breaks_nothing(explorer: Explorer, content: object) -> None:
    explorer._on_message(None, content, [])
    assert 0 <= explorer.step <= explorer.model.last


def test_playing_goes_to_the_end_and_stops() -> None:
    async def play() -> int:
        explorer = acpinspect.explore(turn())
        explorer.player.per_second = 1e6
        explorer.toggle_play()
        await explorer.player.wait()
        step: int = explorer.step
        assert not explorer.playing
        explorer.close()
        return step

    assert asyncio.run(play()) == 8


def test_without_a_loop_nothing_plays_and_that_is_said(explorer: Explorer) -> None:
    explorer.playing = True
    assert not explorer.playing
    assert "needs a notebook" in shown(explorer)


def test_close_frees_every_widget() -> None:
    before = set(_instances)
    explorer = acpinspect.explore(turn())
    explorer.step = 3
    assert set(_instances) > before
    explorer.close()
    assert set(_instances) == before


def test_without_anywidget_all_but_the_strip_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "anywidget", None)
    monkeypatch.delitem(sys.modules, "acpinspect.widgets.strip", raising=False)
    explorer = acpinspect.explore(turn())
    assert explorer.strip is None
    slider = next(part for part in parts(explorer) if isinstance(part, ipywidgets.IntSlider))
    slider.value = 4
    assert explorer.step == 4
    explorer.filter = "role:agent"
    assert (slider.max, slider.value) == (3, 2)
    assert "event 1</span>" in shown(explorer)
    assert "<button" not in shown(explorer)
    explorer.close()


def test_without_ipywidgets_the_error_says_what_to_install() -> None:
    code = (
        "import sys; sys.modules['ipywidgets'] = None\n"
        "import acpinspect\n"
        "events = acpinspect.from_records([{'jsonrpc': '2.0', 'id': 1, 'method': 'initialize'}])\n"
        "try:\n    acpinspect.explore(events)\nexcept ImportError as error:\n    print(error)"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, encoding="utf-8", check=True)
    assert result.stdout == "explore needs ipywidgets: pip install acpinspect[notebook]\n"


def test_it_begins_where_it_is_told_to() -> None:
    explorer = acpinspect.explore(turn(), event=3)
    assert explorer.step == 4
    explorer.close()
    with pytest.raises(ArgumentError):
        acpinspect.explore(turn(), step=99)
    with pytest.raises(EventsError):
        acpinspect.explore(turn(), event=99)
