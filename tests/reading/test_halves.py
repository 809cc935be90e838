"""Two files with one side each become one order that could have been."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from acpinspect.reading.frames import Frame
from acpinspect.reading.halves import merged
from acpinspect.reading.reader import read_recording
from acpinspect.reading.sources import open_recordings
from tests.reading.traffic import RAWS, SENDERS


def half(side: str) -> list[str]:
    return [raw for raw, sender in zip(RAWS, SENDERS, strict=True) if sender == side]


def write(folder: Path, **files: list[str]) -> None:
    for name, lines in files.items():
        (folder / name.replace("_", ".")).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


def frames(*raws: str) -> list[Frame]:
    return [Frame(raw=raw, source="") for raw in raws]


def order(client: list[str], agent: list[str]) -> list[str]:
    return [frame.raw for frame in merged([("client", frames(*client)), ("agent", frames(*agent))])]


def ask(number: int, method: str = "session/prompt") -> str:
    return json.dumps({"id": number, "method": method})


def answer(number: int) -> str:
    return json.dumps({"id": number, "result": {}})


NOTE = json.dumps({"method": "session/update"})
CANCEL = json.dumps({"method": "session/cancel"})


def test_a_pair_in_a_folder_is_one_recording_with_its_senders(tmp_path: Path) -> None:
    write(tmp_path, x_stdin_jsonl=half("client"), x_stdout_jsonl=half("agent"), x_stderr_log=["slow"])
    [recording] = open_recordings(tmp_path)
    found = list(read_recording(recording))
    assert recording.paired
    assert [f.raw for f in found if f.kind is None] == RAWS
    assert tuple(f.sender for f in found if f.kind is None) == SENDERS
    assert [(f.raw, f.kind, f.problem) for f in found if f.kind] == [("slow", "other", "stderr")]


def test_what_stands_in_a_half_says_whose_it_is_and_not_its_name(tmp_path: Path) -> None:
    write(tmp_path, x_in_jsonl=half("agent"), x_out_jsonl=half("client"))
    [recording] = open_recordings(tmp_path)
    assert [f.raw for f in read_recording(recording)] == RAWS


def test_whole_logs_that_are_named_like_halves_stay_apart(tmp_path: Path) -> None:
    write(tmp_path, x_in_jsonl=RAWS, x_out_jsonl=RAWS)
    assert [recording.paired for recording in open_recordings(tmp_path)] == [False, False]


def test_one_half_alone_is_a_recording() -> None:
    assert order([], [answer(0), NOTE]) == [answer(0), NOTE]


def test_a_request_waits_for_the_answers_to_earlier_ones() -> None:
    assert order([ask(1), ask(2)], [NOTE, answer(1), answer(2)]) == [ask(1), NOTE, answer(1), ask(2), answer(2)]


def test_a_request_that_was_never_answered_holds_nothing_up() -> None:
    assert order([ask(1), ask(2)], [NOTE, answer(2)]) == [ask(1), ask(2), NOTE, answer(2)]


def test_requests_that_overlapped_do_so_again() -> None:
    assert order([ask(1), ask(2)], [answer(2), answer(1)]) == [ask(1), ask(2), answer(2), answer(1)]


def test_an_answer_of_the_client_follows_the_agents_request() -> None:
    permission = ask(1, "session/request_permission")
    assert order([ask(1), answer(1)], [NOTE, permission, NOTE, answer(1)]) == [
        ask(1), NOTE, permission, answer(1), NOTE, answer(1),
    ]  # fmt: skip


def test_a_cancel_comes_before_the_answer_to_the_prompt_that_was_open() -> None:
    assert order([ask(1), CANCEL], [NOTE, NOTE, answer(1)]) == [ask(1), NOTE, NOTE, CANCEL, answer(1)]


@pytest.mark.parametrize("odd", [[], [NOTE], [answer(9)], [ask(5, "fs/read_text_file")]])
def test_each_half_keeps_its_own_order_and_loses_nothing(odd: list[str]) -> None:
    client, agent = [*odd, ask(1), CANCEL, ask(1), answer(7)], [answer(1), *odd, answer(1), NOTE]
    found = order(client, agent)
    assert sorted(found) == sorted(client + agent)
