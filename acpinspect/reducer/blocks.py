"""Content blocks as a state keeps them: most of a log are blocks of plain text, and those are kept as their text.

A dict for each of a million chunks would take five times the room of their texts, and several times the time.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from acpinspect.reducer.ropes import Rope
from acpinspect.reducer.values import FrozenDict, freeze

__all__ = ["NO_BLOCKS", "BlockRope", "frozen_blocks", "joined_text"]


class BlockRope(Rope[object]):
    """A sequence of content blocks that never changes and is cheap to append to.

    A block of plain text is made when it is looked at, with its keys in the usual order.

    Examples:
        >>> blocks = BlockRope([{"type": "text", "text": "A"}, {"type": "image", "data": ""}])
        >>> longer = blocks.extend(BlockRope.of_texts(["B", "C"]))
        >>> longer[2], longer == (*blocks, {"type": "text", "text": "B"}, {"type": "text", "text": "C"})
        ({'type': 'text', 'text': 'B'}, True)
        >>> joined_text(longer), longer.kept()[0]
        ('ABC', 'A')
    """

    __slots__ = ()

    def __init__(self, blocks: Iterable[object] = ()) -> None:
        super().__init__([_kept(block) for block in blocks])

    @classmethod
    def of_texts(cls, texts: Iterable[str]) -> BlockRope:
        """A block of plain text for each text."""
        return NO_BLOCKS._longer(tuple(texts))

    def extend(self, items: Iterable[object]) -> BlockRope:
        """These blocks and more."""
        return self._longer(
            items.kept() if isinstance(items, BlockRope) else tuple([_kept(block) for block in items])
        )

    def __iter__(self) -> Iterator[object]:
        return map(self._shown, super().__iter__())

    def _shown(self, kept: object) -> object:
        return FrozenDict(type="text", text=kept) if type(kept) is str else kept


def _kept(block: object) -> object:
    """A block as it is kept: one that has a type, a text and nothing else is its text."""
    if isinstance(block, dict) and len(block) == 2 and block.get("type") == "text":
        text = block.get("text")
        return text if type(text) is str else block
    return block


NO_BLOCKS: Final = BlockRope()


def frozen_blocks(value: object) -> BlockRope:
    """The blocks of an array, frozen."""
    return BlockRope([freeze(block) for block in value]) if isinstance(value, list | tuple) else NO_BLOCKS


def joined_text(blocks: Iterable[object]) -> str:
    """The text of content blocks as a reader sees it.

    Args:
        blocks: Content blocks; those that are no text are passed over.

    Returns:
        The texts, joined. Two halves of a surrogate pair that meet become one character, a lonely half is shown
        as U+FFFD (the blocks keep it).

    Examples:
        >>> joined_text([{"type": "text", "text": "a"}, {"type": "image"}, {"type": "text", "text": "b"}])
        'ab'
        >>> halves = [{"type": "text", "text": chr(0xD83C)}, {"type": "text", "text": chr(0xDF3B)}]
        >>> joined_text(halves) == chr(0x1F33B)
        True
    """
    text = _joined(blocks)
    if text.isascii():
        return text
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return text


def _joined(blocks: Iterable[object]) -> str:
    if isinstance(blocks, BlockRope):
        try:
            return "".join(blocks.kept())  # type: ignore[arg-type]  # where all of them are texts
        except TypeError:
            pass
    texts = [block.get("text") for block in blocks if isinstance(block, dict) and block.get("type") == "text"]
    return "".join([text for text in texts if isinstance(text, str)])
