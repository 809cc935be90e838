"""What a person in Jupyter keeps open: the explorer, which steps through the state of a session."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from acpinspect.errors import ArgumentError
from acpinspect.following import Following
from acpinspect.opening import Events, events_of
from acpinspect.pieces import joined
from acpinspect.widgets.model import ExplorerModel

if TYPE_CHECKING:
    import pandas as pd

    from acpinspect.comparison import Comparison
    from acpinspect.grouping import AnyPolicy
    from acpinspect.widgets.comparison_explorer import ComparisonExplorer
    from acpinspect.widgets.explorer import Explorer

__all__ = ["ExplorerModel", "explore", "explore_comparison"]


def explore(
    events: Events,
    session_id: str | None = None,
    policy: AnyPolicy = "spec",
    *,
    against: AnyPolicy | None = None,
    findings: pd.DataFrame | None = None,
    step: int | None = None,
    event: int | None = None,
    follow: bool = False,
) -> Explorer:
    """Step through a session in Jupyter.

    Args:
        events: An events table, or the path of a log.
        session_id: The session to begin with; the biggest one without it.
        policy: The policy whose messages are shown.
        against: The policy that disagreements are told with; without it one that reads the log the other way.
        findings: What `diagnose` found in these events, if that is known already.
        step: The step to begin with; the first one without it.
        event: The event to begin with, instead of a step: a label of the table's index.
        follow: The log is still being written: what is added to it appears. It is a path then, of one record a
            line; at the last step, the explorer stays at the last. `following` stops and starts that, `look()`
            looks at once.

    Returns:
        A widget. Its traits `step`, `policy`, `session`, `filter`, `playing` can be set and observed, `findings`
        is a table of what was found; `close()` frees it all.

    Raises:
        ImportError: ipywidgets isn't installed.
        EventsError: If it is no events table, or has no such event.
        ArgumentError: If there is no such session, policy or step, or what shall be followed is no path.

    Example:
        >>> import acpinspect
        >>> chunk = {"sessionUpdate": "agent_message_chunk", "content": {"type": "text", "text": "Hi"}}
        >>> explorer = acpinspect.explore(acpinspect.from_records([("s1", chunk)]), step=1)
        >>> explorer.step, explorer.event, explorer.session
        (1, 0, 's1')
        >>> explorer.close()
    """
    try:
        from acpinspect.widgets.explorer import Explorer
    except ImportError as error:
        raise ImportError(
            f"explore needs {error.name}: pip install acpinspect[notebook]", name=error.name
        ) from error
    log = _followed(events) if follow else None
    table = events_of(events) if log is None else _all_there(log)
    model = ExplorerModel(table, session_id, policy, against=against, findings=findings)
    begin = model.spine.timeline.step_of(event) if event is not None else step
    begin = (model.last if follow else min(1, model.last)) if begin is None else model.checked(begin)
    return Explorer(model, begin, log)


def _all_there(log: Following) -> pd.DataFrame:
    tables = [log.read()]
    while len(events := log.read()):
        tables.append(events)
    return joined(tables)


def _followed(path: Events) -> Following:
    if not isinstance(path, str | os.PathLike):
        raise ArgumentError("follow=True needs the path of a log: a table doesn't grow.")
    return Following(path)


def explore_comparison(comparison: Comparison, session_id: str | None = None) -> ComparisonExplorer:
    """Step through a session in Jupyter under two groupings, side by side.

    Args:
        comparison: What `compare` gives: of policies by name or as objects, of functions of the events, or of a
            table of true messages and a policy.
        session_id: The session to begin with; the biggest one without it.

    Returns:
        A widget, at the first event with which the two do different things. Its traits `step`, `a` and `b` can be
        set and observed; `jump()` leads to the next difference, `close()` frees it all.

    Raises:
        ImportError: ipywidgets isn't installed.
        ArgumentError: It is no comparison, or one of two logs, or there is no such session.

    Example:
        >>> import acpinspect
        >>> def chunk(text, id):
        ...     content = {"type": "text", "text": text}
        ...     return "s1", {"sessionUpdate": "agent_message_chunk", "messageId": id, "content": content}
        >>> events = acpinspect.from_records([chunk("One.", "m1"), chunk("Two.", "m2")])
        >>> explorer = acpinspect.explore_comparison(acpinspect.compare(events, "spec", "toad"))
        >>> explorer.event, explorer.b
        (1, 'toad')
        >>> explorer.close()
    """
    from acpinspect.comparison import check_comparison
    from acpinspect.widgets.comparison_model import ComparisonModel

    try:
        from acpinspect.widgets.comparison_explorer import ComparisonExplorer
    except ImportError as error:
        needed = f"explore_comparison needs {error.name}: pip install acpinspect[notebook]"
        raise ImportError(needed, name=error.name) from error
    return ComparisonExplorer(ComparisonModel(check_comparison(comparison), session_id))
