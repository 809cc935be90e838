"""One JSON text without its content: the same structure, keys and numbers, other strings; not a byte longer."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from typing import Final

from acpinspect.privacy.places import Place, encoded, places
from acpinspect.privacy.vocabulary import KEPT_KEYS, KEPT_METHODS, Kind, kept_value, kind_of
from acpinspect.privacy.words import Words

__all__ = ["Redactor", "kind_at", "method_is_kept"]

_MESSAGE_PATHS: Final = frozenset({"params.update.content", "params.update.content[]"})
_TERMINAL_PATHS: Final = frozenset({"params.update", "params.update.output"})
_MOST_WALKS: Final = 64


def kind_at(place: Place) -> Kind | None:
    """What a string is; None for a word of the protocol."""
    if place.key:
        return None if place.text in KEPT_KEYS else "key"
    if kept_value(place.under, place.text) or (place.under == "method" and method_is_kept(place.text)):
        return None
    if place.under == "data" and place.path in _TERMINAL_PATHS:
        return "terminal"
    return "value" if place.free else kind_of(place.under)


def method_is_kept(method: str) -> bool:
    """Whether a method is one of the protocol."""
    return method in KEPT_METHODS


@dataclass(slots=True)
class Redactor:
    """Redacts strings by what they are.

    Attributes:
        words: How texts change.
        keep: Kinds that stay.
    """

    words: Words
    keep: Collection[str] = ()
    _names: dict[str, str] = field(default_factory=dict)

    def frame(self, raw: str, said: str | None = None, output: str | None = None) -> str:
        """A JSON-RPC message without its content.

        Args:
            raw: Its JSON text.
            said: What the text of its message content becomes, where that depends on other events.
            output: What the bytes of its terminal output become, as base64.
        """
        pieces: list[str] = []
        streams: dict[int, list[tuple[int, Place]]] = defaultdict(list)
        end = 0
        for place in places(raw):
            kind = kind_at(place)
            if kind is None or kind in self.keep:
                continue
            pieces += [raw[end : place.begin], ""]
            end = place.end
            if kind == "terminal" and output is not None:
                pieces[-1] = output
            elif place.stream >= 0:
                streams[place.stream].append((len(pieces) - 1, place))
            else:
                pieces[-1] = encoded(raw[place.begin : end], self.string(place, kind))
        for found in streams.values():
            for (slot, place), text in zip(found, self._stream(found, said), strict=True):
                pieces[slot] = encoded(raw[place.begin : place.end], text)
        return "".join((*pieces, raw[end:]))

    def string(self, place: Place, kind: Kind) -> str:
        """What a string becomes by itself."""
        if kind == "key" or (place.under == "required" and not place.free):
            return self.named(place.text, KEPT_KEYS.__contains__)
        if kind == "data" and (data := self.words.data(place.text)) is not None:
            return data
        return self.named(place.text, lambda text: kept_value(place.under, text))

    def named(self, name: str, known: Callable[[str], bool]) -> str:
        """A name that stays unknown: never by chance a word of the protocol."""
        new = self.words.text(name)
        for _ in range(_MOST_WALKS):
            if not known(new):
                break
            new = self.words.text(new)
        return new

    def method(self, method: str) -> str:
        """A method; those of the protocol stay."""
        if method_is_kept(method) or "method" in self.keep:
            return method
        return self.named(method, method_is_kept)

    def record(self, text: str) -> str:
        """The text of a row that is no message."""
        return text if "record" in self.keep else self.words.text(text)

    def _stream(self, found: list[tuple[int, Place]], said: str | None) -> list[str]:
        texts = [place.text for _, place in found]
        if said is not None and found[0][1].path in _MESSAGE_PATHS and len(said) == sum(map(len, texts)):
            pieces, begin = [], 0
            for text in texts:
                pieces.append(said[begin : begin + len(text)])
                begin += len(text)
            return pieces
        return self.words.joined(texts)
