"""What both explorers have in common: a widget that stands at a step of a session."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeVar

import ipywidgets
import traitlets

from acpinspect.errors import AcpInspectError
from acpinspect.widgets.freeing import close_all
from acpinspect.widgets.markup import short, without_leads
from acpinspect.widgets.model import ExplorerModel

__all__ = ["Stepping", "or_trait_error", "status"]

T = TypeVar("T")


class Stepping(ipywidgets.VBox):  # type: ignore[misc]  # ipywidgets has no types here
    """A widget at a step.

    Args:
        stepped: The session whose steps these are.
        strip: The time strip; ``None`` where anywidget is not installed.
        said: Where it says something in words.
        rows: What it is made of, from top to bottom.

    Attributes:
        step: The step that is shown: 0 is the empty state, `n` the state after the session's n-th event.
    """

    step = traitlets.Int(0)

    def __init__(
        self,
        stepped: ExplorerModel,
        strip: Any,  # noqa: ANN401 - a widget, or None where anywidget is not installed
        said: ipywidgets.HTML,
        rows: list[ipywidgets.Widget],
    ) -> None:
        self._stepped, self.strip, self._said, self._quiet = stepped, strip, said, False
        super().__init__(rows)
        self.add_class("acpi-explorer")
        if strip is None:
            self.add_class("acpi-plain")

    @property
    def event(self) -> int | None:
        """The event of the step: a label of the events table's index."""
        return int(self._stepped.spine.numbers[self.step - 1]) if self.step else None

    def close(self) -> None:
        """Free everything: no part of it stays in the kernel."""
        self.unobserve_all()
        close_all(self)

    @traitlets.validate("step")  # type: ignore[untyped-decorator]
    def _valid_step(self, proposal: Mapping[str, Any]) -> int:
        return or_trait_error(lambda: self._stepped.checked(proposal["value"]))

    def _go(self, step: int) -> None:
        """To a step that a page asked for: it may have been asked of a session that was longer."""
        self._say("")
        self.step = min(max(step, 0), self._stepped.last)

    def _on_number(self, step: object) -> None:
        if not self._quiet and isinstance(step, int):
            self._go(step)

    def _fitting(self, html: str) -> str:
        """Of a pane what works here: without the strip's code its buttons would do nothing."""
        return html if self.strip is not None else without_leads(html)

    @contextlib.contextmanager
    def _setting(self) -> Iterator[None]:
        """While the controls are set to what is shown, they ask for nothing."""
        before, self._quiet = self._quiet, True
        try:
            yield
        finally:
            self._quiet = before

    def _say(self, words: str, links: str = "", *, alert: bool = False) -> None:
        """Say something until the next step; the links are HTML already."""
        role, sign = ("alert", "⚠ ") if alert else ("status", "")
        self._said.value = f'<p role="{role}">{sign}{short(words, 400)} {links}</p>' if words or links else ""


def status(words: str) -> str:
    """Words that a screen reader reads when they change, as HTML."""
    return f'<span role="status">{short(words)}</span>'


def or_trait_error(act: Callable[[], T]) -> T:
    """What a trait is set to; what can't be leaves the trait as it was."""
    try:
        return act()
    except AcpInspectError as error:
        raise traitlets.TraitError(str(error)) from error
