"""What two policies make differently of a log, as a reader sees it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from acpinspect.comparison import compare

if TYPE_CHECKING:
    import pandas as pd

    from acpinspect.grouping.applying import AnyPolicy

__all__ = ["differences"]


def differences(events: pd.DataFrame, one: AnyPolicy, other: AnyPolicy) -> pd.DataFrame:
    """The messages of one policy that have become something else under the other.

    A prompt that only one of the two shows is none: it is so in every log.

    Returns:
        Rows of `Comparison.kinds`.

    Example:
        >>> import acpinspect
        >>> def chunk(text, id):
        ...     content = {"type": "text", "text": text}
        ...     return "s1", {"sessionUpdate": "agent_message_chunk", "messageId": id, "content": content}
        >>> events = acpinspect.from_records([chunk("One.", "m1"), chunk("Two.", "m2")])
        >>> differences(events, "spec", "zed-pre-ids")["kind"].tolist()
        ['merged', 'merged']
    """
    kinds = compare(events, one, other).kinds
    prompts = events.index[(events["method"] == "session/prompt").to_numpy(dtype=bool, na_value=False)]
    wrong = (kinds["kind"] != "same") & ~kinds["first_event"].isin(prompts)
    return kinds[wrong.to_numpy(dtype=bool)]
