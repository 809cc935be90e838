"""Write large, realistic logs to measure with: ``python benchmarks/generate.py 10000 100000 1000000``.

One connection, several sessions at once, whole prompt turns: thoughts, text in small pieces, tool calls with
their output, permission requests, file reads, plans, usage. An event takes about 815 bytes on average, as in
recordings of real agents. The same count and seed always give the same bytes.
"""

from __future__ import annotations

import argparse
import itertools
import random
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import orjson

DATA = Path(__file__).resolve().parent / "data"

Json = dict[str, object]

VOCABULARY = (
    "the a this that of to in on for with from reads writes calls returns checks keeps drops opens closes "
    "function value test parser buffer window error branch commit config index cache token stream queue "
    "session request message update boundary tide harbour lighthouse keeper signal lantern rope compass "
    "so because then now again first last next quickly carefully only never always naïve café — … ✓ 港 🚢"
)
WORDS = VOCABULARY.split()
TOOLS = (
    ("read", "Read {path}"),
    ("search", "Search for `{word}`"),
    ("edit", "Edit {path}"),
    ("execute", "Run the tests of {word}"),
    ("fetch", "Fetch the {word} manual"),
)
STATUSES = ("pending", "in_progress", "completed")


class Pool(NamedTuple):
    """Ready-made pieces of text, so that a million events are a matter of seconds."""

    pieces: list[str]  # what one chunk carries: a few characters to a few words
    paths: list[str]
    outputs: list[str]  # what a tool gives back: up to some kilobytes


class Ids:
    """The request counters of the two sides: each numbers its own, so one number is often open twice."""

    def __init__(self) -> None:
        self.client = itertools.count(1)
        self.agent = itertools.count(0)


def generate(
    n_events: int, seed: int = 0, *, sessions: int = 3, with_ids: float = 0.85, path: Path | None = None
) -> Path:
    """Write a log of exactly `n_events` JSON-RPC messages, one a line.

    Args:
        n_events: How many lines.
        seed: The same seed gives the same bytes.
        sessions: How many sessions are live at a time.
        with_ids: The share of the sessions whose chunks carry a `messageId`.
        path: Where to; else `benchmarks/data/acp-<n_events>-<seed>.ndjson`.

    Returns:
        The file's path.
    """
    target = path or DATA / f"acp-{n_events}-{seed}.ndjson"
    target.parent.mkdir(parents=True, exist_ok=True)
    partial = target.with_suffix(".partial")
    with partial.open("wb") as file:
        for message in itertools.islice(messages(seed, sessions=sessions, with_ids=with_ids), n_events):
            file.write(orjson.dumps(message, option=orjson.OPT_APPEND_NEWLINE))
    partial.replace(target)
    return target


def recorded(path: Path) -> Path:
    """Write a log as our own recorder would have written it, a message a millisecond.

    Args:
        path: The log, as `generate` writes it.

    Returns:
        The recording's path, beside the log's.
    """
    from acpinspect.recording.records import Moment, records_of

    target = path.with_suffix(".recorded.jsonl")
    with path.open("rb") as lines, target.open("wb") as file:
        for number, line in enumerate(lines):
            moment = Moment(1_767_610_800_000_000_000 + number * 1_000_000, number * 1_000_000)
            file.writelines(records_of(number, moment, "agent", [], line.rstrip(b"\n")).buffers)
    return target


def messages(seed: int = 0, *, sessions: int = 3, with_ids: float = 0.85) -> Iterator[Json]:
    """The messages of an endless connection, in the order in which a recorder would see them."""
    rng = random.Random(seed)
    pool, ids = _pool(rng), Ids()
    yield from _handshake()
    live = [_session(rng, pool, ids, with_ids) for _ in range(sessions)]
    while True:
        for index in rng.choices(range(sessions), k=64):
            # A burst of one session, then another's: parallel sessions interleave like this.
            burst = list(itertools.islice(live[index], rng.randrange(1, 40)))
            if not burst:
                live[index] = _session(rng, pool, ids, with_ids)
            yield from burst


def _pool(rng: random.Random) -> Pool:
    def sentence(words: int) -> str:
        return " ".join(rng.choices(WORDS, k=words))

    paths = [f"/home/ada/harbour/{rng.choice(WORDS[12:50])}/{rng.choice(WORDS[21:60])}.py" for _ in range(200)]
    pieces = [
        sentence(rng.choice((1, 1, 2, 3, 4, 8))) + rng.choice((" ", " ", ", ", ".\n\n")) for _ in range(2000)
    ]
    outputs = [
        "\n".join(f"{n:>4}  {sentence(9)}" for n in range(rng.choice((4, 60, 120, 240)))) for _ in range(300)
    ]
    return Pool(pieces, paths, outputs)


def _handshake() -> Iterator[Json]:
    capabilities = {"fs": {"readTextFile": True, "writeTextFile": True}, "terminal": True}
    yield _request(0, "initialize", {"protocolVersion": 1, "clientCapabilities": capabilities})
    yield _result(0, {"protocolVersion": 1, "agentCapabilities": {"loadSession": True}, "authMethods": []})


