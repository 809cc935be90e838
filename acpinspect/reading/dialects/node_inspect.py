"""Logs of Node programs that print messages with ``console.log`` or ``console.error``, so with ``util.inspect``.

Source: Node's documentation of ``util.inspect``: nothing below the third level is printed (``[Object]``), long
lists and strings are cut (``... 3 more items``). What was left out is left out here as well: null in a list, no
key in an object; the row's ``problem`` counts the gaps.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from acpinspect.reading.document import Document
from acpinspect.reading.frames import Frame
from acpinspect.reading.notation.builder import Named, NotationError, Value
from acpinspect.reading.notation.node_inspect import is_lost, read_node
from acpinspect.reading.printed import Opened, Printed, open_printed, printed_frames
from acpinspect.reading.registry import Dialect, register
from acpinspect.reading.sniffing import Sniff

_BEGINS = re.compile(r"""\{(?=\s+(?:'[^'\n]*'|[A-Za-z_$][\w$]*):\s)|\[(?=\s+\{)""")
_VALUES_TO_SNIFF = 100


def _read(text: str, position: int) -> tuple[Opened, int]:
    value, end = read_node(text, position)
    kept, lost = _kept(value)
    return open_printed(kept, f"truncated: {lost} values were not printed" if lost else None), end


def _kept(value: Value) -> tuple[Value, int]:
    """What the printer showed, and how many values it left out."""
    if isinstance(value, list):
        items = [_kept(item) for item in value if not _is_rest(item)]
        lost = sum(number for _, number in items) + sum(map(_is_rest, value))
        return [item for item, _ in items], lost
    if isinstance(value, dict):
        fields = {key: _kept(item) for key, item in value.items()}
        kept = {key: item for key, (item, _) in fields.items() if not isinstance(value[key], Named)}
        return kept, sum(number for _, number in fields.values())
    if isinstance(value, Named):
        return None, int(is_lost(value))
    return value, int(is_lost(value))


def _is_rest(value: Value) -> bool:
    """Whether this stands for the rest of a list."""
    return isinstance(value, Named) and value.name.startswith("...")


def _frames(document: Document) -> Iterator[Frame]:
    return printed_frames(document, Printed(_BEGINS, _read))


def _sniff(sniff: Sniff) -> str | None:
    """A message in Node's print, in a log that is not mostly JSON."""
    seen = 0
    for match in list(_BEGINS.finditer(sniff.text))[:_VALUES_TO_SNIFF]:
        try:
            seen += bool(_read(sniff.text, match.start())[0])
        except NotationError:
            continue
        if seen > len(sniff.objects):
            return "messages as Node's util.inspect prints them"
    return None


register(
    Dialect(
        name="node-inspect",
        title="Messages as Node's util.inspect prints them",
        writer="Node programs (console.log, console.error)",
        sniff=_sniff,
        frames=_frames,
        order=42,
        lossy=True,
    )
)
