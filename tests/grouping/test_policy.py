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


EVIDENCE = "'executed', 'partly executed', 'source', 'pull-request text', 'specification', 'own', 'user'"
DEDUP = "echo_block_optimistic, echo_block_last, echo_text_tail, restated_block, swallow_consolidated"


@pytest.mark.parametrize(
    ("parameters", "sentence"),
    [
        ({"evidence": "rumour"}, f"evidence can't be 'rumour'. It is one of: {EVIDENCE}."),
        ({"live": {"late": "lost"}}, "late can't be 'lost'. It is one of: 'accept', 'drop', 'route_by_id'."),
        ({"live": {"dedup": "restated_block"}}, f"dedup can't be 'restated_block'. It is a set of: {DEDUP}."),
        ({"live": {"dedup": 3}}, f"dedup can't be 3. It is a set of: {DEDUP}."),
        ({"live": {"dedup": ["restated_block", "x", "b"]}}, f"dedup can't have 'b'. It is a set of: {DEDUP}."),
        ({"live": {"drop_all": None}}, "drop_all can't be None. It is True or False."),
        ({"live": {"unanimous_ids": 0}}, "unanimous_ids can't be 0. It is True or False."),
        ({"cues": {"content_type": 1}}, "cues.content_type can't be 1. It is True or False."),
        ({"cues": {"state": "yes"}}, "cues.state can't be 'yes'. It is True or False."),
        ({"cues": {"end": 7}}, "cues.end can't be 7. It is None or a text."),
        ({"cues": {"start": ""}}, "cues.start can't be ''. It is None or a text."),
        ({"cues": {"gap": True}}, "cues.gap can't be True. It is None or a number of seconds from 0 on."),
        ({"cues": {"gap": float("nan")}}, "cues.gap can't be nan. It is None or a number of seconds from 0 on."),
        ({"cues": {"gap": "5"}}, "cues.gap can't be '5'. It is None or a number of seconds from 0 on."),
        ({"cues": {"gaps": 5}}, "cues has no parameter 'gaps'. It has: gap, content_type, state, start, end."),
        ({"cues": 5}, "cues can't be 5. It is a Cues or a mapping of its parameters."),
        ({"live": 3}, "live can't be 3. It is a Rules or a mapping of its parameters."),
        ({"load": "live"}, "load can't be 'live'. It is a Rules or a mapping of its parameters."),
        ({"live": {"user": 1}}, "user can't be 1. It is a Stream or a mapping of its parameters."),
        ({"meta_id": 3}, "meta_id can't be 3. It is None or a text."),
        ({"description": None}, "description can't be None. It is a text."),
        ({"date": 2026}, "date can't be 2026. It is a text."),
        ({"version": 1}, "version can't be 1. It is a text."),
        ({"name": ""}, "name can't be ''. It is letters, digits, hyphens, dots and underscores."),
        ({"name": None}, "name can't be None. It is letters, digits, hyphens, dots and underscores."),
        ({"name": "a/b"}, "name can't be 'a/b'. It is letters, digits, hyphens, dots and underscores."),
    ],
)
def test_an_error_is_a_sentence_that_says_what_there_is(parameters: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ArgumentError) as error:
        Policy.from_dict({"name": "mine", **parameters})
    assert str(error.value) == sentence


def test_a_policy_needs_a_name() -> None:
    with pytest.raises(ArgumentError, match=r"^policy can't be made of {'date': '2026'}: .*'name'.*\.$"):
        Policy.from_dict({"date": "2026"})


def test_a_name_is_of_letters_digits_hyphens_dots_and_underscores() -> None:
    assert Policy(name="my_client-2.0").name == "my_client-2.0"


def test_a_pause_can_be_of_no_length() -> None:
    assert Cues(gap=0).gap == 0


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


def test_replace_says_which_parameters_there_are() -> None:
    with pytest.raises(ArgumentError) as of_policy:
        Policy(name="a").replace(zebra=1, agnet={"id": "key"}, name="b")
    assert str(of_policy.value) == (
        "A policy has no parameter 'agnet'. It has: name, description, live, load, evidence, source, version, "
        "date, faults, empty_id, meta_id, cues, user, agent, thought, prompt, dedup, late, id_scope, "
        "kind_conflict, null_invalid, unanimous_ids, drop_all."
    )
    with pytest.raises(ArgumentError) as of_cues:
        Policy(name="a").replace(cues={"gaps": 1})
    assert str(of_cues.value) == "Cues has no parameter 'gaps'. It has: gap, content_type, state, start, end."


def test_replace_changes_some_cues_and_keeps_the_others() -> None:
    policy = Policy(name="a", cues=Cues(gap=2.0, start="_a")).replace(cues={"gap": 3.0})
    assert policy.cues == Cues(gap=3.0, start="_a")


def test_a_policy_as_plain_values_leaves_out_what_is_as_usual() -> None:
    live = Rules(agent=Stream(id="key", close_on={"usage", "plan"}))
    assert Policy(name="a", live=live, faults=("Slow.",)).to_dict() == {
        "name": "a",
        "live": {"agent": {"id": "key", "close_on": ["plan", "usage"]}},
        "faults": ["Slow."],
    }
    assert Policy(name="a", live=live, load=Rules()).to_dict()["load"] == {}
    assert Policy(name="a").to_dict() == {"name": "a"}


@pytest.mark.parametrize(
    ("id_", "phase", "uses"),
    [
        ("compare", "live", True),
        ("key", "load", True),
        ("key_then_compare", "live", True),
        ("ignore", "live", False),
        ("each", "live", False),
    ],
)
def test_a_policy_uses_ids_where_a_stream_of_a_phase_does(id_: Any, phase: str, uses: bool) -> None:
    assert Policy(name="a").replace(**{phase: {"thought": {"id": id_}}}).uses_ids == uses


def test_an_error_about_a_meta_id_says_what_one_looks_like() -> None:
    with pytest.raises(ArgumentError) as error:
        Policy(name="a").with_meta_id("_meta")
    assert str(error.value) == "meta_id can't be '_meta'. It is a path like 'update._meta.messageId'."


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
