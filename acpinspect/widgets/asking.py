"""What the strip's page asks for: a message of a browser, of which nothing is believed before it is read here."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, NamedTuple, TypeAlias

from acpinspect.widgets.jumps import KINDS

__all__ = ["Ask", "Go", "Jump", "Pick", "Play", "Select", "Written", "read_ask"]


class Jump(NamedTuple):
    """To the next or previous landmark of a kind."""

    kind: str
    forward: bool


class Go(NamedTuple):
    """To a step."""

    step: int


class Pick(NamedTuple):
    """Set a policy side by side with the reference."""

    policy: str


class Play(NamedTuple):
    """Play or pause."""


class Select(NamedTuple):
    """Keep only the steps between two; all of them without a stretch."""

    stretch: tuple[int, int] | None


class Written(NamedTuple):
    """To the event that wrote what was clicked: entity, stretch of its text, UTF-16 units into the stretch."""

    slot: int
    start: int
    units: int


Ask: TypeAlias = Jump | Go | Pick | Play | Select | Written


def read_ask(content: object) -> Ask | None:
    """What a message asks for; ``None`` where it asks for nothing that there is.

    Example:
        >>> read_ask({"do": "go", "step": 3}), read_ask({"do": "go", "step": "3"})
        (Go(step=3), None)
    """
    if not isinstance(content, dict):
        return None
    read = _READERS.get(str(content.get("do")))
    return None if read is None else read(content)


def _jump(content: Mapping[str, object]) -> Jump | None:
    kind = content.get("kind")
    return Jump(kind, content.get("forward") is True) if isinstance(kind, str) and kind in KINDS else None


def _go(content: Mapping[str, object]) -> Go | None:
    step = content.get("step")
    return Go(step) if isinstance(step, int) else None


def _pick(content: Mapping[str, object]) -> Pick | None:
    policy = content.get("policy")
    return Pick(policy) if isinstance(policy, str) else None


def _select(content: Mapping[str, object]) -> Select:
    ends = content.get("range")
    pair = [end for end in ends if isinstance(end, int)] if isinstance(ends, list) else []
    return Select((min(pair), max(pair)) if len(pair) == 2 else None)


def _written(content: Mapping[str, object]) -> Written | None:
    numbers = [content.get(name) for name in ("slot", "start", "units")]
    known = [number for number in numbers if isinstance(number, int) and number >= 0]
    return Written(*known) if len(known) == 3 else None


_READERS: Final[Mapping[str, Callable[[Mapping[str, object]], Ask | None]]] = {
    "jump": _jump,
    "go": _go,
    "pick": _pick,
    "play": lambda _: Play(),
    "select": _select,
    "written": _written,
}
