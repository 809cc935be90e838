"""A log in pieces as windows: each piece with its neighbours, and with what of all before matters for it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Final

import numpy as np
import pandas as pd

from acpinspect.grouping.applying import Shared, apply
from acpinspect.message_pieces import rows_to_remember
from acpinspect.pieces import joined

__all__ = ["remembered", "windows"]

_SETUP: Final = (
    "initialize",
    "authenticate",
    "logout",
    "session/new",
    "session/load",
    "session/resume",
    "session/fork",
    "session/list",
    "session/close",
    "session/delete",
    "session/set_mode",
    "session/set_model",
    "session/set_config_option",
)
_REMEMBERED: Final = 5_000
"""Of setup, messages with an id and tool calls, the latest of each; every piece is looked at with all of them."""


def windows(pieces: Iterable[pd.DataFrame]) -> Iterator[tuple[pd.DataFrame, pd.Index]]:
    """Each piece with what rules look at together with it, and the events that are its own.

    Args:
        pieces: Events tables that go on one from the other.
    """
    past: pd.DataFrame | None = None
    before: pd.DataFrame | None = None
    piece: pd.DataFrame | None = None
    for following in chain(pieces, [None]):
        if piece is not None:
            yield joined([part for part in (past, before, piece, following) if part is not None]), piece.index
        if before is not None:
            past = remembered(before if past is None else joined([past, before]))
        before, piece = piece, following


def remembered(events: pd.DataFrame) -> pd.DataFrame:
    """The events that rules may still look at when the others are gone.

    Args:
        events: An events table.
    """
    table = Shared(events)
    setup = np.flatnonzero(events["method"].isin(_SETUP).to_numpy())[-_REMEMBERED:]
    rows = np.union1d(setup, rows_to_remember(table, apply("spec", table).labels, _REMEMBERED))
    return events.iloc[rows]
