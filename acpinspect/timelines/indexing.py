"""Builds the index of a session: which events write to which entity, and when each entity comes and goes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from acpinspect.reducer import Entity
from acpinspect.timelines.acts import ACTS, FIELD_OF, KIND_OF, codes_of
from acpinspect.timelines.control import Controlled, control
from acpinspect.timelines.extended import fold_extended, is_extended, with_entities
from acpinspect.timelines.index import NEVER, Index, Track
from acpinspect.timelines.keys import KINDS, Keys, keys_of
from acpinspect.timelines.logs import SessionLog
from acpinspect.timelines.reading import entity_after

__all__ = ["index_of"]

Small = npt.NDArray[np.int32]


def index_of(log: SessionLog) -> Index:
    """Build the index of a session.

    Cost: columns, and a look into the JSON of what is rare: prompts and answers, permissions, plans, terminals.
    """
    keys = keys_of(log)
    if not is_extended(log):
        positions = np.flatnonzero(keys.code >= 0)
        members, offsets = _sorted_pairs(positions, keys.code[positions], len(keys.kind))
        return _index(log, keys, _lives(log, keys, members, offsets, []), control(log))
    controlled, puts = fold_extended(log, keys)
    keys, codes = with_entities(keys, puts)
    positions = np.append(np.flatnonzero(keys.code >= 0), np.array([put.position for put in puts], dtype=np.int64))
    pairs = np.append(keys.code[keys.code >= 0], np.array(codes, dtype=np.int32))
    members, offsets = _sorted_pairs(positions, pairs, len(keys.kind))
    written = [(code, put.position, put.value) for code, put in zip(codes, puts, strict=True)]
    return _index(log, keys, _lives(log, keys, members, offsets, written), controlled, written)


def _sorted_pairs(
    positions: npt.NDArray[np.int64], codes: Small, count: int
) -> tuple[Small, npt.NDArray[np.int64]]:
    """Positions entity by entity, and where each entity's begin."""
    order = np.lexsort((positions, codes)) if (np.diff(positions) < 0).any() else np.argsort(codes, kind="stable")
    offsets = np.searchsorted(codes[order], np.arange(count + 1))
    return positions[order].astype(np.int32), offsets.astype(np.int64)


@dataclass(slots=True)
class _Lives:
    """One row per life: its entity, when it begins and ends, and its part of the members."""

    code: Small
    born: Small
    died: Small
    begin: npt.NDArray[np.int64]
    members: Small


_Written = list[tuple[int, int, object]]
"""Entity, position and value of what reducers of users wrote."""


def _lives(
    log: SessionLog, keys: Keys, members: Small, offsets: npt.NDArray[np.int64], written: _Written
) -> _Lives:
    n = len(keys.kind)
    code = np.arange(n, dtype=np.int32)
    born = members[offsets[:-1]].astype(np.int32) if n else np.zeros(0, np.int32)
    died = np.full(n, NEVER, dtype=np.int32)
    put = {(entity, position) for entity, position, _ in written}
    for terminal in np.flatnonzero(keys.kind == KINDS.index("terminal")).tolist():
        if (terminal, int(born[terminal])) not in put:
            part = members[offsets[terminal] : offsets[terminal + 1]]
            born[terminal] = _first_output(log, keys.entity(terminal), part)
    lives = _Lives(code, born, died, offsets, members)
    removed = np.flatnonzero(log.acts == ACTS.index("plan_removed")).tolist()
    ends = {(int(keys.code[position]), position) for position in removed}
    ends |= {(entity, position) for entity, position, value in written if value is None}
    return _split(lives, ends) if ends else lives


def _first_output(log: SessionLog, terminal: Entity, positions: Small) -> int:
    """The event that makes a terminal: chunks that can't be decoded make none."""
    for at in range(len(positions)):
        if entity_after(terminal, log.excerpt(positions[at : at + 1]), None) is not None:
            return int(positions[at])
    return int(NEVER)


