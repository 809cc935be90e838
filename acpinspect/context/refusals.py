"""Which updates a client that follows the protocol refuses, and why.

A refused update is no part of a message, closes none and changes no state.
"""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from acpinspect.context.facts import Facts
from acpinspect.events import REJECTED
from acpinspect.protocol.check import read_update
from acpinspect.protocol.fields import VERSIONS
from acpinspect.protocol.variants import VARIANTS

__all__ = ["refusals"]

_LONGEST_NAME: Final = 60
_ID_REASON: Final = {1: "messageId is null", 2: "messageId is missing", 3: "messageId is no string"}


def refusals(facts: Facts, version: npt.NDArray[np.int8]) -> dict[int, str]:
    """The reason by row, for the refused updates; names that begin with ``_`` are extensions, not refused.

    Cost: columns, and one parse for each update whose payload is not plainly well-formed.
    """
    reasons: dict[int, str] = {}
    unknown = _unknown_names(facts, version)
    invalid_id = (version == VERSIONS.index("v2")) & (facts.id_state > 0)
    for row in np.flatnonzero(invalid_id & ~unknown).tolist():
        reasons[row] = REJECTED + _ID_REASON[int(facts.id_state[row])]
    looks = np.flatnonzero((facts.check & ~_extensions(facts)) | _nameless(facts))
    looks = looks[~(unknown | invalid_id)[looks]]
    for row, message in facts.payloads(looks):
        params = message.get("params")
        update = params.get("update") if isinstance(params, dict) else params
        refused = read_update(update, VERSIONS[version[row]]).rejected
        if refused is not None:
            reasons[row] = REJECTED + refused
    for row in np.flatnonzero(unknown).tolist():
        name = (facts.update.at(row) or "")[:_LONGEST_NAME]
        reasons[row] = f"{REJECTED}unknown update {name!r} in {VERSIONS[version[row]]}"
    return reasons


def _unknown_names(facts: Facts, version: npt.NDArray[np.int8]) -> npt.NDArray[np.bool_]:
    unknown = np.zeros(len(facts), dtype=bool)
    for code, known in enumerate(VERSIONS):
        names = [not name.startswith("_") and name not in VARIANTS[known] for name in facts.update.names]
        unknown |= facts.update.flags(names) & (version == code)
    return unknown


def _extensions(facts: Facts) -> npt.NDArray[np.bool_]:
    return facts.update.flags([name.startswith("_") for name in facts.update.names])


def _nameless(facts: Facts) -> npt.NDArray[np.bool_]:
    """session/update notifications whose discriminator can't be read."""
    nameless: npt.NDArray[np.bool_] = (facts.update.codes < 0) & (facts.kind == 3)
    return facts.method.where("session/update") & nameless
