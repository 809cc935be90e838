"""The codes about sessions: turns, replays, life cycle, and what the prompt carries."""

from __future__ import annotations

from typing import Final

from acpinspect.diagnostics.code import V1, V2, Code

__all__ = ["SESSION_CODES"]

_SETUP_V1: Final = "docs/protocol/v1/session-setup.mdx"
_SETUP_V2: Final = "docs/protocol/v2/session-setup.mdx"
_TURN: Final = "docs/protocol/v1/prompt-turn.mdx"
_LIFE_V2: Final = "docs/protocol/v2/prompt-lifecycle.mdx"

SESSION_CODES: Final[tuple[Code, ...]] = (
    Code(
        code="replay-duplicate",
        severity="info",
        means="The replay holds a message twice.",
        found="A message of the replay has the role and the text of an earlier one.",
        remedy="Send every stored message a single time in a replay.",
        caveat="The user really asked the same twice.",
        spec=f"{_SETUP_V1}:134",
    ),
    Code(
        code="replay-ids-changed",
        severity="info",
        means="The replay gives old messages new ids.",
        found="Once a replay, at the first message whose text the epoch before knew only under other ids.",
        remedy="Keep ids over loads.",
        caveat="The specification allows it.",
        spec="docs/rfds/message-id.mdx:266-271",
    ),
    Code(
        code="load-replay-missing",
        severity="error",
        varies="warning where the log doesn't prove a history, and where only the tool calls are missing",
        means="A load brought no replay, brought it after its response, or lost the tool calls.",
        found="At the response, or at the first update that came late.",
        remedy="Send the whole history first, and the response after it.",
        caveat="A session that is empty; tool calls that are hidden on purpose.",
        spec=f"{_SETUP_V1}:134,178; {_SETUP_V2}:144",
    ),
    Code(
        code="resume-replays-history",
        severity="error",
        means="A resume that didn't ask for a replay got one.",
        found="Once a resume, at the first transcript update between its request and its response.",
        remedy="Return without a replay.",
        caveat="Work in the background of that session.",
        spec=f"{_SETUP_V1}:243; {_SETUP_V2}:118",
    ),
    Code(
        code="replay-incomplete",
        severity="info",
        tier="extra",
        means="The replay lacks messages that were there before.",
        found="Once a replay and role, at the response of the load.",
        remedy="Replay the whole conversation.",
        caveat="Agents that leave out thoughts on purpose.",
        spec=f"{_SETUP_V1}:134",
    ),
    Code(
        code="replay-tool-ids-changed",
        severity="info",
        tier="extra",
        means="The replay gives all tool calls new ids.",
        found="Once a replay, at the response of the load.",
        remedy="Keep toolCallIds over loads.",
        caveat="The specification allows it.",
        spec="-",
    ),
    Code(
        code="update-outside-turn",
        severity="warning",
        varies="error in v1 after a cancelled turn",
        means="Part of the conversation arrives while no prompt is open.",
        found="Once for each gap between turns. v2: only after a turn that was cancelled.",
        remedy="Send everything before responding; v2 has room for work in the background.",
        caveat="Background tasks; logs that are written by handlers, out of order.",
        spec=f"{_TURN}:343,217; {_LIFE_V2}:514",
    ),
    Code(
        code="session-unknown",
        severity="error",
        varies="warning where the session becomes known later",
        means="An update for a session that the client doesn't know, or not yet.",
        found="Once a session, at its first update.",
        remedy="Respond before the first update; put a child's work under its parent or into an extension.",
        caveat="Child sessions of an extension.",
        spec=f"{_SETUP_V1}:71",
    ),
    Code(
        code="update-after-close",
        severity="error",
        varies="warning after session/delete",
        means="An update for a session that was closed or deleted.",
        found="At each; no other code speaks there.",
        remedy="Look at the session's state before sending.",
        caveat="-",
        spec=f"{_SETUP_V1}:299",
    ),
    Code(
        code="stop-reason-anomaly",
        severity="warning",
        tier="extra",
        varies="error for an unknown reason, and for an error in answer to a cancelled prompt",
        means="The reason for the end of a turn doesn't fit what happened.",
        found="Unknown or missing reason; cancelled without a cancel; another reason after a cancel.",
        remedy="Map failures to the reasons that there are; answer a cancelled prompt with `cancelled`.",
        caveat="The turn ended while the cancel was under way; the agent cancelled by itself.",
        spec=f"{_TURN}:332-341",
    ),
    Code(
        code="empty-turn",
        severity="warning",
        tier="extra",
        versions=V1,
        means="A turn ended well and showed nothing.",
        found="end_turn without agent text, tool call or plan since the prompt.",
        remedy="Send everything before responding.",
        caveat="Commands without output; updates that come late.",
        spec="-",
    ),
    Code(
        code="prompt-not-acknowledged",
        severity="error",
        tier="extra",
        versions=V2,
        means="A prompt was accepted, but never reported as a user message.",
        found="Once a prompt, at the first output after its response.",
        remedy="Send user_message after accepting the prompt.",
        caveat="Agents that report it a little later.",
        spec=f"{_LIFE_V2}:119",
    ),
    Code(
        code="state-not-reported",
        severity="error",
        tier="extra",
        versions=V2,
        means="The state updates of a turn are incomplete.",
        found="Output without `running`; an end without stopReason; a stopReason in the prompt's response.",
        remedy="Send state_update running at the start and idle with stopReason at the end.",
        caveat="Documents (must) and schema (should) differ about stopReason.",
        spec=f"{_LIFE_V2}:143,332",
    ),
    Code(
        code="prompt-message-id",
        severity="info",
        tier="extra",
        means="A prompt or its response carries a message id: a relic of a superseded draft.",
        found="Once a session.",
        remedy="Put the id on the update that reports the user message.",
        caveat="-",
        spec="docs/rfds/message-id.mdx, who generates message ids",
    ),
)
