"""A policy: how a client makes messages of chunks, as data that can be read, compared and changed.

The parameters are those that the public sources of some two dozen clients need (docs/policies.md): per role a
`Stream`, for the live session and for a replay a `Rules` each, together a `Policy`.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from typing import Any, Final

from acpinspect.errors import ArgumentError
from acpinspect.grouping.checking import check_choices, check_flag, check_name, check_text, is_number, set_of
from acpinspect.grouping.parameters import (
    POLICY_VALUES,
    RULES_VALUES,
    STREAM_VALUES,
    Blank,
    BlankGroup,
    Dedup,
    Empty,
    EmptyId,
    Evidence,
    Id,
    KindConflict,
    Late,
    Newline,
    NonText,
    Null,
    Prompt,
    Scope,
    Show,
)
from acpinspect.grouping.reshaping import changed, made, names_of, plain
from acpinspect.grouping.vocabulary import ROLES, TOKENS

__all__ = ["Cues", "Policy", "Rules", "Stream"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Stream:
    """What a client does with the chunks of one role.

    Attributes:
        id: How it uses `messageId`; one of the values of `STREAM_VALUES["id"]`.
        null: What a chunk without id means beside one with an id.
        close_on: Tokens that close the open message (see `acpinspect.grouping.vocabulary.TOKENS`).
        close_idless: Tokens that close it only for chunks without id.
        show: Whether the chunks are shown at all.
        empty: What becomes of chunks with an empty text.
        blank: What becomes of chunks with nothing but white space.
        newline: What becomes of chunks with nothing but line breaks.
        blank_group: What becomes of messages with nothing but white space.
        nontext: What becomes of images, audio, resources.

    Example:
        >>> Stream(id="compare", close_on={"tool:new"}).close_on
        frozenset({'tool:new'})
    """

    id: Id = "ignore"
    null: Null = "wildcard"
    close_on: AbstractSet[str] = frozenset()
    close_idless: AbstractSet[str] = frozenset()
    show: Show = "always"
    empty: Empty = "keep"
    blank: Blank = "keep"
    newline: Newline = "keep"
    blank_group: BlankGroup = "keep"
    nontext: NonText = "join"

    def __post_init__(self) -> None:
        check_choices(self, STREAM_VALUES)
        for name in ("close_on", "close_idless"):
            object.__setattr__(self, name, set_of(name, getattr(self, name), TOKENS))


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """How a client groups in one phase: in a live session, or in a replay.

    Attributes:
        user: The chunks of the user.
        agent: The chunks of the agent's messages.
        thought: The chunks of the agent's thoughts.
        prompt: How the prompt that the client sent itself is shown.
        dedup: What is taken for a repetition and dropped.
        late: What becomes of chunks that arrive outside a turn.
        id_scope: Within what an id is compared.
        kind_conflict: What becomes of an id in two roles.
        null_invalid: A chunk without id is an error and is not shown.
        unanimous_ids: Ids count only where every agent chunk of the turn has one.
        drop_all: Nothing of the phase is shown.

    Examples:
        >>> rules = Rules(agent=Stream(id="key"), prompt="none", dedup={"echo_block_last"})
        >>> rules.agent.id, rules.user.id
        ('key', 'ignore')
    """

    user: Stream = field(default_factory=Stream)
    agent: Stream = field(default_factory=Stream)
    thought: Stream = field(default_factory=Stream)
    prompt: Prompt = "closed"
    dedup: AbstractSet[Dedup] = frozenset()
    late: Late = "accept"
    id_scope: Scope = "type"
    kind_conflict: KindConflict = "split"
    null_invalid: bool = False
    unanimous_ids: bool = False
    drop_all: bool = False

    def __post_init__(self) -> None:
        for role in ROLES:
            object.__setattr__(self, role, made(role, getattr(self, role), Stream))
        object.__setattr__(self, "dedup", set_of("dedup", self.dedup, RULES_VALUES["dedup"]))
        check_choices(self, {name: values for name, values in RULES_VALUES.items() if name != "dedup"})
        for name in ("null_invalid", "unanimous_ids", "drop_all"):
            check_flag(name, getattr(self, name))

    @property
    def streams(self) -> tuple[Stream, Stream, Stream]:
        """The streams in the order of the roles' numbers."""
        return self.user, self.agent, self.thought


@dataclass(frozen=True, slots=True, kw_only=True)
class Cues:
    """Guesses that close every open message; all are off unless asked for, and no client studied uses one.

    Attributes:
        gap: Seconds without a chunk after which a new message begins.
        content_type: A change of the block type begins a new message.
        state: A change of the session's state begins a new message.
        start: Name of an extension update, or key of a chunk's `_meta`, that marks the start of a message.
        end: The same for the end of a message.

    Examples:
        >>> bool(Cues()), bool(Cues(gap=5.0))
        (False, True)
    """

    gap: float | None = None
    content_type: bool = False
    state: bool = False
    start: str | None = None
    end: str | None = None

    def __post_init__(self) -> None:
        if self.gap is not None and not (is_number(self.gap) and self.gap >= 0):
            raise ArgumentError(f"cues.gap can't be {self.gap!r}. It is None or a number of seconds from 0 on.")
        for name in ("content_type", "state"):
            check_flag(f"cues.{name}", getattr(self, name))
        for name in ("start", "end"):
            check_text(f"cues.{name}", getattr(self, name))

    def __bool__(self) -> bool:
        return self != _NO_CUES


