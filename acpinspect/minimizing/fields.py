"""Makes frames smaller: leaves out fields and items that the schema doesn't ask for."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from typing import Final

from acpinspect.minimizing.deltas import fewest
from acpinspect.minimizing.drafts import Draft, Path, Piece, walk
from acpinspect.minimizing.validity import Json

__all__ = ["without_fields"]

_FRAME_KEYS: Final = frozenset({"jsonrpc", "id", "method", "params", "result", "error"})
_MOST: Final = 2_000
_KNOWN_DEEPLY: Final = frozenset({"session/update", "session/request_permission"})

Field = tuple[int, Path]


def without_fields(draft: Draft, holds: Callable[[Draft], bool]) -> Draft:
    """Leave out fields and array items as long as it holds.

    Args:
        draft: The log.
        holds: Whether a log still shows what it has to.
    """
    fields = [(i, path) for i, piece in enumerate(draft) for path in _droppable(piece)][:_MOST]
    if not fields:
        return draft
    everything = frozenset(fields)

    def keeping(kept: list[Field]) -> Draft | None:
        return _without(draft, everything.difference(kept))

    kept = fewest(fields, lambda some: (new := keeping(some)) is not None and holds(new))
    return keeping(kept) or draft


def _droppable(piece: Piece) -> list[Path]:
    """What can be left out by itself; what stands in it goes with it, and is asked for alone too."""
    if piece.value is None:
        return []
    paths = [path for path, _ in walk(piece.value) if len(path) > 1 or path[0] not in _FRAME_KEYS]
    if piece.method not in _KNOWN_DEEPLY or "method" not in piece.value:
        # Of other frames only the outermost fields are known: what is left has to be valid.
        paths = [path for path in paths if len(path) < 3 or path[-1] == "_meta" or _is_item(path)]
    return [path for path in paths if piece.changed(_dropped(piece.value, {path})) is not None]


def _is_item(path: Path) -> bool:
    """An item of an array that is itself a param or a part of a result."""
    return len(path) == 3 and isinstance(path[2], int)


def _without(draft: Draft, fields: frozenset[Field]) -> Draft | None:
    by_piece: dict[int, set[Path]] = defaultdict(set)
    for i, path in fields:
        by_piece[i].add(path)
    new = list(draft)
    for i, paths in by_piece.items():
        value = draft[i].value
        piece = None if value is None else draft[i].changed(_dropped(value, paths))
        if piece is None:
            return None
        new[i] = piece
    return new


def _dropped(value: Json, paths: set[Path]) -> Json:
    new = _copied(value, (), paths)
    return new if isinstance(new, dict) else value


def _copied(value: object, path: Path, paths: set[Path]) -> object:
    if isinstance(value, dict):
        return {
            key: _copied(item, (*path, key), paths) for key, item in value.items() if (*path, key) not in paths
        }
    if isinstance(value, list):
        return [_copied(item, (*path, i), paths) for i, item in enumerate(value) if (*path, i) not in paths]
    return value
