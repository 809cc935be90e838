"""What of the conversation is shown at a step: a window of what is there, around what the event changed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

import numpy as np

from acpinspect.timelines.index import NEVER
from acpinspect.widgets.spine import Ints, Spine

__all__ = ["Item", "Window", "window_at"]

_BEFORE: Final = 7
_AFTER: Final = 2
_FUTURE: Final = 2


class Item(NamedTuple):
    """One thing of the conversation.

    Attributes:
        position: The event that made it.
        slot: The entity's number; -1 for a prompt.
    """

    position: int
    slot: int


class Window(NamedTuple):
    """The part of the conversation that is shown.

    Attributes:
        items: What is shown, in order.
        focus: What the event of the step made or changed, if that is part of the conversation.
        hidden_before: How many come before the window.
        hidden_after: How many come after it.
        future: What comes next in the log.
    """

    items: tuple[Item, ...]
    focus: Item | None
    hidden_before: int
    hidden_after: int
    future: tuple[Item, ...]


def window_at(spine: Spine, step: int) -> Window:
    """Choose the window of a step."""
    alive = spine.alive(step)
    births = spine.born[alive]
    prompts = spine.prompts[: int(np.searchsorted(spine.prompts, step))]
    total = len(alive) + len(prompts)
    focus = _focus(spine, step)
    after = _rank(births, prompts, focus.position) + 1 if focus is not None else total
    stop = min(total, after + _AFTER)
    start = max(0, after - _BEFORE)
    items = _between(alive, births, prompts, start, stop)
    return Window(items, focus, start, total - stop, tuple(_next(spine, step)))


def _focus(spine: Spine, step: int) -> Item | None:
    if step == 0:
        return None
    position = step - 1
    slot = int(spine.slots[position])
    if slot >= 0 and spine.born[slot] <= position:
        return Item(int(spine.born[slot]), slot)
    at = int(np.searchsorted(spine.prompts, position))
    return Item(position, -1) if at < len(spine.prompts) and spine.prompts[at] == position else None


def _rank(births: Ints, prompts: Ints, position: int) -> int:
    """How many come before what an event made."""
    return int(np.searchsorted(births, position)) + int(np.searchsorted(prompts, position))


def _between(alive: Ints, births: Ints, prompts: Ints, start: int, stop: int) -> tuple[Item, ...]:
    """The items of some ranks: both kinds are sorted, so that only the last few of each are needed."""
    count = stop - start
    low, high = max(0, start - len(prompts)), min(len(alive), stop)
    made = list(zip(births[low:high].tolist(), alive[low:high].tolist(), strict=True))
    if len(prompts):
        made = sorted([*made, *((position, -1) for position in prompts.tolist())])
        start -= low
    else:
        start = 0
    return tuple([Item(*item) for item in made[start : start + count]])


def _next(spine: Spine, step: int) -> Iterator[Item]:
    """What is made next, wherever it will stand."""
    first = int(np.searchsorted(spine.born, step))
    coming = [Item(int(spine.born[slot]), slot) for slot in range(first, min(first + _FUTURE, len(spine.born)))]
    later = spine.prompts[int(np.searchsorted(spine.prompts, step)) :][:_FUTURE]
    coming += [Item(position, -1) for position in later.tolist()]
    yield from [item for item in sorted(coming) if item.position != NEVER][:_FUTURE]
