"""Write the sample logs, and the table of them in README.md: ``python sample_logs/make.py``.

The same seed gives the same bytes, and a test holds them equal. ``--large 200000`` adds a large log, which git
leaves out.
"""

from __future__ import annotations

import argparse
import random
import runpy
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import formats
import stories_v1
import stories_v2
from wire import Recording

HERE = Path(__file__).resolve().parent
SEED = 1822  # the year of the first Fresnel lens in a lighthouse


class Sample(NamedTuple):
    """A log: how its messages come about, how they are put on disk, and the story in one line."""

    tell: Callable[[random.Random], Recording]
    write: Callable[[Recording], bytes]
    story: str


SAMPLES = {
    "v1_with_ids.ndjson": Sample(
        stories_v1.with_ids,
        formats.ndjson,
        "Thought, text, tool, and two answers in a row: only their ids say where the second begins.",
    ),
    "v1_without_ids.ndjson": Sample(
        stories_v1.without_ids,
        formats.ndjson,
        "The same turn without ids: nobody can tell the two answers apart any more.",
    ),
    "v1_mixed_ids.ndjson": Sample(
        stories_v1.mixed_ids,
        formats.ndjson,
        "Some chunks have an id and some have none: one without an id goes on with the message that is open.",
    ),
    "v1_doubled_text.ndjson": Sample(
        stories_v1.doubled_text,
        formats.ndjson,
        "The agent streams an answer and then sends it whole under the same id: each client shows it twice.",
    ),
    "v1_id_reused.ndjson": Sample(
        stories_v1.id_reused,
        formats.ndjson,
        "The agent counts its ids from one in each turn: two answers become one.",
    ),
    "v1_replay.ndjson": Sample(
        stories_v1.replay,
        formats.ndjson,
        "A session is loaded again: the history comes back with new ids, then a new turn follows.",
    ),
    "v1_subagents.ndjson": Sample(
        stories_v1.subagents,
        formats.ndjson,
        "Two helpers speak at once, word by word: only the ids give two readable texts.",
    ),
    "v1_two_sessions.ndjson": Sample(
        stories_v1.two_sessions,
        formats.ndjson,
        "Two sessions on one connection without ids; the same request number is used by both sides.",
    ),
    "v1_cancelled.ndjson": Sample(
        stories_v1.cancelled,
        formats.ndjson,
        "The user cancels: a tool is left running, and one piece of text comes after the turn's end.",
    ),
    "v2_whole_messages.ndjson": Sample(
        stories_v2.whole_messages,
        formats.ndjson,
        "Version 2: whole-message updates correct, seed, annotate and clear what chunks have built.",
    ),
    "v2_turn.ndjson": Sample(
        stories_v2.turn,
        formats.ndjson,
        "Version 2: a plan, a permission, a tool, and a terminal whose bytes are cut inside a letter.",
    ),
    "broken.log": Sample(
        stories_v1.with_ids,
        formats.broken,
        "The first log after a bad day: noise, colours, CRLF, half an emoji, bad UTF-8, NaN, a torn end.",
    ),
    "recorder.jsonl": Sample(
        stories_v1.with_ids,
        formats.recorder,
        "The first log in a recorder's envelope, with time and direction.",
    ),
    "recorded.jsonl": Sample(
        stories_v1.with_ids,
        formats.recorded,
        "The first log as `acpinspect record` writes it: with time, sender, the agent's stderr, and its end.",
    ),
    "vscode_traffic.log": Sample(
        stories_v1.replay,
        formats.vscode,
        "The replay as an editor's extension logs it: a line with time and arrow, then the JSON.",
    ),
    "zed_copy.json": Sample(
        stories_v1.without_ids,
        formats.zed,
        "The log without ids as Zed copies it: one array, no time, results under `params`, a line of stderr.",
    ),
}

README = """\
# Sample logs

Small logs, written by us and real in shape. Each tells one story. `make demo` shows what
`acpinspect` finds in them. `make samples` writes them again, byte for byte;
`python sample_logs/make.py --large 200000` adds a large one.

| log | its story |
|---|---|
"""


def make(folder: Path) -> None:
    """Write every sample and the table of them into `folder`."""
    for name, sample in SAMPLES.items():
        recording = sample.tell(random.Random(SEED))
        (folder / name).write_bytes(sample.write(recording))
    rows = "".join(f"| `{name}` | {sample.story} |\n" for name, sample in SAMPLES.items())
    (folder / "README.md").write_text(README + rows, encoding="utf-8", newline="\n")


def make_large(folder: Path, events: int) -> Path:
    """Write one log of this many events, with the generator that the benchmarks use."""
    generate = runpy.run_path(str(HERE.parent / "benchmarks" / "generate.py"))["generate"]
    path: Path = generate(events, SEED, path=folder / "large.ndjson")
    return path


def main() -> None:
    """Read the command line and write."""
    parser = argparse.ArgumentParser(description="Write the sample logs.")
    parser.add_argument("--to", type=Path, default=HERE, help="another folder")
    parser.add_argument("--large", type=int, metavar="EVENTS", help="also write a large log")
    options = parser.parse_args()
    options.to.mkdir(parents=True, exist_ok=True)
    make(options.to)
    if options.large:
        print(make_large(options.to, options.large).name)


if __name__ == "__main__":
    main()