def _split(lives: _Lives, ends: set[tuple[int, int]]) -> _Lives:
    """Several lives of one entity: each removal ends one."""
    more: list[tuple[int, int, int, int]] = []
    mortal = np.unique([entity for entity, _ in ends])
    for entity in mortal.tolist():
        begin, end = int(lives.begin[entity]), int(lives.begin[entity + 1])
        positions = lives.members[begin:end].tolist()
        cuts = [at + 1 for at, position in enumerate(positions) if (entity, position) in ends]
        for start, stop in zip([0, *cuts], [*cuts, len(positions)], strict=True):
            if start < stop:
                first, last = positions[start], positions[stop - 1]
                alone, gone = (entity, first) in ends, (entity, last) in ends
                more.append(
                    (entity, NEVER if alone else first, last if gone and not alone else NEVER, begin + start)
                )
    kept = ~np.isin(lives.code, mortal)
    code, born, died, start_of = np.array(more, dtype=np.int64).reshape(-1, 4).T
    begins = np.concatenate([lives.begin[:-1][kept], start_of])
    order = np.argsort(begins, kind="stable")

    def joined(old: Small, new: npt.NDArray[np.int64]) -> Small:
        return np.concatenate([old[kept], new])[order].astype(np.int32)

    return _Lives(
        joined(lives.code, code),
        joined(lives.born, born),
        joined(lives.died, died),
        np.append(begins[order], lives.begin[-1]),
        lives.members,
    )


def _index(
    log: SessionLog, keys: Keys, lives: _Lives, controlled: Controlled, written: _Written | None = None
) -> Index:
    """Number the lives in the order in which they begin, and put their members in that order."""
    order = np.argsort(lives.born, kind="stable")
    sizes = np.diff(lives.begin)[order]
    offsets = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    source = np.repeat(lives.begin[:-1][order] - offsets[:-1], sizes) + np.arange(len(lives.members))
    members = lives.members[source]
    slot = np.full(len(log), -1, dtype=np.int32)
    of_member = np.repeat(np.arange(len(order), dtype=np.int32), sizes)
    slot[members] = of_member
    values, more = _values(lives.code[order], members, of_member, written or [])
    return Index(
        keys,
        lives.code[order],
        lives.born[order],
        lives.died[order],
        offsets,
        members,
        slot,
        values,
        more,
        _fields(log, controlled),
        controlled.changes,
        _epochs(log, controlled),
    )


def _values(
    code: Small, members: Small, of_member: Small, written: _Written
) -> tuple[dict[int, dict[int, object]], dict[int, tuple[int, ...]]]:
    """What reducers of users wrote, by slot and position; and the slots that they wrote to, by position."""
    values: dict[int, dict[int, object]] = {}
    more: dict[int, tuple[int, ...]] = {}
    if not written:
        return values, more
    places = zip(code[of_member].tolist(), members.tolist(), of_member.tolist(), strict=True)
    slots = {(entity, position): slot for entity, position, slot in places}
    for entity, position, value in written:
        slot = slots[entity, position]
        values.setdefault(slot, {})[position] = value
        more[position] = (*more.get(position, ()), slot)
    return values, more


def _fields(log: SessionLog, controlled: Controlled) -> dict[str, Track]:
    """The events of each field of the session: updates that are read when needed, and values that are known."""
    fields: dict[str, Track] = {}
    for act, field in FIELD_OF.items():
        positions = np.flatnonzero(log.acts == ACTS.index(act)).astype(np.int32)
        if len(positions):
            fields[field] = Track(Entity("session", field), positions, {})
    for field, values in controlled.values.items():
        known = fields[field].positions if field in fields else np.zeros(0, np.int32)
        positions = np.union1d(known, np.array(list(values), dtype=np.int32)).astype(np.int32)
        fields[field] = Track(Entity("session", field), positions, values)
    return fields


def _epochs(log: SessionLog, controlled: Controlled) -> Small:
    """A state is in the epoch of the last event that acted on it."""
    acted = np.isin(log.acts, codes_of("permission", *KIND_OF, *FIELD_OF))
    acted[list(controlled.acted)] = True
    return np.maximum.accumulate(np.where(acted, log.epoch, 0)).astype(np.int32)
