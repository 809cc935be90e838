"""What every function of events takes: an events table, or the path of a log."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, TypeAlias, Union

from acpinspect.events import check_events

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Events", "events_of"]

Events: TypeAlias = Union["pd.DataFrame", str, "os.PathLike[str]"]
"""An events table; or the path of a log, a folder or a glob, which is then loaded."""


def events_of(events: Events) -> pd.DataFrame:
    """The events table that is meant.

    Args:
        events: An events table, or what `load` takes as a path.

    Raises:
        EventsError: If it is neither.
        SourceError: If there is no such file, or it can't be opened.
        NotACPError: If it holds no ACP traffic.
    """
    if isinstance(events, str | os.PathLike):
        from acpinspect.loading import load

        return load(events)
    return check_events(events)
