"""True messages as a grouping of events: which true message each event is of."""

from __future__ import annotations

import pandas as pd
import pytest

import acpinspect
from acpinspect.comparison.truth import TrueMessages
from tests.conftest import needs_corpus
from tests.wire import chunk, prompt, stop, tool_call, whole


def truth(*texts: str, role: str = "agent") -> pd.DataFrame:
    return pd.DataFrame({"role": role, "text": list(texts)})


def labels(table: pd.DataFrame, *frames: object, protocol: str = "v1") -> list[int | None]:
    events = acpinspect.from_records(frames, protocol=protocol)  # type: ignore[arg-type]
    grouped = acpinspect.group(events, TrueMessages(table))
    return [None if pd.isna(label) else int(label) for label in grouped]


def test_an_event_is_of_the_true_message_that_its_words_are_of() -> None:
    assert labels(truth("One two.", "Three."), chunk("One "), chunk("two."), chunk("Three.")) == [0, 0, 1]


def test_a_piece_of_a_word_goes_with_the_word() -> None:
    assert labels(truth("Lighthouse.", "Horn."), chunk("Light"), chunk("house"), chunk("."), chunk("Horn.")) == [
        0, 0, 0, 1,
    ]  # fmt: skip


def test_a_chunk_with_parts_of_two_is_of_the_one_that_has_more_of_it() -> None:
    assert labels(truth("One.", "Another one."), chunk("One"), chunk(". Another"), chunk(" one.")) == [0, 1, 1]


def test_a_chunk_without_words_goes_with_the_one_before() -> None:
    assert labels(truth("One.", "Two."), chunk("One."), chunk(""), chunk("Two.")) == [0, 0, 1]


def test_words_of_the_log_alone_are_of_no_true_message() -> None:
    assert labels(truth("Two."), prompt(1), chunk("Unheard!", "m1"), chunk("Two.", "m2"), stop(1)) == [
        None, None, 0, None,
    ]  # fmt: skip


def test_each_role_is_aligned_by_itself() -> None:
    table = pd.concat([truth("Same words."), truth("Same words.", role="thought")], ignore_index=True)
    assert labels(table, chunk("Same words.", role="agent_thought"), tool_call(), chunk("Same words.")) == [
        0,
        None,
        1,
    ]


def test_pieces_that_a_whole_message_replaced_go_with_it() -> None:
    frames = chunk("Wrong", "m1"), whole("m1", "Right."), chunk("Next.", "m2")
    assert labels(truth("Right.", "Next."), *frames, protocol="v2") == [0, 0, 1]


@needs_corpus
def test_where_ids_tell_the_truth_it_groups_a_real_recording_as_they_do() -> None:
    from tests.comparison.test_comparison import recording, truth_of

    events, table = recording("codex-acp-2.6.0.jsonl"), truth_of("codex-acp-2.6.0")
    own = events["role"].isin(["agent", "thought"])
    assert acpinspect.group(events[own], TrueMessages(table)).equals(acpinspect.group(events[own], "spec"))


def test_a_comparison_says_what_groups_each_side_and_which_events() -> None:
    events = acpinspect.from_records([chunk("One"), chunk("Two")])
    mine = acpinspect.get_policy("toad").replace(name="mine")
    comparison = acpinspect.compare(events, mine, "spec")
    assert comparison.policies == (mine, "spec")
    assert comparison.events is not None
    assert comparison.events.equals(events)


def test_the_truth_of_a_comparison_groups_its_events() -> None:
    events = acpinspect.from_records([chunk("One "), chunk("Two")])
    comparison = acpinspect.compare(events, truth("One", "Two"), "spec")
    assert comparison.events is not None
    assert acpinspect.group(comparison.events, comparison.policies[0]).tolist() == [0, 1]
    assert (comparison.a, comparison.b) == ("truth", "spec")


def test_two_logs_have_no_events_in_common() -> None:
    events = acpinspect.from_records([chunk("One")])
    comparison = acpinspect.compare_logs(events, events.copy())
    assert (comparison.events, comparison.policies) == (None, ("spec", "spec"))


@pytest.mark.parametrize(
    ("event", "because"), [(0, "So the true messages are."), (1, "No true message has its words.")]
)
def test_the_reason_is_the_table(event: int, because: str) -> None:
    events = acpinspect.from_records([chunk("One"), chunk("Two", "m2")])
    assert acpinspect.explain(events, TrueMessages(truth("One")), event, others=[]).because == because
