"""Makes one chunk of several: a message in fewer pieces is the same message."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from acpinspect.minimizing.deltas import fewest
from acpinspect.minimizing.drafts import Draft, Piece

__all__ = ["with_joined_chunks"]


def with_joined_chunks(draft: Draft, holds: Callable[[Draft], bool]) -> Draft:
    """Join neighbouring chunks of text of one message as long as it holds.

    Args:
        draft: The log.
        holds: Whether a log still shows what it has to.
    """
    borders = [i for i in range(1, len(draft)) if _joinable(draft[i - 1], draft[i])]
    if not borders:
        return draft
    kept = fewest(borders, lambda some: holds(_joined(draft, set(borders) - set(some))))
    return _joined(draft, set(borders) - set(kept))


def _joinable(one: Piece, other: Piece) -> bool:
    first, second = _text_chunk(one), _text_chunk(other)
    return first is not None and first[1:] == (second or ("",))[1:]


def _text_chunk(piece: Piece) -> tuple[str, object] | None:
    """The text of a chunk of text, and all the rest of its frame."""
    update = _update(piece.value)
    content = update.get("content")
    if not str(update.get("sessionUpdate")).endswith("_chunk") or not isinstance(content, dict):
        return None
    text = content.get("text")
    if content.get("type") != "text" or not isinstance(text, str) or piece.value is None:
        return None
    return text, _with_text(piece.value, "")


def _update(value: Any) -> dict[str, Any]:  # noqa: ANN401  (JSON is anything)
    params = value.get("params") if isinstance(value, dict) else None
    update = params.get("update") if isinstance(params, dict) else None
    return update if isinstance(update, dict) else {}


def _with_text(value: Any, text: str) -> dict[str, Any]:  # noqa: ANN401
    update = value["params"]["update"]
    content = {**update["content"], "text": text}
    return {**value, "params": {**value["params"], "update": {**update, "content": content}}}


def _joined(draft: Draft, borders: set[int]) -> Draft:
    """Join each piece that begins at one of these borders to the piece before."""
    new: Draft = []
    texts: list[list[str]] = []
    for i, piece in enumerate(draft):
        chunk = _text_chunk(piece)
        if i in borders and new and chunk is not None:
            texts[-1].append(chunk[0])
        else:
            new.append(piece)
            texts.append([] if chunk is None else [chunk[0]])
    return [
        (piece.changed(_with_text(piece.value, "".join(own))) or piece) if len(own) > 1 else piece
        for piece, own in zip(new, texts, strict=True)
    ]
