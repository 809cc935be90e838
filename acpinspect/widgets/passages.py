"""Long texts with their middle left out, and what an event wrote marked in them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from acpinspect.timelines import Edit
from acpinspect.widgets.markup import visible

__all__ = ["Span", "passage", "spans_of"]


class Span(NamedTuple):
    """A stretch of a text, by code points."""

    start: int
    stop: int


def spans_of(edits: Iterable[Edit]) -> tuple[Span, ...]:
    """Where the new words of some edits stand in the text after them.

    Example:
        >>> spans_of([Edit("insert", 3, "", " two")])
        (Span(start=3, stop=7),)
    """
    spans, shift = [], 0
    for edit in edits:
        start = edit.start + shift
        if edit.new:
            spans.append(Span(start, start + len(edit.new)))
        shift += len(edit.new) - len(edit.old)
    return tuple(spans)


def passage(text: str, longest: int, marks: Sequence[Span] = ()) -> str:
    """A text as HTML: its beginning and its end, or what is marked and what stands around that.

    Each stretch says in ``data-at`` where it begins, so that a click in it can be told to the model.

    Args:
        text: The text.
        longest: About how many characters are shown.
        marks: What is marked, ascending.
    """
    pieces, at = [], 0
    for window in _windows(len(text), longest, marks):
        if window.start > at:
            pieces.append(f'<span class="cut">… {window.start - at:,} characters …</span>')
        pieces.append(_stretch(text, window, marks))
        at = window.stop
    if at < len(text):
        pieces.append(f'<span class="cut">… {len(text) - at:,} characters …</span>')
    return "".join(pieces)


def _windows(length: int, longest: int, marks: Sequence[Span]) -> list[Span]:
    if length <= longest * 5 // 4:  # to leave a few words out would help nobody
        return [Span(0, length)]
    head = longest // 4
    rest = longest - head
    if marks and marks[-1].stop > head:
        centre = max(head, marks[-1].start - rest // 3)
        start = min(centre, length - rest)
    else:
        start = length - rest
    start = max(start, head)
    if start <= head:
        return [Span(0, longest)]
    return [Span(0, head), Span(start, min(length, start + rest))]


def _stretch(text: str, window: Span, marks: Sequence[Span]) -> str:
    pieces, at = [], window.start
    for mark in marks:
        start, stop = max(mark.start, at), min(mark.stop, window.stop)
        if start < stop:
            pieces.append(visible(text[at:start]))
            pieces.append(f"<mark>{visible(text[start:stop])}</mark>")
            at = stop
    pieces.append(visible(text[at : window.stop]))
    return f'<span class="run" data-at="{window.start}">{"".join(pieces)}</span>'
