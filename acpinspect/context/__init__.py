"""Facts derived once from the frames of a table, for all that comes after.

Session, protocol version, sender, pairs of request and response, turn, phase, epoch, refused updates.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pandas as pd

from acpinspect.context.carry import NOTHING, Carry
from acpinspect.context.carrying import carried_on, numbers_of_sessions, prompts_at, sessions_at
from acpinspect.context.facts import Codes, Facts
from acpinspect.context.holding import run_starts, spread
from acpinspect.context.refusals import refusals
from acpinspect.context.replies import Replies, pair
from acpinspect.context.sides import method_sides, sides_by_label
from acpinspect.context.turns import Turns, derive_turns
from acpinspect.context.versions import version_codes
from acpinspect.protocol.fields import Version

__all__ = ["NOTHING", "Carry", "Codes", "Context", "Facts", "carried_on", "derive"]


@dataclass(frozen=True, slots=True)
class Context:
    """What was derived, by row.

    Attributes:
        replies: Pairs, and with them the methods, sessions and senders of responses.
        version: Index into `VERSIONS`.
        refused: Reason by row, for refused updates.
        turns: Turn, phase, epoch.
        settled: The version of each connection of which something told it, by its number.
        numbers: The number of each session, by its name, where the rows are a piece of one recording.
    """

    replies: Replies
    version: npt.NDArray[np.int8]
    refused: dict[int, str]
    turns: Turns
    settled: dict[int, int]
    numbers: dict[str | None, int]


def derive(facts: Facts, *, protocol: Version | None = None, carry: Carry | None = None) -> Context:
    """Derive the context of a whole table, or of the next piece of one recording.

    Args:
        facts: The columns of all recordings; of a piece, with the rows that `carry` tells of before it.
        protocol: The version to take, instead of what the log says.
        carry: What the pieces before left behind, `NOTHING` for the first; `carried_on` makes the next.
    """
    piece, carry = carry is not None, carry or NOTHING
    by_method = method_sides(facts.method)
    replies = pair(facts, by_method, sides_by_label(facts, by_method, carry), carry)
    versions = version_codes(facts, replies, protocol, carry)
    version = versions.codes
    refused = refusals(facts, version)
    number = _numbered(facts, replies)
    numbers = numbers_of_sessions(number, replies.session, carry) if piece else {}
    turns = derive_turns(
        facts,
        replies,
        number,
        version,
        _mask(len(facts), refused),
        sessions_at(carry, numbers),
        prompts_at(carry),
        carry.before,
    )
    return Context(replies, version, refused, turns, versions.settled, numbers)


def _numbered(facts: Facts, replies: Replies) -> npt.NDArray[np.int32]:
    """A number for each session of each recording; traffic that names no session shares one of its own."""
    session, n = replies.session, len(facts)
    nameless = (session.codes < 0) & ((facts.update.codes >= 0) | replies.method.where("session/prompt"))
    code = np.where(nameless, len(session.names), session.codes)
    starts = run_starts(code, run_starts(facts.recording))
    code = code[starts].astype(np.int64)
    wide = facts.recording[starts].astype(np.int64) * (len(session.names) + 1) + code
    numbers, _ = pd.factorize(np.where(code >= 0, wide, -1))
    return spread(np.where(code >= 0, numbers, -1).astype(np.int32), starts, n)


def _mask(n: int, rows: dict[int, str]) -> npt.NDArray[np.bool_]:
    mask = np.zeros(n, dtype=bool)
    mask[list(rows)] = True
    return mask
