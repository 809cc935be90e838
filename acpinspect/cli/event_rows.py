"""An event in a few words: what it is, by which id, and what it says."""

from __future__ import annotations

from typing import TYPE_CHECKING

from acpinspect.cli.screen import LONGEST

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["for_people"]


def for_people(events: pd.DataFrame) -> pd.DataFrame:
    """The events with three more columns: `what` they are about, by which `id`, and the `text` that they say."""
    problem = events["problem"].astype("string")
    written = problem.fillna("noise") + ": " + events["raw"].str.slice(stop=LONGEST)
    return events.assign(
        what=events["update"].astype("string").fillna(events["method"].astype("string")),
        id=events["message_id"].fillna(events["tool_call_id"]).fillna(events["rpc_id"]),
        text=events["text"].fillna(events["title"]).mask(events["kind"].isin(["unreadable", "other"]), written),
    )
