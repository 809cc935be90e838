"""What a log looks like from outside is the same before and after: messages, findings, lengths, structure."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import acpinspect
from acpinspect.privacy.sources import new_sources
from acpinspect.privacy.words import Words
from tests.conftest import CORPUS, needs_corpus, read_case
from tests.logs import LOGS, ndjson
from tests.wire import chunk, initialize, prompt, request, result, stop, tool_call, tool_update, update, whole

COLUMN_POLICIES = ("spec", "ids", "heuristic", "rfd-literal", "spec-v2")
SHAPE = [
    "epoch", "turn", "phase", "role", "boundary", "content_types", "events", "n_events", "n_chunks", "contiguous",
    "started", "ended", "duration",
]  # fmt: skip
CASES = sorted((*CORPUS.glob("bugs/*.json"), *CORPUS.glob("rules/*.json")))
RECORDINGS = sorted(CORPUS.glob("real/*.jsonl"))


def _findings(events: pd.DataFrame, options: dict[str, Any] | None = None) -> list[tuple[object, ...]]:
    found = acpinspect.diagnose(events, options=options)
    columns = zip(found["code"], found["severity"].astype(str), found["event"], found["related"], strict=True)
    return sorted((code, severity, event, tuple(related)) for code, severity, event, related in columns)


def assert_same_shape(events: pd.DataFrame, options: dict[str, Any] | None = None) -> None:
    redacted = acpinspect.redact(events, salt="pepper")
    for policy in COLUMN_POLICIES:
        pd.testing.assert_series_equal(acpinspect.group(redacted, policy), acpinspect.group(events, policy))
    before, after = acpinspect.messages(events), acpinspect.messages(redacted)
    pd.testing.assert_frame_equal(after[SHAPE], before[SHAPE])
    assert after["text"].str.len().tolist() == before["text"].str.len().tolist()
    assert _findings(redacted, options) == _findings(events, options)
    # Bytes, but for the text of records that are none.
    assert (
        redacted["raw"].str.encode("utf-8").str.len().tolist()
        == events["raw"].str.encode("utf-8").str.len().tolist()
    )


@needs_corpus
@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_cases_of_the_corpus_keep_messages_and_findings(path: Path) -> None:
    case = read_case(path)
    assert_same_shape(acpinspect.from_records(case["log"], protocol=case.get("protocol")), case.get("options"))


@needs_corpus
@pytest.mark.parametrize("path", RECORDINGS, ids=lambda path: path.stem)
def test_recordings_of_real_agents_keep_messages_and_findings(path: Path) -> None:
    assert_same_shape(acpinspect.load(path))


@needs_corpus
@pytest.mark.parametrize("path", RECORDINGS, ids=lambda path: path.stem)
def test_nothing_is_left_of_recordings_of_real_agents(path: Path) -> None:
    events = acpinspect.load(path)
    left = acpinspect.leftovers(events, acpinspect.redact(events, salt="pepper"))
    assert left[left["kind"] != "number"].empty


@given(LOGS)
@settings(deadline=None, max_examples=40)
def test_random_logs_keep_messages_and_findings(log: list[dict[str, Any]]) -> None:
    assert_same_shape(acpinspect.from_records(log))


WORDS = st.sampled_from(
    ["wor", "ld", "world", "he", "hello ", "hello world ", "Now ", "now it is ", "", " ", "e", "ü"]
)


@given(st.lists(st.tuples(WORDS, st.sampled_from([None, None, "m1", "m2"])), min_size=2, max_size=9))
@settings(deadline=None, max_examples=40)
def test_copies_in_all_positions_keep_findings(parts: list[tuple[str, str | None]]) -> None:
    """Few words in many chunks: copies, growing chunks, second tries and messages that are equal by chance."""
    assert_same_shape(acpinspect.from_records([chunk(text, own) for text, own in parts]))


@given(st.lists(WORDS, min_size=1, max_size=5), st.lists(st.integers(1, 9), max_size=6), st.booleans())
@settings(deadline=None, max_examples=40)
def test_a_replay_in_other_pieces_keeps_findings(words: list[str], cuts: list[int], has_ids: bool) -> None:
    text = "".join(words) or "hello world"
    bounds = sorted({0, len(text), *(cut for cut in cuts if cut < len(text))})
    pieces = [text[a:b] for a, b in pairwise(bounds)]
    log = [
        prompt(1, "Say it"),
        *(chunk(word, "m1" if has_ids else None) for word in words),
        stop(1),
        request(2, "session/load", sessionId="s1", cwd="/x", mcpServers=[]),
        chunk("Say it", role="user_message"),
        *(chunk(piece, "m9" if has_ids else None) for piece in pieces),
        result(2),
    ]
    assert_same_shape(acpinspect.from_records(log))


@pytest.mark.parametrize(
    ("texts", "ids"),
    [
        pytest.param(["the wor", "ld is round", "the world is round"], ["m1"] * 3, id="within a word, one id"),
        pytest.param(["the wor", "ld is round", "the world is round"], [None] * 3, id="within a word, no id"),
        pytest.param(["the wor", "ld is round", "the world is round"], ["a", "b", "c"], id="an id for each chunk"),
        pytest.param(["die wält ", "ist ründ", "die wält ist ründ"], ["m1"] * 3, id="beyond ASCII"),
        pytest.param(
            ["你好世", "界你好朋友们大家好啊", "你好世界你好朋友们大家好啊"], ["m1"] * 3, id="without spaces"
        ),
        pytest.param(
            ["so the wor", "ld", "the world is", "the world isn't", "the world isn't it"], ["m"] * 5, id="growing"
        ),
        pytest.param(["i will read the f", "i will read the file now"], [None] * 2, id="a second try"),
        pytest.param(["the same again", "the same again"], ["m1"] * 2, id="twice"),
    ],
)
def test_a_copy_within_a_word_stays_a_copy(texts: list[str], ids: list[str | None]) -> None:
    events = acpinspect.from_records([chunk(text, own) for text, own in zip(texts, ids, strict=True)])
    assert len(acpinspect.diagnose(events, severity="warning")) > 0
    assert_same_shape(events)


def test_whole_messages_keep_what_they_replace() -> None:
    log = [
        *initialize(version=2),
        chunk("the wor", "m1"),
        chunk("ld", "m1"),
        whole("m1", "the world", " is round"),
    ]
    log += [chunk("the world is round", "m1"), whole("m1", "the wor")]
    assert_same_shape(acpinspect.from_records(log))


@given(st.text(st.characters(codec="utf-8"), min_size=1, max_size=60), st.lists(st.integers(1, 59), max_size=8))
@settings(deadline=None, max_examples=40)
def test_joining_and_redacting_commute(text: str, cuts: list[int]) -> None:
    bounds = sorted({0, len(text), *(cut for cut in cuts if cut < len(text))})
    pieces = [text[a:b] for a, b in pairwise(bounds)]
    in_pieces = acpinspect.from_records([chunk(piece, "m1") for piece in pieces])
    if not acpinspect.diagnose(in_pieces, codes=["restated-message", "cumulative-chunks"]).empty:
        return  # a copy within a word begins a word: there the two differ on purpose
    in_one = acpinspect.from_records([chunk(text, "m1")])
    joined = [acpinspect.messages(acpinspect.redact(e, salt="s"))["text"].tolist() for e in (in_pieces, in_one)]
    assert joined[0] == joined[1]


def test_halves_of_a_surrogate_pair_meet_in_the_same_character() -> None:
    log = (
        '{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":'
        '{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"%s"}}}}\n'
    )
    cut = acpinspect.load((log % r"word\ud840" + log % r"\udc00more \ud83d").encode())
    whole_text = acpinspect.load((log % "word\U00020000more ").encode())
    cut_text, text = (
        acpinspect.messages(acpinspect.redact(e, salt="s"))["text"].iloc[0] for e in (cut, whole_text)
    )
    assert cut_text == text + "\ufffd"
    assert "\U00020000" not in text


@given(LOGS)
@settings(deadline=None, max_examples=25)
def test_a_redacted_log_that_is_written_and_read_again_is_the_same(log: list[dict[str, Any]]) -> None:
    redacted = acpinspect.redact(acpinspect.load(ndjson(log)), salt="s")
    again = acpinspect.load("\n".join(redacted["raw"]).encode())
    columns = [name for name in redacted.columns if name not in ("source", "raw")]
    for name in columns:
        assert (
            again[name].astype(object).fillna("").tolist() == redacted[name].astype(object).fillna("").tolist()
        ), name


@given(LOGS)
@settings(deadline=None, max_examples=30)
def test_a_session_is_redacted_alone_as_among_others(log: list[dict[str, Any]]) -> None:
    events = acpinspect.from_records(log)
    own = (events["session_id"] == "s1").fillna(value=False).to_numpy(dtype=bool)
    together = acpinspect.redact(events, salt="s")[own]
    alone = acpinspect.redact(events[own], salt="s")
    assert alone["raw"].tolist() == together["raw"].tolist()


def test_structure_numbers_and_words_of_the_protocol_stay() -> None:
    log = [
        tool_call(kind="read", status="pending"),
        tool_update(status="completed", rawOutput={"n": [1.5, None, True]}),
    ]
    redacted = acpinspect.redact(acpinspect.from_records(log), salt="s")
    new = acpinspect.payload(redacted, 1)
    assert new["params"]["update"] == {
        "sessionUpdate": "tool_call_update",
        "toolCallId": redacted.loc[1, "tool_call_id"],
        "status": "completed",
        "rawOutput": {next(iter(new["params"]["update"]["rawOutput"])): [1.5, None, True]},
    }
    assert redacted["tool_kind"].tolist()[0] == "read"


def test_what_is_escaped_stays_escaped() -> None:
    raw = (
        r'{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":'
        r'"agent_message_chunk","content":{"type":"text","text":"a\n\u00e9\"b\u4e2d\ud83d\ude00"}}}}'
    )
    new = str(acpinspect.redact(acpinspect.load(raw.encode()), salt="s").loc[0, "raw"])
    old_text, new_text = raw.split('"text":"')[1], new.split('"text":"')[1]
    assert len(new) == len(raw)
    assert new_text[1:5] == r"\n\u"
    assert new_text.endswith(r'\ud83d\ude00"}}}}')
    assert new_text != old_text


def test_ids_are_the_same_everywhere() -> None:
    log = [
        request(7, "session/new", cwd="/x", mcpServers=[]),
        result(7, sessionId="abc-1"),
        chunk("x", session="abc-1"),
    ]
    log += [request("r-1", "session/prompt", sessionId="abc-1", prompt=[]), stop("r-1")]
    redacted = acpinspect.redact(acpinspect.from_records(log), salt="s")
    assert redacted["session_id"].iloc[1:].nunique() == 1
    assert redacted["session_id"].iloc[1] != "abc-1"
    assert acpinspect.payload(redacted, 1)["result"]["sessionId"] == redacted["session_id"].iloc[2]
    assert redacted["rpc_id"].iloc[3] == redacted["rpc_id"].iloc[4] != "r-1"
    assert redacted["rpc_id"].iloc[0] == "7"


def test_parts_of_a_recording_stay_parts_of_it() -> None:
    events = acpinspect.from_records([chunk("one ", "m1"), chunk("two", "m1"), chunk("x", "m1")])
    names = ["bob/a.stream.1.ndjson", "bob/a.stream.ndjson", "bob/b.ndjson"]
    events["source"] = pd.Categorical(names)
    redacted = acpinspect.redact(events, salt="s")
    assert acpinspect.group(redacted).tolist() == acpinspect.group(events).tolist() == [0, 0, 1]


def test_an_update_that_is_refused_is_refused_after_too() -> None:
    log = [update("agent_message_chunk", content={"type": "wrong"}), update("secretive_name"), chunk("x")]
    redacted = acpinspect.redact(acpinspect.from_records(log), salt="s")
    assert redacted["problem"].str.startswith("rejected: ").tolist()[:2] == [True, True]
    assert "secretive" not in str(redacted["problem"].iloc[1])


def test_a_text_that_a_reload_shows_within_a_word_stays_within_it() -> None:
    live = [*initialize(), prompt(1), chunk("arbour is empty today", "m1"), stop(1)]
    load = request(2, "session/load", sessionId="s1", cwd="/w", mcpServers=[])
    events = acpinspect.from_records([*live, load, chunk("The harbour is empty today.", "m2"), result(2)])
    assert_same_shape(events)
    before, after = (acpinspect.redact(events, salt="s")["text"].iloc[row] for row in (3, 6))
    assert before in after


def test_sources_whose_new_names_would_be_of_other_recordings_are_numbered() -> None:
    events = acpinspect.from_records([chunk("one ", "m1"), chunk("two", "m1"), chunk("x", "m1")])
    events["source"] = pd.Categorical(["bob.stream.1.ndjson", "bob.stream.2.ndjson", "ann.stream.1.ndjson"])
    numbered = new_sources(events["source"], _Alike("secret"))
    assert numbered == {
        "ann.stream.1.ndjson": "recording1.stream.0.jsonl",
        "bob.stream.1.ndjson": "recording2.stream.0.jsonl",
        "bob.stream.2.ndjson": "recording2.stream.1.jsonl",
    }


class _Alike(Words):
    """Words of a length all become one."""

    def text(self, text: str, cuts: Iterable[int] = ()) -> str:  # noqa: ARG002  (as the others)
        return "x" * len(text)
