"""The state of a client while it groups: what is open, what it knows by id, what it has heard before.

One machine serves all policies. Segments are numbers: the texts that a client keeps apart.
"""

from __future__ import annotations

from collections.abc import Callable

from acpinspect.grouping.marks import Marks
from acpinspect.grouping.policy import Rules, Stream

__all__ = ["Machine"]

NOTHING = -1
USER, AGENT = 0, 1
_BLOCK_ECHOES = frozenset({"echo_block_optimistic", "echo_block_last"})
TAIL = 5  # how many of the last user messages an echo is looked for in


class Machine:
    """What a client knows of one session, under the rules of one phase.

    Args:
        rules: The rules.
        marks: The runs, for the few rules that look at texts.
        ids: The id of each segment; shared, for segments are numbered over the table.
    """

    __slots__ = (
        "_id_of", "_in_turn", "_marks", "_merges", "_places", "_rules", "_unkeyed",
        "blocks", "draft", "keys", "kinds", "open", "optimistic",
        "past_ids", "past_keys", "past_open", "said", "said_id", "said_size", "said_skipped", "seen_ids", "tail",
    )  # fmt: skip

    def __init__(self, rules: Rules, marks: Marks, ids: list[int]) -> None:
        self._rules, self._marks, self._id_of = rules, marks, ids
        self._places: list[Callable[[int, int], int]] = [
            getattr(self, f"_by_{stream.id}") for stream in rules.streams
        ]
        self._merges = [_MERGES[stream.null] for stream in rules.streams]
        self._unkeyed = [_UNKEYED[stream.null] for stream in rules.streams]
        self.reset()

    def reset(self) -> None:
        """Forget everything: a session or an epoch begins."""
        self.open = [NOTHING, NOTHING, NOTHING]
        self.keys: list[dict[int, int]] = [{}, {}, {}]
        self.kinds: dict[int, int] = {}
        self.draft: int | None = None
        self.optimistic = NOTHING
        self.blocks: set[str] = set()
        self.tail: list[str] = []
        self.past_open, self.past_keys = [NOTHING, NOTHING, NOTHING], [{}, {}, {}]  # type: list[int], list[dict[int, int]]
        self.past_ids: set[int] = set()
        self.seen_ids: set[int] = set()
        self._in_turn = False
        self.forget_said()

    # What is open -------------------------------------------------------------------------------------------

    def close(self, which: int) -> None:
        """Close what the bits say: 1, 2, 4 for user, agent, thought; 8, 16, 32 for chunks without id only."""
        for role in range(3):
            if which >> role & 1:
                self.open[role] = NOTHING
                if self.keys[role] and self._rules.streams[role].id == "key":
                    self.keys[role] = {}
                if role == USER:
                    self.tail = []
            elif which >> (role + 3) & 1:
                self._close_idless(role)

    def cut(self) -> None:
        """Close everything that is open; what is known by id stays."""
        self.open = [NOTHING, NOTHING, NOTHING]
        for role in range(3):
            self._close_idless(role)

    def _close_idless(self, role: int) -> None:
        seg = self.open[role]
        if self._rules.streams[role].id in ("key", "key_then_compare"):
            self.keys[role].pop(NOTHING, None)
            self.open[role] = NOTHING
        elif seg >= 0 and self._id_of[seg] < 0:
            self.open[role] = NOTHING

    def begin(self, role: int, ident: int) -> int:
        """Open a new segment."""
        seg = len(self._id_of)
        self._id_of.append(ident)
        self.open[role] = seg
        if role == USER:
            self.blocks = set()
        return seg

    # Where a chunk goes -------------------------------------------------------------------------------------

    def place(self, role: int, ident: int) -> int:
        """The segment that a chunk goes to; a new one where it goes to none."""
        self._draft(role, ident)
        return self._places[role](role, ident)

    def alone(self, role: int, ident: int) -> int:
        """A segment for a chunk that stands alone; it closes the one that it would have gone to."""
        self._draft(role, ident)
        seg = self.begin(role, ident)
        self.open[role] = NOTHING
        self.keys[role].pop(ident, None)
        return seg

    def _draft(self, role: int, ident: int) -> None:
        """Where agent text and thought share the id that is compared: another id closes both."""
        if self._rules.id_scope == "role" and role != USER and self.draft != ident:
            self.open[1] = self.open[2] = NOTHING
            self.draft = ident

    def taken_by_other(self, role: int, ident: int) -> bool:
        """Whether another role has the id."""
        return ident >= 0 and self.kinds.setdefault(ident, role) != role

    def known(self, role: int, ident: int) -> int:
        """The segment of an id, for rules that look for it before anything else."""
        stream: Stream = self._rules.streams[role]
        if stream.id != "key_then_compare" or ident < 0:
            return NOTHING
        return self.keys[role].get(ident, NOTHING)

    def _by_ignore(self, role: int, ident: int) -> int:
        seg = self.open[role]
        return seg if seg >= 0 else self.begin(role, ident)

    def _by_compare(self, role: int, ident: int) -> int:
        seg = self.open[role]
        if seg < 0 or not self.goes_with(role, seg, ident) or self._not_ours(role, seg, ident):
            return self.begin(role, ident)
        if ident >= 0:
            self._id_of[seg] = ident
        return seg

    def _by_key(self, role: int, ident: int) -> int:
        if ident < 0:
            return self._unkeyed[role](self, role)
        seg = self.keys[role].get(ident, NOTHING)
        if seg < 0:
            seg = self.open[role]
            if not (self._rules.streams[role].null == "wildcard" and seg >= 0 and self._id_of[seg] < 0):
                seg = self.begin(role, ident)
            self._id_of[seg] = ident
            self.keys[role][ident] = seg
        self.open[role] = seg
        return seg

    def _by_key_then_compare(self, role: int, ident: int) -> int:
        seg = self._by_compare(role, ident)
        if ident >= 0:
            self.keys[role].setdefault(ident, seg)
        return seg

    def _by_each(self, role: int, ident: int) -> int:
        return self.begin(role, ident)

    def goes_with(self, role: int, seg: int, ident: int) -> bool:
        """Whether an id goes together with that of a segment."""
        return self._merges[role](self._id_of[seg], ident)

    def _not_ours(self, role: int, seg: int, ident: int) -> bool:
        """A prompt that takes only chunks without a new id."""
        new = role == USER and seg == self.optimistic and self._id_of[seg] < 0 <= ident
        return new and self._rules.prompt == "open_null_only"

    def _keyed_null(self, role: int) -> int:
        seg = self.keys[role].get(NOTHING, NOTHING)
        if seg < 0:
            seg = self.keys[role][NOTHING] = self.begin(role, NOTHING)
        return seg

    def _open_null(self, role: int) -> int:
        seg = self.open[role]
        return seg if seg >= 0 else self.begin(role, NOTHING)

    def _fresh_null(self, role: int) -> int:
        return self.begin(role, NOTHING)

    # Turns --------------------------------------------------------------------------------------------------

    def prompt(self, run: int) -> int:
        """Show the prompt that was sent; `NOTHING` where the client doesn't."""
        how = self._rules.prompt
        if how == "none":
            return NOTHING
        seg = self.open[USER] if how == "join" else NOTHING
        seg = seg if seg >= 0 else self.begin(USER, NOTHING)
        self.optimistic = seg
        if how == "closed":
            self.open[USER] = NOTHING
        if self._rules.dedup:
            self.blocks = {*self.blocks, *self._marks.blocks(run)}
            self.tail = [*self.tail, self._marks.prompt_text(run)][-TAIL:]
        return seg

    def turn(self, *, starts: bool) -> None:
        """Note that a turn starts or ends; the finished one can still be written to by id."""
        if not starts or self._in_turn:
            self.past_open, self.past_keys, self.past_ids = self.open, self.keys, self.seen_ids
            self.open, self.keys, self.seen_ids = [NOTHING] * 3, [{}, {}, {}], set()
        self._in_turn = starts

    def swap(self) -> None:
        """Turn to the finished turn, or back."""
        self.open, self.past_open = self.past_open, self.open
        self.keys, self.past_keys = self.past_keys, self.keys

    # What was heard before ----------------------------------------------------------------------------------

    def is_echo(self, run: int, ident: int) -> bool:
        """Whether a user chunk repeats what is there; an echo of the prompt gives its id."""
        dedup = self._rules.dedup
        seg = self.open[USER]
        if "echo_text_tail" in dedup and self._marks.text(run) in self.tail:
            return True
        if seg < 0 or not dedup & _BLOCK_ECHOES or not self.blocks.issuperset(self._marks.blocks(run)):
            return False
        if "echo_block_last" in dedup:
            return True
        if "echo_block_optimistic" not in dedup or seg != self.optimistic:
            return False
        if self._rules.user.id != "ignore" and not self.goes_with(USER, seg, ident):
            return False
        if ident >= 0:
            self._id_of[seg] = ident
        return True

    def heard(self, run: int) -> None:
        """Remember a user chunk."""
        if self._rules.dedup:
            self.blocks.update(self._marks.blocks(run))
            self.tail = [*self.tail, self._marks.text(run)][-TAIL:]

    def consolidates(self, role: int, ident: int) -> bool:
        """Whether a chunk only names the open text: it brings the first id after text without one."""
        seg = self.open[role]
        if role != AGENT or ident < 0 or seg < 0 or self._id_of[seg] >= 0:
            return False
        self._id_of[seg] = ident
        return True

    def forget_said(self) -> None:
        """Something other than agent text came between."""
        self.said_id: int | None = None
        self.said: list[int] = []
        self.said_size = 0
        self.said_skipped = 0

    def restates(self, run: int, ident: int, *, empty: bool) -> bool:
        """Whether an agent chunk repeats the whole text so far under another id."""
        other_id = not empty and self.said_id is not None and ident != self.said_id
        if other_id and self._marks.first_sizes[run] == self.said_size and self._repeats_said(run):
            self.forget_said()
            return True
        if empty or self.said_id != ident:
            self.forget_said()
            self.said_id = ident
        self.said.append(run)
        self.said_size += self._marks.sizes[run]
        return False

    def said_rest_of(self, run: int, ident: int) -> None:
        """The first chunk of a run was dropped; the rest is what was said."""
        self.said, self.said_id = [run], ident
        self.said_skipped = self._marks.first_sizes[run]
        self.said_size = self._marks.sizes[run] - self.said_skipped

    def _repeats_said(self, run: int) -> bool:
        said = "".join(map(self._marks.text, self.said))[self.said_skipped :]
        return self._marks.text(run, first=True) == said


_MERGES: dict[str, Callable[[int, int], bool]] = {
    "wildcard": lambda own, new: own < 0 or new < 0 or own == new,
    "distinct": lambda own, new: own == new,
    "fresh": lambda own, new: own == new >= 0,
    "open": lambda own, new: new < 0 or own == new,
}
_UNKEYED: dict[str, Callable[[Machine, int], int]] = {
    "wildcard": Machine._open_null,
    "distinct": Machine._keyed_null,
    "fresh": Machine._fresh_null,
    "open": Machine._open_null,
}
