"""The explorer without a widget: what is looked at, and what each pane shows of it, as HTML.

Everything is derived from the step: a model asked twice for a step gives the same, however it came there.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt
import pandas as pd

from acpinspect.diagnostics import diagnose
from acpinspect.errors import ArgumentError
from acpinspect.events import check_events
from acpinspect.grouping import AnyPolicy, Policy, group
from acpinspect.grouping.applying import Grouper, looks_at_ids
from acpinspect.grouping.registry import found
from acpinspect.pieces import joined
from acpinspect.timelines import Diff
from acpinspect.widgets.event_pane import Found, codes_by_slot
from acpinspect.widgets.exporting import Export, export
from acpinspect.widgets.filtering import kept_steps, offers, parse_filter
from acpinspect.widgets.jumps import KINDS, after, before, disagreements, landmark_steps
from acpinspect.widgets.panes import View, view_of
from acpinspect.widgets.policy_choices import PolicyChoices
from acpinspect.widgets.sessions import SessionChoice, find_session, sessions_of
from acpinspect.widgets.spine import Ints, Spine, spine_of
from acpinspect.widgets.strip_data import StripData, strip_data
from acpinspect.widgets.verdicts import SHOWN_UP_TO, client_labels
from acpinspect.widgets.writers import writer_of

__all__ = ["ExplorerModel", "View"]

_FARTHEST_PIN: Final = 20_000
_KEPT_SPINES: Final = 6


class ExplorerModel:
    """What is looked at: a session of a table, under a policy, through a filter.

    Args:
        events: An events table.
        session_id: The session; the biggest one without it.
        policy: The policy whose messages are shown.
        against: The policy that disagreements are told with; without it one that reads the log in the other way.
        findings: What was found in the log, if that is known; else it is found when first asked for.
        choices: The policies that can be chosen; all registered ones without it.

    Raises:
        EventsError: If it is no events table.
        ArgumentError: If there is no such session or policy.

    Example:
        >>> import acpinspect
        >>> def chunk(text, id):
        ...     content = {"type": "text", "text": text}
        ...     return "s1", {"sessionUpdate": "agent_message_chunk", "messageId": id, "content": content}
        >>> events = acpinspect.from_records([chunk("One ", "m1"), chunk("two", "m1"), chunk("3", "m2")])
        >>> model = ExplorerModel(events)
        >>> model.last, model.jump("boundary", 1, forward=True)
        (3, 3)
        >>> "<mark>two</mark>" in model.view(2).conversation
        True
    """

    def __init__(
        self,
        events: pd.DataFrame,
        session_id: str | None = None,
        policy: AnyPolicy = "spec",
        *,
        against: AnyPolicy | None = None,
        findings: pd.DataFrame | None = None,
        choices: PolicyChoices | None = None,
    ) -> None:
        self.events = check_events(events)
        self.sessions = sessions_of(self.events)
        self.bookmarks: dict[int, str] = {}
        self.pinned: int | None = None
        self.filter_line = ""
        self.selected: tuple[int, int] | None = None
        self.show_future = True
        self.show_clients = len(self.events) <= SHOWN_UP_TO
        self.choices = choices or PolicyChoices()
        self._against = None if against is None else self.choices.add(against)
        self._found = findings
        self._spines: dict[tuple[SessionChoice, Policy | Grouper], Spine] = {}
        self._clients: dict[SessionChoice, Mapping[str, npt.NDArray[np.int8]]] = {}
        self._codes: dict[int, list[Found]] | None = None
        self._landmarks: dict[str, Ints] = {}
        self._choose(find_session(self.sessions, session_id), policy)

    def _choose(self, choice: SessionChoice, policy: AnyPolicy) -> None:
        policy = self.choices.add(policy)
        key = choice, found(policy)
        if key not in self._spines:
            self._spines[key] = spine_of(self.events, choice, policy)
        while len(self._spines) > _KEPT_SPINES:
            self._spines.pop(next(iter(self._spines)))
        self.choice, self.policy, self.spine = choice, policy, self._spines[key]
        self._landmarks, self._codes = {}, None
        self._apart: Ints | None = None
        self.kept = self._kept(self.filter_line)

    def grow(self, events: pd.DataFrame) -> None:
        """Take up events that came after those of the table. What was found is to be looked for anew.

        Args:
            events: The events that follow, as `follow` gives them.
        """
        self.events = check_events(joined([self.events, events]))
        self.sessions = sessions_of(self.events)
        self._found, self._spines, self._clients = None, {}, {}
        kept = (each for each in self.sessions if self.choice.is_same(each))
        self._choose(next(kept, find_session(self.sessions, None)), self.policy)

    # --- what is looked at ----------------------------------------------------------------------------------

    @property
    def last(self) -> int:
        """The last step."""
        return len(self.spine)

    @property
    def policy_name(self) -> str:
        """The policy's name among `choices`."""
        return self.choices.name(self.policy)

    def choose_session(self, wanted: str | None) -> None:
        """Look at another session; bookmarks, pin and selection are those of the old one and go.

        Raises:
            ArgumentError: There is none.
        """
        choice = find_session(self.sessions, wanted)
        if choice != self.choice:
            self.bookmarks, self.pinned, self.selected = {}, None, None
            self._choose(choice, self.policy)

    def choose_policy(self, policy: AnyPolicy) -> None:
        """Look through another policy.

        Raises:
            ArgumentError: There is none.
        """
        self._choose(self.choice, policy)

    def known_policy(self, policy: AnyPolicy) -> AnyPolicy:
        """The policy, if there is one.

        Raises:
            ArgumentError: There is none.
        """
        return self.choices.add(policy)

    def choose_against(self, policy: AnyPolicy | None) -> None:
        """Tell disagreements with another policy.

        Raises:
            ArgumentError: There is none.
        """
        before_it, self._apart = self._against, None
        self._landmarks.pop("disagreement", None)
        try:
            self._against = None if policy is None else self.choices.add(policy)
            _ = self.apart
        except ArgumentError:
            self._against = before_it
            raise

    @property
    def against(self) -> AnyPolicy:
        """The policy that disagreements are told with: the one that was chosen, else one that fits."""
        return self.fitting_rival if self._against is None else self._against

    @property
    def chosen_rival(self) -> AnyPolicy | None:
        """The policy that was chosen to tell disagreements with, if one was."""
        return self._against

    @property
    def fitting_rival(self) -> AnyPolicy:
        """One that reads the log in the other way: with ids or without."""
        return "heuristic" if looks_at_ids(self.policy) else "spec"

    @property
    def apart(self) -> Ints:
        """The steps at which the two policies disagree."""
        if self._apart is None:
            labels = group(self.spine.events, self.against).to_numpy(dtype=np.int64, na_value=-1)
            self._apart = disagreements(self.spine, labels)
        return self._apart

    # --- findings -------------------------------------------------------------------------------------------

    @property
    def knows_findings(self) -> bool:
        """Whether somebody has looked for findings already."""
        return self._found is not None

    def look_for_findings(self) -> pd.DataFrame:
        """Find what is wrong in the whole log, unless that is known; gives it."""
        found = diagnose(self.events) if self._found is None else self._found
        self.know_findings(found)
        return found

    def know_findings(self, findings: pd.DataFrame) -> None:
        """Take it that this was found in the whole log."""
        if findings is not self._found:
            self._found, self._codes = findings, None
            self._landmarks.pop("finding", None)

    @property
    def findings(self) -> pd.DataFrame | None:
        """What was found in the session; ``None`` until somebody has looked."""
        return None if self._found is None else self._own(self._found)

    def _own(self, findings: pd.DataFrame) -> pd.DataFrame:
        own: pd.DataFrame = findings[np.isin(findings["event"], self.spine.numbers)]
        return own

    def found_at(self, step: int) -> pd.DataFrame | None:
        """What was found at the event of a step; ``None`` where nobody has looked or nothing was found."""
        if self._found is None or not step:
            return None
        own: pd.DataFrame = self._found[(self._found["event"] == int(self.spine.numbers[step - 1])).to_numpy()]
        return own if len(own) else None

    def codes_by_slot(self) -> Mapping[int, list[Found]]:
        """What was found in the events of each entity. A prompt's own stand under -1."""
        if self._codes is None:
            self._codes = codes_by_slot(self.spine, self.findings)
        return self._codes

    # --- moving ---------------------------------------------------------------------------------------------

    def choose_filter(self, line: str, selected: tuple[int, int] | None = None) -> None:
        """Keep only some events: slider and jumps go by them.

        Raises:
            ArgumentError: The line has a field that there isn't.
        """
        before_it, self.selected = self.selected, selected
        try:
            self.kept = self._kept(line)
        except ArgumentError:
            self.selected = before_it
            raise
        self.filter_line = line

    def _kept(self, line: str) -> Ints:
        return kept_steps(self.spine, parse_filter(line), self._found, self.selected)

    def offers(self) -> list[str]:
        """Conditions that a filter line can begin with: what there is in the session."""
        return offers(self.spine, self._found)

    @property
    def is_filtered(self) -> bool:
        """Whether some events are not kept."""
        return len(self.kept) < self.last

    def landmarks(self, kind: str) -> Ints:
        """The kept steps of a kind of landmark (see `acpinspect.widgets.jumps.KINDS`), ascending.

        Raises:
            ArgumentError: There is no such kind.
        """
        if kind not in KINDS:
            raise ArgumentError(f"There is nothing of kind {kind!r} to go to. There is: {', '.join(KINDS)}.")
        if kind not in self._landmarks:
            seen = self._found["event"].to_numpy(dtype=np.int64) if self._found is not None else _NONE
            apart = self.apart if kind == "disagreement" else _NONE
            self._landmarks[kind] = landmark_steps(self.spine, kind, seen, apart)
        steps = self._landmarks[kind]
        return steps[np.isin(steps, self.kept)] if self.is_filtered else steps

    def jump(self, kind: str, step: int, *, forward: bool) -> int | None:
        """The next or previous landmark; ``None`` where there is none."""
        steps = self.landmarks(kind)
        return after(steps, step) if forward else before(steps, step)

    def move(self, step: int, count: int) -> int:
        """The step some kept steps further on (or back); the empty state comes before all of them."""
        at = int(np.searchsorted(self.kept, step, side="right"))
        if count < 0 and at and self.kept[at - 1] != step:
            at += 1
        at = min(max(at + count, 0), len(self.kept))
        return int(self.kept[at - 1]) if at else 0

    def checked(self, step: int) -> int:
        """The step, if there is one.

        Raises:
            ArgumentError: There is none.
        """
        if not 0 <= step <= self.last:
            raise ArgumentError(f"There is no step {step}: the last one is {self.last}.")
        return step

    def place(self, step: int) -> int:
        """How many kept steps there are up to a step."""
        return int(np.searchsorted(self.kept, step, side="right"))

    def step_at(self, place: int) -> int:
        """The step at a place among those kept; 0 is the empty state."""
        place = min(max(place, 0), len(self.kept))
        return int(self.kept[place - 1]) if place else 0

    def written_by(self, slot: int, start: int, units: int, step: int) -> int | None:
        """The step that wrote a character of what is shown.

        Args:
            slot: The number of the entity.
            start: Where the clicked stretch begins in its text, in code points.
            units: Where the click is in it, in UTF-16 units.
            step: The step that is shown.
        """
        if not 0 <= slot < len(self.spine.born) or not 0 <= step <= self.last:
            return None
        return writer_of(self.spine, slot, start, units, step)

    # --- what the panes show --------------------------------------------------------------------------------

    def diff(self, step: int) -> Diff:
        """What is shown as changed: against the pinned step, else against the step before."""
        pinned = self.pinned
        if pinned is None or pinned == step or abs(pinned - step) > _FARTHEST_PIN:
            return self.spine.timeline.diff(step)
        return self.spine.timeline.diff(pinned, step)

    def view(self, step: int) -> View:
        """What the panes show at a step.

        Raises:
            ArgumentError: There is no such step.
        """
        return view_of(self, step)

    def position(self, step: int) -> str:
        """Where we are, in a few words."""
        said = f"of {self.last:,}"
        return f"{said} · {self.place(step):,} of {len(self.kept):,} kept" if self.is_filtered else said

    def client_labels(self) -> Mapping[str, npt.NDArray[np.int8]]:
        """What each client makes of each event of the session."""
        if self.choice not in self._clients:
            self._clients[self.choice] = client_labels(self.spine)
        return self._clients[self.choice]

    def strip(self) -> StripData:
        """What the time strip draws."""
        return strip_data(self.spine, self._found, self.apart)

    # --- what one takes along -------------------------------------------------------------------------------

    def export(self, what: str, step: int) -> list[Export]:
        """Files to take along: names and texts.

        Args:
            what: ``step`` (as JSON: frame, state, change, findings), ``bookmarks``, ``log`` (the events that lead
                to what the step shows) or ``minimal`` (for each finding there the smallest log that shows it).
            step: The step.

        Raises:
            ArgumentError: There is no such export or step, or nothing to export.
        """
        return export(self, what, step)

    def save(self, path: str | Path, step: int, what: str | None = None) -> None:
        """Write an export to a file; of several (two findings at a step) the first.

        Args:
            path: The file.
            step: The step.
            what: As in `export`; without it the step for a ``.json`` file, else the log that leads to it.

        Raises:
            ArgumentError: There is no such export or step, or nothing to export.
        """
        path = Path(path)
        made = self.export(what or ("step" if path.suffix == ".json" else "log"), step)[0]
        if not made.text:
            raise ArgumentError(made.said)
        path.write_bytes(made.text.encode("utf-8", "backslashreplace"))


_NONE: Final = np.zeros(0, dtype=np.int64)
