"""The engine: reasons, cues, laws that hold for every policy, and what is shared between them."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pandas as pd
import pytest

import acpinspect
from acpinspect import ArgumentError, Cues, Policy, Rules, Stream
from acpinspect.grouping import group, outcomes
from acpinspect.grouping.applying import Shared, apply
from acpinspect.grouping.engine import run
from acpinspect.grouping.marks import marks
from acpinspect.grouping.presets import PRESETS
from tests.grouping.sequences import groups_of, random_sequence, read, table_of
from tests.wire import chunk, prompt, state, stop, tool_call, tool_update, update, whole

NAMES = [policy.name for policy in PRESETS]
HONOUR_IDS = ("spec", "rfd-literal", "spec-v2")


def read_groups(policy: Any, text: str) -> list[list[int]]:
    events, rows = table_of([read(text)])
    return groups_of(group(events, policy).fillna(-1).astype(int).tolist(), rows[0])


def reasons_of(policy: Any, text: str) -> list[str]:
    events, rows = table_of([read(text)])
    return outcomes(events, policy)["reason"].astype(object).iloc[rows[0]].fillna("").tolist()


@pytest.fixture(scope="module")
def random_events() -> pd.DataFrame:
    rng = random.Random(7)
    return table_of([random_sequence(rng) for _ in range(150)])[0]


@pytest.mark.parametrize(
    ("policy", "text", "reasons"),
    [
        ("jupyter-ai", "> t u a <", ["", "hidden", "hidden", "", "other"]),
        ("acpx", "> a= a~ a <", ["", "empty", "not text", "", "other"]),
        ("acpx-0.18", "> a=_ a", ["", "blank", ""]),
        ("agent-shell", "> a < a", ["", "", "other", "late"]),
        ("zed-v1", ">hi u=hi a", ["", "echo", ""]),
        ("spec-v2", "> a@m1 a", ["other", "", "invalid id"]),
        ("zed-v2", "> a@m1 t@m1", ["hidden", "", "invalid id"]),
        ("aionui", "[ a ] > a", ["other", "load", "other", "", ""]),
    ],
)
def test_an_event_without_label_has_a_reason(policy: str, text: str, reasons: list[str]) -> None:
    assert reasons_of(policy, text) == reasons


def test_a_refused_update_has_a_reason() -> None:
    broken = update("agent_message_chunk", content=3)
    assert outcomes(acpinspect.from_records([chunk("a"), broken]), "toad")["reason"].tolist()[1] == "rejected"


@pytest.mark.parametrize("name", NAMES)
def test_an_event_has_a_label_or_a_reason(name: str, random_events: pd.DataFrame) -> None:
    table = outcomes(random_events, name)
    assert (table["label"].isna() == table["reason"].notna()).all()


@pytest.mark.parametrize("name", NAMES)
def test_labels_are_numbered_in_order_of_appearance(name: str, random_events: pd.DataFrame) -> None:
    labels = group(random_events, name).dropna().astype(int)
    firsts = labels[~labels.duplicated()]
    assert firsts.tolist() == list(range(len(firsts)))


@pytest.mark.parametrize("name", NAMES)
def test_labels_do_not_change_when_the_log_goes_on(name: str, random_events: pd.DataFrame) -> None:
    whole = group(random_events, name)
    part = group(random_events.iloc[:700], name)
    differ = whole.iloc[:700].fillna(-1) != part.fillna(-1)
    # A message of blanks, a response without all ids and a standing tool are known only at their end.
    assert differ.sum() <= 12


@pytest.mark.parametrize("name", NAMES)
def test_sessions_do_not_disturb_each_other(name: str, random_events: pd.DataFrame) -> None:
    """Interleaved or one after the other: the same groups."""
    places = random_events.groupby("session_id").cumcount().where(random_events["session_id"].notna(), -1)
    mixed = random_events.iloc[np.argsort(places.to_numpy(), kind="stable")]
    together = group(random_events, name)
    apart = group(mixed, name).reindex(random_events.index)
    pairs = pd.DataFrame({"a": together, "b": apart}).dropna().drop_duplicates()
    assert together.notna().equals(apart.notna())
    assert pairs["a"].is_unique
    assert pairs["b"].is_unique


@pytest.mark.parametrize("name", NAMES)
def test_other_names_for_ids_change_nothing(name: str, random_events: pd.DataFrame) -> None:
    renamed = random_events.assign(message_id=("é-" + random_events["message_id"]).astype("string[pyarrow]"))
    assert group(renamed, name).equals(group(random_events, name))


def test_ids_does_not_look_at_texts(random_events: pd.DataFrame) -> None:
    silent = random_events.assign(text=random_events["text"].where(random_events["text"].isna(), "x"))
    assert group(silent, "ids").equals(group(random_events, "ids"))


def test_heuristic_does_not_look_at_ids(random_events: pd.DataFrame) -> None:
    bare = random_events.assign(message_id=random_events["message_id"].where(random_events["message_id"].isna()))
    assert group(bare, "heuristic").equals(group(random_events, "heuristic"))


@pytest.mark.parametrize("name", HONOUR_IDS)
def test_policies_that_honour_ids_agree_with_ids_where_every_chunk_has_one(name: str) -> None:
    rng = random.Random(11)
    sequences = [
        [item for item in random_sequence(rng) if not item.chunk or item.id is not None] for _ in range(80)
    ]
    events, _ = table_of(sequences)
    chunks = events["role"].notna()
    by_id, other = (pd.factorize(group(events, policy)[chunks])[0].tolist() for policy in ("ids", name))
    assert by_id == other


@pytest.mark.parametrize("policy", [p for p in PRESETS if p.name in ("spec", "ids", "heuristic", "spec-v2")])
def test_the_engine_and_the_columns_are_one_rule(policy: Policy, random_events: pd.DataFrame) -> None:
    shared = Shared(random_events)
    assert run(policy, marks(random_events)).labels.tolist() == apply(policy, shared).labels.tolist()


def test_a_function_can_stand_for_a_policy() -> None:
    def by_role(events: pd.DataFrame) -> pd.Series:
        return events["role"].astype(object)

    assert read_groups(by_role, "> a t a u <") == [[1, 3], [2], [4]]
    events, _ = table_of([read("> a t a <")])
    assert acpinspect.messages(events, by_role)["text"].tolist() == ["a1 a3 ", "t2 "]


def test_a_function_must_label_every_event() -> None:
    with pytest.raises(ArgumentError, match="gave 1 labels for 4 events"):
        read_groups(lambda _: [0], "> <")


def test_what_is_no_policy_is_named() -> None:
    with pytest.raises(ArgumentError, match="3 is no policy"):
        read_groups(3, "> a <")
    with pytest.raises(ArgumentError, match="no policy 'speck'"):
        read_groups("speck", "> a <")


def test_tools_of_a_replay_start_anew() -> None:
    assert read_groups("zed-v1", "> a c1 a x1 a < [ a x1 a ]") == [[0], [1], [3, 5], [8], [10]]


def test_a_log_without_turns_counts_as_within_one() -> None:
    assert read_groups("agent-shell", "a a t") == [[0, 1], [2]]


def test_a_log_that_begins_in_a_turn_counts_as_within_it() -> None:
    assert read_groups("codecompanion", "a a < a") == [[0, 1]]


def test_a_new_connection_closes_what_is_open() -> None:
    again = {"jsonrpc": "2.0", "id": "i", "method": "initialize", "params": {"protocolVersion": 1}}
    events = acpinspect.from_records([chunk("a"), again, chunk("b")], protocol="v1")
    assert group(events, "obsidian-agent-client").dropna().tolist() == [0, 1]


def test_a_turn_of_protocol_2_ends_with_the_state_idle() -> None:
    log = [prompt(1), {"jsonrpc": "2.0", "id": 1, "result": {}}, chunk("a", "m1"), state("idle"), chunk("b", "m1")]
    events = acpinspect.from_records(log, protocol="v2")
    assert group(events, "toad").dropna().tolist() == [0, 1, 2]


# Cues ---------------------------------------------------------------------------------------------------------


def timed(*frames: tuple[float, dict[str, Any]]) -> pd.DataFrame:
    return acpinspect.from_records([{"ts": 1_700_000_000 + at, "dir": "in", "msg": frame} for at, frame in frames])


def with_cues(**cues: Any) -> Policy:
    return acpinspect.get_policy("heuristic").replace(name="cued", cues=cues)


def test_a_pause_begins_a_message_if_asked_for() -> None:
    events = timed((0, chunk("a")), (1, chunk("b")), (9, chunk("c")))
    assert group(events, with_cues(gap=5.0)).tolist() == [0, 0, 1]
    assert group(events, "heuristic").tolist() == [0, 0, 0]


def test_a_pause_of_exactly_the_gap_is_none() -> None:
    assert group(timed((0, chunk("a")), (5, chunk("b"))), with_cues(gap=5.0)).tolist() == [0, 0]


def test_a_pause_does_not_split_an_id() -> None:
    events = timed((0, chunk("a", "m1")), (9, chunk("b", "m1")), (18, chunk("c")))
    policy = acpinspect.get_policy("spec").replace(name="cued", cues=Cues(gap=5.0))
    assert group(events, policy).tolist() == [0, 0, 1]


def test_another_block_type_begins_a_message_if_asked_for() -> None:
    assert read_groups(with_cues(content_type=True), "> a a a~ a <") == [[1, 2], [3], [4]]


def test_a_state_begins_a_message_if_asked_for() -> None:
    events = acpinspect.from_records([chunk("a", "m"), state("requires_action"), chunk("b", "m")], protocol="v2")
    assert group(events, with_cues(state=True)).dropna().tolist() == [0, 1]


def test_markers_in_extension_updates_begin_and_end_messages() -> None:
    log = [chunk("a"), update("_begin"), chunk("b"), chunk("c"), update("_end"), chunk("d")]
    events = acpinspect.from_records(log)
    assert group(events, with_cues(start="_begin", end="_end")).dropna().tolist() == [0, 1, 1, 2]


def test_markers_in_meta_begin_and_end_messages() -> None:
    def marked(key: str, text: str) -> dict[str, Any]:
        return update("agent_message_chunk", content={"type": "text", "text": text}, _meta={key: True})

    events = acpinspect.from_records(
        [chunk("a"), marked("first", "b"), chunk("c"), marked("last", "d"), chunk("e")]
    )
    assert group(events, with_cues(start="first", end="last")).tolist() == [0, 1, 1, 1, 2]


@pytest.mark.parametrize("role", ["user_message", "agent_message", "agent_thought"])
def test_cues_hold_for_every_role(role: str) -> None:
    def said(text: str, **meta: bool) -> dict[str, Any]:
        return update(f"{role}_chunk", content={"type": "text", "text": text}, _meta=meta)

    events = timed((0, said("a")), (9, said("b", end=True)), (10, said("c")), (11, said("d", start=True)))
    assert group(events, with_cues(gap=5.0)).tolist() == [0, 1, 1, 1]
    assert group(events, with_cues(end="end")).tolist() == [0, 0, 1, 1]
    assert group(events, with_cues(start="start")).tolist() == [0, 0, 0, 1]


def test_another_update_is_no_state() -> None:
    events = acpinspect.from_records([chunk("a"), update("usage_update", used=1, size=2), chunk("b")])
    assert group(events, with_cues(state=True)).dropna().tolist() == [0, 0]


def test_the_block_type_of_a_role_is_compared_with_its_own() -> None:
    events, rows = table_of([read("> a t~ a t~ <")])
    policy = own().replace(cues={"content_type": True})
    assert groups_of(group(events, policy).fillna(-1).astype(int).tolist(), rows[0]) == [[0], [1, 3], [2, 4]]


def test_cues_of_one_session_are_none_of_another() -> None:
    image = {"type": "image", "data": "", "mimeType": "image/png"}
    log = [
        chunk("a"),
        chunk("b", session="s2"),
        update("agent_message_chunk", "s1", content={"type": "text", "text": "c"}, _meta={"last": 1}),
        chunk("d", session="s2"),
        chunk("e", session="s2"),
        update("agent_message_chunk", "s2", content=image),
        chunk("f"),
    ]
    events = acpinspect.from_records(log)
    assert group(events, with_cues(end="last")).tolist() == [0, 1, 0, 1, 1, 1, 2]
    assert group(events, with_cues(content_type=True)).tolist() == [0, 1, 0, 1, 1, 2, 0]


def test_pauses_are_those_within_a_session_however_many_run_side_by_side() -> None:
    frames = [
        (number / 10 + (100 if number >= 20 else 0), chunk("w", session=f"s{session}"))
        for number in range(40)
        for session in range(3)
    ]
    labels = group(timed(*frames), with_cues(gap=50.0)).tolist()
    assert labels == [*[0, 1, 2] * 20, *[3, 4, 5] * 20]


def test_a_whole_message_can_carry_a_marker() -> None:
    log = [whole("m1", "a", _meta={"last": True}), chunk("b", "m1"), chunk("c", "m1")]
    events = acpinspect.from_records(log, protocol="v2")
    assert group(events, with_cues(end="last")).tolist() == [0, 1, 1]


# Parameters that no preset uses -------------------------------------------------------------------------------


def own(**rules: Any) -> Policy:
    return Policy(name="own", live=Rules(**rules))


def test_a_prompt_can_join_the_user_message_before_it() -> None:
    assert read_groups(own(prompt="join"), "[ u ] >a u") == [[1, 3, 4]]


def test_a_key_with_wildcards_gives_open_text_its_first_id() -> None:
    policy = own(agent=Stream(id="key", null="wildcard"))
    assert read_groups(policy, "> a a@m1 a a@m2 a@m1") == [[0], [1, 2, 3, 5], [4]]


def test_a_fresh_null_never_continues() -> None:
    assert read_groups(own(agent=Stream(id="compare", null="fresh")), "> a a a@m1 a@m1 a") == [
        [0], [1], [2], [3, 4], [5],
    ]  # fmt: skip


def test_blank_chunks_at_the_start_can_be_dropped() -> None:
    assert read_groups(own(agent=Stream(blank="drop_at_start")), "> a=_ a= a=x a=_") == [[0], [3, 4]]


def test_nothing_can_be_all_that_is_shown() -> None:
    assert read_groups(own(drop_all=True, prompt="none"), "> a t u <") == []


def test_tool_calls_cut_as_often_as_asked() -> None:
    log = [chunk("a"), tool_call("t1"), chunk("b"), tool_call("t1"), chunk("c")]
    events = acpinspect.from_records(log)
    assert group(events, own(agent=Stream(close_on={"tool_call"}))).dropna().tolist() == [0, 1, 2]
    assert group(events, own(agent=Stream(close_on={"tool_call:new"}))).dropna().tolist() == [0, 1, 1]


def test_a_completed_tool_is_forgotten_and_its_next_event_draws_its_card_anew() -> None:
    policy = own(agent=Stream(close_on={"tool:card"}))
    text = "a x1.pending a x1.completed a x1.completed a x1 a"
    assert read_groups(policy, text) == [[0, 2], [4, 6], [8]]


def test_the_first_update_of_a_compaction_can_cut() -> None:
    def compaction(ident: str) -> dict[str, Any]:
        return update("compaction_update", compactionId=ident, status="in_progress")

    events = acpinspect.from_records(
        [chunk("a"), compaction("c1"), chunk("b"), compaction("c1"), chunk("c"), compaction("c2"), chunk("d")]
    )
    policy = own(agent=Stream(close_on={"compaction:first"}))
    assert group(events, policy).dropna().tolist() == [0, 1, 1, 2]
    assert group(events, own(agent=Stream(close_on={"other"}))).dropna().tolist() == [0, 1, 2, 3]


def test_the_answer_to_a_prompt_of_protocol_2_ends_no_turn() -> None:
    answer = {"jsonrpc": "2.0", "id": 1, "result": {}}
    events = acpinspect.from_records(
        [prompt(1), chunk("a", "m"), answer, chunk("b", "m"), state("idle"), chunk("c", "m")], protocol="v2"
    )
    shown = {"prompt": "none"}
    assert group(events, own(**shown, agent=Stream(close_on={"turn_end"}))).dropna().tolist() == [0, 0, 1]
    assert group(events, own(**shown, agent=Stream(close_on={"prompt_answer"}))).dropna().tolist() == [0, 1, 1]


def test_each_whole_message_can_cut() -> None:
    events = acpinspect.from_records([whole("m1", "a"), whole("m1", "b"), chunk("c", "m1")], protocol="v2")
    assert group(events, own(agent=Stream(close_on={"agent:whole"}))).tolist() == [0, 1, 1]
    assert group(events, own()).tolist() == [0, 0, 0]


def test_the_echo_of_a_prompt_is_that_of_all_its_text() -> None:
    log = [prompt(1), chunk("Hello", role="user_message"), chunk("lo", role="user_message")]
    log[0]["params"]["prompt"] = [
        {"type": "text", "text": "Hel"},
        {"type": "image", "data": "", "mimeType": "image/png"},
        {"type": "text", "text": "lo"},
    ]
    table = outcomes(acpinspect.from_records(log), own(dedup={"echo_text_tail"}))
    assert table["reason"].astype(object).fillna("").tolist() == ["", "echo", ""]


def test_late_chunks_go_to_the_turn_that_ended_last_if_their_id_is_of_it() -> None:
    policy = own(agent=Stream(id="key", null="distinct"), prompt="none", late="route_by_id")
    text = "> a@m1 < a@m1 > a@m2 < a@m1 a@m2 a@m3"
    assert read_groups(policy, text) == [[1, 3], [5, 8]]
    assert [i for i, why in enumerate(reasons_of(policy, text)) if why == "late"] == [7, 9]
    assert read_groups(policy, "> a@m1 > a@m2 < a@m1 a@m2") == [[1], [3, 6]]  # a prompt ends the turn before it


def test_a_line_break_at_the_start_of_a_message_can_be_hidden() -> None:
    policy = own(agent=Stream(newline="absorb_at_start"))
    one, two = "> a=\\n a=x", "> a=\\n a=\\n a=x"
    assert (read_groups(policy, one), reasons_of(policy, one)) == ([[0], [2]], ["", "blank", ""])
    assert (read_groups(policy, two), reasons_of(policy, two)) == ([[0], [2, 3]], ["", "blank", "", ""])


@pytest.mark.parametrize(
    ("stream", "text", "why"), [("empty", "a a= a", "empty"), ("nontext", "a a~ a", "not text")]
)
def test_what_cuts_without_being_shown_has_a_reason(stream: str, text: str, why: str) -> None:
    policy = own(agent=Stream(**{stream: "absorb"}))  # type: ignore[arg-type]
    assert reasons_of(policy, text) == ["", why, ""]


def test_without_ids_no_chunk_is_a_message_of_its_own() -> None:
    assert read_groups(own(agent=Stream(null="fresh")), "> a a@m1 a") == [[0], [1, 2, 3]]


@pytest.mark.parametrize(("how", "groups"), [("closed", [[0], [1]]), ("open", [[0, 1]]), ("none", [[1]])])
def test_user_chunks_join_the_prompt_that_was_sent_only_if_it_is_open(how: Any, groups: list[list[int]]) -> None:
    assert read_groups(own(prompt=how), "> u") == groups


def test_a_user_chunk_that_repeats_no_prompt_is_no_echo_of_it() -> None:
    policy = own(prompt="open", dedup={"echo_block_optimistic"})
    assert read_groups(policy, "[ u=hi u=hi ]") == [[1, 2]]
    assert read_groups(policy, ">hi u=hi u") == [[0, 2]]


@pytest.mark.parametrize(("means", "groups"), [("id", [[0], [1], [2]]), ("absent", [[0], [1, 2]])])
def test_the_empty_id_is_an_id_or_none(means: str, groups: list[list[int]]) -> None:
    policy = own(agent=Stream(id="compare", null="wildcard")).replace(empty_id=means)
    assert read_groups(policy, "> a@ a@m1") == groups


def test_what_stands_alone_ends_the_message_of_its_id() -> None:
    policy = own(agent=Stream(id="key", null="distinct", nontext="own"))
    assert read_groups(policy, "> a@m1 a@m1~ a@m1") == [[0], [1], [2], [3]]


def test_a_text_that_was_said_is_dropped_where_another_id_says_it_again() -> None:
    policy = own(agent=Stream(id="compare", null="distinct"), dedup={"restated_block"})
    text = "> a@m1=ab a@m2=ab a@m2=cd a@m3=cd a@m3=e a@m4=cde"
    assert read_groups(policy, text) == [[0], [1], [3], [5], [6]]
    assert [i for i, why in enumerate(reasons_of(policy, text)) if why == "echo"] == [2, 4]


@pytest.mark.parametrize(
    "token",
    ["tool:new", "tool:new_in_turn", "tool:new_in_run", "tool:first_sight", "tool:card", "tool_update:new"],
)
def test_a_tool_of_one_session_is_none_of_another(token: str) -> None:
    log = [
        one for s in ("s1", "s2") for one in (chunk("a", session=s), tool_update("t1", s), chunk("b", session=s))
    ]
    events = acpinspect.from_records(log)
    assert group(events, own(agent=Stream(close_on={token}))).dropna().tolist() == [0, 1, 2, 3]


def test_an_answer_without_its_prompt_ends_a_turn() -> None:
    events = acpinspect.from_records([chunk("a"), stop(9), chunk("b")])
    assert group(events, own(agent=Stream(close_on={"turn_end"}))).dropna().tolist() == [0, 1]
