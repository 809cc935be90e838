"""Whether a string is the content of a log or the name of a file."""

from __future__ import annotations

import re
from typing import Final

__all__ = ["is_content"]

_OPENING: Final = ("{", "[", "(")
_CLEARLY_JSON: Final = re.compile(r"""\{\s*["'}]|\[\s*[\[{"\]]|\(\s*\(|\[\d{4}-""")
_UNMISTAKABLE: Final = re.compile(r"""\{\s*"|jsonrpc|session_?[uU]pdate\b.*[:=]|SessionNotification\s*[({]""")
_LONGEST_PATH: Final = 4_096


def is_content(text: str) -> bool:
    r"""Whether a string is a log's content. What may be a path is never taken for content.

    Examples:
        >>> is_content('{"jsonrpc":"2.0","id":0,"result":{}}'), is_content("line\n")
        (True, True)
        >>> is_content("session.jsonl"), is_content("[ab]*.jsonl"), is_content("{run}.json"), is_content("")
        (False, False, False, False)
    """
    if "\n" in text or len(text) > _LONGEST_PATH:
        return True
    start = text.lstrip("\ufeff \t\r")
    if start.startswith(_OPENING) and _CLEARLY_JSON.match(start):
        return True
    return _UNMISTAKABLE.search(text) is not None
