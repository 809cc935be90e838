"""What sessions are called in a picture: by their id, with their recording where the id is that of several."""

from __future__ import annotations

from pathlib import PurePath

import pandas as pd

from acpinspect.reading.recordings import recording_of

__all__ = ["session_names"]


def session_names(events: pd.DataFrame, rows: list[int]) -> list[str]:
    """The names of the sessions that some rows stand in.

    Args:
        events: An events table.
        rows: By position, one for each session.

    Example:
        >>> import acpinspect
        >>> chunk = {"sessionUpdate": "agent_message_chunk", "content": {"type": "text", "text": "Hi"}}
        >>> events = acpinspect.from_records([("s1", chunk), ("s2", chunk)])
        >>> session_names(events, [0, 1])
        ['s1', 's2']
    """
    part = events[["session_id", "source"]].iloc[rows]
    ids = part["session_id"].fillna("(no id)").astype(str).tolist()
    recordings = [PurePath(recording_of(str(source))).name for source in part["source"].tolist()]
    several = len(set(recordings)) > 1
    return [
        f"{recording}, {name}" if several and ids.count(name) > 1 else name
        for name, recording in zip(ids, recordings, strict=True)
    ]
