"""What a policy does, in plain words."""

from __future__ import annotations

from html import escape

from acpinspect.grouping.parameters import POLICY_VALUES, RULES_VALUES, STREAM_VALUES
from acpinspect.grouping.policy import Cues, Policy, Rules, Stream
from acpinspect.grouping.vocabulary import described

__all__ = ["describe", "described_html"]

_ROLE_WORDS = {"user": "User chunks", "agent": "Agent chunks", "thought": "Thought chunks"}


def describe(policy: Policy) -> str:
    """Say what a policy does, how it is known and what it gets wrong.

    Example:
        >>> print(describe(Policy(name="mine", description="One message a role.")))
        mine: One message a role.
        ...
    """
    lines = [f"{policy.name}: {policy.description}".rstrip(": ")]
    lines.append(f"Known from: {POLICY_VALUES['evidence'][policy.evidence]}{_origin(policy)}.")
    if policy.load == policy.live:
        lines += ["Live and in a replay:", *_rules(policy.live)]
    else:
        lines += ["Live:", *_rules(policy.live), "In a replay:", *_rules(policy.load)]
    if policy.empty_id == "absent":
        lines.append(f"{POLICY_VALUES['empty_id']['absent'].capitalize()}.")
    if policy.meta_id:
        lines.append(f"Ids are taken from {policy.meta_id}.")
    lines += _cues(policy.cues)
    lines += [f"Known to be wrong: {fault}" for fault in policy.faults]
    return "\n".join(lines)


def described_html(policy: Policy) -> str:
    """The same for a notebook: every line a paragraph, what belongs to a phase set in.

    Example:
        >>> described_html(Policy(name="mine", description="<b>")).startswith("<div><p><b>mine: &lt;b&gt;</b></p>")
        True
    """
    head, *lines = describe(policy).splitlines()
    shown = [
        f'<p style="margin:0 0 0 {1.5 if line.startswith(" ") else 0}em">{escape(line)}</p>' for line in lines
    ]
    return f"<div><p><b>{escape(head)}</b></p>{''.join(shown)}</div>"


def _origin(policy: Policy) -> str:
    parts = [part for part in (policy.source, policy.version, policy.date) if part]
    return f" ({', '.join(parts)})" if parts else ""


def _rules(rules: Rules) -> list[str]:
    if rules.drop_all:
        return ["  Nothing is shown."]
    lines = []
    for role, words in _ROLE_WORDS.items():
        lines.append(f"  {words}: {_stream(getattr(rules, role))}.")
    said = [RULES_VALUES["prompt"][rules.prompt]]
    said += [RULES_VALUES["dedup"][name] for name in sorted(rules.dedup)]
    said += [RULES_VALUES["late"][rules.late]] if rules.late != "accept" else []
    said += [RULES_VALUES["id_scope"]["role"]] if rules.id_scope == "role" else []
    said += [RULES_VALUES["kind_conflict"]["reject"]] if rules.kind_conflict == "reject" else []
    said += ["a chunk without id is rejected"] if rules.null_invalid else []
    said += ["ids count only where every agent chunk of the turn has one"] if rules.unanimous_ids else []
    return [*lines, *(f"  {text[0].upper()}{text[1:]}." for text in said)]


def _stream(stream: Stream) -> str:
    if stream.show == "never":
        return STREAM_VALUES["show"]["never"]
    said = [STREAM_VALUES["id"][stream.id]]
    if stream.id not in ("ignore", "each"):
        said.append(STREAM_VALUES["null"][stream.null])
    if stream.close_on:
        said.append(f"closed by {', '.join(described(stream.close_on))}")
    if stream.close_idless:
        said.append(f"without id also closed by {', '.join(described(stream.close_idless))}")
    for name in ("empty", "blank", "newline", "blank_group", "nontext"):
        value = getattr(stream, name)
        if value not in ("keep", "join"):
            said.append(STREAM_VALUES[name][value])
    return "; ".join(said)


def _cues(cues: Cues) -> list[str]:
    lines = []
    if cues.gap is not None:
        lines.append(f"A pause of more than {cues.gap:g} s begins a new message.")
    if cues.content_type:
        lines.append("Another block type begins a new message.")
    if cues.state:
        lines.append("A change of the session's state begins a new message.")
    for name, verb in (("start", "starts"), ("end", "ends")):
        if marker := getattr(cues, name):
            lines.append(f"The marker {marker!r} {verb} a message.")
    return lines
