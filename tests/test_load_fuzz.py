"""Two thousand damaged recordings: never a crash, never a hang, never a lost byte."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import pandas as pd
import pytest

import acpinspect
from tests.conftest import corpus_files

SAMPLE_LOGS = Path(__file__).resolve().parents[1] / "sample_logs"
MUTANTS = 2_000
SHARDS = 8
BLANK = b" \t\r\n\x0b\x0c\x00[]{},:;"


def flip_bits(rng: random.Random, data: bytes) -> bytes:
    out = bytearray(data)
    for _ in range(rng.randint(1, 8)):
        out[rng.randrange(len(out))] ^= 1 << rng.randrange(8)
    return bytes(out)


def cut(rng: random.Random, data: bytes) -> bytes:
    return data[: rng.randrange(len(data))]


def splice(piece: Callable[[random.Random], bytes]) -> Callable[[random.Random, bytes], bytes]:
    def mutate(rng: random.Random, data: bytes) -> bytes:
        at = rng.randrange(len(data))
        return data[:at] + piece(rng) + data[at:]

    return mutate


def drop(rng: random.Random, data: bytes) -> bytes:
    at = rng.randrange(len(data))
    return data[:at] + data[at + rng.randint(1, 60) :]


def repeat(rng: random.Random, data: bytes) -> bytes:
    at = rng.randrange(len(data))
    return data[:at] + data[max(at - 80, 0) : at] * rng.randint(1, 4) + data[at:]


MUTATIONS = (
    flip_bits,
    cut,
    drop,
    repeat,
    splice(lambda rng: rng.randbytes(rng.randint(1, 40))),
    splice(lambda rng: rng.choice([b"[", b"{", b'{"a":']) * rng.randint(1, 3_000)),
    splice(lambda rng: b"x" * rng.randint(1, 20_000)),
    splice(
        lambda rng: rng.choice([b"\\ud800", b"NaN", b"1e999", b"\xff\xfe", b"\xed\xa0\x80", b"\x00", b"\x1b[31m"])
    ),
    splice(lambda rng: rng.choice([b"\n", b"\r\n", b"\n\n", b"\xe2\x80\xa8", b'"', b"\\"])),
    splice(lambda rng: b'{"jsonrpc":"2.0","method":"session/update","params":{"update":' * rng.randint(1, 300)),
)


def originals() -> list[bytes]:
    """Sample logs of ours, and where it is at hand the corpus of formats."""
    logs = sorted(SAMPLE_LOGS.glob("*.*")) + corpus_files("formats/*.*")
    texts = [
        path
        for path in logs
        if path.suffix not in (".md", ".py", ".db", ".sqlite") and "expected" not in path.name
    ]
    return [path.read_bytes()[:6_000] for path in texts]


def uncovered(data: bytes, events: pd.DataFrame) -> bytes:
    """The bytes of a recording that are in the span of no row."""
    left = bytearray(data)
    for offset, length in zip(events["offset"], events["length"], strict=True):
        if not pd.isna(offset):
            left[offset : offset + length] = b" " * len(left[offset : offset + length])
    return bytes(left).strip(BLANK)


@pytest.mark.fuzz
@pytest.mark.parametrize("shard", range(SHARDS))
def test_damaged_recordings_are_read_to_their_last_byte(shard: int) -> None:
    rng = random.Random(f"acpinspect {shard}")
    logs = originals()
    for _ in range(MUTANTS // SHARDS):
        mutant = rng.choice(MUTATIONS)(rng, rng.choice(logs))
        if rng.random() < 0.3 and mutant:
            mutant = rng.choice(MUTATIONS)(rng, mutant)
        try:
            events = acpinspect.load(mutant)
        except acpinspect.SourceError:
            # No ACP in it any more, or compressed data of which nothing can be expanded.
            continue
        acpinspect.messages(events)
        if mutant[:2] not in (b"\x1f\x8b", b"BZ", b"PK", b"(\xb5") and events["offset"].notna().all():
            assert uncovered(mutant, events) == b"", mutant
