"""Which entity each event of a session writes to: codes for keys, in columns."""

from __future__ import annotations

from typing import Final, NamedTuple

import msgspec
import numpy as np
import numpy.typing as npt
import pandas as pd
import pyarrow as pa

from acpinspect.protocol import read_permission
from acpinspect.reducer import Entity, EntityKey, MessageKey
from acpinspect.reducer.keys import EntityKind
from acpinspect.timelines.acts import ACTS, KIND_OF, codes_of
from acpinspect.timelines.logs import ROLES, SessionLog

__all__ = ["KINDS", "Keys", "Names", "keys_of"]

Ints = npt.NDArray[np.int64]
KINDS: Final[tuple[EntityKind, ...]] = ("message", "tool_call", "plan", "terminal", "compaction")
_NO_ID: Final = -1


class Names:
    """Ids by number: in an Arrow array, but for those that it can't hold (lone surrogates)."""

    __slots__ = ("_array", "_others")

    def __init__(self, array: pa.Array, others: list[str]) -> None:
        self._array, self._others = array, others

    def __getitem__(self, number: int) -> str:
        if number < len(self._array):
            return str(self._array[number].as_py())
        return self._others[number - len(self._array)]

    def many(self, numbers: npt.NDArray[np.int32]) -> list[str | None]:
        """The ids of some numbers; ``None`` for the number of none."""
        inside = (numbers >= 0) & (numbers < len(self._array))
        found: list[str | None] = self._array.take(pa.array(numbers, mask=~inside)).to_pylist()
        for at in np.flatnonzero(numbers >= len(self._array)).tolist():
            found[at] = self[int(numbers[at])]
        return found


class Keys(NamedTuple):
    """What the entities of a session are called, by code; codes count in the order of first appearance.

    Attributes:
        code: The entity of each position; -1 where the event writes to none.
        kind: Index into `KINDS`, by code.
        epoch: By code.
        role: Index into `ROLES`, by code; of messages.
        label: By code; -1 where the id is the key. Of messages.
        name: Number of the id, by code; -1 for none.
        names: The ids.
        added: Entities that only a user's reducer made, by code.
    """

    code: npt.NDArray[np.int32]
    kind: npt.NDArray[np.int8]
    epoch: npt.NDArray[np.int32]
    role: npt.NDArray[np.int8]
    label: npt.NDArray[np.int32]
    name: npt.NDArray[np.int32]
    names: Names
    added: dict[int, Entity]

    def entity(self, code: int) -> Entity:
        """The kind and key of one entity."""
        if code in self.added:
            return self.added[code]
        number = int(self.name[code])
        return _entity(
            int(self.kind[code]),
            int(self.epoch[code]),
            int(self.role[code]),
            int(self.label[code]),
            None if number == _NO_ID else self.names[number],
        )

    def entities(self, codes: npt.NDArray[np.int32]) -> list[Entity]:
        """The kinds and keys of many entities."""
        columns = [column[codes].tolist() for column in (self.kind, self.epoch, self.role, self.label)]
        found = list(map(_entity, *columns, self.names.many(self.name[codes])))
        if self.added:
            return [self.added.get(code, entity) for code, entity in zip(codes.tolist(), found, strict=True)]
        return found


def _entity(kind: int, epoch: int, role: int, label: int, name: str | None) -> Entity:
    named = KINDS[kind]
    if named == "message":
        by_id = label < 0
        return Entity(named, MessageKey(epoch, ROLES[role], name if by_id else None, None if by_id else label))
    return Entity(named, name or "") if named == "plan" else Entity(named, EntityKey(epoch, name or ""))


class _Part(NamedTuple):
    """The entities of some kinds: positions with their codes, and what each code stands for."""

    positions: Ints
    codes: Ints
    kind: Ints
    epoch: Ints
    role: Ints
    label: Ints
    name: Ints


