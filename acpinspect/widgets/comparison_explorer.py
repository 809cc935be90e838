"""Two groupings side by side as a widget around a `ComparisonModel`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

import ipywidgets
import traitlets

from acpinspect.errors import AcpInspectError
from acpinspect.grouping import AnyPolicy
from acpinspect.widgets.asking import Go, Jump, Pick, read_ask
from acpinspect.widgets.comparison_model import ComparisonModel
from acpinspect.widgets.controls import bar, button, choice, group, page, toggle
from acpinspect.widgets.markup import short
from acpinspect.widgets.parts import number_field, pane, strip_or_none
from acpinspect.widgets.stepping import Stepping, or_trait_error, status

__all__ = ["ComparisonExplorer"]

_STYLE: Final = (Path(__file__).parent / "assets" / "explorer.css").read_text(encoding="utf-8")
_AT_ONCE: Final = 5_000
"""Longer logs are opened without the table of all clients."""
_SEARCHED: Final = 20_000
"""Longer logs are searched for findings when somebody wants to go to one."""


class ComparisonExplorer(Stepping):
    """Steps through a session under two policies; see `acpinspect.explore_comparison`.

    Attributes:
        step: The step that is shown.
        a: The policy on the left, the reference: a name, a `Policy`, or a function of the events.
        b: The policy on the right.
        session: The id of the session that is shown.
        model: What is shown, without widgets.
    """

    a = traitlets.Any("")
    b = traitlets.Any("")
    session = traitlets.Unicode(None, allow_none=True)

    def __init__(self, model: ComparisonModel) -> None:
        self.model = model
        small = len(model.events) <= _AT_ONCE
        strip = strip_or_none()
        said = page("acpi-say")
        self._position, self._table = page("acpi-position"), page("acpi-table")
        self._left, self._right = pane("acpi-conversation"), pane("acpi-conversation")
        self._right.add_class("acpi-beside")
        self._why = page("acpi-why")
        self._number = number_field("step", self._on_number)
        self._differences = page("acpi-word")
        self._a = choice("left", model.choices.names(), model.names[0], self._on_chosen("a"))
        self._b = choice("right", model.choices.names(), model.names[1], self._on_chosen("b"))
        self._shows_table = toggle(
            "All clients", "how each client shows the log, against the left one", self._on_table, value=small
        )
        super().__init__(model.a, strip, said, self._rows(strip, said))
        self.add_class("acpi-compared")
        self.a, self.b = model.a.policy, model.b.policy
        self.session = model.a.choice.session_id
        if self.strip is not None:
            self.strip.observe(lambda change: self._on_number(change["new"]), "step")
            self.strip.on_msg(self._on_message)
        self.observe(self._on_policies, ["a", "b"])
        self.observe(self._on_step, "step")
        if len(model.events) <= _SEARCHED:
            model.look_for_findings()
        self._on_table(small)
        self._redraw()
        self.step = model.jump(0, forward=True) or min(1, model.last)
        self._show()

    def _rows(self, strip: ipywidgets.DOMWidget | None, said: ipywidgets.HTML) -> list[ipywidgets.Widget]:
        panes = ipywidgets.Box([self._left, self._right])
        panes.add_class("acpi-panes")
        jumps = group(
            button("", "previous disagreement (D)", lambda: self.jump(forward=False), sign="back"),
            self._differences,
            button("", "next disagreement (d)", lambda: self.jump(forward=True), sign="on"),
        )
        jumps.add_class("acpi-pair")
        steps = group(
            button("", "first (Home)", lambda: self._go(0), sign="first"),
            button("", "previous event (left arrow)", lambda: self._go(self.step - 1), sign="back"),
            button("", "next event (right arrow)", lambda: self._go(self.step + 1), sign="on"),
            button("", "last (End)", lambda: self._go(self.model.last), sign="last"),
        )
        where = group(self._number, self._position)
        return [
            page("acpi-style", f"<style>{_STYLE}</style>"),
            bar(steps, where, jumps, *self._sessions(), self._a, self._b, self._shows_table),
            self._table,
            *([] if strip is None else [strip]),
            said,
            panes,
            self._why,
        ]

    def _sessions(self) -> list[ipywidgets.Widget]:
        """A selector, where there are several."""
        names = [(each.name, each.name) for each in self.model.a.sessions]
        chosen = self.model.a.choice.name
        return [choice("session", names, chosen, self._on_session, "acpi-session")] if len(names) > 1 else []

    # --- what a notebook calls ------------------------------------------------------------------------------

    def jump(self, *, forward: bool = True) -> int | None:
        """Go to the next or previous event that the two treat differently; ``None`` where there is none."""
        found = self.model.jump(self.step, forward=forward)
        if found is None:
            self._say(f"There is no {'later' if forward else 'earlier'} disagreement.")
        else:
            self._go(found)
        return found

    # --- what changes what is shown -------------------------------------------------------------------------

    @traitlets.validate("a", "b")  # type: ignore[untyped-decorator]
    def _valid_policy(self, proposal: Mapping[str, Any]) -> AnyPolicy:
        return or_trait_error(lambda: self.model.choices.add(proposal["value"]))

    def _on_step(self, _: object) -> None:
        self._say("")
        self._show()

    def _on_policies(self, change: Mapping[str, Any]) -> None:
        self.model.choose(self.a, self.b)
        if change["name"] == "a":
            self._on_table(bool(self._shows_table.value))
        self._restart()

    def _on_chosen(self, side: str) -> Callable[[object], None]:
        return lambda name: None if self._quiet else self._choose(side, str(name))

    def _choose(self, side: str, name: str) -> None:
        try:
            setattr(self, side, self.model.choices.policy(name))
        except AcpInspectError as error:
            self._say(str(error), alert=True)

    def _on_session(self, name: object) -> None:
        if not self._quiet:
            self.model.choose_session(str(name))
            self.session = self.model.a.choice.session_id
            self._on_table(bool(self._shows_table.value))
            self._restart()

    def _on_table(self, down: bool) -> None:
        self._table.value = self._fitting(self.model.clients()) if down else ""

    def _on_message(self, _: object, content: object, __: object) -> None:
        asked = read_ask(content)
        if isinstance(asked, Jump) and asked.kind == "disagreement":
            self.jump(forward=asked.forward)
        elif isinstance(asked, Jump):
            if asked.kind == "finding" and not self.model.a.knows_findings:
                self.model.look_for_findings()
                self._redraw()
            found = self.model.a.jump(asked.kind, self.step, forward=asked.forward)
            self._go(self.step if found is None else found)
        elif isinstance(asked, Go):
            self._go(asked.step)
        elif isinstance(asked, Pick):
            self._choose("b", asked.policy)

    # --- showing --------------------------------------------------------------------------------------------

    def _show(self) -> None:
        view = self.model.view(self.step)
        with self._setting():
            self._position.value = status(view.position)
            self._differences.value = f"<span>{short(view.differences)}</span>"
            self._left.value, self._right.value = self._fitting(view.a), self._fitting(view.b)
            self._why.value = self._fitting(view.why)
            self._number.value = self.step
            if self.strip is not None:
                self.strip.step = self.step

    def _redraw(self) -> None:
        with self._setting():
            self._number.max = self.model.last
            for selector, name in zip((self._a, self._b), self.model.names, strict=True):
                selector.options = self.model.choices.names()
                selector.value = name
            if self.strip is not None:
                self.strip.draw(self.model.a.strip(), self.step)

    def _restart(self) -> None:
        self._say("")
        if self.step > self.model.last:
            self.step = self.model.last
        self._redraw()
        self._show()
