"""``acpinspect state``: what a client that follows the protocol knows of a session at a step."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from acpinspect.cli.options import Form, policy_option, reading_options, session_option
from acpinspect.cli.screen import console, grid, printable
from acpinspect.cli.tables import print_json_value

if TYPE_CHECKING:
    import pandas as pd

    from acpinspect.reducer import SessionState

__all__ = ["command"]

COLUMNS = ("entity", "status", "text")


@click.command(name="state")
@click.option("--at", "event", type=int, metavar="N", help="After event N, as `acpinspect events` numbers it.")
@click.option("--step", type=int, metavar="N", help="After the session's first N events, instead of --at.")
@session_option
@policy_option
@click.option("--json", "form", flag_value="json", help="Print JSON.")
@reading_options
def command(
    events: pd.DataFrame,
    event: int | None,
    step: int | None,
    session: str | None,
    policy: str,
    form: Form | None,
) -> None:
    """Show the state of a session after an event: messages, tool calls, plans, terminals, mode, usage and so on.

    Without --at and --step it is the state at the end. --json prints one document; docs/timeline.md describes it.
    """
    import acpinspect

    timeline = acpinspect.timeline(events, session, policy)
    at = len(timeline) - 1 if event is None else timeline.step_of(event)
    at = at if step is None else step
    if not 0 <= at < len(timeline):
        raise acpinspect.ArgumentError(f"There is no step {at}: the last one is {len(timeline) - 1}.")
    state = timeline[at]
    if form == "json":
        print_json_value({"step": at, **state.to_dict()})
        return
    out = console()
    for line in _facts(state, at, timeline.events):
        out.print(printable(line), soft_wrap=True)
    out.print(grid(COLUMNS, list(_rows(state)), width=out.width, whole="entity"))


def _facts(state: SessionState, step: int, events: tuple[int, ...]) -> Iterator[str]:
    from acpinspect.timelines.showing import in_short

    after = f", after event {events[step - 1]}" if step else ""
    yield f"step {step} of {len(events)}{after}; {state.protocol}; turn {state.turn}"
    for name in ("run", "mode", "info", "usage"):
        value = in_short(getattr(state, name))
        if value:
            yield f"{name}: {value}"
    counted = [f"{len(getattr(state, name))} {name}" for name in ("commands", "config_options", "notices")]
    yield ", ".join(counted).replace("_", " ")


def _rows(state: SessionState) -> Iterator[tuple[str, str, str]]:
    from acpinspect.reducer import get_entity
    from acpinspect.timelines import entity_name
    from acpinspect.timelines.finding import shown_text

    for entity in state.order:
        value = get_entity(state, entity)
        yield entity_name(entity), str(getattr(value, "status", None) or ""), shown_text(value)
