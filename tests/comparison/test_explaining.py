"""Why a policy put a boundary somewhere, or none."""

from __future__ import annotations

import pytest

import acpinspect
from acpinspect import EventsError
from acpinspect.comparison import Explanation
from tests.grouping.sequences import read, table_of
from tests.wire import chunk


def explained(text: str, policy: object, item: int, **options: object) -> Explanation:
    events, rows = table_of([read(text)])
    return acpinspect.explain(events, policy, rows[0][item], **options)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "policy", "item", "verdict", "rule", "cause"),
    [
        ("> a c1 a", "zed-v1", 3, "boundary", "agent.close_on has tool:new", 2),
        ("> a x1 a", "toad", 3, "boundary", "agent.close_on has tool:new", 2),
        ("> a usage a", "agent-of-empires", 3, "boundary", "agent.close_on has usage", 2),
        ("> a t a", "acpx", 3, "boundary", "agent.close_on has thought", 2),
        ("> a < > a", "jupyter-ai", 4, "boundary", "agent.close_on has turn_start", 3),
        ("> a@m1 a@m2", "zed-v1", 2, "boundary", "agent.id is 'compare'", 1),
        ("> a@m1 a", "sesori", 2, "boundary", "agent.id is 'key'", 1),
        ("> a a", "per-chunk", 2, "boundary", "agent.id is 'each'", None),
        ("> a@m1 c1 a@m1", "spec", 3, "continues", "agent.id is 'key'", 1),
        ("> a plan a", "zed-v1", 3, "continues", "agent.null is 'wildcard'", 1),
        ("> a a", "spec", 2, "continues", "agent.null is 'open'", 1),
        (">hi u=x", "vscode-acp-fh", 1, "continues", "user.id is 'ignore'", 0),
        ("> a", "toad", 0, "boundary", "prompt is 'closed'", None),
        ("> a plan a", "spec", 3, "boundary", "agent.close_idless has plan", 2),
    ],
)
def test_the_rule_and_the_event_that_made_it_are_named(
    text: str, policy: str, item: int, verdict: str, rule: str, cause: int | None
) -> None:
    explanation = explained(text, policy, item, others=[])
    assert (explanation.verdict, explanation.rule) == (verdict, rule)
    assert explanation.causes == ([] if cause is None else [2 + cause])


@pytest.mark.parametrize(
    ("text", "policy", "item", "why"),
    [
        ("> t a", "jupyter-ai", 1, "never shows"),
        ("> a= a", "acpx", 1, "empty"),
        ("> a < a", "agent-shell", 3, "outside a turn"),
        (">hi u=hi", "zed-v1", 1, "repeats"),
        ("[ a ]", "aionui", 1, "replays"),
        ("> a usage", "zed-v1", 2, "no part of a message"),
        ("> a", "spec-v2", 1, "id is missing"),
    ],
)
def test_what_is_not_shown_has_its_reason(text: str, policy: str, item: int, why: str) -> None:
    explanation = explained(text, policy, item, others=[])
    assert (explanation.verdict, explanation.message) == ("not shown", None)
    assert why in explanation.because


def test_the_first_of_a_role_needs_no_rule() -> None:
    assert "first thought chunk" in explained("> a t", "zed-v1", 2, others=[]).because


def test_others_are_told_beside_it() -> None:
    explanation = explained("> a@m1 c1 a@m1", "zed-v1", 3)
    assert explanation.others["spec"] == "continues"
    assert explanation.others["toad"] == "boundary"
    assert "zed-v1" not in explanation.others
    assert "Others, continues: " in str(explanation)


def test_a_function_said_so() -> None:
    explanation = explained("> a a", lambda events: events["role"].astype(object), 2, others=["spec"])
    assert explanation.because == "The function said so."


def test_an_event_that_is_not_there_is_named() -> None:
    with pytest.raises(EventsError, match="no event 9"):
        acpinspect.explain(acpinspect.from_records([chunk("a")]), "spec", 9)


def test_the_html_is_escaped() -> None:
    events = acpinspect.from_records([chunk("a", "<i>"), chunk("b", "<b>")])
    html = acpinspect.explain(events, "zed-v1", 1, others=[])._repr_html_()
    assert "<b>" not in html
    assert "&lt;b&gt;" in html


def test_of_a_chunk_without_an_id_the_rule_for_such_chunks_is_named() -> None:
    events = acpinspect.from_records([chunk("One."), chunk("Two.")])
    said = acpinspect.explain(events, "ids", 1, others=[])
    assert (said.verdict, said.rule, list(said.causes)) == ("boundary", "agent.null is 'fresh'", [0])
    assert "Without id: a chunk without id never continues anything." in str(said)
