"""Any policy applied to a table: what the result is called, how it is indexed, and what functions may give."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import pandas as pd
import pytest

import acpinspect
from acpinspect import ArgumentError, Policy, Rules, Stream
from acpinspect.grouping import group, outcomes
from acpinspect.grouping.applying import Shared, apply, looks_at_ids, name_of, needs_no_state
from acpinspect.grouping.compiled import REASONS
from tests.wire import chunk, prompt, stop, text, update

LOG = [prompt(1), chunk("a"), chunk("b"), stop(1)]


def marked(value: str, ident: str, role: str = "agent_message") -> dict[str, Any]:
    return update(f"{role}_chunk", content=text(value), _meta={"id": ident})


class Everything:
    """One message of all events."""

    def __call__(self, events: pd.DataFrame) -> list[int]:
        return [0] * len(events)


def by_role(events: pd.DataFrame) -> pd.Series:
    return events["role"].astype(object)


@pytest.mark.parametrize(
    ("policy", "name"),
    [
        ("toad", "toad"),
        (Policy(name="mine"), "mine"),
        (by_role, "by_role"),
        (Everything(), "Everything"),
        (partial(by_role), "partial"),
    ],
)
def test_the_labels_are_called_as_the_policy_is(policy: Any, name: str) -> None:
    assert group(acpinspect.from_records(LOG), policy).name == name_of(policy) == name


@pytest.mark.parametrize("policy", ["spec", "toad", by_role])
def test_labels_and_reasons_have_the_index_of_the_table(policy: Any) -> None:
    events = acpinspect.from_records(LOG).iloc[1:]
    assert group(events, policy).index.tolist() == outcomes(events, policy).index.tolist() == [1, 2, 3]


def test_the_reasons_are_of_one_type_whatever_the_log_is() -> None:
    for log in ([], LOG):
        table = outcomes(acpinspect.from_records(log))
        assert table["reason"].cat.categories.tolist() == list(REASONS[1:])
        assert table["reason"].cat.categories.dtype == object
        assert str(table["label"].dtype) == "Int64"


def test_without_a_policy_the_rule_is_our_own() -> None:
    events = acpinspect.from_records([chunk("a", "m1"), chunk("b"), chunk("c", "m2")])
    assert (
        group(events).tolist() == group(events, "spec").tolist() == outcomes(events)["label"].tolist() == [0, 0, 1]
    )


def test_the_missing_labels_are_missing_and_stand_for_nothing() -> None:
    labels = group(acpinspect.from_records(LOG)).array
    assert labels.isna().tolist() == [True, False, False, True]


@pytest.mark.parametrize("none", [None, np.nan, pd.NA, pd.NaT])
def test_a_function_gives_no_label_in_any_way(none: object) -> None:
    given = [none, "x", none, "y"]
    table = outcomes(acpinspect.from_records(LOG), lambda _: given)
    assert table["label"].tolist() == [pd.NA, 0, pd.NA, 1]
    assert table["reason"].astype(object).fillna("").tolist() == ["other", "", "other", ""]


def test_labels_of_a_function_are_numbered_as_they_appear() -> None:
    assert group(acpinspect.from_records(LOG), lambda _: ["z", 3, "z", "a"]).tolist() == [0, 1, 0, 2]


@pytest.mark.parametrize(("given", "count"), [(None, 0), (7, 0), ([1, 2], 2)])
def test_a_function_that_gives_too_little_is_told_so(given: object, count: int) -> None:
    def short(events: pd.DataFrame) -> object:
        assert len(events) == 4
        return given

    with pytest.raises(ArgumentError) as error:
        group(acpinspect.from_records(LOG), short)
    assert str(error.value) == (
        f"The function short gave {count} labels for 4 events. "
        "It must give one for each event, NA or None where an event is no part of a message."
    )


@pytest.mark.parametrize("role", ["user_message", "agent_message", "agent_thought"])
@pytest.mark.parametrize("name", ["spec", "engine"])
def test_hidden_ids_are_taken_for_every_role(name: str, role: str) -> None:
    stream = Stream(id="key", null="distinct")
    mine = Policy(name="engine", live=Rules(user=stream, agent=stream, thought=stream))
    policy = acpinspect.get_policy("spec") if name == "spec" else mine
    log = [marked("a", "x", role), marked("b", "y", role), marked("c", "x", role)]
    assert group(acpinspect.from_records(log), policy.with_meta_id("update._meta.id")).tolist() == [0, 1, 0]


def test_policies_that_look_at_one_table_do_not_disturb_each_other() -> None:
    shared = Shared(
        acpinspect.from_records([chunk("a", "m1"), chunk("b", "m1"), marked("c", "x"), marked("d", "y")])
    )
    plain = Policy(name="plain", live=Rules(agent=Stream(id="compare", null="distinct")))
    hidden = plain.with_meta_id("update._meta.id")
    found = [apply(policy, shared).labels.tolist() for policy in (plain, hidden, plain)]
    assert found == [[0, 0, 1, 1], [0, 0, 1, 2], [0, 0, 1, 1]]


@pytest.mark.parametrize("role", ["user_message", "agent_message", "agent_thought"])
def test_a_chunk_of_any_role_without_the_id_that_it_needs_has_a_reason(role: str) -> None:
    log = [chunk("a", role=role), update("plan", entries=[])]
    reasons = outcomes(acpinspect.from_records(log, protocol="v1"), "spec-v2")["reason"]
    assert reasons.tolist() == ["invalid id", "other"]


def test_a_policy_of_columns_needs_no_state_wherever_its_ids_stand() -> None:
    spec = acpinspect.get_policy("spec")
    assert needs_no_state(spec.with_meta_id("update._meta.id"))
    assert not needs_no_state(spec.replace(prompt="open"))
    assert not needs_no_state(by_role)
    assert not looks_at_ids(by_role)
