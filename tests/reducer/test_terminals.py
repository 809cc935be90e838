"""The agent's terminals: snapshots and appended bytes."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from acpinspect.reducer import empty_state, fold_writes, v2

from .build import b64, folded, update


def output(data: bytes) -> dict[str, object]:
    return update("terminal_update", terminalId="x", output={"data": b64(data)})


def more(data: bytes) -> dict[str, object]:
    return update("terminal_output_chunk", terminalId="x", data=b64(data))


@given(st.binary(max_size=60), st.lists(st.integers(0, 60), max_size=8))
def test_the_bytes_are_the_concatenation_whatever_the_chunking(data: bytes, cuts: list[int]) -> None:
    edges = [0, *sorted(min(cut, len(data)) for cut in cuts), len(data)]
    pieces = [data[start:stop] for start, stop in pairwise(edges)]
    assert folded("v2", [more(piece) for piece in pieces]).terminals["x"].output == data


def test_a_code_point_and_an_escape_sequence_can_be_split_anywhere() -> None:
    data = "\x1b[31mñ🌻\x1b[0m".encode()
    state = folded("v2", [more(data[i : i + 1]) for i in range(len(data))])
    assert state.terminals["x"].output == data


def test_states_of_other_chunkings_of_the_same_bytes_are_equal() -> None:
    assert folded("v2", [more(b"ab"), more(b"c")]) == folded("v2", [more(b"a"), more(b"bc")])


def test_a_snapshot_replaces_all_bytes_and_later_chunks_append_to_it() -> None:
    assert folded("v2", [more(b"a"), output(b"B"), more(b"c")]).terminals["x"].output == b"Bc"


def test_null_makes_the_output_unknown_and_an_empty_snapshot_makes_it_empty() -> None:
    unknown = folded("v2", [more(b"a"), update("terminal_update", terminalId="x", output=None)])
    empty = folded("v2", [more(b"a"), output(b"")])
    assert (unknown.terminals["x"].output, empty.terminals["x"].output) == (None, b"")


def test_an_empty_chunk_makes_a_terminal_of_empty_output() -> None:
    assert folded("v2", [more(b"")]).terminals["x"].output == b""


@pytest.mark.parametrize("data", ["%%", "QQ", "Q", "QQ=", "Q Q=", "QQ==\n", "QQ--", "é"])
def test_a_chunk_that_is_no_base64_is_rejected_with_a_reason(data: str) -> None:
    before = folded("v2", [more(b"a")])
    step = v2.apply(before, update("terminal_output_chunk", terminalId="x", data=data))
    assert (step.state, step.action) == (before, "rejected")
    assert str(step.reason).startswith("data is no base64: ")
    assert [(change.action, change.field) for change in step.changes] == [("rejected", "written")]


def test_chunks_of_output_folded_at_once_are_joined() -> None:
    state, writes = empty_state("v2"), []
    for sent in (more(b"a"), update("terminal_output_chunk", terminalId="x", data="%"), more(b"bc")):
        step = v2.apply(state, sent)
        state, writes = step.state, [*writes, *step.writes]
    assert fold_writes("v2", None, writes) == state.terminals["x"]
    assert state.terminals["x"].output == b"abc"


def test_a_chunk_that_is_no_base64_makes_no_terminal() -> None:
    step = v2.apply(empty_state("v2"), update("terminal_output_chunk", terminalId="x", data="%"))
    assert (step.state, step.action) == (empty_state("v2"), "rejected")


def test_a_snapshot_that_is_no_base64_leaves_the_bytes_and_the_rest_of_the_update_holds() -> None:
    sent = update("terminal_update", terminalId="x", output={"data": "%"}, exitStatus={"exitCode": 1})
    step = v2.apply(folded("v2", [more(b"a")]), sent)
    terminal = step.state.terminals["x"]
    assert (terminal.output, terminal.exit_status) == (b"a", {"exitCode": 1})
    assert [change.field for change in step.changes if change.action == "rejected"] == ["written"]
    assert step.reason is not None
    assert step.reason.startswith("output is no base64: ")


def test_an_empty_exit_status_marks_the_end_of_the_command() -> None:
    assert (
        folded("v2", [update("terminal_update", terminalId="x", exitStatus={})]).terminals["x"].exit_status == {}
    )
