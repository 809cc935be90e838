"""The widgets that the explorer is made of, and how they stand."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import ipywidgets

from acpinspect.widgets.controls import (
    SPEEDS,
    bar,
    button,
    choice,
    group,
    jump_buttons,
    line,
    line_with_offers,
    page,
    toggle,
)
from acpinspect.widgets.model import ExplorerModel

if TYPE_CHECKING:
    from acpinspect.widgets.explorer import Explorer

__all__ = ["Parts", "number_field", "pane", "rival_name", "rivals", "strip_or_none"]

_STYLE: Final = (Path(__file__).parent / "assets" / "explorer.css").read_text(encoding="utf-8")
_HINT: Final = 'role:agent text:"the build"'
_EXPORTS: Final = (
    ("…", ""),
    ("this step", "step"),
    ("bookmarks", "bookmarks"),
    ("log that leads here", "log"),
    ("minimal log of this finding", "minimal"),
)


class Parts:
    """Every widget that something is shown in or read from.

    Args:
        explorer: What the controls act on.
        model: What is shown first.
    """

    def __init__(self, explorer: Explorer, model: ExplorerModel) -> None:
        self._explorer, self._clients = explorer, model.show_clients
        self.strip: Any = strip_or_none("play", "select", "written")
        self.slider: Any  # in place of the strip
        self.position = page("acpi-position")
        self.conversation, self.detail = pane("acpi-conversation"), pane("acpi-detail")
        self.said = page("acpi-say")
        self.play = button("Play", "play or pause (space)", explorer.toggle_play)
        self.play.add_class("acpi-main")
        self.number = number_field("step", explorer._on_number)
        self.slider = _slider(explorer._on_slider) if self.strip is None else None
        names = [(each.name, each.name) for each in model.sessions]
        self.sessions = choice("session", names, model.choice.name, explorer._on_chosen_session, "acpi-session")
        self.policies = choice("policy", model.choices.names(), model.policy_name, explorer._on_chosen_policy)
        self.against = choice("against", rivals(model), rival_name(model), explorer._on_against)
        self.filter = line_with_offers("filter", _HINT, explorer._on_filter_line, "acpi-filter")
        self.note = line("note", "for a bookmark", lambda _: None, "acpi-note")
        self.keep = button("Bookmark", "keep this step, with the note", explorer.bookmark)
        self.forget = button("Forget", "forget the bookmark of this step", explorer.forget_bookmark)
        self.marks = choice("bookmarks", [("none", -1)], -1, explorer._on_mark)
        self.pin = toggle("Pin", "compare every step with this one", explorer._on_pin)
        self.exports = choice("export", _EXPORTS, "", explorer._on_export)

    def rows(self) -> list[ipywidgets.Widget]:
        """The explorer from top to bottom."""
        panes = ipywidgets.Box([self.conversation, self.detail])
        panes.add_class("acpi-panes")
        where = group(self.number, self.position)
        explorer = self._explorer
        return [
            page("acpi-style", f"<style>{_STYLE}</style>"),
            bar(self._transport(), where, self.sessions, self.policies),
            bar(
                *jump_buttons(lambda kind, forward: explorer.jump(kind, forward=forward)),
                self.against,
                self.filter,
            ),
            self.strip if self.strip is not None else self.slider,
            self.said,
            panes,
            self._foot(),
        ]

    def _transport(self) -> ipywidgets.HBox:
        explorer = self._explorer
        return group(
            button("", "first (Home)", explorer.to_first, sign="first"),
            button("", "previous event (left arrow)", explorer.to_previous, sign="back"),
            self.play,
            button("", "next event (right arrow)", explorer.to_next, sign="on"),
            button("", "last (End)", explorer.to_last, sign="last"),
            choice("speed", SPEEDS, SPEEDS[1][1], explorer._on_speed),
        )

    def _foot(self) -> ipywidgets.HBox:
        explorer = self._explorer
        return bar(
            group(self.note, self.keep, self.forget),
            self.marks,
            self.pin,
            button("Back", "to where the last jump began", explorer.back),
            toggle("Future", "show, dimmed, what comes next", explorer._on_future, value=True),
            toggle("Clients", "which clients would show this event so", explorer._on_clients, value=self._clients),
            self.exports,
            kind="acpi-foot",
        )


def rivals(model: ExplorerModel) -> list[tuple[str, str]]:
    """What the selector of the policy that disagreements are told with offers."""
    fitting = model.choices.name(model.fitting_rival)
    return [(f"auto ({fitting})", ""), *((name, name) for name in model.choices.names())]


def rival_name(model: ExplorerModel) -> str:
    """What it shows as chosen."""
    return "" if model.chosen_rival is None else model.choices.name(model.chosen_rival)


def strip_or_none(*offers: str) -> Any:  # noqa: ANN401 - a widget, or None where anywidget is not installed
    """The time strip; ``None`` where anywidget is not installed.

    Args:
        offers: What it may ask for beside steps: ``play``, ``select``, ``written``.
    """
    try:
        from acpinspect.widgets.strip import Strip
    except ImportError:
        return None
    return Strip(offers=list(offers))


def pane(kind: str) -> ipywidgets.HTML:
    """A pane of HTML that scrolls, with the keyboard too."""
    made = page("acpi-pane")
    made.add_class(kind)
    made.tabbable = True
    return made


def number_field(label: str, act: Callable[[object], None]) -> ipywidgets.BoundedIntText:
    """A field for a step."""
    made = ipywidgets.BoundedIntText(min=0, max=0, description=label, style={"description_width": "auto"})
    made.add_class("acpi-number")
    made.observe(lambda change: act(change["new"]), "value")
    return made


def _slider(act: Callable[[object], None]) -> ipywidgets.IntSlider:
    made = ipywidgets.IntSlider(min=0, max=1, description="event", readout=False, layout={"width": "98%"})
    made.observe(lambda change: act(change["new"]), "value")
    return made
