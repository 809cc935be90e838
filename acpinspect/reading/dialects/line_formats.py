"""Formats whose every line is a record by itself: what differs is how they are told apart."""

from __future__ import annotations

from collections.abc import Callable

from acpinspect.reading.lines import frames_by_line
from acpinspect.reading.registry import Dialect
from acpinspect.reading.sniffing import Sniff

__all__ = ["line_format"]


def line_format(
    name: str,
    title: str,
    writer: str,
    order: int,
    sniff: Callable[[Sniff], str | None],
    *,
    lossy: bool = False,
    hint: str = "",
) -> Dialect:
    """A format that is read line by line.

    Args:
        name: What `detect` says and ``format=`` takes.
        title: What it is, in a few words.
        writer: Who writes it.
        order: Lower ones are asked first.
        sniff: Says in a sentence why the beginning of a document is of this format, or None.
        lossy: The format has lost part of the traffic.
        hint: What to do instead, of what is no ACP traffic.
    """
    return Dialect(
        name=name,
        title=title,
        writer=writer,
        sniff=sniff,
        frames=frames_by_line,
        order=order,
        by_line=True,
        lossy=lossy,
        negative=bool(hint),
        hint=hint,
    )