def keys_of(log: SessionLog) -> Keys:
    """Find the entities of a session. Cost: columns; plans, terminals, compactions and permissions are read."""
    others: list[str] = []
    message_part, message_ids = _messages(log, others)
    tool_part, tool_ids = _tools(log, others, len(message_ids))
    array = pa.concat_arrays([message_ids, tool_ids])
    # Numbers of the ids that stand beside the array were counted from -2 down, as its length was not known.
    parts = [message_part, tool_part, _others(log, others)]
    starts = np.cumsum([0, *(len(part.kind) for part in parts)])
    provisional = np.full(len(log), -1, dtype=np.int64)
    for part, start in zip(parts, starts.tolist(), strict=False):
        provisional[part.positions] = part.codes + start
    found = np.flatnonzero(provisional >= 0)
    code = np.full(len(log), -1, dtype=np.int32)
    code[found], order = pd.factorize(provisional[found])
    name = np.concatenate([part.name for part in parts])[order]
    name = np.where(name < _NO_ID, len(array) - 2 - name, name)
    columns = [np.concatenate([getattr(part, field) for part in parts])[order] for field in _Part._fields[2:6]]
    kind, epoch, role, label = columns
    return Keys(
        code,
        kind.astype(np.int8),
        epoch.astype(np.int32),
        role.astype(np.int8),
        label.astype(np.int32),
        name.astype(np.int32),
        Names(array, others),
        {},
    )


def _at(log: SessionLog, *acts: str) -> Ints:
    return np.flatnonzero(np.isin(log.acts, codes_of(*acts)))


def _beside(others: list[str], name: str) -> int:
    """The number of an id that no column can hold."""
    others.append(name)
    return -1 - len(others)


def _messages(log: SessionLog, others: list[str]) -> tuple[_Part, pa.Array]:
    """One entity per label. Its id is its key, unless another message of the policy has the id already."""
    positions = _at(log, "chunk", "whole")
    codes = log.label[positions].astype(np.int64)
    numbers, index = np.unique(codes, return_index=True)
    codes = np.searchsorted(numbers, codes)
    first = positions[index]
    ids = log.message_ids.take(pa.array(first)).combine_chunks().cast(pa.large_string())
    name = np.where(ids.is_null().to_numpy(zero_copy_only=False), _NO_ID, np.arange(len(first)))
    encoded = ids.dictionary_encode()
    same_id = encoded.indices.fill_null(-1).to_numpy(zero_copy_only=False).astype(np.int64)
    for entity, position in enumerate(first.tolist()):
        if position in log.odd_ids and name[entity] != _NO_ID:
            name[entity] = _beside(others, _text(log.update(position), "messageId"))
    wide = (log.epoch[first].astype(np.int64) * len(ROLES) + log.role[first]) * (len(first) + 1) + same_id
    claimed = pd.Series(wide).duplicated().to_numpy() & (same_id >= 0)
    name[claimed] = _NO_ID
    label = np.where(name == _NO_ID, numbers, -1)
    part = _Part(
        positions,
        codes,
        np.zeros(len(first), np.int64),
        log.epoch[first].astype(np.int64),
        log.role[first].astype(np.int64),
        label,
        name,
    )
    return part, ids


def _text(update: object, key: str) -> str:
    value = update.get(key) if isinstance(update, dict) else None
    return value if isinstance(value, str) else ""


def _tools(log: SessionLog, others: list[str], start: int) -> tuple[_Part, pa.Array]:
    asked = [(position, _asked(log, position)) for position in _at(log, "permission").tolist()]
    silent = np.array([position for position, name in asked if name is None], dtype=np.int64)
    positions = np.setdiff1d(_at(log, *[act for act, kind in KIND_OF.items() if kind == "tool_call"]), silent)
    # The column can't hold all ids, and of a permission request it may name what another version would read.
    exact = {position: name for position, name in asked if name is not None}
    for position in log.odd_ids.intersection(positions.tolist()) - exact.keys():
        exact[position] = _text(log.update(position), "toolCallId")
    encoded = log.tool_ids.take(pa.array(positions)).combine_chunks().dictionary_encode()
    number = encoded.indices.fill_null(0).to_numpy(zero_copy_only=False).astype(np.int64) + start
    known = {name: at + start for at, name in enumerate(encoded.dictionary.to_pylist())} if exact else {}
    for position, name in exact.items():
        if name not in known:
            known[name] = _beside(others, name)
        number[np.searchsorted(positions, position)] = known[name]
    return _coded(positions, log.epoch[positions].astype(np.int64), number, KINDS.index("tool_call")), (
        encoded.dictionary.cast(pa.large_string())
    )


