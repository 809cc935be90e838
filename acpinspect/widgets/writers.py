"""Which event wrote a character of what is shown."""

from __future__ import annotations

from acpinspect.errors import ArgumentError
from acpinspect.widgets.spine import Spine

__all__ = ["writer_of"]


def writer_of(spine: Spine, slot: int, start: int, units: int, step: int) -> int | None:
    """The step whose event wrote a character; ``None`` where there is none.

    Args:
        spine: The session.
        slot: The number of the entity.
        start: Where the clicked stretch begins in its text, in code points.
        units: Where the click is in the stretch, in UTF-16 units, as a browser counts.
        step: The step that is shown.
    """
    try:
        blame = spine.timeline.blame(spine.timeline.lives.entity(slot), step)
    except ArgumentError:
        return None
    pieces = [piece for piece in blame.pieces if piece.start is not None and piece.field in ("content", "summary")]
    place = start + _code_points("".join(piece.text for piece in pieces)[start : start + units], units)
    for piece in pieces:
        if place < len(piece.text):
            return spine.timeline.step_of(piece.event)
        place -= len(piece.text)
    return None


def _code_points(text: str, units: int) -> int:
    """How many whole characters the first UTF-16 units of a text hold."""
    return len(text.encode("utf-16-le", "surrogatepass")[: 2 * units].decode("utf-16-le", "ignore"))
