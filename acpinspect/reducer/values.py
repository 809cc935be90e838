"""JSON values that nobody can change: what a state keeps of the updates that it was made from.

The caller may go on changing the dict that an update came in, and a reader of a state must not be able to change
it. So every object becomes a `FrozenDict` and every array a `FrozenList`. What is nested deeper than `MAX_DEPTH`
is kept as its JSON text: no recursion limit (of Python, of orjson) can then stop a comparison or a print.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Final, NoReturn

__all__ = ["MAX_DEPTH", "FrozenDict", "FrozenList", "freeze", "thaw"]

MAX_DEPTH = 128
"""Arrays and objects nested deeper than this stand in a state as their JSON text."""


def _refuse(_self: object, *_arguments: object, **_named: object) -> NoReturn:
    raise TypeError("a value in a state can't be changed")


class FrozenDict(dict[str, object]):
    """A dict that can't be changed: equal to a plain one, and written as JSON like one.

    Examples:
        >>> block = FrozenDict(type="text", text="A")
        >>> block == {"type": "text", "text": "A"}
        True
        >>> block["text"] = "B"
        Traceback (most recent call last):
        TypeError: a value in a state can't be changed
    """

    __slots__ = ()

    __setitem__ = __delitem__ = __ior__ = _refuse
    clear = pop = popitem = setdefault = update = _refuse

    def __hash__(self) -> int:  # type: ignore[override]
        return hash(frozenset(self.items()))

    def __copy__(self) -> FrozenDict:
        return self

    def __deepcopy__(self, memo: dict[int, object]) -> FrozenDict:
        return self

    def __reduce__(self) -> tuple[type[FrozenDict], tuple[dict[str, object]]]:
        return (FrozenDict, (dict(self),))


class FrozenList(list[object]):
    """A list that can't be changed: equal to a plain one, and written as JSON like one.

    Examples:
        >>> lines = FrozenList([1, 2])
        >>> lines == [1, 2]
        True
        >>> lines.append(3)
        Traceback (most recent call last):
        TypeError: a value in a state can't be changed
    """

    __slots__ = ()

    __setitem__ = __delitem__ = __iadd__ = __imul__ = _refuse
    append = extend = insert = remove = reverse = sort = clear = pop = _refuse

    def __hash__(self) -> int:  # type: ignore[override]
        return hash(tuple(self))

    def __copy__(self) -> FrozenList:
        return self

    def __deepcopy__(self, memo: dict[int, object]) -> FrozenList:
        return self

    def __reduce__(self) -> tuple[type[FrozenList], tuple[tuple[object, ...]]]:
        return (FrozenList, (tuple(self),))


# Most values are one of these: a look at the type is far cheaper than asking whether it is a mapping.
_SCALARS: Final = frozenset({str, int, float, bool, type(None)})
_FROZEN: Final = _SCALARS | {FrozenDict, FrozenList}


def freeze(value: object, depth: int = 0) -> object:
    """A JSON value as a value that can't be changed.

    Args:
        value: Anything that `json.loads` gives.
        depth: How deep the value stands already.

    Returns:
        The value, with `FrozenDict` for objects and `FrozenList` for arrays.

    Examples:
        >>> freeze({"type": "diff", "lines": [1, 2]})
        {'type': 'diff', 'lines': [1, 2]}
    """
    kind = type(value)
    if kind in _FROZEN:
        return value
    if kind is dict or isinstance(value, Mapping):
        if depth >= MAX_DEPTH:
            return _as_text(value)
        items: Mapping[str, object] = value  # type: ignore[assignment]  # a dict is one
        frozen = FrozenDict(items)
        for key, item in items.items():
            if type(item) not in _FROZEN:
                dict.__setitem__(frozen, key, freeze(item, depth + 1))
        return frozen
    if isinstance(value, list | tuple):
        if depth >= MAX_DEPTH:
            return _as_text(value)
        return FrozenList([freeze(item, depth + 1) for item in value])
    return value


def thaw(value: object) -> object:
    """The plain JSON value of a frozen one: new dicts and lists.

    Examples:
        >>> thaw(freeze({"lines": [1, 2]}))
        {'lines': [1, 2]}
    """
    kind = type(value)
    if kind in _SCALARS:
        return value
    if kind is FrozenDict or isinstance(value, Mapping):
        items: Mapping[str, object] = value  # type: ignore[assignment]  # a FrozenDict is one
        return {key: item if type(item) in _SCALARS else thaw(item) for key, item in items.items()}
    if isinstance(value, list | tuple):
        return [thaw(item) for item in value]
    return value


def _as_text(value: object) -> str:
    """JSON text of a value of any depth: a stack instead of recursion."""
    written: list[str] = []
    waiting: list[tuple[bool, object]] = [(False, value)]
    while waiting:
        is_text, item = waiting.pop()
        if is_text:
            written.append(str(item))
        elif isinstance(item, Mapping):
            waiting.extend(reversed(_object_pieces(item)))
        elif isinstance(item, list | tuple):
            waiting.extend(reversed(_array_pieces(item)))
        else:
            written.append(json.dumps(item))
    return "".join(written)


def _object_pieces(item: Mapping[str, object]) -> list[tuple[bool, object]]:
    pieces: list[tuple[bool, object]] = [(True, "{")]
    for place, (key, inner) in enumerate(item.items()):
        pieces += [(True, ("," if place else "") + json.dumps(key) + ":"), (False, inner)]
    return [*pieces, (True, "}")]


def _array_pieces(item: list[object] | tuple[object, ...]) -> list[tuple[bool, object]]:
    pieces: list[tuple[bool, object]] = [(True, "[")]
    for place, inner in enumerate(item):
        pieces += [(True, "," if place else ""), (False, inner)]
    return [*pieces, (True, "]")]
