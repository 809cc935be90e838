"""Policies as data: checked, compared by value, changed by parameter, written and read as JSON."""

from __future__ import annotations

import json
from typing import Any

import pytest

import acpinspect
from acpinspect import ArgumentError, Cues, Policy, Rules, Stream
from acpinspect.grouping.presets import PRESETS
from acpinspect.grouping.vocabulary import TOKENS, described


def test_policies_are_equal_by_value() -> None:
    assert Policy(name="a", live=Rules(prompt="open")) == Policy(name="a", live=Rules(prompt="open"))
    assert Policy(name="a") != Policy(name="b")


def test_a_policy_can_be_a_key() -> None:
    assert len({Policy(name="a"), Policy(name="a"), Policy(name="b")}) == 2


def test_a_policy_cannot_be_changed_in_place() -> None:
    with pytest.raises(AttributeError):
        Policy(name="a").name = "b"  # type: ignore[misc]


def test_the_load_rules_are_the_live_ones_unless_told() -> None:
    policy = Policy(name="a", live=Rules(prompt="open"))
    assert policy.load == policy.live


@pytest.mark.parametrize("policy", PRESETS, ids=lambda policy: policy.name)
def test_a_preset_survives_json(policy: Policy) -> None:
    assert Policy.from_dict(json.loads(json.dumps(policy.to_dict()))) == policy


@pytest.mark.parametrize("policy", PRESETS, ids=lambda policy: policy.name)
def test_a_preset_says_where_it_comes_from_and_what_it_does(policy: Policy) -> None:
    assert policy.description.endswith(".")
    assert policy.source
    assert policy.describe().startswith(f"{policy.name}: {policy.description}")


@pytest.mark.parametrize(
    ("parameters", "named", "allowed"),
    [
        ({"live": {"agent": {"id": "keyed"}}}, "id", "'key_then_compare'"),
        ({"live": {"agent": {"null": "any"}}}, "null", "'wildcard'"),
        ({"live": {"agent": {"empty": "hide"}}}, "empty", "'absorb'"),
        ({"live": {"agent": {"blank": 1}}}, "blank", "'drop_at_start'"),
        ({"live": {"agent": {"nontext": None}}}, "nontext", "'own'"),
        ({"live": {"agent": {"close_on": ["tool"]}}}, "close_on", "tool:new"),
        ({"live": {"agent": {"close_idless": "plan"}}}, "close_idless", "plan:first"),
        ({"live": {"prompt": "shown"}}, "prompt", "'open_null_only'"),
        ({"live": {"dedup": ["echo"]}}, "dedup", "restated_block"),
        ({"live": {"late": "lost"}}, "late", "'route_by_id'"),
        ({"live": {"null_invalid": 1}}, "null_invalid", "True or False"),
        ({"live": {"id_scope": "all"}}, "id_scope", "'role'"),
        ({"live": {"agents": {}}}, "agents", "kind_conflict"),
        ({"live": 3}, "live", "Rules"),
        ({"evidence": "rumour"}, "evidence", "'executed'"),
        ({"empty_id": "none"}, "empty_id", "'absent'"),
        ({"cues": {"gap": -1}}, "cues.gap", "seconds"),
        ({"cues": {"start": ""}}, "cues.start", "text"),
        ({"name": "no spaces"}, "name", "hyphens"),
        ({"source": 3}, "source", "text"),
        ({"colour": "red"}, "colour", "evidence"),
    ],
)
def test_an_error_names_the_parameter_and_what_it_allows(
    parameters: dict[str, Any], named: str, allowed: str
) -> None:
    with pytest.raises(ArgumentError) as error:
        Policy.from_dict({"name": "mine", **parameters})
    assert named in str(error.value)
    assert allowed in str(error.value)


def test_replace_changes_both_phases_where_a_parameter_is_of_the_rules() -> None:
    policy = acpinspect.get_policy("sesori").replace(prompt="open", agent={"empty": "keep"})
    assert {policy.live.prompt, policy.load.prompt} == {"open"}
    assert {policy.live.agent.empty, policy.load.agent.empty} == {"keep"}
    assert policy.live.agent.id != policy.load.agent.id


def test_replace_reaches_into_one_phase() -> None:
    policy = Policy(name="a").replace(live={"agent": {"id": "key"}})
    assert (policy.live.agent.id, policy.load.agent.id) == ("key", "ignore")


def test_replace_keeps_the_rest() -> None:
    policy = Policy(name="a", live=Rules(agent=Stream(close_on={"plan"})))
    assert policy.replace(agent={"id": "key"}).live.agent.close_on == {"plan"}


def test_replace_names_a_parameter_that_there_is_not() -> None:
    with pytest.raises(ArgumentError, match="no parameter 'agnet'"):
        Policy(name="a").replace(agnet={"id": "key"})
    with pytest.raises(ArgumentError, match="no parameter 'ids'"):
        Policy(name="a").replace(agent={"ids": "key"})


def test_cues_are_off_unless_asked_for() -> None:
    assert not Cues()
    assert Cues(gap=2.0)
    assert not any(policy.cues for policy in PRESETS)


@pytest.mark.parametrize("path", ["messageId", "update.messageId", "update._meta", "_meta", "", 3])
def test_a_meta_id_is_a_path_under_meta(path: object) -> None:
    with pytest.raises(ArgumentError, match="meta_id"):
        Policy(name="a").with_meta_id(path)  # type: ignore[arg-type]


def test_a_description_tells_every_token_that_closes() -> None:
    text = acpinspect.get_policy("avante").describe()
    for words in described(acpinspect.get_policy("avante").live.agent.close_on):
        assert words in text


def test_a_description_keeps_live_and_replay_apart() -> None:
    assert "In a replay:\n  Nothing is shown." in acpinspect.get_policy("aionui").describe()
    assert "Live and in a replay:" in acpinspect.get_policy("zed-v1").describe()


def test_every_token_is_told_in_words_of_its_own() -> None:
    assert len(set(TOKENS.values())) == len(TOKENS)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"cues": {"gap": 2.5}}, "A pause of more than 2.5 s begins a new message."),
        ({"cues": {"content_type": True}}, "Another block type begins a new message."),
        ({"cues": {"state": True}}, "A change of the session's state begins a new message."),
        ({"cues": {"start": "_a", "end": "_b"}}, "The marker '_b' ends a message."),
        ({"meta_id": "update._meta.x"}, "Ids are taken from update._meta.x."),
        ({"empty_id": "absent"}, 'the id "" counts as none'),
        ({"id_scope": "role"}, "Agent text and thought share the id"),
        ({"kind_conflict": "reject"}, "A chunk whose id belongs to another role is rejected."),
        ({"null_invalid": True}, "A chunk without id is rejected."),
        ({"unanimous_ids": True}, "Ids count only where every agent chunk of the turn has one."),
        ({"agent": {"close_idless": ["plan"]}}, "without id also closed by a plan"),
    ],
)
def test_a_description_tells_every_parameter_that_was_changed(changes: dict[str, Any], words: str) -> None:
    assert words.lower() in Policy(name="a").replace(**changes).describe().lower()


def test_a_phase_can_be_replaced_as_a_whole() -> None:
    rules = Rules(prompt="none")
    policy = Policy(name="a").replace(load=rules, cues=Cues(gap=1))
    assert (policy.load, policy.live.prompt, policy.cues.gap) == (rules, "closed", 1)
