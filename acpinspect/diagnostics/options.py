"""The thresholds of the rules, each with its default and its meaning."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, Literal, TypeAlias

from acpinspect.errors import ArgumentError

__all__ = ["DiagnoseOptions", "OptionsLike", "as_options"]


@dataclass(frozen=True, slots=True, kw_only=True)
class DiagnoseOptions:
    """What the rules of `diagnose` can be told.

    Attributes:
        convert: ``"v1"`` to report v2 updates that v1 can't express; else v1-conversion-loss is silent.
        id_per_chunk_min: Chunks in a run of one-chunk messages before id-per-chunk speaks.
        restated_min: Code points of a copy under the same id, or without ids, for restated-message.
        restated_opening_min: Code points of a copy that opens a message or follows a whole one, likewise.
        cumulative_min: Code points of the first of three growing chunks, for cumulative-chunks.
        duplicate_min: Code points of a repeated chunk, for duplicate-update.
        replay_min: Code points of a message that replay-duplicate and replay-incomplete look at.
        lost_whitespace_chunks: Chunks of a message, for lost-whitespace.
        lost_whitespace_joins: Places where two letters meet, for lost-whitespace.
        chunk_flood_min: Chunks of a message, for chunk-flood.
        chunk_flood_mean: Mean length of those chunks, in code points, that is no flood any more.
        restarted_min: Code points that a second try has in common with the first, for restarted-message.
    """

    convert: Literal["v1"] | None = None
    id_per_chunk_min: int = 3
    restated_min: int = 12
    restated_opening_min: int = 4
    cumulative_min: int = 2
    duplicate_min: int = 12
    replay_min: int = 12
    lost_whitespace_chunks: int = 6
    lost_whitespace_joins: int = 4
    chunk_flood_min: int = 200
    chunk_flood_mean: int = 8
    restarted_min: int = 8


OptionsLike: TypeAlias = DiagnoseOptions | Mapping[str, object] | None


def as_options(options: OptionsLike) -> DiagnoseOptions:
    """Options as given, or made of a mapping of their names.

    Raises:
        ArgumentError: If a name is no option, or a value is of a kind that the option doesn't take.

    Example:
        >>> as_options({"chunk_flood_min": 50}).chunk_flood_min
        50
    """
    if options is None:
        return DiagnoseOptions()
    if isinstance(options, DiagnoseOptions):
        return options
    known = {field.name for field in fields(DiagnoseOptions)}
    for name, value in options.items():
        if name not in known:
            raise ArgumentError(f"There is no option {name!r}. Known options: {', '.join(sorted(known))}.")
        _check(name, value)
    checked: dict[str, Any] = dict(options)
    return DiagnoseOptions(**checked)


def _check(name: str, value: object) -> None:
    if name == "convert":
        if value not in (None, "v1"):
            raise ArgumentError(f'The option convert is "v1" or None, not {value!r}.')
    elif isinstance(value, bool) or not isinstance(value, int) or value < 1:
        raise ArgumentError(f"The option {name} is a whole number from 1, not {value!r}.")
