"""No content makes a reader fail or hang: it gives frames, or says that the source can't be read."""

from __future__ import annotations

import random
from contextlib import suppress
from typing import Any

import pytest

from acpinspect.errors import SourceError
from acpinspect.reading.frames import Frame
from tests.conftest import CORPUS, needs_corpus
from tests.reading.frame_counts import frames_of, messages_of
from tests.reading.test_dialect_samples import SAMPLES, TEXTS

SIGNS = [bytes([one]) for one in b"{}[]()<>\"'`\\=:,.#; \n\x00\xff\xc3ABz09"]
DEEP = {
    "acp-el": "((:direction . incoming) (:object " + "(a " * 5_000,
    "avante-acp-session": "method: session/update\n" + "{ a = " * 5_000,
    "python-repr": "{'jsonrpc': " + "[" * 5_000,
    "toad-log": "[client] {'jsonrpc': " + "{'a': " * 5_000,
    "rust-debug": "SessionNotification { update: " + "A(" * 5_000,
    "node-inspect": "{ jsonrpc: " + "[ " * 5_000,
    "gptme-acp-protocol": "--> request x params=" + '{"a":' * 5_000,
    "autodev-acp-log": '{"event_type":"SessionUpdate","update_type":"Plan","update":' + "[" * 5_000,
    "benchflow-acp-trajectory": '{"type":"plan","entries":' + "[" * 5_000 + "]" * 5_000 + "}",
}
REPEATED = {
    "acp-el": "((:direction . incoming) (:object (a . \"",
    "avante-acp-session": "request: {\"a\":\nmethod: x\n{ \"",
    "python-repr": "SessionNotification(a={'jsonrpc': \"x\n",
    "toad-log": "[client] {'jsonrpc': [1,\n",
    "rust-debug": "SessionNotification { a: \"\n",
    "node-inspect": "{ jsonrpc: '2.0',\n  b: `",
    "gptme-acp-protocol": "--> request x params={\"a\": \"\n",
}  # fmt: skip


def mutated(data: bytes, dice: random.Random) -> bytes:
    """A content with a few bytes changed, taken out, put in or doubled, and perhaps cut."""
    out = bytearray(data)
    for _ in range(dice.randint(1, 12)):
        place = dice.randrange(len(out))
        act = dice.randrange(4)
        if act == 0:
            out[place] ^= 1 << dice.randrange(8)
        elif act == 1:
            del out[place : place + dice.randint(1, 40)]
        elif act == 2:
            out[place:place] = b"".join(dice.choices(SIGNS, k=dice.randint(1, 6)))
        else:
            out[place:place] = out[place : place + dice.randint(1, 200)]
    return bytes(out[: dice.randrange(len(out))] if dice.random() < 0.2 else out) or b" "


@needs_corpus
@pytest.mark.fuzz
@pytest.mark.parametrize(("file", "name"), SAMPLES.items())
def test_a_mutated_recording_is_read_or_refused(file: str, name: str) -> None:
    data = (CORPUS / "formats" / file).read_bytes()
    dice = random.Random(file)
    for _ in range(200):
        with suppress(SourceError):
            messages_of(frames_of(name, mutated(data, dice)))


@needs_corpus
@pytest.mark.parametrize(("file", "name"), TEXTS.items())
def test_a_recording_cut_anywhere_loses_at_most_its_last_record(file: str, name: str) -> None:
    data = (CORPUS / "formats" / file).read_bytes()
    whole = frames_of(name, data)
    dice = random.Random(file)
    for _ in range(100):
        size = dice.randrange(1, len(data))
        frames = frames_of(name, data[:size])
        ended = sum((frame.offset or 0) + (frame.length or 0) <= size for frame in whole if frame.kind is None)
        kept = without_ids(frames)
        assert kept == without_ids(whole)[: len(kept)]
        assert len(kept) >= ended
        assert sum(frame.kind == "unreadable" for frame in frames) <= 1


def without_ids(frames: list[Frame]) -> list[dict[str, Any]]:
    """The messages but for their ids: some stand further down only, in the answer."""
    return [{key: value for key, value in message.items() if key != "id"} for message in messages_of(frames)]


@pytest.mark.parametrize("name", DEEP)
def test_what_nests_too_deep_is_no_message(name: str) -> None:
    assert messages_of(frames_of(name, DEEP[name])) == []


@pytest.mark.parametrize("name", REPEATED)
def test_many_broken_beginnings_are_read_to_the_end(name: str) -> None:
    messages_of(frames_of(name, REPEATED[name] * 4_000))
