"""What an entity's values look like in the report: texts as they are, all other content in a few words."""

from __future__ import annotations

import codecs
import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from acpinspect.html_report.shortening import shorten, shorten_text
from acpinspect.reducer import plain_value

__all__ = ["Shower", "Shown", "shown_items", "shown_value"]

Shown = str | list[str]

_LISTS: Final = frozenset({"content", "summary"})
"""Fields that hold content, item by item, each by the event that sent it."""

_JSON: Final = 2_000
_DECODER: Final = codecs.getincrementaldecoder("utf-8")


def shown_items(items: Iterable[object], longest: int) -> list[Shown]:
    """Content blocks, or content items of a tool call: a text is a string, anything else its type and words.

    Examples:
        >>> image = {"type": "image", "mimeType": "image/png", "data": "AAAA"}
        >>> shown_items([{"type": "text", "text": "Hi"}, image], 9)
        ['Hi', ['image', 'image/png, 3 bytes']]
    """
    return [_item(item, longest) for item in items]


def _item(item: object, longest: int) -> Shown:
    if not isinstance(item, Mapping):
        return ["?", _json(item)]
    name = str(item.get("type"))
    inner = item.get("content")
    if name == "content" and isinstance(inner, Mapping):
        return _item(inner, longest)
    if name == "text" and isinstance(item.get("text"), str):
        return shorten_text(str(item["text"]), longest)
    if name == "diff":
        old, new = item.get("oldText"), item.get("newText")
        texts = [shorten_text(text, longest) if isinstance(text, str) else "" for text in (old, new)]
        return ["diff", str(item.get("path") or ""), *texts]
    return [name, _words(name, item)]


def _words(name: str, item: Mapping[object, object]) -> str:
    if name in ("image", "audio"):
        data = item.get("data")
        size = f"{len(data) * 3 // 4:,} bytes" if isinstance(data, str) else ""
        return ", ".join(part for part in (str(item.get("mimeType") or ""), size) if part)
    if name == "resource_link":
        return " ".join(str(item[key]) for key in ("name", "uri") if isinstance(item.get(key), str))
    if name == "terminal":
        return str(item.get("terminalId") or "")
    return _json(item)


def _json(value: object) -> str:
    text = json.dumps(shorten(value, _JSON), ensure_ascii=False, default=str)
    return shorten_text(text, _JSON)


def shown_value(value: object, longest: int) -> object:
    """A field of an entity, or a field of the session, as a JSON value that is not too large.

    Examples:
        >>> shown_value("completed", 100), shown_value({"path": "a.py"}, 100)
        ('completed', {'path': 'a.py'})
    """
    several = isinstance(value, Sequence) and not isinstance(value, str)
    plain = [plain_value(item) for item in value] if several else plain_value(value)  # type: ignore[attr-defined]
    cut = shorten(plain, min(longest, _JSON))
    if not isinstance(cut, dict | list):
        return cut
    text = json.dumps(cut, ensure_ascii=False)
    return cut if len(text) <= 2 * _JSON else shorten_text(text, _JSON)


class Shower:
    r"""Shows the values of one entity, event by event.

    The bytes of a terminal may be cut in the middle of a character: the next event's bytes then complete it.

    Args:
        longest: Characters of one text; longer ones are cut.

    Examples:
        >>> shown = Shower(100)
        >>> shown("written", b"caf\xc3"), shown("written", b"\xa9", appended=True)
        (['caf'], ['é'])
    """

    def __init__(self, longest: int) -> None:
        self._longest = longest
        self._decoder = _DECODER("replace")

    def __call__(self, name: str | None, value: object, *, appended: bool = False) -> object:
        """The value of a field, or what was appended to it."""
        if name in _LISTS and isinstance(value, Sequence) and not isinstance(value, str):
            return shown_items(value, self._longest)
        if name == "written":
            return self._text(value, appended=appended)
        return shown_value(value, self._longest)

    def _text(self, value: object, *, appended: bool) -> list[str]:
        if not appended:
            self._decoder.reset()
        data = b"" if value is None else bytes(value)  # type: ignore[call-overload]  # bytes, or a rope of them
        text = self._decoder.decode(data)
        return [shorten_text(text, self._longest)] if text else []
