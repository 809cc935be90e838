"""Texts without their content: every letter becomes another one, told by a secret and by the word up to it.

A letter's new value depends on the letters before it in its word and on nothing else. So equal texts stay equal
and different ones different, a text's beginning stays its beginning, and a word that comes in pieces ends as the
word in one piece does. At each place the letters change by a permutation that moves every one of them.
"""

from __future__ import annotations

import base64
import hashlib
import math
import os
import re
from collections.abc import Callable, Iterable
from functools import lru_cache, partial
from itertools import pairwise
from string import ascii_lowercase, ascii_uppercase, digits
from typing import Final, TypeVar

from acpinspect.errors import ArgumentError
from acpinspect.privacy.alphabets import Alphabet, alphabet_of, is_content

__all__ = ["Words"]

Text = TypeVar("Text", str, bytes)

_RUN: Final = re.compile(r"(?P<kept></?think>|\x1b\[[0-9;:?]{0,16}[@-~])|[A-Za-z0-9\u0080-\U0010ffff]+")
"""Words; and what is kept though it has letters: marks of reasoning, which a code looks for, and colours."""

_HUMP: Final = re.compile(r"(?<=[a-z]{3})(?=[A-Z])")
"""A word ends before a capital after three small letters, as in "it is readNow I write": two texts that met."""

_DEEP: Final = 24
_BLOCK: Final = 16
_SHORT: Final = 48
_SHUFFLED: Final = 64


class Words:
    """Turns texts into texts of the same shape.

    Args:
        salt: The secret; None for one that nobody knows.

    Raises:
        ArgumentError: If the salt is empty.
    """

    def __init__(self, salt: str | bytes | None = None) -> None:
        if salt is not None and not salt:
            raise ArgumentError("The salt is empty. Give a secret of your own, or None for a random one.")
        given = salt.encode("utf-8", "surrogatepass") if isinstance(salt, str) else salt
        secret = os.urandom(32) if given is None else given
        self._key = hashlib.blake2b(secret, digest_size=32, person=b"acpinspect").digest()
        self._tables: Callable[[bytes], dict[str, str]] = lru_cache(1 << 16)(self._table)
        self._short: Callable[[str], str] = lru_cache(1 << 18)(self._word)
        self._known: Callable[[str], str] = lru_cache(1 << 16)(partial(_RUN.sub, self._replace))

    def text(self, text: str, cuts: Iterable[int] = ()) -> str:
        """A text of the same shape.

        Args:
            text: Any text.
            cuts: Positions at which a word begins anew, though it meets the letters before.

        Example:
            >>> words = Words("secret")
            >>> new = words.text("Hello, Bob Smith")
            >>> len(new), new[5:7], new[:2].istitle(), words.text("Hello")[:5] == new[:5]
            (16, ', ', True, True)
        """
        places = sorted(cuts)
        if not places:
            return self._known(text) if len(text) <= _SHORT else _RUN.sub(self._replace, text)
        pieces, end = [], 0
        for found in _RUN.finditer(text):
            pieces.append(text[end : found.start()])
            end = found.end()
            if found["kept"] is not None:
                pieces.append(found.group())
                continue
            inner = [found.start(), *(p for p in places if found.start() < p < end), end]
            pieces.extend(self._run(text[a:b]) for a, b in pairwise(inner))
        return "".join((*pieces, text[end:]))

    def joined(self, pieces: list[str], cuts: Iterable[int] = ()) -> list[str]:
        """The pieces of a text, redacted as the text is; halves of a surrogate pair meet at the joins."""
        whole = "".join(pieces)
        if not any("\ud800" <= piece[-1:] <= "\udbff" for piece in pieces):
            return _split(self.text(whole, cuts), [len(piece) for piece in pieces])
        units = [_utf16(piece) for piece in pieces]
        places = {len(_utf16(whole[:cut])) for cut in cuts}
        met = b"".join(units).decode("utf-16-le", "surrogatepass")
        new = _utf16(self.text(met, {_position(met, place) for place in places}))
        bounds = _split(new, [len(unit) for unit in units])
        return [part.decode("utf-16-le", "surrogatepass") for part in bounds]

    def data(self, encoded: str) -> str | None:
        """As many bytes of base64, equal for equal ones; None if it is no base64."""
        size = _base64_size(encoded)
        if size is None:
            return None
        seed = hashlib.blake2b(encoded.encode(), key=self._key, person=b"data").digest()
        return base64.b64encode(hashlib.shake_256(seed).digest(size)).decode()

    def stream(self, pieces: list[bytes], cuts: Iterable[int] = ()) -> list[bytes]:
        """Bytes of a text that comes in pieces; a character may be cut by a join."""
        text = b"".join(pieces).decode("utf-8", "surrogateescape")
        new = self.text(text, cuts).encode("utf-8", "surrogateescape")
        return _split(new, [len(piece) for piece in pieces])

    def _replace(self, found: re.Match[str]) -> str:
        run = found.group()
        return run if found["kept"] is not None else self._run(run)

    def _run(self, run: str) -> str:
        """A run of letters and digits; what else is in it beyond ASCII stays."""
        if run.isascii():
            return "".join(map(self._map, _HUMP.split(run)))
        pieces, word = [], 0
        for i, character in enumerate(run):
            if not is_content(character):
                pieces += [self._run_of_content(run[word:i]), character]
                word = i + 1
        return "".join((*pieces, self._run_of_content(run[word:])))

    def _run_of_content(self, run: str) -> str:
        return "".join(map(self._map, _HUMP.split(run))) if run else ""

    def _map(self, word: str) -> str:
        return self._short(word) if len(word) <= _SHORT else self._word(word)

    def _word(self, word: str) -> str:
        out, state = [], b""
        for character in word[:_DEEP]:
            if character.isascii():
                out.append(self._tables(state)[character])
            else:
                out.append(self._beyond(state, character))
            state = self._next(state, character)
        for start in range(_DEEP, len(word), _BLOCK):
            block = word[start : start + _BLOCK]
            out.extend(_shifted(character, number) for character, number in zip(block, state, strict=False))
            state = self._next(state, block)
        return "".join(out)

    def _next(self, state: bytes, letters: str) -> bytes:
        """What the letters so far come to; capitals count as small ones."""
        folded = letters.lower() if letters.isascii() else letters
        return hashlib.blake2b(state + folded.encode("utf-8", "surrogatepass"), key=self._key).digest()

    def _table(self, state: bytes) -> dict[str, str]:
        """What each ASCII letter and digit turns into, after the letters so far."""
        number = self._number(state, "ascii")
        letters, number = _shuffled(ascii_lowercase, number)
        numerals, _ = _shuffled(digits, number)
        pairs = zip(ascii_lowercase + ascii_uppercase + digits, letters + letters.upper() + numerals, strict=True)
        return dict(pairs)

    def _beyond(self, state: bytes, character: str) -> str:
        alphabet = alphabet_of(character)
        members = alphabet.members
        if len(members) <= 1:
            return character
        number = self._number(state, alphabet.name)
        if len(members) <= _SHUFFLED:
            return _shuffled(members, number)[0][members.index(character)]
        return _scaled(alphabet, character, number)

    def _number(self, state: bytes, purpose: str) -> int:
        """A large number that nobody can guess without the secret."""
        seed = hashlib.blake2b(purpose.encode() + b"\0" + state, key=self._key, person=b"number")
        return int.from_bytes(seed.digest(), "big")