def _asked(log: SessionLog, position: int) -> str | None:
    """The tool call that a permission request carries."""
    carried = read_permission(log.frame(position).get("params"), log.protocol).tool_call
    return None if carried is None else str(carried["toolCallId"])


def _coded(positions: Ints, epoch: Ints, number: Ints, kind: int | Ints) -> _Part:
    """Entities that are named by kind, epoch and id."""
    kinds = np.broadcast_to(np.asarray(kind, dtype=np.int64), len(positions))
    low, high = int(number.min(initial=0)), int(number.max(initial=0))
    wide = (kinds * (int(epoch.max(initial=0)) + 1) + epoch) * (high - low + 1) + (number - low)
    codes, _ = pd.factorize(wide)
    first = np.flatnonzero(~pd.Series(codes).duplicated().to_numpy())
    nothing = np.full(len(first), -1)
    return _Part(positions, codes, kinds[first], epoch[first], nothing, nothing, number[first])


class _PlanRef(msgspec.Struct, gc=False):
    planId: str | None = None  # noqa: N815


class _Ids(msgspec.Struct, gc=False):
    terminalId: str | None = None  # noqa: N815
    compactionId: str | None = None  # noqa: N815
    planId: str | None = None  # noqa: N815
    plan: _PlanRef | None = None


class _Params(msgspec.Struct, gc=False):
    update: _Ids


class _Frame(msgspec.Struct, gc=False):
    params: _Params


_decode: Final = msgspec.json.Decoder(_Frame).decode
_KEY_OF: Final = {"terminal": "terminalId", "compaction": "compactionId"}


def _others(log: SessionLog, others: list[str]) -> _Part:
    """Plans, terminals, compactions: their ids stand in the JSON only."""
    acts = [act for act, kind in KIND_OF.items() if kind in {"plan", "terminal", "compaction"}]
    positions = _at(log, *acts)
    numbers: dict[str, int] = {}
    number = np.empty(len(positions), dtype=np.int64)
    for at, (position, text) in enumerate(
        zip(positions.tolist(), log.texts.slices(log.rows[positions]), strict=True)
    ):
        name = _name(log, position, text)
        number[at] = numbers.get(name) or numbers.setdefault(name, _beside(others, name))
    kinds = np.array([KINDS.index(KIND_OF[ACTS[act]]) for act in log.acts[positions].tolist()], dtype=np.int64)
    # A plan's key has no epoch: a load goes on with the plans that there are.
    epoch = np.where(kinds == KINDS.index("plan"), 0, log.epoch[positions].astype(np.int64))
    return _coded(positions, epoch, number, kinds)


def _name(log: SessionLog, position: int, text: memoryview) -> str:
    act = ACTS[log.acts[position]]
    if act == "plan":
        return ""
    try:
        ids = _decode(text).params.update
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return _name_read(log, position, act)
    if act == "plan_update":
        return (ids.plan.planId if ids.plan is not None else None) or ""
    return (ids.planId if act == "plan_removed" else getattr(ids, _KEY_OF[KIND_OF[act]])) or ""


def _name_read(log: SessionLog, position: int, act: str) -> str:
    """The same, where the typed reader gives up."""
    update = log.update(position)
    if act == "plan_update":
        return _text(update.get("plan") if isinstance(update, dict) else None, "planId")
    return _text(update, "planId" if act == "plan_removed" else _KEY_OF[KIND_OF[act]])
