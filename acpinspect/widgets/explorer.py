"""The explorer as a widget: controls, the time strip and two panes around an `ExplorerModel`.

The widget holds no knowledge of logs. It turns what is clicked into a step, a policy, a session or a filter, and
shows what the model says of them. A step costs one message for each pane that changes, about 10 KB together.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Mapping
from typing import Any, Final

import pandas as pd
import traitlets

from acpinspect.errors import AcpInspectError
from acpinspect.following import Following
from acpinspect.grouping import AnyPolicy
from acpinspect.widgets.asking import Go, Jump, Play, Select, Written, read_ask
from acpinspect.widgets.exporting import download_link
from acpinspect.widgets.log_watch import LogWatch
from acpinspect.widgets.minimal import MOST_SECONDS
from acpinspect.widgets.model import ExplorerModel
from acpinspect.widgets.parts import Parts, rival_name, rivals
from acpinspect.widgets.player import Player
from acpinspect.widgets.sessions import find_session
from acpinspect.widgets.stepping import Stepping, or_trait_error, status

__all__ = ["Explorer"]

_AT_ONCE: Final = 20_000
"""Longer logs are shown first and searched for findings then."""


class Explorer(Stepping):
    """Steps through a session; see `acpinspect.explore`.

    Attributes:
        step: The step that is shown: 0 is the empty state, `n` the state after the session's n-th event.
        policy: The policy whose messages are shown.
        session: The id of the session that is shown.
        filter: The filter line; slider, arrows and jumps go by it.
        findings: What was found in the session; ``None`` until the log was searched.
        playing: Whether it steps on by itself.
        following: Whether it looks for new events of its log by itself; see `look`.
        model: What is shown, without widgets.
    """

    policy = traitlets.Any("spec")
    session = traitlets.Unicode(None, allow_none=True)
    filter = traitlets.Unicode("")
    findings = traitlets.Instance(pd.DataFrame, allow_none=True)
    playing = traitlets.Bool(False)
    following = traitlets.Bool(False)

    def __init__(self, model: ExplorerModel, step: int = 0, log: Following | None = None) -> None:
        self.model = model
        self.player = Player(self._play_on, self._played)
        self._watch = None if log is None else LogWatch(log, self._grow, self._lose)
        self.parts = Parts(self, model)
        self._trail: list[int] = []
        super().__init__(model, self.parts.strip, self.parts.said, self.parts.rows())
        self.policy, self.session = model.policy, model.choice.session_id
        for trait in ("policy", "session", "filter", "step", "playing", "following"):
            self.observe(getattr(self, f"_on_{trait}"), trait)
        if self.strip is not None:
            self.strip.observe(self._on_strip_step, "step")
            self.strip.on_msg(self._on_message)
        self._redraw()
        self.step = step
        self._show()
        self._search(now=len(model.events) <= _AT_ONCE)
        self.following = log is not None

    # --- what a notebook calls ------------------------------------------------------------------------------

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

    def to_first(self) -> None:
        """Go to the empty state."""
        self._go(0)

    def to_previous(self) -> None:
        """Go to the event before."""
        self._go(self.model.move(self.step, -1))

    def to_next(self) -> None:
        """Go to the next event."""
        self._go(self.model.move(self.step, 1))

    def to_last(self) -> None:
        """Go to the last event."""
        self._go(self.model.step_at(len(self.model.kept)))

    def back(self) -> None:
        """Go to where the last jump began."""
        if self._trail:
            self._go(self._trail.pop())

    def bookmark(self, note: str | None = None) -> None:
        """Keep the step, with a note."""
        self.model.bookmarks[self.step] = self.parts.note.value if note is None else note
        self.parts.note.value = ""
        self._show_marks()
        self._show()

    def forget_bookmark(self) -> None:
        """Keep the step no longer."""
        self.model.bookmarks.pop(self.step, None)
        self._show_marks()
        self._show()

    def toggle_play(self) -> None:
        """Play, or pause."""
        self.playing = not self.playing

    def look(self) -> int:
        """Take up what was written to the log since; at the last step it goes to the new last one.

        Returns:
            How many events are new; 0 for an explorer that follows no log.

        Raises:
            SourceError: The log can't be read any more.
        """
        return 0 if self._watch is None else self._watch.look()

    def close(self) -> None:
        """Stop and free everything: no part of it stays in the kernel."""
        self.player.stop()
        if self._watch is not None:
            self._watch.close()
        super().close()

    # --- what changes what is shown -------------------------------------------------------------------------

    @traitlets.validate("policy")  # type: ignore[untyped-decorator]
    def _valid_policy(self, proposal: Mapping[str, Any]) -> AnyPolicy:
        return or_trait_error(lambda: self.model.known_policy(proposal["value"]))

    @traitlets.validate("session")  # type: ignore[untyped-decorator]
    def _valid_session(self, proposal: Mapping[str, Any]) -> str | None:
        wanted: str | None = proposal["value"]
        or_trait_error(lambda: find_session(self.model.sessions, wanted))
        return wanted

    def _on_step(self, _: object) -> None:
        self._say("")
        self._show()

    def _on_policy(self, change: Mapping[str, Any]) -> None:
        self.model.choose_policy(change["new"])
        self._restart()

    def _on_session(self, change: Mapping[str, Any]) -> None:
        if change["new"] != self.model.choice.session_id:
            self.model.choose_session(change["new"])
            self._restart()

    def _on_filter(self, change: Mapping[str, Any]) -> None:
        self._say("")
        try:
            self.model.choose_filter(change["new"], self.model.selected)
        except AcpInspectError as error:
            self._say(str(error), alert=True)
        self.parts.filter.value = change["new"]
        self._keep()

    def _on_playing(self, change: Mapping[str, Any]) -> None:
        self.parts.play.description = "Pause" if change["new"] else "Play"
        if not change["new"]:
            self.player.stop()
        elif not self.player.start():
            self.playing = False
            self._say("Playing needs a notebook's kernel.", alert=True)

    def _on_following(self, change: Mapping[str, Any]) -> None:
        if self._watch is None:
            self.following = False
        elif not change["new"]:
            self._watch.stop()
        elif not self._watch.start():
            self._say("Without a notebook's kernel nothing looks by itself: call look().")

    def _lose(self, why: str) -> None:
        self._say(why, alert=True)
        self.following = False

    def _grow(self, events: pd.DataFrame) -> None:
        at_end = self.step == self.model.last
        self.model.grow(events)
        with self._setting():
            self.parts.sessions.options = [(each.name, each.name) for each in self.model.sessions]
        self.session = self.model.choice.session_id
        self._restart()
        if at_end:
            self.step = self.model.last
        self._search(now=len(self.model.events) <= _AT_ONCE)

    # --- what the controls do -------------------------------------------------------------------------------

    def _on_chosen_session(self, name: object) -> None:
        if name != self.model.choice.name:
            self.model.choose_session(str(name))
            self.session = self.model.choice.session_id
            self._restart()

    def _on_chosen_policy(self, name: object) -> None:
        if not self._quiet and name != self.model.policy_name:
            self.policy = self.model.choices.policy(str(name))

    def _on_against(self, name: object) -> None:
        if not self._quiet:
            self.model.choose_against(self.model.choices.policy(str(name)) if name else None)
            self._redraw()

    def _on_filter_line(self, text: str) -> None:
        self.filter = text

    def _on_strip_step(self, change: Mapping[str, Any]) -> None:
        self._on_number(change["new"])

    def _on_slider(self, place: object) -> None:
        if isinstance(place, int):
            self._on_number(self.model.step_at(place))

    def _on_mark(self, step: object) -> None:
        if isinstance(step, int) and step >= 0:
            self._on_number(step)

    def _on_speed(self, speed: object) -> None:
        self.player.per_second = float(speed) if isinstance(speed, float) else self.player.per_second

    def _on_pin(self, down: bool) -> None:
        self.model.pinned = self.step if down else None
        self.parts.pin.description = f"Pinned: {self.step:,}" if down else "Pin"
        self._show_marks()
        self._show()

    def _on_future(self, down: bool) -> None:
        self.model.show_future = down
        self._show()

    def _on_clients(self, down: bool) -> None:
        self.model.show_clients = down
        self._show()

    def _on_export(self, what: object) -> None:
        if not what:
            return
        self.parts.exports.value = ""
        if what == "minimal":
            self._say(f"Looking for the smallest log that still shows it, for {MOST_SECONDS:.0f} seconds at most.")
        try:
            made = self.model.export(str(what), self.step)
        except AcpInspectError as error:
            self._say(str(error), alert=True)
            return
        links = " ".join(download_link(each) for each in made if each.text)
        self._say(" ".join(each.said for each in made), links, alert=not all(each.text for each in made))

    def _on_message(self, _: object, content: object, __: object) -> None:
        asked = read_ask(content)
        if isinstance(asked, Jump):
            self.jump(asked.kind, forward=asked.forward)
        elif isinstance(asked, Go):
            self._trail.append(self.step)
            self._go(asked.step)
        elif isinstance(asked, Play):
            self.toggle_play()
        elif isinstance(asked, Select):
            self._select(asked)
        elif isinstance(asked, Written):
            self._lead_to_writer(asked)

    def _select(self, asked: Select) -> None:
        self.model.choose_filter(self.model.filter_line, asked.stretch)
        first, last = asked.stretch or (0, 0)
        self._say(f"Steps {first:,} to {last:,} are selected; Escape clears that." if asked.stretch else "")
        self._keep()

    def _lead_to_writer(self, asked: Written) -> None:
        found = self.model.written_by(asked.slot, asked.start, asked.units, self.step)
        if found is None:
            return
        if found != self.step:
            self._trail.append(self.step)
        self._go(found)
        self._say(f"Event {self.event:,} wrote that. Back leads to where you were.")

    def _play_on(self) -> bool:
        following = self.model.move(self.step, 1)
        if not self.playing or following <= self.step:
            return False
        self._go(following)
        return True

    def _played(self) -> None:
        self.playing = False

    # --- showing --------------------------------------------------------------------------------------------

    def _show(self) -> None:
        view, parts = self.model.view(self.step), self.parts
        with self._setting():
            parts.position.value = status(view.position)
            parts.conversation.value = self._fitting(view.conversation)
            parts.detail.value = self._fitting(view.detail)
            parts.number.value = self.step
            parts.forget.disabled = self.step not in self.model.bookmarks
            if parts.strip is not None:
                parts.strip.step = self.step
            else:
                parts.slider.value = self.model.place(self.step)

    def _redraw(self) -> None:
        """Another session, policy or set of findings."""
        parts = self.parts
        with self._setting():
            parts.number.max = self.model.last
            parts.filter.options = self.model.offers()
            if parts.strip is not None:
                parts.strip.draw(self.model.strip(), self.step)
        self._keep()

    def _keep(self) -> None:
        """Another filter."""
        parts = self.parts
        with self._setting():
            if parts.strip is not None:
                parts.strip.keep(self.model.kept, self.model.last, self.model.selected)
            else:
                parts.slider.max = len(self.model.kept)
                parts.slider.value = self.model.place(self.step)
            parts.position.value = status(self.model.position(self.step))

    def _restart(self) -> None:
        """Another session or policy: the same step where there is one."""
        if self.step > self.model.last:
            self.step = self.model.last
        parts = self.parts
        with self._setting():
            parts.policies.options = self.model.choices.names()
            parts.policies.value = self.model.policy_name
            parts.against.options = rivals(self.model)
            parts.against.value = rival_name(self.model)
            parts.sessions.value = self.model.choice.name
            parts.pin.value = self.model.pinned is not None
        self.findings = self.model.findings
        self._show_marks()
        self._redraw()
        self._show()

    def _show_marks(self) -> None:
        marks = sorted(self.model.bookmarks.items())
        named = [(f"step {step:,}: {note[:40]}" if note else f"step {step:,}", step) for step, note in marks]
        parts = self.parts
        with self._setting():
            parts.marks.options = [(f"{len(marks)} …" if marks else "none", -1), *named]
            parts.marks.value = -1
            if parts.strip is not None:
                parts.strip.mark(self.model.bookmarks, self.model.pinned)

    def _search(self, *, now: bool) -> None:
        """Look for findings: at once, or when what stands already was shown."""
        if not now and not self.model.knows_findings:
            with contextlib.suppress(RuntimeError):  # without a loop a jump to a finding will look for them
                asyncio.get_running_loop().call_later(0.3, self._found)
        elif self.findings is None:
            self._found()

    def _found(self) -> None:
        if self.comm is None:
            return  # closed meanwhile
        self.model.look_for_findings()
        self.findings = self.model.findings
        self._redraw()
        self._show()
