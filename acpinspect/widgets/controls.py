"""The controls of the explorer: each has a name that assistive technology can read, and does nothing by itself."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

import ipywidgets

from acpinspect.widgets.jumps import KINDS

__all__ = [
    "SPEEDS",
    "bar",
    "button",
    "choice",
    "group",
    "jump_buttons",
    "line",
    "line_with_offers",
    "page",
    "toggle",
]

Act = Callable[[], object]
SPEEDS: Final = (("1 / s", 1.0), ("3 / s", 3.0), ("8 / s", 8.0), ("20 / s", 20.0))


def button(words: str, tooltip: str, act: Act, *, sign: str = "") -> ipywidgets.Button:
    """A button; where it has a sign only (which the style sheet draws), its tooltip is its name."""
    made = ipywidgets.Button(description=words, tooltip=tooltip)
    if sign:
        made.add_class(f"acpi-sign-{sign}")
    made.on_click(lambda _: act())
    return made


def toggle(
    words: str, tooltip: str, act: Callable[[bool], object], *, value: bool = False
) -> ipywidgets.ToggleButton:
    """A button that stays down."""
    made = ipywidgets.ToggleButton(value=value, description=words, tooltip=tooltip)
    made.observe(lambda change: act(bool(change["new"])), "value")
    return made


def choice(
    label: str, options: Sequence[object], value: object, act: Callable[[object], object], kind: str = ""
) -> ipywidgets.Dropdown:
    """A selector with a label."""
    made = ipywidgets.Dropdown(
        options=options, value=value, description=label, style={"description_width": "auto"}
    )
    made.add_class(kind or "acpi-choice")
    made.observe(lambda change: act(change["new"]), "value")
    return made


def line(label: str, hint: str, act: Callable[[str], object], kind: str) -> ipywidgets.Text:
    """A line of text that acts when it is finished."""
    made = ipywidgets.Text(
        description=label, placeholder=hint, continuous_update=False, style={"description_width": "auto"}
    )
    made.add_class(kind)
    made.observe(lambda change: act(str(change["new"])), "value")
    return made


def line_with_offers(label: str, hint: str, act: Callable[[str], object], kind: str) -> ipywidgets.Combobox:
    """The same with offers to choose from, which its `options` hold."""
    made = ipywidgets.Combobox(
        description=label, placeholder=hint, continuous_update=False, style={"description_width": "auto"}
    )
    made.add_class(kind)
    made.observe(lambda change: act(str(change["new"])), "value")
    return made


def page(kind: str, html: str = "") -> ipywidgets.HTML:
    """A pane of HTML that is ours: what comes from a log is escaped in it already."""
    made = ipywidgets.HTML(html)
    made.add_class(kind)
    return made


def group(*children: ipywidgets.Widget) -> ipywidgets.HBox:
    """Controls that stay together when a bar wraps."""
    made = ipywidgets.HBox(list(children))
    made.add_class("acpi-group")
    return made


def bar(*children: ipywidgets.Widget, kind: str = "") -> ipywidgets.HBox:
    """A row of controls that wraps."""
    made = ipywidgets.HBox(list(children))
    made.add_class("acpi-bar")
    if kind:
        made.add_class(kind)
    return made


def jump_buttons(jump: Callable[[str, bool], object]) -> list[ipywidgets.HBox]:
    """A pair of buttons for each kind of landmark."""
    return [_pair(kind, where, jump) for kind, where in KINDS.items()]


def _pair(kind: str, where: str, jump: Callable[[str, bool], object]) -> ipywidgets.HBox:
    back = button("", f"previous {kind} ({where})", lambda: jump(kind, False), sign="back")
    on = button("", f"next {kind} ({where})", lambda: jump(kind, True), sign="on")
    pair = group(back, page("acpi-word", f"<span>{kind}</span>"), on)
    pair.add_class("acpi-pair")
    return pair
