"""Which policies there are: presets, the user's, and those of other packages."""

from __future__ import annotations

from importlib import metadata
from types import SimpleNamespace
from typing import Any

import pytest

import acpinspect
from acpinspect import ArgumentError, Policy, Rules, Stream
from acpinspect.grouping import registry
from tests.grouping.sequences import read, table_of


@pytest.fixture(autouse=True)
def own_registry(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "_policies", dict(registry._policies))


def with_plugin(monkeypatch: pytest.MonkeyPatch, offered: Any) -> None:
    entry = SimpleNamespace(value="other.package:policies", load=lambda: offered)
    monkeypatch.setattr(metadata, "entry_points", lambda group: [entry] if group == registry.GROUP else [])
    monkeypatch.setattr(registry, "_plugins_loaded", False)


def test_a_row_of_the_table_says_all_that_is_known_of_a_policy() -> None:
    policy = Policy(
        name="mine",
        description="One message a role.",
        evidence="source",
        source="https://example.org/x",
        version="1.2",
        date="2026-05",
        live=Rules(agent=Stream(id="key")),
        faults=("Loses images.", "Loses time."),
    )
    acpinspect.register_policy(policy)
    table = acpinspect.policies()
    assert table.index.name == "policy"
    assert {name: str(kind) for name, kind in table.dtypes.items()} == {c.name: c.dtype for c in registry.COLUMNS}
    assert table.loc["mine"].to_dict() == {
        "description": "One message a role.",
        "evidence": "source",
        "source": "https://example.org/x",
        "version": "1.2",
        "date": "2026-05",
        "ids": True,
        "load": "same",
        "faults": ["Loses images.", "Loses time."],
    }


@pytest.mark.parametrize(("name", "ids"), [("spec", True), ("toad", False)])
def test_the_table_says_who_looks_at_ids(name: str, ids: bool) -> None:
    assert bool(acpinspect.policies().loc[name, "ids"]) == ids


def test_our_own_policies_and_those_of_the_protocol_are_no_clients() -> None:
    clients = registry.client_names()
    assert "zed-v1" in clients
    assert not {"spec", "ids", "heuristic", "rfd-literal", "spec-v2"} & set(clients)


def test_every_policy_says_how_it_is_known() -> None:
    table = acpinspect.policies()
    assert (table["description"] != "").all()
    assert (table["source"] != "").all()
    assert table["evidence"].isin(["executed", "partly executed", "source", "pull-request text",
                                   "specification", "own"]).all()  # fmt: skip


def test_clients_say_as_of_when_and_what_they_get_wrong() -> None:
    clients = acpinspect.policies().loc[registry.client_names()]
    assert (clients["date"] != "").all()
    assert clients.drop(index="zed-v2")["faults"].map(len).gt(0).all()


@pytest.mark.parametrize(("name", "load"), [("zed-v1", "same"), ("sesori", "other"), ("aionui", "dropped")])
def test_the_table_says_what_becomes_of_a_replay(name: str, load: str) -> None:
    assert acpinspect.policies().loc[name, "load"] == load


def test_a_registered_policy_can_be_used_by_its_name() -> None:
    acpinspect.register_policy(Policy(name="mine", live=Rules(prompt="none")))
    events, _ = table_of([read("> a t a")])
    assert acpinspect.group(events, "mine").dropna().tolist() == [0, 1, 0]
    assert "mine" in acpinspect.policies().index


def test_a_name_is_not_taken_by_accident() -> None:
    with pytest.raises(ArgumentError) as error:
        acpinspect.register_policy(Policy(name="toad"))
    assert str(error.value) == "There is a policy 'toad' already. Choose another name, or say replace=True."
    acpinspect.register_policy(Policy(name="toad"), replace=True)
    assert acpinspect.get_policy("toad") == Policy(name="toad")


def test_the_same_policy_can_be_registered_twice() -> None:
    acpinspect.register_policy(Policy(name="mine"))
    acpinspect.register_policy(Policy(name="mine"))
    assert acpinspect.get_policy("mine") == Policy(name="mine")


def test_only_policies_can_be_registered() -> None:
    with pytest.raises(ArgumentError) as error:
        acpinspect.register_policy(lambda events: events)  # type: ignore[arg-type]
    assert str(error.value) == "Expected a Policy, got function. Make one: acpinspect.Policy(name=...)."


def test_an_unknown_name_is_answered_with_the_known_ones() -> None:
    with pytest.raises(ArgumentError, match=r"no policy 'zed'.*Known policies: .*zed-v1"):
        acpinspect.get_policy("zed")


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("zed-v", " Did you mean zed-v2 or zed-v1 or zed-62672?"),
        ("toat", " Did you mean toad?"),
        ("xyzzy", ""),
        (7, ""),
    ],
)
def test_names_that_are_near_are_offered(name: Any, meant: str) -> None:
    known = ", ".join(sorted(acpinspect.policies().index))
    with pytest.raises(ArgumentError) as error:
        acpinspect.get_policy(name)
    assert str(error.value) == f"There is no policy {name!r}.{meant} Known policies: {known}."


def test_what_is_no_policy_is_answered_with_what_one_is() -> None:
    events, _ = table_of([read("> a")])
    with pytest.raises(ArgumentError) as error:
        acpinspect.group(events, 3)  # type: ignore[arg-type]
    assert str(error.value) == "3 is no policy. Give a name, a Policy, or a function of the events."


def test_a_column_policy_that_was_changed_is_not_taken_for_the_original() -> None:
    changed = acpinspect.get_policy("heuristic").replace(agent={"close_on": []})
    events, _ = table_of([read("> a c1 a")])
    assert acpinspect.group(events, changed).dropna().tolist() == [0, 0]


@pytest.mark.parametrize(
    "offered",
    [
        Policy(name="theirs"),
        [Policy(name="theirs")],
        lambda: Policy(name="theirs"),
        lambda: [Policy(name="theirs")],
    ],
)
def test_another_package_can_add_policies(monkeypatch: pytest.MonkeyPatch, offered: Any) -> None:
    with_plugin(monkeypatch, offered)
    assert acpinspect.get_policy("theirs") == Policy(name="theirs")


def test_a_broken_package_is_told_of_and_spoils_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    with_plugin(monkeypatch, lambda: 1 / 0)
    told = "The policies of other.package:policies can't be used: division by zero"
    with pytest.warns(UserWarning, match=f"^{told}$"):
        assert acpinspect.get_policy("spec").name == "spec"


def test_another_package_does_not_take_a_name_that_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    with_plugin(monkeypatch, Policy(name="toad", description="Not the toad that is known."))
    with pytest.warns(UserWarning, match="There is a policy 'toad' already"):
        assert acpinspect.get_policy("toad").source


def test_other_packages_are_asked_once(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    with_plugin(monkeypatch, lambda: asked.append("now") or Policy(name="theirs"))
    acpinspect.get_policy("theirs")
    acpinspect.policies()
    assert asked == ["now"]
