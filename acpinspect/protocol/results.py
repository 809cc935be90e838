"""Which request a result answers, told from its shape: for responses whose request is missing or ambiguous."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeAlias

from acpinspect.protocol.methods import METHODS
from acpinspect.protocol.naming import snake_case

__all__ = ["result_methods"]


def _is_text(value: object) -> bool:
    return isinstance(value, str)


def _is_any(value: object) -> bool:  # noqa: ARG001 (a test like the others)
    return True


_Rule: TypeAlias = tuple[str, Callable[[object], bool], frozenset[str]]
_OPENERS: Final = frozenset({"session/new", "session/fork", "session/load", "session/resume"})

# The first rule whose key is there decides. Known from the schemas, and from what agents add to them: the message
# ids of a superseded draft in a prompt's result, a session id in that of a load.
_RULES: Final[tuple[_Rule, ...]] = (
    ("stopReason", _is_any, frozenset({"session/prompt"})),
    ("userMessageId", _is_any, frozenset({"session/prompt"})),
    ("protocolVersion", _is_any, frozenset({"initialize"})),
    ("outcome", _is_any, frozenset({"session/request_permission"})),
    ("action", _is_text, frozenset({"elicitation/create"})),
    ("terminalId", _is_any, frozenset({"terminal/create"})),
    ("output", _is_text, frozenset({"terminal/output"})),
    ("exitCode", _is_any, frozenset({"terminal/wait_for_exit"})),
    ("signal", _is_any, frozenset({"terminal/wait_for_exit"})),
    ("sessions", _is_any, frozenset({"session/list"})),
    ("suggestions", _is_any, frozenset({"nes/suggest"})),
    ("providers", _is_any, frozenset({"providers/list"})),
    ("connectionId", _is_any, frozenset({"mcp/connect"})),
    ("content", _is_text, frozenset({"fs/read_text_file"})),
    ("messageId", _is_any, frozenset({"session/prompt"})),
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
    for key, fits, methods in _SPELLED_RULES:
        if key in result and fits(result[key]):
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
    (spelling, fits, methods)
    for key, fits, methods in _RULES
    for spelling in dict.fromkeys((key, snake_case(key)))
)