_NO_CUES: Final = Cues()


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """A rule that makes messages of events.

    Attributes:
        name: Its name: lower case, digits, hyphens, dots.
        description: What it does or whose rule it is, in a sentence.
        live: The rules of a live session.
        load: The rules of a replay (session/load).
        evidence: How the rule is known.
        source: Where it was read.
        version: Of what.
        date: As of when.
        faults: What it is known to get wrong.
        empty_id: What the id ``""`` means.
        meta_id: Path under `_meta` from which ids are taken instead of `messageId`, as in ``update._meta.x.y``.
        cues: Guesses that close messages; off by default.

    Example:
        >>> policy = Policy(name="mine", live=Rules(agent=Stream(close_on={"tool:new"})))
        >>> policy.load == policy.live
        True
        >>> policy.replace(agent={"id": "key"}).live.agent.id
        'key'
        >>> Policy.from_dict(policy.to_dict()) == policy
        True
    """

    name: str
    description: str = ""
    live: Rules = field(default_factory=Rules)
    load: Rules = None  # type: ignore[assignment]  # None: as live; always set after construction
    evidence: Evidence = "user"
    source: str = ""
    version: str = ""
    date: str = ""
    faults: tuple[str, ...] = ()
    empty_id: EmptyId = "id"
    meta_id: str | None = None
    cues: Cues = _NO_CUES

    def __post_init__(self) -> None:
        check_name(self.name)
        for name in ("description", "source", "version", "date"):
            if not isinstance(getattr(self, name), str):
                raise ArgumentError(f"{name} can't be {getattr(self, name)!r}. It is a text.")
        object.__setattr__(self, "live", made("live", self.live, Rules))
        object.__setattr__(self, "load", self.live if self.load is None else made("load", self.load, Rules))
        object.__setattr__(self, "cues", made("cues", self.cues, Cues))
        object.__setattr__(self, "faults", tuple(self.faults))
        check_choices(self, POLICY_VALUES)
        check_text("meta_id", self.meta_id)

    @property
    def uses_ids(self) -> bool:
        """Whether ids matter to it."""
        streams = (*self.live.streams, *self.load.streams)
        return any(stream.id in ("compare", "key", "key_then_compare") for stream in streams)

    def replace(self, **changes: Any) -> Policy:  # noqa: ANN401  (values of many parameters)
        """A policy with some parameters changed.

        Args:
            **changes: Parameters of `Policy`; those of `Rules`, which then change in both phases; or mappings
                that reach deeper: ``live={"agent": {"id": "key"}}``, ``agent={"id": "key"}``.

        Raises:
            ArgumentError: If there is no such parameter, or a value isn't allowed.
        """
        own = {name: value for name, value in changes.items() if name in names_of(Policy)}
        both = {name: value for name, value in changes.items() if name in names_of(Rules)}
        if unknown := sorted(set(changes) - set(own) - set(both)):
            known = ", ".join((*names_of(Policy), *names_of(Rules)))
            raise ArgumentError(f"A policy has no parameter {unknown[0]!r}. It has: {known}.")
        for phase in ("live", "load"):
            own[phase] = changed(changed(getattr(self, phase), own.get(phase, {})), both)
        if "cues" in own:
            own["cues"] = changed(self.cues, own["cues"])
        return dataclasses.replace(self, **own)

    def with_meta_id(self, path: str) -> Policy:
        """The policy with ids from a path under `_meta`, such as `discover_meta_ids` finds.

        Args:
            path: Where the id stands: ``"update._meta.KEY"``, ``"update.content._meta.KEY"`` or
                ``"params._meta.KEY"``; dots lead deeper.

        Raises:
            ArgumentError: If the path isn't one under `_meta`.
        """
        if not isinstance(path, str) or "_meta" not in path.split(".")[:-1]:
            raise ArgumentError(f"meta_id can't be {path!r}. It is a path like 'update._meta.messageId'.")
        return dataclasses.replace(self, meta_id=path)

    def describe(self) -> str:
        """What it does, in plain words."""
        from acpinspect.grouping.describing import describe

        return describe(self)

    def _repr_html_(self) -> str:
        from acpinspect.grouping.describing import described_html

        return described_html(self)

    def to_dict(self) -> dict[str, Any]:
        """Plain values, ready for JSON; parameters that have their default are left out."""
        values: dict[str, Any] = plain(self)
        return values

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Policy:
        """The policy that `to_dict` wrote.

        Raises:
            ArgumentError: If it has parameters that there aren't, or values that aren't allowed.
        """
        policy: Policy = made("policy", values, cls)
        return policy
