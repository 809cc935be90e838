"""Frames beside updates: permission requests, modes and options."""

from __future__ import annotations

from .language import IGNORED, JSON, REJECTED, SAME, SCHEMA, Case, Version, tool, up
from .wire import MODES, OPTIONS, PERMISSION, V1_OPTION, V2_OPTION, S, asks, c, fails, gets, sends


def _permission(version: Version, tool_call: JSON) -> JSON:
    if version == "v1":
        return asks(PERMISSION, 9, toolCall=tool_call, options=OPTIONS)
    return asks(PERMISSION, 9, title="?", subject={"type": "tool_call", "toolCall": tool_call}, options=OPTIONS)


def _permissions(version: Version) -> list[Case]:
    source = f"{SCHEMA[version]}: RequestPermissionRequest"
    digging = sends(up("tool_call_update", toolCallId="t", title="Dig", status="in_progress"))
    known = tool(title="Dig", status="in_progress")
    cleared = known if version == "v1" else tool(status="in_progress")
    return [
        c(
            version,
            "permission-makes-a-tool-call",
            "A permission request about a tool call upserts it: an unknown one is made with its defaults.",
            source,
            (
                _permission(version, {"toolCallId": "t", "title": "Dig"}),
                S(version, tool_calls=[tool(title="Dig")]),
            ),
            (gets({"outcome": {"outcome": "selected", "optionId": "y"}}, 9), SAME, IGNORED),
        ),
        c(
            version,
            "permission-updates-a-tool-call",
            "A permission request about a known tool call patches it, by the rules of an update.",
            source,
            (digging, S(version, tool_calls=[known])),
            (
                _permission(version, {"toolCallId": "t", "status": "pending"}),
                S(version, tool_calls=[tool(title="Dig")]),
            ),
        ),
        c(
            version,
            "null-in-a-permission-request",
            f"Null in a permission request means what it means in an update of {version}.",
            source,
            (digging, S(version, tool_calls=[known])),
            (_permission(version, {"toolCallId": "t", "title": None}), S(version, tool_calls=[cleared]))
            if version == "v2"
            else (_permission(version, {"toolCallId": "t", "title": None}), SAME),
        ),
        c(
            version,
            "malformed-permission-request",
            "A permission request whose tool call can't be read has no effect.",
            source,
            (digging, S(version, tool_calls=[known])),
            (_permission(version, {"title": "Rake"}), SAME, REJECTED),
        ),
    ]


V2_SUBJECTS = [
    c(
        "v2",
        "permission-for-a-command",
        "A permission request about a command changes no tool call, also where it names one.",
        f"{SCHEMA['v2']}: CommandPermissionSubject",
        (
            asks(
                PERMISSION,
                9,
                title="?",
                subject={"type": "command", "command": "rm", "cwd": "/", "toolCallId": "t"},
                options=OPTIONS,
            ),
            SAME,
            IGNORED,
        ),
    ),
    c(
        "v2",
        "permission-without-a-subject",
        "A permission request may have no subject; its title is its own.",
        f"{SCHEMA['v2']}: RequestPermissionRequest",
        (asks(PERMISSION, 9, title="?", options=OPTIONS), SAME, IGNORED),
    ),
]

SETTINGS = [
    c(
        "v1",
        "mode-granted",
        "The response to set_mode sets the mode that was asked for.",
        f"{SCHEMA['v1']}: SetSessionModeResponse",
        (asks("session/set_mode", modeId="code"), SAME, IGNORED),
        (gets({}), S("v1", mode="code")),
    ),
    c(
        "v1",
        "mode-refused",
        "An error leaves the mode as it was.",
        f"{SCHEMA['v1']}: SetSessionModeResponse",
        (sends(up("current_mode_update", currentModeId="ask")), S("v1", mode="ask")),
        (asks("session/set_mode", modeId="code"), SAME, IGNORED),
        (fails(), SAME, IGNORED),
    ),
    *(
        c(
            version,
            "option-set",
            "The response to set_config_option lists all options, which replace the old ones.",
            f"{SCHEMA[version]}: SetSessionConfigOptionResponse",
            (sends(up("config_option_update", configOptions=[])), SAME),
            (asks("session/set_config_option", configId="f", value=True, type="boolean"), SAME, IGNORED),
            (gets({"configOptions": [option]}), S(version, config_options=[option])),
        )
        for version, option in (("v1", V1_OPTION), ("v2", V2_OPTION))
    ),
    c(
        "v1",
        "new-session",
        "The result of session/new says the session's id, its modes and its options.",
        f"{SCHEMA['v1']}: NewSessionResponse",
        (
            {"id": 1, "method": "session/new", "params": {"cwd": "/w", "mcpServers": []}},
            SAME,
            IGNORED,
        ),
        (
            gets({"sessionId": "s", "modes": MODES, "configOptions": [V1_OPTION]}),
            S("v1", mode="ask", available_modes=MODES["availableModes"], config_options=[V1_OPTION]),
        ),
    ),
    c(
        "v1",
        "result-without-modes",
        "What a result omits, or says as null, stays as it was.",
        f"{SCHEMA['v1']}: ResumeSessionResponse",
        (sends(up("current_mode_update", currentModeId="ask")), S("v1", mode="ask")),
        (asks("session/resume", cwd="/w"), SAME, IGNORED),
        (gets({"modes": None, "configOptions": None}), SAME, IGNORED),
    ),
]


CASES: list[Case] = [*_permissions("v1"), *_permissions("v2"), *V2_SUBJECTS, *SETTINGS]