def _session(rng: random.Random, pool: Pool, ids: Ids, with_ids: float) -> Iterator[Json]:
    """One session: it is made, runs up to forty turns, and ends."""
    session = f"sess-{uuid.UUID(int=rng.getrandbits(128))}"
    has_ids = rng.random() < with_ids
    request = next(ids.client)
    yield _request(request, "session/new", {"cwd": "/home/ada/harbour", "mcpServers": []})
    yield _result(request, {"sessionId": session})
    commands = [{"name": word, "description": f"Do the {word}"} for word in WORDS[26:34]]
    yield _update(session, {"sessionUpdate": "available_commands_update", "availableCommands": commands})
    for _ in range(rng.randrange(5, 40)):
        yield from _turn(rng, pool, ids, session, has_ids)


def _turn(rng: random.Random, pool: Pool, ids: Ids, session: str, has_ids: bool) -> Iterator[Json]:
    """One prompt turn: the prompt, some rounds of thought, text and tools, usage, the answer."""
    request = next(ids.client)
    prompt = [{"type": "text", "text": "".join(rng.choices(pool.pieces, k=12))}]
    yield _request(request, "session/prompt", {"sessionId": session, "prompt": prompt})
    for round_ in range(rng.randrange(1, 6)):
        if rng.random() < 0.5:
            yield from _chunks(rng, pool, session, "agent_thought_chunk", rng.randrange(2, 25), has_ids)
        yield from _chunks(rng, pool, session, "agent_message_chunk", rng.randrange(3, 40), has_ids)
        if round_ == 0 and rng.random() < 0.3:
            yield _plan(rng, pool, session)
        for _ in range(rng.choice((0, 1, 1, 2, 3))):
            yield from _tool(rng, pool, ids, session)
        yield _update(session, {"sessionUpdate": "usage_update", "used": rng.randrange(200_000), "size": 200_000})
    yield _result(request, {"stopReason": "end_turn" if rng.random() < 0.95 else "cancelled"})


def _chunks(rng: random.Random, pool: Pool, session: str, kind: str, count: int, has_ids: bool) -> Iterator[Json]:
    message = f"msg_{rng.getrandbits(80):020x}"
    for text in rng.choices(pool.pieces, k=count):
        update: Json = {"sessionUpdate": kind, "content": {"type": "text", "text": text}}
        if has_ids:
            update["messageId"] = message
        yield _update(session, update)


def _tool(rng: random.Random, pool: Pool, ids: Ids, session: str) -> Iterator[Json]:
    """A tool call: asked for, at times allowed by the user, run, and done with its output."""
    call = f"toolu_{rng.getrandbits(96):024x}"
    kind, title = rng.choice(TOOLS)
    path, output = rng.choice(pool.paths), rng.choice(pool.outputs)
    named = title.format(path=path, word=rng.choice(WORDS[21:50]))
    start: Json = {"sessionUpdate": "tool_call", "toolCallId": call, "title": named, "kind": kind}
    yield _update(session, start | {"status": "pending", "rawInput": {"path": path, "limit": 200, "offset": None}})
    if kind in ("edit", "execute"):
        yield from _permission(ids, session, call, named)
    if kind == "read":
        yield from _file_read(ids, session, path, output)
    step: Json = {"sessionUpdate": "tool_call_update", "toolCallId": call, "status": "in_progress"}
    yield _update(session, step | {"locations": [{"path": path, "line": rng.randrange(1, 400)}]})
    block = {"type": "content", "content": {"type": "text", "text": output}}
    done = step | {"status": "completed" if rng.random() < 0.93 else "failed", "content": [block]}
    yield _update(session, done | {"rawOutput": {"text": output, "lines": output.count("\n") + 1}})


def _permission(ids: Ids, session: str, call: str, title: str) -> Iterator[Json]:
    request = next(ids.agent)
    options = [
        {"optionId": "allow", "name": "Allow", "kind": "allow_once"},
        {"optionId": "reject", "name": "Reject", "kind": "reject_once"},
    ]
    params: Json = {
        "sessionId": session,
        "toolCall": {"toolCallId": call, "title": title},
        "options": options,
    }
    yield _request(request, "session/request_permission", params)
    yield _result(request, {"outcome": {"outcome": "selected", "optionId": "allow"}})


def _file_read(ids: Ids, session: str, path: str, text: str) -> Iterator[Json]:
    request = next(ids.agent)
    yield _request(request, "fs/read_text_file", {"sessionId": session, "path": path})
    yield _result(request, {"content": text})


def _plan(rng: random.Random, pool: Pool, session: str) -> Json:
    entries = [
        {
            "content": "".join(rng.choices(pool.pieces, k=3)),
            "priority": "medium",
            "status": rng.choice(STATUSES),
        }
        for _ in range(rng.randrange(2, 7))
    ]
    return _update(session, {"sessionUpdate": "plan", "entries": entries})


def _update(session: str, update: Json) -> Json:
    return {"jsonrpc": "2.0", "method": "session/update", "params": {"sessionId": session, "update": update}}


def _request(number: int, method: str, params: Json) -> Json:
    return {"jsonrpc": "2.0", "id": number, "method": method, "params": params}


def _result(number: int, result: Json) -> Json:
    return {"jsonrpc": "2.0", "id": number, "result": result}


def main() -> None:
    """Write one log for each count on the command line."""
    parser = argparse.ArgumentParser(description="Write large, realistic ACP logs.")
    parser.add_argument("count", type=int, nargs="+", help="how many events")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    for count in options.count:
        path = generate(count, options.seed)
        size = path.stat().st_size
        print(f"{path.name}: {count:,} events, {size / 1e6:,.1f} MB, {size / count:,.0f} bytes an event")


if __name__ == "__main__":
    main()
