"""Rules about what a replay tells, compared with itself and with the epoch before."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import Final

from acpinspect.diagnostics.findings import Hit, quote
from acpinspect.diagnostics.log import Log
from acpinspect.diagnostics.registry import builtin
from acpinspect.diagnostics.replays import Replay, Told

__all__: list[str] = []

_ROLE_NAMES: Final = ("user", "agent", "thought")
_BETWEEN: Final = "\x00"


@builtin("replay-duplicate")
def _replay_duplicate(log: Log) -> Iterator[Hit]:
    for replay in log.replays:
        seen: dict[tuple[int, str], int] = {}
        for told in replay.new.replayed:
            text = told.text.strip()
            if len(text) < log.options.replay_min:
                continue
            first = seen.setdefault((told.role, text), told.row)
            if first != told.row:
                yield Hit(told.row, f"The replay holds {quote(text)} twice.", related=(first,))


@builtin("replay-ids-changed")
def _replay_ids_changed(log: Log) -> Iterator[Hit]:
    for replay in log.replays:
        old: dict[tuple[int, str], list[Told]] = defaultdict(list)
        for told in replay.old.messages:
            if told.id >= 0:
                old[told.role, told.text].append(told)
        known = {key: {told.id for told in same} for key, same in old.items()}
        for told in replay.new.replayed:
            same = old.get((told.role, told.text), [])
            if told.id >= 0 and told.text and same and told.id not in known[told.role, told.text]:
                ids = log.name("message_id", same[0].row), log.name("message_id", told.row)
                text = f"{quote(told.text)} had the id {quote(ids[0])} and has {quote(ids[1])} in the replay."
                yield Hit(told.row, text, related=(same[0].row,))
                break


@builtin("replay-incomplete")
def _replay_incomplete(log: Log) -> Iterator[Hit]:
    silent = {load for load, *_ in log.replay_faults}
    broken = _broken_turns(log)
    for replay in log.replays:
        load = replay.load
        if load.asked and load.ok and load.request not in silent:
            for role in range(len(_ROLE_NAMES)):
                lost = _first_lost(log, replay, role, broken)
                if lost is not None:
                    text = f"The replay lacks a message of {_ROLE_NAMES[role]}: {quote(lost.text.strip())}."
                    yield Hit(load.response, text, related=(lost.row,))


def _broken_turns(log: Log) -> set[tuple[int, int]]:
    """Sessions and numbers of turns that were cancelled or failed."""
    broken = set()
    for prompt in log.control.prompts:
        failed = prompt.response >= 0 and not prompt.ok
        if prompt.request >= 0 and (failed or prompt.stop == "cancelled"):
            broken.add((prompt.session, int(log.turn[prompt.request])))
    for session, states in log.control.states.items():
        broken |= {(session, int(log.turn[s.row])) for s in states if s.state == "idle" and s.stop == "cancelled"}
    return broken


def _first_lost(log: Log, replay: Replay, role: int, broken: set[tuple[int, int]]) -> Told | None:
    """The first old message of a role whose text is nowhere in the replay."""
    new = [told.text.strip() for told in replay.new.replayed if told.role == role]
    whole, everything, position = set(new), _BETWEEN.join(new), 0
    for told in replay.old.messages:
        text = told.text.strip()
        if told.role != role or len(text) < log.options.replay_min or text in whole:
            continue
        if told.turn >= 0 and (replay.load.session, told.turn) in broken:
            continue
        # The order is mostly the same, so the search goes on where it found the last one.
        found = everything.find(text, position)
        if found < 0:
            found = everything.find(text)
        if found < 0:
            return told
        position = found
    return None


@builtin("replay-tool-ids-changed")
def _replay_tool_ids_changed(log: Log) -> Iterator[Hit]:
    for replay in log.replays:
        new, old = replay.new.replayed_tools, replay.old.tools
        if replay.load.response >= 0 and new and old and not new & old:
            told = "its tool call a new id" if len(new) == 1 else f"all {len(new)} tool calls new ids"
            yield Hit(replay.load.response, f"The replay gives {told}: {quote(min(new))}, not {quote(min(old))}.")
