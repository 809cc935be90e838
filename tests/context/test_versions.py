"""The protocol version of a connection: negotiated, else inferred."""

from __future__ import annotations

from pathlib import Path

import pytest

import acpinspect
from acpinspect.errors import ArgumentError
from tests.conftest import corpus_files, needs_corpus, read_case
from tests.wire import Json, chunk, initialize, permission, prompt, request, result, state, stop, tool_call, whole


def version(log: list[Json]) -> list[str]:
    return acpinspect.from_records(log)["protocol"].tolist()


def test_initialize_tells() -> None:
    assert version([*initialize(0, 2), chunk("a")]) == ["v2"] * 3


def test_the_response_overrules_the_request() -> None:
    log = [request(0, "initialize", protocolVersion=2), result(0, protocolVersion=1), whole("m", "a")]
    assert version(log) == ["v1"] * 3


def test_a_log_can_hold_several_connections() -> None:
    log = [*initialize(0, 1), chunk("a"), *initialize(0, 2), chunk("b", "m")]
    assert version(log) == ["v1"] * 3 + ["v2"] * 3


@pytest.mark.parametrize(
    ("frame", "expected"),
    [
        (chunk("no id"), "v1"),
        (tool_call(), "v1"),
        (request(1, "session/load", sessionId="s1"), "v1"),
        (state("running"), "v2"),
        (whole("m", "a"), "v2"),
        (chunk("an id alone tells nothing", "m"), "v1"),
    ],
)
def test_without_initialize_the_traffic_tells(frame: Json, expected: str) -> None:
    assert version([frame]) == [expected]


def test_a_prompt_response_without_a_stop_reason_is_of_version_2() -> None:
    assert version([prompt(1), result(1)]) == ["v2", "v2"]
    assert version([prompt(1), stop(1)]) == ["v1", "v1"]


def test_one_foreign_name_does_not_outweigh_several_marks() -> None:
    log = [prompt(1), chunk("no id"), whole("m", "stray"), stop(1)]
    assert version(log) == ["v1"] * 4


def test_the_user_overrules_all() -> None:
    events = acpinspect.from_records([*initialize(0, 1), chunk("a")], protocol="v2")
    assert set(events["protocol"]) == {"v2"}


def test_an_unknown_version_is_refused_with_the_known_ones() -> None:
    with pytest.raises(ArgumentError, match=r"v1.*v2"):
        acpinspect.from_records([permission(1)], protocol="v3")  # type: ignore[arg-type]


UNDECIDED = {"opencode-44877-v1-habits-on-v2", "d-session-unknown-fork", "t-plan-removed-is-transcript"}
"""Cases whose traffic has no mark of its version, or more of the other's: they need `protocol=`."""


@needs_corpus
@pytest.mark.parametrize("path", corpus_files("bugs/*.json") + corpus_files("rules/*.json"), ids=lambda p: p.stem)
def test_the_version_of_the_corpus_is_inferred(path: Path) -> None:
    case = read_case(path)
    inferred = set(version(case["log"]))
    assert (inferred == {case["protocol"]}) == (case["id"] not in UNDECIDED)
