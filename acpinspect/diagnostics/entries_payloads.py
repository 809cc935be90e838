"""The codes about what an update holds: schema, tools, plans, replacements, conversion."""

from __future__ import annotations

from typing import Final

from acpinspect.diagnostics.code import V1, V2, Code

__all__ = ["PAYLOAD_CODES"]

_TOOLS_V1: Final = "docs/protocol/v1/tool-calls.mdx"
_TOOLS_V2: Final = "docs/protocol/v2/tool-calls.mdx"
_PLAN_V1: Final = "docs/protocol/v1/agent-plan.mdx"
_TURN: Final = "docs/protocol/v1/prompt-turn.mdx"
_EXTEND: Final = "docs/protocol/v1/extensibility.mdx"

PAYLOAD_CODES: Final[tuple[Code, ...]] = (
    Code(
        code="schema-invalid",
        severity="error",
        means="An update doesn't fit the schema of the negotiated version.",
        found="Once an event, by the variant that sessionUpdate names; unstable variants are known.",
        remedy="Check each update against the schema before it goes out.",
        caveat="A client whose schema is newer than that of the log.",
        spec="schema/v1/schema.json, schema/v2/schema.json",
    ),
    Code(
        code="unknown-update",
        severity="error",
        varies="info for names that begin with an underscore; warning for names that v2 reserves",
        means="The version has no update of this name.",
        found="At each; it is no message, tool or plan and closes nothing.",
        remedy="Negotiate the version; begin names of your own with an underscore.",
        caveat="A schema that is newer than this tool.",
        spec="docs/protocol/v2/migration.mdx:66-72,699",
    ),
    Code(
        code="wrong-field-case",
        severity="error",
        means="Keys in snake_case, or a sessionUpdate in camelCase.",
        found="In params, in params.update and in results, not deeper; once a frame.",
        remedy="Let the serialiser write the names of the schema (by alias).",
        caveat="-",
        spec=f"{_EXTEND}:39; schema",
    ),
    Code(
        code="unknown-field",
        severity="info",
        tier="extra",
        means="A key that the schema doesn't have, at the root of an object of the protocol.",
        found="Once a session, method or variant, and key.",
        remedy="Move it into `_meta`.",
        caveat="A schema that is newer than this tool.",
        spec=f"{_EXTEND}:39",
    ),
    Code(
        code="unknown-method",
        severity="info",
        tier="extra",
        means="A method that the version doesn't have and that is no extension.",
        found="Once a method.",
        remedy="Begin the names of extension methods with an underscore.",
        caveat="A schema that is newer than this tool.",
        spec=_EXTEND,
    ),
    Code(
        code="tool-open-at-turn-end",
        severity="warning",
        varies="info after a cancel and in v2",
        means="A tool call never reached a final status.",
        found="Each call of the turn or replay that is pending or in progress at its end.",
        remedy="Close each call before the turn ends; `failed` for one that was denied.",
        caveat="Tools that really go on in the background.",
        spec=f"{_TURN}:217,326; {_TOOLS_V2}:10",
    ),
    Code(
        code="tool-update-before-create",
        severity="error",
        varies="warning for a permission request; info in v2, where a first report lacks its title",
        means="An update for a tool call that was never announced.",
        found="Once a call, at its first sight.",
        remedy="Announce each call by a tool_call before anything else.",
        caveat="A log that begins in the middle of a session: there the rule is silent.",
        spec=f"schema/v1/schema.json ToolCallUpdate; {_TOOLS_V2}:41-43",
    ),
    Code(
        code="duplicate-tool-call",
        severity="error",
        varies="warning where the call is still open in the same turn, and in v2",
        means="A toolCallId is created twice.",
        found="v1: a second tool_call. v2: a new title for a call that ended in an earlier turn.",
        remedy="Use tool_call_update for changes, and ids that are unique over turns.",
        caveat="Agents that use tool_call for updates too, which is common.",
        spec=f"{_TOOLS_V1}:34",
    ),
    Code(
        code="partial-plan-update",
        severity="warning",
        means="A plan lists only the steps that changed, so the others vanish.",
        found="Its steps are some of those before, all of them changed, and a step that is left out was not done.",
        remedy="Send all steps each time, changed or not.",
        caveat="A new plan that drops steps and changes all that stay.",
        spec=f"{_PLAN_V1}:79; docs/protocol/v2/agent-plan.mdx:108",
    ),
    Code(
        code="plan-open-at-turn-end",
        severity="info",
        tier="extra",
        means="A step of the plan is still in progress when the turn ends well.",
        found="Once for each plan as sent.",
        remedy="Send the plan a last time.",
        caveat="A plan that several turns work on.",
        spec=f"{_PLAN_V1}:79",
    ),
    Code(
        code="cumulative-tool-content",
        severity="info",
        tier="extra",
        means="A tool's output is sent in full each time, so traffic grows with its square.",
        found="Three updates of a call, each of whose texts begins with the one before.",
        remedy="v2: tool_call_content_chunk or terminal_output_chunk.",
        caveat="Outputs too small to matter.",
        spec=f"{_TOOLS_V1}:106",
    ),
    Code(
        code="tool-status-regression",
        severity="warning",
        tier="extra",
        means="A tool call that was over is pending or in progress again.",
        found="At each tool_call_update that does so.",
        remedy="Give a second try a new id.",
        caveat="Tools that are tried again.",
        spec=f"{_TOOLS_V1}, Status",
    ),
    Code(
        code="permission-without-tool",
        severity="info",
        tier="extra",
        versions=V1,
        means="A permission request is about a tool call that no update mentions.",
        found="Once a call, at its first permission request.",
        remedy="Announce the call by a tool_call, then ask.",
        caveat="A log that was cut before the tool call.",
        spec=_TOOLS_V1,
    ),
    Code(
        code="content-replaced",
        severity="info",
        tier="extra",
        versions=V2,
        means="Text that was shown is cleared or changed.",
        found="A whole-message update whose text doesn't begin with the text so far.",
        remedy="None needed where it is meant so; tell readers of the log.",
        caveat="Corrections and redactions on purpose.",
        spec="docs/protocol/v2/prompt-lifecycle.mdx:237-238",
    ),
    Code(
        code="v1-conversion-loss",
        severity="warning",
        versions=V2,
        means="A v2 update that v1 has no words for.",
        found='Only with the option convert="v1": a whole message without content, cleared, or sent over content.',
        remedy="Keep v2 from end to end, or hold a message back until it is complete.",
        caveat="A repeat of equal content could be left out.",
        spec="docs/rfds/v2/message-updates.mdx:140",
    ),
)
