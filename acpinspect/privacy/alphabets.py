"""Which characters stand for content, and which other characters each of them may turn into.

A letter, digit or combining mark turns into one of its own kind: the same script, case and size in UTF-8. So the
shape of a text stays, and a text that was cut in the middle of a character's bytes can be cut there again.
"""

from __future__ import annotations

import string
import unicodedata
from collections import defaultdict
from functools import cache
from typing import Final, NamedTuple

__all__ = ["ASCII", "Alphabet", "alphabet_of", "is_content"]

_LETTERS: Final = frozenset({"Lu", "Ll", "Lt", "Lm", "Lo", "Mn", "Mc", "Nd", "Nl", "No", "Co"})
_SPELLING_SYMBOLS: Final = ("CIRCLED", "PARENTHESIZED", "REGIONAL", "SQUARED", "NEGATIVE", "BRAILLE", "TAG")
_FEWEST: Final = 8
_BMP: Final = range(0x80, 0x10000)
_BLOCK: Final = 0x400

_Key = tuple[str, str, int]


class Alphabet(NamedTuple):
    """Characters of one kind.

    Attributes:
        name: Its name; different alphabets have different names.
        members: The characters, each once.
    """

    name: str
    members: str


ASCII: Final = {
    character: Alphabet(name, members)
    for name, members in (
        ("lower", string.ascii_lowercase),
        ("upper", string.ascii_uppercase),
        ("digit", string.digits),
    )
    for character in members
}


@cache
def is_content(character: str) -> bool:
    """Whether a character is part of a word: a letter, a digit, a combining mark, or a symbol that spells one.

    Example:
        >>> [is_content(c) for c in "é中9 .😀🇫"]
        [True, True, True, False, False, False, True]
    """
    return character in ASCII or (not character.isascii() and _key(character) is not None)


@cache
def alphabet_of(character: str) -> Alphabet:
    """The characters that a character may turn into, itself among them.

    Example:
        >>> "ü" in alphabet_of("é").members, "É" in alphabet_of("é").members, alphabet_of("中").name
        (True, False, 'CJK Lo 3')
    """
    known = ASCII.get(character)
    if known is not None:
        return known
    code, key = ord(character), _key(character)
    # In UTF-16 the first half of a pair tells the block of 1,024: it must not change, for a text can be cut there.
    first = code - code % _BLOCK if code >= _BMP.stop else 0
    found = _alphabets(first).get(key) if key is not None else None
    return found or Alphabet(character, character)


def _key(character: str) -> _Key | None:
    """Script (the first word of the name), category, size; None for what is no content."""
    category = unicodedata.category(character)
    script = unicodedata.name(character, "").partition(" ")[0]
    if category == "Cs" or script == "VARIATION":
        return None
    if category in _LETTERS or (category in ("So", "Cf") and script in _SPELLING_SYMBOLS):
        return script, category, len(character.encode())
    return None


@cache
def _alphabets(first: int) -> dict[_Key, Alphabet]:
    """The alphabets of a block of 1,024 characters, or of all below 65,536; the smallest are put together."""
    found: dict[_Key, list[str]] = defaultdict(list)
    for code in range(first, first + _BLOCK) if first else _BMP:
        key = _key(chr(code))
        if key is not None:
            found[key].append(chr(code))
    pools: dict[_Key, list[_Key]] = defaultdict(list)
    for key, members in found.items():
        script, category, size = key
        pools[("few" if len(members) < _FEWEST else script, category, size)].append(key)
    alphabets: dict[_Key, Alphabet] = {}
    for (script, category, size), keys in pools.items():
        place = f" {first:x}" if first else ""
        pool = Alphabet(f"{script} {category} {size}{place}", "".join(c for key in keys for c in found[key]))
        alphabets |= dict.fromkeys(keys, pool)
    return alphabets
