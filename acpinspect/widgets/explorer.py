"""The explorer as a widget: controls, the time strip and two panes around an `ExplorerModel`.

The widget holds no knowledge of logs. It turns what is clicked into a step, a policy, a session or a filter, and
shows what the model says of them. A step costs one message for each pane that changes, about 10 KB together.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final, TypeVar

import ipywidgets
import pandas as pd
import traitlets

from acpinspect.errors import AcpInspectError
from acpinspect.grouping import AnyPolicy, policies
from acpinspect.grouping.applying import name_of
from acpinspect.widgets.controls import SPEEDS, bar, button, choice, group, jump_buttons, line, page, toggle
from acpinspect.widgets.exporting import download_link
from acpinspect.widgets.freeing import close_all
from acpinspect.widgets.jumps import KINDS
from acpinspect.widgets.markup import short
from acpinspect.widgets.model import ExplorerModel
from acpinspect.widgets.sessions import find_session

__all__ = ["Explorer"]

T = TypeVar("T")

_STYLE: Final = (Path(__file__).parent / "assets" / "explorer.css").read_text(encoding="utf-8")
_AT_ONCE: Final = 20_000
"""Longer logs are shown first and searched for findings then."""


class Explorer(ipywidgets.VBox):  # type: ignore[misc]  # ipywidgets has no types here
    """Steps through a session; see `acpinspect.explore`.

    Attributes:
        step: The step that is shown: 0 is the empty state, `n` the state after the session's n-th event.
        policy: The policy whose messages are shown.
        session: The id of the session that is shown.
        filter: The filter line; slider, arrows and jumps go by it.
        findings: What was found in the session; ``None`` until the log was searched.
        playing: Whether it steps on by itself.
        model: What is shown, without widgets.
    """

    step = traitlets.Int(0)
    policy = traitlets.Any("spec")
    session = traitlets.Unicode(None, allow_none=True)
    filter = traitlets.Unicode("")
    findings = traitlets.Instance(pd.DataFrame, allow_none=True)
    playing = traitlets.Bool(False)

    def __init__(self, model: ExplorerModel, step: int = 0) -> None:
        self.model = model
        self._speed = SPEEDS[1][1]
        self._task: asyncio.Task[None] | None = None
        self._trail: list[int] = []
        self._quiet = False
        self._build()
        super().__init__(self._parts)
        self.policy, self.session = model.policy, model.choice.session_id
        self.add_class("acpi-explorer")
        if self.strip is None:
            self.add_class("acpi-plain")
        self.observe(self._on_policy, "policy")
        self.observe(self._on_session, "session")
        self.observe(self._on_filter, "filter")
        self.observe(self._on_step, "step")
        self.observe(self._on_playing, "playing")
        if self.strip is not None:
            self.strip.observe(self._on_strip_step, "step")
            self.strip.on_msg(self._on_message)
        self._redraw()
        self.step = step
        self._show()
        self._search(now=len(model.events) <= _AT_ONCE)

    # --- the parts ------------------------------------------------------------------------------------------

    def _build(self) -> None:
        model = self.model
        self.strip = _strip()
        self._position = page("acpi-position")
        self._conversation = page("acpi-pane")
        self._conversation.add_class("acpi-conversation")
        self._detail = page("acpi-pane")
        self._detail.add_class("acpi-detail")
        self._said = page("acpi-say")
        self._saved = page("acpi-saved")
        self._play = button("Play", "play or pause (space)", self.toggle_play)
        self._play.add_class("acpi-main")
        self._number = _number("step", self._on_number)
        self._slider = None if self.strip is not None else _slider(self._on_slider)
        sessions = [(each.name, each.name) for each in model.sessions]
        self._sessions = choice("session", sessions, model.choice.name, self._on_chosen_session, "acpi-session")
        self._policies = choice("policy", _policy_names(model), model.policy_name, self._on_chosen_policy)
        against = [(f"auto ({name_of(model.against)})", ""), *((name, name) for name in _policy_names(model))]
        self._against = choice("against", against, "", self._on_against)
        hint = 'role:agent text:"the build" -update:usage_update finding:*'
        self._filter = line("filter", hint, self._on_filter_line, "acpi-filter")
        self._marks = choice("bookmarks", [("none", -1)], -1, self._on_mark)
        self._note = line("note", "for a bookmark", lambda _: None, "acpi-note")
        self._pin = toggle("Pin", "compare every step with this one", self._on_pin)
        middle = [self.strip] if self.strip is not None else [self._slider]
        panes = ipywidgets.Box([self._conversation, self._detail])
        panes.add_class("acpi-panes")
        self._parts = [
            page("acpi-style", f"<style>{_STYLE}</style>"),
            bar(
                self._transport(),
                group(self._number, self._position),
                self._sessions,
                self._policies,
                self._against,
            ),
            bar(*jump_buttons(lambda kind, forward: self.jump(kind, forward=forward)), self._filter),
            *middle,
            self._said,
            panes,
            self._foot(),
        ]

    def _transport(self) -> ipywidgets.HBox:
        return group(
            button("", "first (Home)", lambda: self._go(0), sign="first"),
            button(
                "",
                "previous event (left arrow)",
                lambda: self._go(self.model.move(self.step, -1)),
                sign="back",
            ),
            self._play,
            button(
                "",
                "next event (right arrow)",
                lambda: self._go(self.model.move(self.step, 1)),
                sign="on",
            ),
            button("", "last (End)", lambda: self._go(self.model.step_at(len(self.model.kept))), sign="last"),
            choice("speed", SPEEDS, self._speed, self._on_speed),
        )

    def _foot(self) -> ipywidgets.HBox:
        exports = (("…", ""), ("this step", "step"), ("bookmarks", "bookmarks"), ("log up to here", "log"))
        self._exports = choice("export", exports, "", self._on_export)
        return bar(
            group(self._note, button("Bookmark", "keep this step, with the note", self.bookmark)),
            self._marks,
            self._pin,
            button("Back", "to where the last jump began", self.back),
            toggle("Future", "show, dimmed, what comes next", self._on_future, value=True),
            toggle("Clients", "which clients would show this event so", self._on_clients),
            self._exports,
            self._saved,
            kind="acpi-foot",
        )

    # --- what a notebook calls ------------------------------------------------------------------------------

    @property
    def event(self) -> int | None:
        """The event of the step: a label of the events table's index."""
        return int(self.model.spine.numbers[self.step - 1]) if self.step else None

    def jump(self, kind: str, *, forward: bool = True) -> int | None:
        """Go to the next or previous landmark: boundary, turn, tool, finding, disagreement or replaced.

        Returns:
            The step; ``None`` where there is none (and the step stays).
        """
        if kind == "finding":
            self._search(now=True)
        found = self.model.jump(kind, self.step, forward=forward)
        if found is None:
            self._say(f"There is no {'later' if forward else 'earlier'} {kind}.")
            return None
        self._trail.append(self.step)
        self._go(found)
        return found

    def back(self) -> None:
        """Go to where the last jump began."""
        if self._trail:
            self._go(self._trail.pop())

    def bookmark(self, note: str | None = None) -> None:
        """Keep the step, with a note."""
        self.model.bookmarks[self.step] = self._note.value if note is None else note
        self._note.value = ""
        self._show_marks()

    def toggle_play(self) -> None:
        """Play, or pause."""
        self.playing = not self.playing

    def close(self) -> None:
        """Stop and free everything: no part of it stays in the kernel."""
        self.playing = False
        if self._task is not None:
            self._task.cancel()
            self._task = None
        self.unobserve_all()
        close_all(self)

    # --- what changes what is shown -------------------------------------------------------------------------

    @traitlets.validate("step")  # type: ignore[untyped-decorator]
    def _valid_step(self, proposal: Mapping[str, Any]) -> int:
        step: int = proposal["value"]
        if not 0 <= step <= self.model.last:
            raise traitlets.TraitError(f"There is no step {step}: the last one is {self.model.last}.")
        return step

    @traitlets.validate("policy")  # type: ignore[untyped-decorator]
    def _valid_policy(self, proposal: Mapping[str, Any]) -> AnyPolicy:
        return _or_trait_error(lambda: self.model.known_policy(proposal["value"]))

    @traitlets.validate("session")  # type: ignore[untyped-decorator]
    def _valid_session(self, proposal: Mapping[str, Any]) -> str | None:
        wanted: str | None = proposal["value"]
        _or_trait_error(lambda: find_session(self.model.sessions, wanted))
        return wanted

    def _go(self, step: int) -> None:
        """To a step that a page asked for: it may have been asked of a session that was longer."""
        self._say("")
        self.step = min(max(step, 0), self.model.last)

    def _on_step(self, _: object) -> None:
        self._show()

    def _on_policy(self, change: Mapping[str, Any]) -> None:
        self.model.choose_policy(change["new"])
        self._restart()

    def _on_session(self, change: Mapping[str, Any]) -> None:
        if change["new"] == self.model.choice.session_id:
            return
        self.model.choose_session(change["new"])
        self._restart()

    def _on_chosen_session(self, name: object) -> None:
        if name != self.model.choice.name:
            self.model.choose_session(str(name))
            self.session = self.model.choice.session_id
            self._restart()

    def _on_chosen_policy(self, name: object) -> None:
        if name != self.model.policy_name:
            self.policy = name

    def _on_against(self, name: object) -> None:
        self.model.choose_against(str(name) or None)
        self._redraw()

    def _on_filter(self, change: Mapping[str, Any]) -> None:
        self._say("")
        try:
            self.model.choose_filter(change["new"], self.model.selected)
        except AcpInspectError as error:
            self._say(str(error), alert=True)
        self._filter.value = change["new"]
        self._keep()

    def _on_filter_line(self, text: str) -> None:
        self.filter = text

    def _restart(self) -> None:
        """Another session or policy: the same step where there is one."""
        if self.step > self.model.last:
            self.step = self.model.last
        names = _policy_names(self.model)
        self._policies.options = names
        self._policies.value = self.model.policy_name
        self._sessions.value = self.model.choice.name
        self.findings = self.model.findings
        self._pin.value = self.model.pinned is not None
        self._show_marks()
        self._redraw()
        self._show()

    # --- what pages ask for ---------------------------------------------------------------------------------

    def _on_message(self, _: object, content: object, __: object) -> None:
        """A message of the strip's page: nothing in it is believed."""
        if not isinstance(content, dict):
            return
        act = {
            "jump": self._asked_to_jump,
            "go": self._asked_to_go,
            "play": lambda _: self.toggle_play(),
            "select": self._asked_to_select,
            "written": self._asked_who_wrote,
        }.get(str(content.get("do")))
        if act is not None:
            act(content)

    def _asked_to_jump(self, content: Mapping[str, object]) -> None:
        kind = content.get("kind")
        if isinstance(kind, str) and kind in KINDS:
            self.jump(kind, forward=content.get("forward") is True)

    def _asked_to_go(self, content: Mapping[str, object]) -> None:
        step = content.get("step")
        if isinstance(step, int):
            self._trail.append(self.step)
            self._go(step)

    def _asked_to_select(self, content: Mapping[str, object]) -> None:
        ends = content.get("range")
        pair = [end for end in ends if isinstance(end, int)] if isinstance(ends, list) else []
        selected = (min(pair), max(pair)) if len(pair) == 2 else None
        self.model.choose_filter(self.model.filter_line, selected)
        said = f"Steps {selected[0]:,} to {selected[1]:,} are selected; Escape clears that." if selected else ""
        self._say(said)
        self._keep()

    def _asked_who_wrote(self, content: Mapping[str, object]) -> None:
        numbers = [content.get(name) for name in ("slot", "start", "units")]
        slot, start, units = [number if isinstance(number, int) else -1 for number in numbers]
        found = self.model.written_by(slot, max(start, 0), max(units, 0), self.step)
        if found is None:
            return
        if found != self.step:
            self._trail.append(self.step)
        self._go(found)
        self._say(f"Event {self.event:,} wrote that. Back leads to where you were.")

    def _on_strip_step(self, change: Mapping[str, Any]) -> None:
        if not self._quiet:
            self._go(change["new"])

    def _on_slider(self, place: object) -> None:
        if not self._quiet and isinstance(place, int):
            self._go(self.model.step_at(place))

    def _on_number(self, step: object) -> None:
        if not self._quiet and isinstance(step, int):
            self._go(step)

    def _on_speed(self, speed: object) -> None:
        self._speed = float(speed) if isinstance(speed, float) else self._speed

    def _on_mark(self, step: object) -> None:
        if not self._quiet and isinstance(step, int) and step >= 0:
            self._go(step)

    def _on_pin(self, down: bool) -> None:
        self.model.pinned = self.step if down else None
        self._pin.description = f"Pinned: {self.step:,}" if down else "Pin"
        self._show()

    def _on_future(self, down: bool) -> None:
        self.model.show_future = down
        self._show()

    def _on_clients(self, down: bool) -> None:
        self.model.show_clients = down
        self._show()

    def _on_export(self, what: object) -> None:
        if what:
            self._saved.value = download_link(*self.model.export(str(what), self.step))
            self._exports.value = ""

    # --- playing --------------------------------------------------------------------------------------------

    def _on_playing(self, change: Mapping[str, Any]) -> None:
        self._play.description = "Pause" if change["new"] else "Play"
        if not change["new"]:
            return
        try:
            self._task = asyncio.get_running_loop().create_task(self._run())
        except RuntimeError:
            self.playing = False
            self._say("Playing needs a notebook's kernel.", alert=True)

    async def _run(self) -> None:
        while self.playing:
            following = self.model.move(self.step, 1)
            if following <= self.step:
                self.playing = False
                return
            self._go(following)
            await asyncio.sleep(1 / self._speed)

    # --- showing --------------------------------------------------------------------------------------------

    def _show(self) -> None:
        view = self.model.view(self.step)
        self._quiet = True
        try:
            self._position.value = f'<span role="status">{short(view.position)}</span>'
            self._conversation.value = view.conversation
            self._detail.value = view.detail
            self._number.value = self.step
            if self.strip is not None:
                self.strip.step = self.step
            if self._slider is not None:
                self._slider.value = self.model.place(self.step)
        finally:
            self._quiet = False

    def _redraw(self) -> None:
        """Another session, policy or set of findings."""
        self._quiet = True
        try:
            self._number.max = self.model.last
            if self.strip is not None:
                self.strip.draw(self.model.strip(), self.step)
        finally:
            self._quiet = False
        self._keep()

    def _keep(self) -> None:
        """Another filter."""
        self._quiet = True
        try:
            if self.strip is not None:
                self.strip.keep(self.model.kept, self.model.last, self.model.selected)
            if self._slider is not None:
                self._slider.max = len(self.model.kept)
                self._slider.value = self.model.place(self.step)
            self._position.value = f'<span role="status">{short(self.model.position(self.step))}</span>'
        finally:
            self._quiet = False

    def _show_marks(self) -> None:
        self._quiet = True
        try:
            marks = sorted(self.model.bookmarks.items())
            options = [(f"step {step:,}: {note[:40]}" if note else f"step {step:,}", step) for step, note in marks]
            self._marks.options = [(f"{len(marks)} …" if marks else "none", -1), *options]
            self._marks.value = -1
        finally:
            self._quiet = False

    def _say(self, words: str, *, alert: bool = False) -> None:
        role = "alert" if alert else "status"
        self._said.value = f'<p role="{role}">{short(words, 300)}</p>' if words else ""

    def _search(self, *, now: bool) -> None:
        """Look for findings: at once, or when what stands already was shown."""
        if not now and not self.model.knows_findings:
            with contextlib.suppress(RuntimeError):  # without a loop a jump to a finding will look for them
                asyncio.get_running_loop().call_later(0.3, self._found)
            return
        if self.findings is None:
            self._found()

    def _found(self) -> None:
        if self.comm is None:
            return  # closed meanwhile
        self.model.look_for_findings()
        self.findings = self.model.findings
        self._redraw()
        self._show()


def _or_trait_error(act: Callable[[], T]) -> T:
    """What a trait is set to; what can't be leaves the trait as it was."""
    try:
        return act()
    except AcpInspectError as error:
        raise traitlets.TraitError(str(error)) from error


def _strip() -> Any:  # noqa: ANN401 - a widget, or None where anywidget is not installed
    try:
        from acpinspect.widgets.strip import Strip
    except ImportError:
        return None
    return Strip()


def _number(label: str, act: Callable[[object], None]) -> ipywidgets.BoundedIntText:
    made = ipywidgets.BoundedIntText(min=0, max=0, description=label, style={"description_width": "auto"})
    made.add_class("acpi-number")
    made.observe(lambda change: act(change["new"]), "value")
    return made


def _slider(act: Callable[[object], None]) -> ipywidgets.IntSlider:
    made = ipywidgets.IntSlider(min=0, max=1, description="event", readout=False, layout={"width": "98%"})
    made.observe(lambda change: act(change["new"]), "value")
    return made


def _policy_names(model: ExplorerModel) -> list[str]:
    names = [str(name) for name in policies().index]
    return names if model.policy_name in names else [model.policy_name, *names]