def _shuffled(members: str, number: int) -> tuple[str, int]:
    """The members in an order in which none keeps its place (Sattolo's walk), and what is left of the number."""
    order = list(members)
    for i in range(len(order) - 1, 0, -1):
        number, j = divmod(number, i)
        order[i], order[j] = order[j], order[i]
    return "".join(order), number


def _scaled(alphabet: Alphabet, character: str, number: int) -> str:
    """One of very many members: its position, multiplied and moved."""
    members = alphabet.members
    size = len(members)
    number, shift = divmod(number, size)
    factor = 1 + number % (size - 1)
    while math.gcd(factor, size) > 1:
        factor = factor % (size - 1) + 1
    return members[(members.index(character) * factor + shift) % size]


def _shifted(character: str, number: int) -> str:
    members = alphabet_of(character).members
    if len(members) <= 1:
        return character
    return members[(members.index(character) + 1 + number % (len(members) - 1)) % len(members)]


def _base64_size(text: str) -> int | None:
    """Bytes of a base64 text in its usual form."""
    if len(text) < 4 or len(text) % 4 or not text.isascii():
        return None
    try:
        return len(base64.b64decode(text, validate=True))
    except ValueError:
        return None


def _utf16(text: str) -> bytes:
    return text.encode("utf-16-le", "surrogatepass")


def _position(text: str, place: int) -> int:
    """The position of a character, from its place in UTF-16."""
    return len(_utf16(text)[:place].decode("utf-16-le", "surrogatepass"))


def _split(whole: Text, sizes: list[int]) -> list[Text]:
    pieces: list[Text] = []
    begin = 0
    for size in sizes:
        pieces.append(whole[begin : begin + size])
        begin += size
    return pieces
