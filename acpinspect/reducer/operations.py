"""Which operation each shape of update is, in v1 and in v2, and how many writes make one entity.

An operation takes an entity as it was (``None``: not there) and a write, and gives the entity after it. It looks
at nothing else, so the entity of a step is the fold of its own writes up to there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import groupby
from typing import Any, Final, TypeAlias

from acpinspect.protocol import Version
from acpinspect.reducer import messages, session, tools
from acpinspect.reducer.patching import Patched
from acpinspect.reducer.writes import Shape, Write

__all__ = ["fold_writes", "operate", "value_after"]

_Operation: TypeAlias = Callable[[Any, Write], Patched[Any]]
_Run: TypeAlias = Callable[[Any, Sequence[Write]], Patched[Any]]

_RUNS: Final[dict[Shape, _Run]] = {
    "chunk": messages.append_blocks,
    "tool_content_chunk": tools.append_items,
    "terminal_chunk": tools.append_output,
    "compaction_chunk": messages.append_summary,
}

_COMMON: Final[dict[Shape, _Operation]] = {
    "plan_update": session.replace_plan,
    "plan_removed": session.remove_plan,
    "commands": session.set_commands,
    "config": session.set_config,
    "info": session.patch_info,
    "usage": session.set_usage,
    "notice": session.add_notice,
    "compaction": messages.patch_compaction,
    "cancel": session.cancel,
    "turn": session.set_turn,
}

_OPERATIONS: Final[Mapping[Version, Mapping[Shape, _Operation]]] = {
    "v1": {
        **_COMMON,
        "tool_call": tools.overwrite_tool,
        "tool_call_update": tools.update_tool,
        "plan": session.replace_v1_plan,
        "mode": session.set_mode,
        "modes": session.set_modes,
        "prompted": session.prompted,
        "answered": session.answered,
    },
    "v2": {
        **_COMMON,
        "whole": messages.patch_message,
        "tool_call_update": tools.patch_tool,
        "terminal": tools.patch_terminal,
        "state": session.set_run,
    },
}


def operate(version: Version, old: object, write: Write) -> Patched[Any]:
    """Apply one write to the entity that it names.

    Args:
        version: Whose rules hold: null means different things in v1 and v2.
        old: The entity before it, or ``None``.
        write: The write.

    Returns:
        The entity after it, and its changes.
    """
    run = _RUNS.get(write.shape)
    return run(old, (write,)) if run is not None else _OPERATIONS[version][write.shape](old, write)


def fold_writes(version: Version, old: object, writes: Iterable[Write]) -> Any:  # noqa: ANN401 - of any kind
    """The entity after many writes, all to this one entity; chunks that follow each other are appended at once.

    Args:
        version: Whose rules hold.
        old: The entity before the first of them, or ``None``.
        writes: The writes in order.

    Returns:
        The entity, or ``None`` where it was never made or is gone. Costs O(number of writes).

    Examples:
        >>> from acpinspect.reducer import empty_state, v1
        >>> state, writes = empty_state("v1"), []
        >>> for text in ("On", "e"):
        ...     block = {"type": "text", "text": text}
        ...     update = {"sessionUpdate": "agent_message_chunk", "messageId": "m1", "content": block}
        ...     step = v1.apply(state, update)
        ...     state, writes = step.state, [*writes, *step.writes]
        >>> fold_writes("v1", None, writes).text
        'One'
    """
    value: Any = old
    for shape, group in groupby(writes, key=lambda write: write.shape):
        run = _RUNS.get(shape)
        if run is not None:
            value = run(value, tuple(group)).value
        else:
            for write in group:
                value = value_after(version, value, write)
    return value


def value_after(version: Version, old: Any, write: Write) -> Any:  # noqa: ANN401 - of any kind
    """The entity after one write, without what changed.

    Tool calls, which are patched again and again, have a shorter way.
    """
    if write.entity.kind == "tool_call" and write.shape not in _RUNS:
        return tools.tool_value(old, write, version)
    return operate(version, old, write).value
