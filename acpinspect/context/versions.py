"""The protocol version of each connection: negotiated, else inferred from what is in it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import numpy as np
import numpy.typing as npt

from acpinspect.context.facts import Facts
from acpinspect.protocol.fields import VERSIONS, Version
from acpinspect.protocol.methods import METHODS
from acpinspect.protocol.variants import VARIANTS

__all__ = ["version_codes"]

_V1, _V2 = 0, 1
_ABSENT_OR_NULL: Final = (1, 2)


def version_codes(
    facts: Facts,
    connection: npt.NDArray[np.int32],
    negotiated: Mapping[int, int],
    reply_methods: Mapping[int, str],
    forced: Version | None,
) -> npt.NDArray[np.int8]:
    """The version of each row, as an index into `VERSIONS`.

    Args:
        facts: The columns.
        connection: Number of each row's connection.
        negotiated: protocolVersion by number of the connection, where `initialize` told it.
        reply_methods: Methods of the responses, by row.
        forced: The version that the user gave, which overrules all.
    """
    if forced is not None:
        return np.full(len(facts), VERSIONS.index(forced), dtype=np.int8)
    n = int(connection.max(initial=0)) + 1
    versions = _inferred(facts, connection, reply_methods, n)
    for number, version in negotiated.items():
        if version in (1, 2):
            versions[number] = version - 1
    return versions[connection]


def _inferred(
    facts: Facts, connection: npt.NDArray[np.int32], reply_methods: Mapping[int, str], n: int
) -> npt.NDArray[np.int8]:
    """By the number of distinct marks of each version, then by how often they occur; v1 where nothing tells."""
    marks = [np.zeros((n, 0), np.int64), np.zeros((n, 0), np.int64)]
    for version, rows in _marks(facts, reply_methods):
        counted = np.bincount(connection[rows], minlength=n)[:, None]
        marks[version] = np.hstack([marks[version], counted])
    distinct = [(table > 0).sum(axis=1) for table in marks]
    often = [table.sum(axis=1) for table in marks]
    v2 = (distinct[_V2] > distinct[_V1]) | ((distinct[_V2] == distinct[_V1]) & (often[_V2] > often[_V1]))
    return np.where(v2, _V2, _V1).astype(np.int8)


def _marks(facts: Facts, reply_methods: Mapping[int, str]) -> list[tuple[int, npt.NDArray[np.int64]]]:
    """Rows that only one version can have, a list for each kind of mark."""
    marks = []
    only = (set(VARIANTS["v1"]) - set(VARIANTS["v2"]), set(VARIANTS["v2"]) - set(VARIANTS["v1"]))
    for version, names in enumerate(only):
        present = [name for name in facts.update.names if name in names]
        marks += [(version, np.flatnonzero(facts.update.where(name))) for name in present]
    chunk = facts.update.flags([name.endswith("_chunk") for name in facts.update.names])
    marks.append((_V1, np.flatnonzero(chunk & np.isin(facts.id_state, _ABSENT_OR_NULL))))
    for name in facts.method.names:
        versions = METHODS[name].versions if name in METHODS else VERSIONS
        if len(versions) == 1:
            rows = np.flatnonzero(facts.method.where(name))
            marks.append((VERSIONS.index(versions[0]), rows))
    prompts = [row for row, name in reply_methods.items() if name == "session/prompt" and facts.kind[row] == 1]
    answers = facts.payloads(np.array(sorted(prompts), dtype=np.int64))
    results = {row: value.get("result") for row, value in answers}
    stops = [row for row, result in results.items() if isinstance(result, dict) and "stopReason" in result]
    acknowledgements = [row for row, result in results.items() if isinstance(result, dict) and not result]
    marks.append((_V1, np.array(stops, dtype=np.int64)))
    marks.append((_V2, np.array(acknowledgements, dtype=np.int64)))
    return marks
