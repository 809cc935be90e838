"""The conformance vectors: written by hand, complete, up to date in the package, and fulfilled by the reducers."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from acpinspect.errors import ArgumentError
from acpinspect.protocol import VARIANTS, VERSIONS, Version
from acpinspect.reducer import SessionState, Step, apply_frame, empty_state, place_messages
from acpinspect.vectors import vectors, write_vectors
from vectors.language import Case
from vectors.make import CASES, DATA, files

from .build import REDUCERS


def steps_of(case: Case) -> Iterator[tuple[dict[str, Any], Step]]:
    """Each step of a case as it is written, and as the reducer makes it."""
    if "update" in case.steps[0]:
        state = empty_state(case.protocol)
        for written in case.steps:
            step = REDUCERS[case.protocol].apply(state, written["update"])
            state = step.state
            yield written, step
        return
    state = empty_state(case.protocol, "s")
    for written, placed in zip(case.steps, place_messages(one["message"] for one in case.steps), strict=True):
        step = apply_frame(state, placed.message, request=placed.request)
        state = step.state
        yield written, step


def outcome_of(step: Step) -> str:
    return step.action if step.action in {"rejected", "ignored"} else "applied"


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_the_reducer_gives_the_state_that_was_written_by_hand_after_each_step(case: Case) -> None:
    for written, step in steps_of(case):
        assert step.state.to_dict(events=False) == written["state"]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_the_reducer_says_the_outcome_that_was_written_by_hand(case: Case) -> None:
    assert [outcome_of(step) for _, step in steps_of(case)] == [written["outcome"] for written in case.steps]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_what_has_no_effect_is_written_with_a_state_that_differs_in_nothing_but_the_epoch(case: Case) -> None:
    before = empty_state(case.protocol, "s" if "message" in case.steps[0] else None).to_dict(events=False)
    for written in case.steps:
        if written["outcome"] != "applied":
            assert {**written["state"], "epoch": 0} == {**before, "epoch": 0}
        before = written["state"]


def test_the_files_of_the_package_are_what_the_cases_make() -> None:
    written = {path.name: path.read_text(encoding="ascii") for path in DATA.glob("*.json")}
    assert written == files()


def test_names_are_unique_and_say_the_version() -> None:
    names = [case.name for case in CASES]
    assert len(set(names)) == len(names) >= 150
    assert all(case.name.startswith(f"{case.protocol}/") for case in CASES)


def test_every_case_says_what_it_tests_and_where_that_is_said() -> None:
    readme = (DATA / "README.md").read_text(encoding="utf-8")
    for case in CASES:
        assert case.tests.endswith(".")
        assert case.source
        if case.source.startswith("README, Rules: "):
            assert f"**{case.source.removeprefix('README, Rules: ')}.**" in readme


def updates_of(version: Version, outcome: str | None = None) -> list[dict[str, Any]]:
    """The updates of all cases of a version that are objects, also those inside messages."""
    found = []
    for step in (step for case in CASES if case.protocol == version for step in case.steps):
        update = step["update"] if "update" in step else step["message"].get("params", {}).get("update")
        if isinstance(update, dict) and outcome in {None, step["outcome"]}:
            found.append(update)
    return found


@pytest.mark.parametrize("version", VERSIONS)
def test_every_variant_is_applied_and_rejected_somewhere(version: Version) -> None:
    names = set(VARIANTS[version])
    assert {update.get("sessionUpdate") for update in updates_of(version, "applied")} == names
    # All fields of a title update are optional and lenient: nothing makes a reader reject one.
    rejected = {str(update.get("sessionUpdate")) for update in updates_of(version, "rejected")}
    assert names - rejected - {"session_info_update"} <= {"user_message_chunk", "agent_thought_chunk"} | {
        "user_message",
        "agent_thought",
    }


@pytest.mark.parametrize(
    ("version", "variant", "field"),
    [(v, n, f.name) for v in VERSIONS for n, variant in VARIANTS[v].items() for f in variant.fields if f.patch],
)
def test_every_patch_field_is_omitted_null_and_given_somewhere(version: Version, variant: str, field: str) -> None:
    own = [update for update in updates_of(version, "applied") if update.get("sessionUpdate") == variant]
    states = {"omitted" if field not in one else "null" if one[field] is None else "value" for one in own}
    assert states == {"omitted", "null", "value"}


@pytest.mark.parametrize("version", [None, *VERSIONS])
def test_the_vectors_of_a_version_are_written_to_a_directory(tmp_path: Path, version: Version | None) -> None:
    paths = write_vectors(tmp_path / "new" / "place", version)
    read = [json.loads(path.read_text(encoding="utf-8")) for path in paths if path.suffix == ".json"]
    names = {vector["name"] for file in read for vector in file["vectors"]}
    assert names == {case.name for case in CASES if version in {None, case.protocol}}
    assert (tmp_path / "new" / "place" / "README.md").is_file()


def test_the_vectors_of_the_package_have_whole_states() -> None:
    by_name = {case.name: case for case in CASES}
    for vector in vectors():
        assert [step["state"] for step in vector["steps"]] == [
            written["state"] for written in by_name[vector["name"]].steps
        ]


def test_a_version_that_there_is_not_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ArgumentError, match="v3"):
        vectors("v3")
    with pytest.raises(ArgumentError, match="v3"):
        write_vectors(tmp_path, "v3")


def test_the_reducer_of_the_wrong_version_would_not_pass() -> None:
    state: SessionState = empty_state("v1")
    case = next(case for case in CASES if case.name == "v2/tools/title-patch")
    for written in case.steps:
        state = REDUCERS["v1"].reduce(state, written["update"])
        if written["update"].get("title", "") is None:
            assert state.tool_calls["t"].title != written["state"]["tool_calls"][0]["title"]
