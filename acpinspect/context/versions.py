"""The protocol version of each connection: negotiated, else inferred from what is in it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from acpinspect.context.carry import NOTHING, Carry
from acpinspect.context.facts import Codes, Facts
from acpinspect.context.replies import Replies
from acpinspect.protocol.fields import VERSIONS, Version
from acpinspect.protocol.methods import METHODS
from acpinspect.protocol.variants import VARIANTS
from acpinspect.reading.results import ACKNOWLEDGED, STOPPED

__all__ = ["Versions", "version_codes"]

_V1, _V2 = 0, 1
_NULL, _ABSENT = 1, 2


@dataclass(frozen=True, slots=True)
class Versions:
    """Indices into `VERSIONS`.

    Attributes:
        codes: The version of each row.
        settled: The version of each connection of which something told it, by its number.
    """

    codes: npt.NDArray[np.int8]
    settled: dict[int, int]


def version_codes(facts: Facts, replies: Replies, forced: Version | None, carry: Carry = NOTHING) -> Versions:
    """The version of each row and connection.

    Args:
        facts: The columns.
        replies: The connections, what they negotiated, and the methods of responses.
        forced: The version that the user gave, which overrules all.
        carry: What the frames before left behind.
    """
    if forced is not None:
        return Versions(np.full(len(facts), VERSIONS.index(forced), dtype=np.int8), {})
    n = max([int(replies.connection.max(initial=0)), *(number for _, number in _all(replies))]) + 1
    versions, told = _inferred(facts, replies, n)
    for name, began in replies.began.items():
        if name in carry.versions:
            going_on = [number for row, number in began[1:] if row < carry.before]
            for number in [began[0][1], *going_on]:
                versions[number], told[number] = carry.versions[name], True
    for number, version in replies.version.items():
        if version in (1, 2):
            versions[number], told[number] = version - 1, True
    settled = {number: int(versions[number]) for number in np.flatnonzero(told).tolist()}
    return Versions(versions[replies.connection], settled)


def _all(replies: Replies) -> list[tuple[int, int]]:
    return [change for began in replies.began.values() for change in began]


def _inferred(facts: Facts, replies: Replies, n: int) -> tuple[npt.NDArray[np.int8], npt.NDArray[np.bool_]]:
    """By the number of distinct marks of each version, then by how often they occur; v1 where nothing tells.

    Returns:
        The version of each connection, and whether there was any mark.
    """
    marks = [np.zeros((n, 0), np.int64), np.zeros((n, 0), np.int64)]
    for version, rows in _marks(facts, replies.method):
        counted = np.bincount(replies.connection[rows], minlength=n)[:, None]
        marks[version] = np.hstack([marks[version], counted])
    distinct = [(table > 0).sum(axis=1) for table in marks]
    often = [table.sum(axis=1) for table in marks]
    v2 = (distinct[_V2] > distinct[_V1]) | ((distinct[_V2] == distinct[_V1]) & (often[_V2] > often[_V1]))
    return np.where(v2, _V2, _V1).astype(np.int8), (often[_V1] + often[_V2]) > 0


def _marks(facts: Facts, method: Codes) -> list[tuple[int, npt.NDArray[np.int64]]]:
    """Rows that only one version can have, a list for each kind of mark."""
    marks = []
    only = (set(VARIANTS["v1"]) - set(VARIANTS["v2"]), set(VARIANTS["v2"]) - set(VARIANTS["v1"]))
    for version, names in enumerate(only):
        present = [name for name in facts.update.names if name in names]
        marks += [(version, np.flatnonzero(facts.update.where(name))) for name in present]
    chunk = facts.update.flags([name.endswith("_chunk") for name in facts.update.names])
    marks.append((_V1, np.flatnonzero(chunk & ((facts.id_state == _NULL) | (facts.id_state == _ABSENT)))))
    for name in facts.method.names:
        versions = METHODS[name].versions if name in METHODS else VERSIONS
        if len(versions) == 1:
            rows = np.flatnonzero(facts.method.where(name))
            marks.append((VERSIONS.index(versions[0]), rows))
    answers = np.flatnonzero(method.where("session/prompt") & (facts.kind == 1))
    marks.append((_V1, answers[facts.result_ends.where(STOPPED)[answers]]))
    marks.append((_V2, answers[facts.result_ends.where(ACKNOWLEDGED)[answers]]))
    return marks
