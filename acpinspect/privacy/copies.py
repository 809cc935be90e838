"""Text that is there twice: where a chunk repeats what came before, and so has to be redacted as that was.

Redaction looks at words, also over the joins of chunks. A copy that begins within a word (the chunks "the wor",
"ld is round", "the world is round") would be lost by that. So copies are looked for first, and where one begins, a
word begins: there, and in all texts that are equal to the one that it stands in.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import accumulate, pairwise
from typing import Final, NamedTuple

from acpinspect.privacy.spoken import Spoken, Stretch

__all__ = ["Cuts", "find_cuts"]

Cuts = dict[int, set[int]]
"""Row -> offsets in its text at which a word begins anew."""

_LEAST: Final = 4
_HEAD: Final = 8
_ROUNDS: Final = 12
_LOST: Final = 12
_BETWEEN: Final = "\x00"


class _Span(NamedTuple):
    """A part of the text of a row."""

    row: int
    begin: int
    end: int


_Region = list[_Span]
_Pair = tuple[_Region, _Region]


def find_cuts(spoken: Spoken) -> Cuts:
    """Where words begin anew because a copy of other text begins there, or because it does so in the copy."""
    pairs = [*_restated(spoken), *_growing(spoken), *_restarted(spoken), *_retold(spoken)]
    if not pairs:
        return {}
    pairs += _equal(spoken)
    cuts: Cuts = defaultdict(set)
    opening = {stretch.rows[0] for stretch in spoken.stretches}
    for _ in range(_ROUNDS):
        changed = [_agree(one, other, cuts, opening) for one, other in pairs]
        if not any(changed):
            break
    return cuts


def _agree(one: _Region, other: _Region, cuts: Cuts, opening: set[int]) -> bool:
    """Cut both regions where either is cut; say whether that changed anything."""
    wanted = sorted({0} | _broken(one, cuts, opening) | _broken(other, cuts, opening))
    before = _size(cuts, one) + _size(cuts, other)
    for region in (one, other):
        at = 0
        for row, begin, end in region:
            own = wanted[bisect_left(wanted, at) : bisect_left(wanted, at + end - begin)]
            cuts[row].update(begin + place - at for place in own)
            at += end - begin
    return _size(cuts, one) + _size(cuts, other) != before


def _broken(region: _Region, cuts: Cuts, opening: set[int]) -> set[int]:
    broken, at = set(), 0
    for row, begin, end in region:
        broken |= {at + cut - begin for cut in cuts[row] if begin <= cut < end}
        if row in opening and begin == 0:
            broken.add(at)
        at += end - begin
    return broken


def _size(cuts: Cuts, region: _Region) -> int:
    return sum(len(cuts[span.row]) for span in region)


def _stripped(rows: Iterable[int], texts: dict[int, str]) -> _Region:
    """The text of some rows without white space at its ends."""
    spans = [_Span(row, 0, len(texts[row])) for row in rows]
    while spans and not (head := texts[spans[0].row].lstrip()):
        spans.pop(0)
    if spans:
        spans[0] = spans[0]._replace(begin=spans[0].end - len(head))
    while spans and not texts[spans[-1].row][spans[-1].begin :].rstrip():
        spans.pop()
    if spans:
        spans[-1] = spans[-1]._replace(end=len(texts[spans[-1].row].rstrip()))
    return spans


def _part(rows: list[int], texts: dict[int, str], begin: int, end: int) -> _Region:
    """A part of the joined text of some rows."""
    region, at = [], 0
    for row in rows:
        size = len(texts[row])
        if at < end and at + size > begin:
            region.append(_Span(row, max(begin - at, 0), min(end - at, size)))
        at += size
    return region


def _restated(spoken: Spoken) -> Iterator[_Pair]:
    """Chunks whose text is that of the last ones of their role, joined."""
    for rows in spoken.by_role:
        kept = [row for row in rows if spoken.texts[row].strip()]
        for i in range(1, len(kept)):
            text = spoken.texts[kept[i]].strip()
            first = _copied(kept, i, text, spoken.texts) if len(text) >= _LEAST else None
            if first is not None:
                yield _stripped(kept[first:i], spoken.texts), _stripped([kept[i]], spoken.texts)


def _copied(kept: list[int], i: int, text: str, texts: dict[int, str]) -> int | None:
    """From which row on the rows before one say the same; each of them says something, so the walk is short."""
    rest = text
    for k in range(i - 1, -1, -1):
        piece = texts[kept[k]]
        if k == i - 1:
            piece = piece.rstrip()
        if len(piece.lstrip()) >= len(rest):
            return k if piece.lstrip() == rest else None
        if not rest.endswith(piece):
            return None
        rest = rest[: len(rest) - len(piece)]
    return None


def _growing(spoken: Spoken) -> Iterator[_Pair]:
    """Chunks that repeat the one before and say more, at least twice in a row."""
    texts = spoken.texts
    for stretch in spoken.stretches:
        rows = [row for row in stretch.rows if texts[row]]
        grows = [len(texts[b]) > len(texts[a]) >= 2 and texts[b].startswith(texts[a]) for a, b in pairwise(rows)]
        for i, grown in enumerate(grows):
            if grown and (grows[i - 1 : i] == [True] or grows[i + 1 : i + 2] == [True]):
                size = len(texts[rows[i]])
                yield [_Span(rows[i], 0, size)], [_Span(rows[i + 1], 0, size)]


def _restarted(spoken: Spoken) -> Iterator[_Pair]:
    """Chunks at which the message's beginning comes again."""
    for stretch in spoken.stretches:
        text = spoken.text(stretch)
        head = text[:_HEAD]
        if len(stretch.rows) < 2 or len(head) < _HEAD or text.find(head, 1) < 0:
            continue
        at = 0
        for row in stretch.rows:
            if at and text.startswith(head, at) and not text[at - 1].isspace():
                first, again = (_part(stretch.rows, spoken.texts, p, p + _HEAD) for p in (0, at))
                yield first, again
                break
            at += len(spoken.texts[row])


def _retold(spoken: Spoken) -> Iterator[_Pair]:
    """Messages whose text stands within a longer one of a later epoch, beginning in the middle of a word."""
    for before, after in spoken.epochs:
        texts = [spoken.text(stretch) for stretch in after]
        later, everything = {text.strip() for text in texts}, _BETWEEN.join(texts)
        starts = list(accumulate((len(text) + 1 for text in texts), initial=0))
        for old in before:
            text = spoken.text(old).strip()
            at = everything.find(text) if len(text) >= _LOST and text not in later else -1
            if at >= 0:
                number = bisect_right(starts, at) - 1
                begin = at - starts[number]
                yield (
                    _stripped(old.rows, spoken.texts),
                    _part(after[number].rows, spoken.texts, begin, begin + len(text)),
                )


def _equal(spoken: Spoken) -> Iterator[_Pair]:
    """Messages with the same text, and texts that begin as the one did which they replace."""
    first: dict[str, Stretch] = {}
    for stretch in spoken.stretches:
        text = spoken.text(stretch).strip()
        known = first.setdefault(text, stretch)
        if known is not stretch and text:
            yield _stripped(known.rows, spoken.texts), _stripped(stretch.rows, spoken.texts)
        old = stretch.replaces
        if old is not None and (shown := spoken.text(old)) and spoken.text(stretch).startswith(shown):
            yield (
                _part(old.rows, spoken.texts, 0, len(shown)),
                _part(stretch.rows, spoken.texts, 0, len(shown)),
            )
