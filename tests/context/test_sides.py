"""Labels are calibrated by the methods whose sender the protocol fixes."""

from __future__ import annotations

import pytest

import acpinspect
from tests.wire import Json, chunk, notification, prompt, stop


def labelled(*pairs: tuple[str, Json]) -> list[Json]:
    return [{"dir": label, "msg": frame} for label, frame in pairs]


@pytest.mark.parametrize(("to_agent", "to_client"), [("out", "in"), ("in", "out"), (">>>", "<<<"), ("<<<", ">>>")])
def test_a_label_means_the_side_whose_methods_it_marks(to_agent: str, to_client: str) -> None:
    log = labelled(
        (to_agent, prompt(1)), (to_client, chunk("a")), (to_client, notification("_x/y")), (to_client, stop(1))
    )
    events = acpinspect.from_records(log)
    assert events["sender"].tolist() == ["client", "agent", "agent", "agent"]
    assert events["sender_label"].tolist() == [to_agent, to_client, to_client, to_client]


def test_of_two_labels_the_uncalibrated_one_is_the_other_side() -> None:
    events = acpinspect.from_records(labelled(("in", chunk("a")), ("out", notification("_vendor/ping"))))
    assert events["sender"].tolist() == ["agent", "client"]


def test_a_label_that_marks_both_sides_says_nothing() -> None:
    log = labelled(("down", prompt(1)), ("down", chunk("a")), ("down", notification("_x/y")), ("up", stop(1)))
    events = acpinspect.from_records(log)
    assert events["sender"].tolist()[:2] == ["client", "agent"]
    assert events["sender"].isna().tolist() == [False, False, True, False]


def test_a_method_overrules_its_label() -> None:
    log = labelled(*[("in", chunk("a"))] * 20, ("in", prompt(1)))
    assert acpinspect.from_records(log)["sender"].tolist() == ["agent"] * 20 + ["client"]
