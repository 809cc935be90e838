"""Every method of protocol v1 and v2, stable and unstable: who sends it, its keys, and how its result looks.

Source: the definitions with ``x-method`` in the published unstable schemas of both versions.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal, TypeAlias

import msgspec

from acpinspect.protocol.fields import VERSIONS, Version
from acpinspect.protocol.naming import snake_case

__all__ = ["METHODS", "Call", "Method", "result_methods", "sender_of"]

Sender: TypeAlias = Literal["client", "agent", "both"]
Kind: TypeAlias = Literal["request", "notification", "both"]


class Call(msgspec.Struct, frozen=True):
    """One method in one version of the protocol.

    Attributes:
        stable: It is in the stable schema, not only in the unstable one.
        params: The keys that its params can have.
        required_params: Those that they must have.
        result: The keys that its result can have; ``None`` for a notification, or where any result will do.
        required_result: Those that it must have.
    """

    stable: bool
    params: frozenset[str]
    required_params: frozenset[str]
    result: frozenset[str] | None
    required_result: frozenset[str]


class Method(msgspec.Struct, frozen=True):
    """One method of the protocol.

    Attributes:
        name: As on the wire.
        sender: Who sends the request or notification.
        kind: Whether it is answered; ``"both"`` where it exists in either form.
        calls: Its keys, by version.
    """

    name: str
    sender: Sender
    kind: Kind
    calls: dict[Version, Call]

    @property
    def versions(self) -> tuple[Version, ...]:
        """The versions that have the method."""
        return tuple(version for version in VERSIONS if version in self.calls)


# One row a method: sender, kind, then for v1 and for v2 its keys: params, and after ">" those of the result.
# "!" after a key: required; "~" before all: only in the unstable schema; "> *": the result can be anything.
# `_meta` is a key of every params and result and isn't written. None: not in that version.
_Row: TypeAlias = tuple[str, Sender, Kind, str | None, str | None]

_AGENT_SIDE: Final = "protocolVersion! agentCapabilities agentInfo authMethods"
_SETUP: Final = "cwd! mcpServers additionalDirectories"
_ELICIT: Final = "message! mode requestedSchema elicitationId url sessionId toolCallId requestId > action content"
_TERMINAL: Final = "sessionId! terminalId!"
_DOCUMENT: Final = "~ sessionId! uri!"
_MCP: Final = "~ connectionId! method! params > *"
_SUGGEST: Final = "~ sessionId! uri! version! position! triggerKind! selection context > suggestions!"
_PROVIDER: Final = "~ providerId! apiType! baseUrl! headers >"
_NES_START: Final = "~ workspaceUri workspaceFolders repository > sessionId!"

_SAME_IN_BOTH: Final[tuple[tuple[str, Sender, Kind, str], ...]] = (
    ("$/cancel_request", "both", "notification", "requestId!"),
    ("session/cancel", "client", "notification", "sessionId!"),
    ("session/close", "client", "request", "sessionId! >"),
    ("session/delete", "client", "request", "sessionId! >"),
    ("session/list", "client", "request", "cwd cursor > sessions! nextCursor"),
    ("session/set_config_option", "client", "request", "sessionId! configId! type value > configOptions!"),
    ("session/update", "agent", "notification", "sessionId! update!"),
    ("elicitation/create", "agent", "request", _ELICIT),
    ("elicitation/complete", "agent", "notification", "elicitationId!"),
    ("mcp/connect", "agent", "request", "~ serverId! > connectionId!"),
    ("mcp/disconnect", "agent", "request", "~ connectionId! >"),
    ("mcp/message", "both", "both", _MCP),
    ("providers/list", "client", "request", "~ > providers!"),
    ("providers/set", "client", "request", _PROVIDER),
    ("providers/disable", "client", "request", "~ providerId! >"),
    ("nes/start", "client", "request", _NES_START),
    ("nes/suggest", "client", "request", _SUGGEST),
    ("nes/close", "client", "request", "~ sessionId! >"),
    ("document/didOpen", "client", "notification", f"{_DOCUMENT} languageId! version! text!"),
    ("document/didChange", "client", "notification", f"{_DOCUMENT} version! contentChanges!"),
    ("document/didClose", "client", "notification", _DOCUMENT),
    ("document/didSave", "client", "notification", _DOCUMENT),
    ("document/didFocus", "client", "notification", f"{_DOCUMENT} version! position! visibleRange!"),
)

_ROWS: Final[tuple[_Row, ...]] = (
    (
        "initialize",
        "client",
        "request",
        f"protocolVersion! clientCapabilities clientInfo > {_AGENT_SIDE}",
        "protocolVersion! capabilities info! > protocolVersion! capabilities info! authMethods",
    ),
    ("authenticate", "client", "request", "methodId! >", None),
    ("logout", "client", "request", ">", None),
    ("auth/login", "client", "request", None, "methodId! >"),
    ("auth/logout", "client", "request", None, ">"),
    (
        "session/new",
        "client",
        "request",
        "cwd! mcpServers! additionalDirectories > sessionId! modes configOptions",
        f"{_SETUP} > sessionId! configOptions",
    ),
    (
        "session/load",
        "client",
        "request",
        "sessionId! cwd! mcpServers! additionalDirectories > modes configOptions",
        None,
    ),
    (
        "session/resume",
        "client",
        "request",
        f"sessionId! {_SETUP} > modes configOptions",
        f"sessionId! {_SETUP} replayFrom > configOptions",
    ),
    (
        "session/fork",
        "client",
        "request",
        f"~ sessionId! {_SETUP} > sessionId! modes configOptions",
        f"~ sessionId! {_SETUP} > sessionId! configOptions",
    ),
    ("session/prompt", "client", "request", "sessionId! prompt! > stopReason! usage", "sessionId! prompt! >"),
    ("session/set_mode", "client", "request", "sessionId! modeId! >", None),
    (
        "session/request_permission",
        "agent",
        "request",
        "sessionId! toolCall! options! > outcome!",
        "sessionId! title! description subject options! > outcome!",
    ),
    ("fs/read_text_file", "agent", "request", "sessionId! path! line limit > content!", None),
    ("fs/write_text_file", "agent", "request", "sessionId! path! content! >", None),
    (
        "terminal/create",
        "agent",
        "request",
        "sessionId! command! args env cwd outputByteLimit > terminalId!",
        None,
    ),
    ("terminal/output", "agent", "request", f"{_TERMINAL} > output! truncated! exitStatus", None),
    ("terminal/wait_for_exit", "agent", "request", f"{_TERMINAL} > exitCode signal", None),
    ("terminal/kill", "agent", "request", f"{_TERMINAL} >", None),
    ("terminal/release", "agent", "request", f"{_TERMINAL} >", None),
    ("nes/accept", "client", "notification", "~ sessionId! id!", "~ sessionId! suggestionId!"),
    ("nes/reject", "client", "notification", "~ sessionId! id! reason", "~ sessionId! suggestionId! reason"),
    *((name, sender, kind, keys, keys) for name, sender, kind, keys in _SAME_IN_BOTH),
)


def _keys(text: str) -> tuple[frozenset[str], frozenset[str]]:
    words = text.split()
    return (
        frozenset({"_meta", *(word.rstrip("!") for word in words)}),
        frozenset(word.rstrip("!") for word in words if word.endswith("!")),
    )


def _call(text: str) -> Call:
    params_text, answered, result_text = text.removeprefix("~").partition(">")
    params, required_params = _keys(params_text)
    result, required_result = _keys(result_text)
    anything = not answered or result_text.strip() == "*"
    return Call(
        stable=not text.startswith("~"),
        params=params,
        required_params=required_params,
        result=None if anything else result,
        required_result=frozenset() if anything else required_result,
    )


def _method(row: _Row) -> Method:
    name, sender, kind, *texts = row
    calls = {version: _call(text) for version, text in zip(VERSIONS, texts, strict=True) if text is not None}
    return Method(name, sender, kind, calls)


METHODS: Final[Mapping[str, Method]] = {row[0]: _method(row) for row in _ROWS}

# Methods of superseded drafts that recordings still have: unknown to both schemas, but their sender is known.
_RETIRED_SENDERS: Final[Mapping[str, Sender]] = {"session/set_model": "client", "session/elicitation": "agent"}


def sender_of(method: str) -> Literal["client", "agent"] | None:
    """Which side sends a method, where the protocol fixes that.

    Args:
        method: A method name.

    Returns:
        The side; ``None`` for methods of both sides, extensions and unknown ones.

    >>> sender_of("session/prompt"), sender_of("session/update"), sender_of("_acme/tick")
    ('client', 'agent', None)
    """
    known = METHODS.get(method)
    sender = known.sender if known is not None else _RETIRED_SENDERS.get(method)
    return None if sender == "both" else sender


# --- results ----------------------------------------------------------------------------------------------------


_Rule: TypeAlias = tuple[str, type, frozenset[str]]
_OPENERS: Final = frozenset({"session/new", "session/fork", "session/load", "session/resume"})

# The first rule whose key is there, with a value of that type, decides. Known from the schemas, and from what
# agents add to them: the message ids of a superseded draft in a prompt's result, a session id in that of a load.
_RULES: Final[tuple[_Rule, ...]] = (
    ("stopReason", object, frozenset({"session/prompt"})),
    ("userMessageId", object, frozenset({"session/prompt"})),
    ("protocolVersion", object, frozenset({"initialize"})),
    ("outcome", object, frozenset({"session/request_permission"})),
    ("action", str, frozenset({"elicitation/create"})),
    ("terminalId", object, frozenset({"terminal/create"})),
    ("output", str, frozenset({"terminal/output"})),
    ("exitCode", object, frozenset({"terminal/wait_for_exit"})),
    ("signal", object, frozenset({"terminal/wait_for_exit"})),
    ("sessions", object, frozenset({"session/list"})),
    ("suggestions", object, frozenset({"nes/suggest"})),
    ("providers", object, frozenset({"providers/list"})),
    ("connectionId", object, frozenset({"mcp/connect"})),
    ("content", str, frozenset({"fs/read_text_file"})),
    ("messageId", object, frozenset({"session/prompt"})),
)
_SESSION_STATE: Final = frozenset({"modes", "models", "configOptions"})

# What an empty result (or null, which some agents send) can answer.
_UNMARKED: Final = frozenset(
    method.name
    for method in METHODS.values()
    if method.kind != "notification" and any(not call.required_result for call in method.calls.values())
)


def result_methods(result: object) -> frozenset[str]:
    """The methods whose result has the shape of this one.

    Args:
        result: The ``result`` of a response.

    Returns:
        Their names: one where a key gives it away, many for an empty result, none for a shape that no method has.

    >>> sorted(result_methods({"stopReason": "end_turn"}))
    ['session/prompt']
    >>> sorted(result_methods({"sessionId": "s1"}))
    ['nes/start', 'session/fork', 'session/new']
    >>> "session/close" in result_methods({})
    True
    """
    if result is None:
        return _UNMARKED
    if not isinstance(result, dict):
        return frozenset()
    for key, wanted, methods in _SPELLED_RULES:
        if key in result and isinstance(result[key], wanted):
            return methods
    return _session_methods(result)


def _session_methods(result: dict[str, object]) -> frozenset[str]:
    """The methods of a result that has none of the keys that give one method away."""
    has_state = not _SESSION_STATE.isdisjoint(result)
    if "sessionId" in result or "session_id" in result:
        return _OPENERS if has_state else frozenset({"session/new", "session/fork", "nes/start"})
    if "modes" in result or "models" in result:
        return frozenset({"session/load", "session/resume"})
    if has_state:
        return frozenset({"session/load", "session/resume", "session/set_config_option"})
    return _UNMARKED if all(key.startswith("_") for key in result) else frozenset()


# Agents that forget to rename their keys are told by these as well.
_SPELLED_RULES: Final[tuple[_Rule, ...]] = tuple(
    (spelling, wanted, methods)
    for key, wanted, methods in _RULES
    for spelling in dict.fromkeys((key, snake_case(key)))
)
