"""Two policies side by side as a widget around a `ComparisonModel`."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import ipywidgets
import traitlets

from acpinspect.errors import AcpInspectError
from acpinspect.grouping import policies
from acpinspect.widgets.asking import Go, Jump, read_ask
from acpinspect.widgets.comparison_model import ComparisonModel
from acpinspect.widgets.controls import bar, button, choice, group, page, toggle
from acpinspect.widgets.freeing import close_all
from acpinspect.widgets.markup import short
from acpinspect.widgets.parts import number_field, pane, strip_or_none

__all__ = ["ComparisonExplorer"]

_STYLE: Final = (Path(__file__).parent / "assets" / "explorer.css").read_text(encoding="utf-8")


class ComparisonExplorer(ipywidgets.VBox):  # type: ignore[misc]  # ipywidgets has no types here
    """Steps through a session under two policies; see `acpinspect.explore_comparison`.

    Attributes:
        step: The step that is shown.
        a: The policy on the left, the reference.
        b: The policy on the right.
        session: The id of the session that is shown.
        model: What is shown, without widgets.
    """

    step = traitlets.Int(0)
    a = traitlets.Unicode("")
    b = traitlets.Unicode("")
    session = traitlets.Unicode(None, allow_none=True)

    def __init__(self, model: ComparisonModel) -> None:
        self.model = model
        self._quiet = False
        self.strip = strip_or_none()
        self._position, self._said, self._table = page("acpi-position"), page("acpi-say"), page("acpi-table")
        self._left, self._right = pane("acpi-conversation"), pane("acpi-conversation")
        self._right.add_class("acpi-detail")
        self._why = page("acpi-why")
        self._number = number_field("step", self._on_number)
        names = [str(name) for name in policies().index]
        self._a = choice("left", names, model.names[0], self._on_chosen("a"))
        self._b = choice("right", names, model.names[1], self._on_chosen("b"))
        sessions = [(each.name, each.name) for each in model.a.sessions]
        self._sessions = choice("session", sessions, model.a.choice.name, self._on_session, "acpi-session")
        super().__init__(self._rows())
        self.add_class("acpi-explorer")
        self.add_class("acpi-compared")
        self.a, self.b = model.names
        self.session = model.a.choice.session_id
        if self.strip is None:
            self.add_class("acpi-plain")
        else:
            self.strip.observe(lambda change: self._on_number(change["new"]), "step")
            self.strip.on_msg(self._on_message)
        self.observe(self._on_policies, ["a", "b"])
        self.observe(self._on_step, "step")
        self._redraw()
        self.step = model.jump(0, forward=True) or min(1, model.last)
        self._show()

    def _rows(self) -> list[ipywidgets.Widget]:
        panes = ipywidgets.Box([self._left, self._right])
        panes.add_class("acpi-panes")
        jumps = group(
            button("", "previous disagreement (D)", lambda: self.jump(forward=False), sign="back"),
            page("acpi-word", "<span>disagreement</span>"),
            button("", "next disagreement (d)", lambda: self.jump(forward=True), sign="on"),
        )
        jumps.add_class("acpi-pair")
        steps = group(
            button("", "first (Home)", lambda: self._go(0), sign="first"),
            button("", "previous event (left arrow)", lambda: self._go(self.step - 1), sign="back"),
            button("", "next event (right arrow)", lambda: self._go(self.step + 1), sign="on"),
            button("", "last (End)", lambda: self._go(self.model.last), sign="last"),
        )
        table = toggle("All clients", "how each client shows the log, against the left one", self._on_table)
        where = group(self._number, self._position)
        return [
            page("acpi-style", f"<style>{_STYLE}</style>"),
            bar(steps, jumps, where, self._sessions, self._a, self._b, table),
            *([] if self.strip is None else [self.strip]),
            self._said,
            panes,
            self._why,
            self._table,
        ]

    # --- what a notebook calls ------------------------------------------------------------------------------

    @property
    def event(self) -> int | None:
        """The event of the step: a label of the events table's index."""
        return int(self.model.a.spine.numbers[self.step - 1]) if self.step else None

    def jump(self, *, forward: bool = True) -> int | None:
        """Go to the next or previous event that the two treat differently; ``None`` where there is none."""
        found = self.model.jump(self.step, forward=forward)
        if found is None:
            self._say(f"There is no {'later' if forward else 'earlier'} disagreement.")
        else:
            self._go(found)
        return found

    def close(self) -> None:
        """Free everything: no part of it stays in the kernel."""
        self.unobserve_all()
        close_all(self)

    # --- what changes what is shown -------------------------------------------------------------------------

    @traitlets.validate("step")  # type: ignore[untyped-decorator]
    def _valid_step(self, proposal: Mapping[str, Any]) -> int:
        try:
            return self.model.a.checked(proposal["value"])
        except AcpInspectError as error:
            raise traitlets.TraitError(str(error)) from error

    @traitlets.validate("a", "b")  # type: ignore[untyped-decorator]
    def _valid_policy(self, proposal: Mapping[str, Any]) -> str:
        name: str = proposal["value"]
        if name and name not in policies().index:
            raise traitlets.TraitError(f"There is no policy {name!r}.")
        return name

    def _go(self, step: int) -> None:
        self._say("")
        self.step = min(max(step, 0), self.model.last)

    def _on_step(self, _: object) -> None:
        self._show()

    def _on_policies(self, change: Mapping[str, Any]) -> None:
        self.model.choose(self.a, self.b)
        if change["name"] == "a" and self._table.value:
            self.model.forget_clients()
            self._table.value = self.model.clients()
        self._restart()

    def _on_chosen(self, side: str) -> Callable[[object], None]:
        return lambda name: None if self._quiet else setattr(self, side, name)

    def _on_session(self, name: object) -> None:
        if not self._quiet:
            self.model.choose_session(str(name))
            self.session = self.model.a.choice.session_id
            self._restart()

    def _on_number(self, step: object) -> None:
        if not self._quiet and isinstance(step, int):
            self._go(step)

    def _on_table(self, down: bool) -> None:
        self._table.value = self.model.clients() if down else ""

    def _on_message(self, _: object, content: object, __: object) -> None:
        asked = read_ask(content)
        if isinstance(asked, Jump) and asked.kind == "disagreement":
            self.jump(forward=asked.forward)
        elif isinstance(asked, Jump):
            found = self.model.a.jump(asked.kind, self.step, forward=asked.forward)
            self._go(self.step if found is None else found)
        elif isinstance(asked, Go):
            self._go(asked.step)

    # --- showing --------------------------------------------------------------------------------------------

    @contextlib.contextmanager
    def _setting(self) -> Iterator[None]:
        before, self._quiet = self._quiet, True
        try:
            yield
        finally:
            self._quiet = before

    def _show(self) -> None:
        view = self.model.view(self.step)
        with self._setting():
            self._position.value = f'<span role="status">{short(view.position)}</span>'
            self._left.value, self._right.value, self._why.value = view.a, view.b, view.why
            self._number.value = self.step
            if self.strip is not None:
                self.strip.step = self.step

    def _redraw(self) -> None:
        with self._setting():
            self._number.max = self.model.last
            self._a.value, self._b.value = self.model.names
            if self.strip is not None:
                self.strip.draw(self.model.a.strip(), self.step)

    def _restart(self) -> None:
        self._say("")
        if self.step > self.model.last:
            self.step = self.model.last
        self._redraw()
        self._show()

    def _say(self, words: str) -> None:
        self._said.value = f'<p role="status">{short(words)}</p>' if words else ""
