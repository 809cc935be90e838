"""What pairs of request and response tell: of a response its method, its session and who sent it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from acpinspect.context.carry import NOTHING, Carry
from acpinspect.context.facts import AGENT, CLIENT, UNKNOWN, Codes, Facts, Ints, Mask
from acpinspect.context.pairing import Pairs, pairs_of
from acpinspect.protocol.methods import METHODS
from acpinspect.reading.results import methods_named

__all__ = ["Replies", "pair", "shows_two_sides"]


@dataclass(frozen=True, slots=True)
class Replies:
    """What pairing found out, by row.

    Attributes:
        reply_to: The request's row; -1 where a row is no response, or its request is not in the log.
        method: The method of each row: of responses that of their request, or what the shape tells.
        session: The session of each row, those of responses included.
        sender: The side of requests, responses and notifications; -1 where nothing tells.
        connection: Number of the connection, counted anew at each `initialize`.
        version: protocolVersion that a connection agreed on, by number of the connection.
        began: By the name of each connection: from which row on which number holds. In the first recording the
            name is the number by which the recording names it.
        unanswered: Rows of the requests that are open at the end, ascending.
    """

    reply_to: Ints
    method: Codes
    session: Codes
    sender: npt.NDArray[np.int8]
    connection: npt.NDArray[np.int32]
    version: dict[int, int]
    began: dict[int, list[tuple[int, int]]]
    unanswered: list[int]


def pair(
    facts: Facts, by_method: npt.NDArray[np.int8], by_label: npt.NDArray[np.int8], carry: Carry = NOTHING
) -> Replies:
    """Pair requests and responses of each connection, in order.

    Args:
        facts: The columns.
        by_method: The side that each row's method fixes.
        by_label: The side that each row's calibrated label stands for.
        carry: What the frames before left behind.
    """
    fixed, known = facts.sender, by_method != UNKNOWN
    sender = np.where(fixed != UNKNOWN, fixed, np.where(known, by_method, by_label)).astype(np.int8, copy=False)
    one_sided = _one_sided(facts, carry)
    pairs = pairs_of(facts, sender, one_sided)
    reply_to = np.full(len(facts), -1, np.int64)
    reply_to[pairs.answers] = pairs.requests
    last = [] if carry.last_session is None else [carry.last_session]
    replies = Replies(
        reply_to,
        facts.method.wider([name for joined in facts.result_of.names for name in methods_named(joined)]),
        facts.session.wider([*facts.result_session.names, *last]),
        sender,
        pairs.connection,
        pairs.version,
        pairs.began,
        pairs.unanswered,
    )
    _tell_answers(facts, pairs, replies)
    if len(pairs.orphans):
        _adopt(facts, pairs.orphans, one_sided, replies, carry)
    _guess_extensions(facts, replies)
    return replies


def _put(column: Codes, rows: Ints, codes: npt.NDArray[np.integer]) -> None:
    """Put codes in, where there are any."""
    column.codes[rows[codes >= 0]] = codes[codes >= 0]


def _tell_answers(facts: Facts, pairs: Pairs, replies: Replies) -> None:
    """Method, session and sender of responses whose request is in the log."""
    answers, requests = pairs.answers, pairs.requests
    _put(replies.method, answers, facts.method.codes[requests])
    session = facts.session.codes[requests]
    unnamed = (session < 0) | (session == facts.session.code(""))
    _put(replies.session, answers, np.where(unnamed, _result_session(facts, answers, replies), session))
    told = (facts.sender[answers] == UNKNOWN) & (replies.sender[requests] != UNKNOWN)
    replies.sender[answers[told]] = 1 - replies.sender[requests[told]]


def _result_session(facts: Facts, rows: Ints, replies: Replies) -> Ints:
    """The session in the result of some responses, as a code of all sessions."""
    code_of = {name: code for code, name in enumerate(replies.session.names)}
    own = np.array([*(code_of[name] for name in facts.result_session.names), -1])
    codes: Ints = own[facts.result_session.codes[rows]]
    return codes


def _adopt(facts: Facts, rows: Ints, one_sided: Mask, replies: Replies, carry: Carry) -> None:
    """Responses whose request is not in the log: their results may still say what they answer."""
    shapes = [*map(methods_named, facts.result_of.names), frozenset[str]()]
    shape, own_session = facts.result_of.codes[rows], _result_session(facts, rows, replies)
    alone = [replies.method.code(next(iter(one))) if len(one) == 1 else -1 for one in shapes]
    new = [replies.method.code("session/new") if "session/new" in one else -1 for one in shapes]
    method = np.array(alone)[shape]
    method = np.where((method < 0) & (own_session >= 0), np.array(new)[shape], method)
    _put(replies.method, rows, method)
    side = np.array([_answering_side(one) for one in shapes], dtype=np.int8)[shape]
    side[(side == UNKNOWN) & one_sided[facts.recording[rows]]] = AGENT
    replies.sender[rows] = np.where(replies.sender[rows] == UNKNOWN, side, replies.sender[rows])
    prompted = method == replies.method.code("session/prompt")
    before = -1 if carry.last_session is None else replies.session.code(carry.last_session)
    _put(replies.session, rows, np.where(prompted, _last_session(facts, rows, before), own_session))


def _last_session(facts: Facts, rows: Ints, before: int) -> Ints:
    """The session of the last update before each row, in its recording; before the first of all, what is given."""
    updates = np.flatnonzero((facts.update.codes >= 0) & (facts.session.codes >= 0))
    if not len(updates):
        return np.full(len(rows), before)
    positions = np.searchsorted(updates, rows) - 1
    last = updates[positions]
    same = facts.recording[last] == facts.recording[rows]
    return np.where(positions < 0, before, np.where(same, facts.session.codes[last], -1))


def _answering_side(shapes: frozenset[str]) -> int:
    """The side that answers requests of these methods, if it is the same for all."""
    askers = {METHODS[name].sender for name in shapes if name in METHODS}
    return AGENT if askers == {"client"} else CLIENT if askers == {"agent"} else UNKNOWN


def _guess_extensions(facts: Facts, replies: Replies) -> None:
    """A notification of a foreign method without any direction is taken to be the agent's.

    All recordings that we know agree on this; a label, where there is one, overrules it.
    """
    unknown = (facts.kind == 3) & (replies.sender == UNKNOWN)
    replies.sender[unknown & (facts.label.codes < 0)] = AGENT


def _one_sided(facts: Facts, carry: Carry) -> Mask:
    """Recordings of one side's output alone."""
    n = int(facts.recording.max(initial=-1)) + 1
    seen = np.bincount(facts.recording[shows_two_sides(facts)], minlength=n)
    one_sided: Mask = (seen == 0) & (not carry.two_sided)
    return one_sided


def shows_two_sides(facts: Facts) -> Mask:
    """Rows that only a recording of both sides has: a method that only the client sends, or a label."""
    client = [name in METHODS and METHODS[name].sender == "client" for name in facts.method.names]
    shows: Mask = facts.method.flags(client) | (facts.label.codes >= 0)
    return shows
