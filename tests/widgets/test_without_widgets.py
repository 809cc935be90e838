"""What a notebook shows of our values where no widgets are: nbviewer, the notebook view of a forge."""

from __future__ import annotations

import pytest

import acpinspect
from tests.widgets.logs import HOSTILE, hostile, turn


def test_a_state_shows_its_entities_in_order() -> None:
    shown = acpinspect.timeline(turn())[-1]._repr_html_()
    assert shown.index("Let me see.") < shown.index("One two.") < shown.index("Run call-1") < shown.index("Done.")
    assert "session s1 (v1)" in shown


def test_a_policy_shows_what_it_does() -> None:
    shown = acpinspect.get_policy("zed-v1")._repr_html_()
    assert shown.count("<p") == len(acpinspect.get_policy("zed-v1").describe().splitlines())


@pytest.mark.parametrize("step", range(22))
def test_hostile_text_is_escaped_in_states_diffs_and_blames(step: int) -> None:
    timeline = acpinspect.timeline(hostile())
    shown = timeline[step]._repr_html_() + timeline.diff(step)._repr_html_() + timeline._repr_html_()
    assert not any(word in shown for word in HOSTILE if "<" in word)
    assert "\x00" not in shown
    assert "\u202e" not in shown
