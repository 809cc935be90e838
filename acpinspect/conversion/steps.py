"""The words of a conversion: an event as it comes in, what a step makes of it, and what it can't carry."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic, Literal, NamedTuple, TypeAlias, TypeVar

from acpinspect.protocol import Version

__all__ = ["Event", "Json", "Loss", "Losses", "Out", "Step", "as_object", "as_text"]

Json: TypeAlias = dict[str, object]
S = TypeVar("S")


@dataclass(frozen=True, slots=True)
class Event:
    """One JSON-RPC message of the log, with what the log as a whole says about it.

    Attributes:
        event: Its label in the events table.
        kind: request, response, error or notification.
        method: The method; of a response, that of its request.
        session: The session, where it has one.
        epoch: How many replays of the session have begun.
        version: The protocol version that it speaks.
        message: The message. It is shared: a step never changes it.
        request: The event of the request that it answers.
        answer: The message that answers it; only told of a session/prompt request.
        own_id: The id that is given to its message, where the log gives none.
    """

    event: int
    kind: str
    method: str | None
    session: str | None
    epoch: int
    version: Version
    message: Json
    request: int | None = None
    answer: Json | None = None
    own_id: str | None = None


class Out(NamedTuple):
    """A message of the converted log.

    Attributes:
        message: The message.
        sender: Who sends it, where that is not who sent the event that it stands for.
    """

    message: Json
    sender: Literal["agent", "client"] | None = None


class Loss(NamedTuple):
    """Something that the other version has no form for.

    Attributes:
        field: Path of the field; ``sessionUpdate``, ``method`` or ``result`` where all of it is lost.
        reason: Why, as a clause.
        event: The event, where it is not the one at hand.
        variant: The update or method, where it is not that of the event at hand.
    """

    field: str
    reason: str
    event: int | None = None
    variant: str | None = None


Losses: TypeAlias = list[Loss]


class Step(NamedTuple, Generic[S]):
    """What one event does: the state after it, the messages that stand for it, what is lost."""

    state: S
    out: tuple[Out, ...] = ()
    losses: tuple[Loss, ...] = ()


def as_object(value: object) -> Json:
    """The value if it is an object, else an empty one.

    >>> as_object({"a": 1}), as_object([1])
    ({'a': 1}, {})
    """
    return value if isinstance(value, dict) else {}


def as_text(value: object) -> str | None:
    """The value if it is a string.

    >>> as_text("a"), as_text(1)
    ('a', None)
    """
    return value if isinstance(value, str) else None
