"""Recordings that look like ACP and are not: named, so that nobody searches in them."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from acpinspect.reading.dialects.line_formats import line_format
from acpinspect.reading.registry import register
from acpinspect.reading.sniffing import Sniff

__all__: list[str] = []

_DATED_PROTOCOL: Final = re.compile(r'"protocolVersion"\s*:\s*"\d{4}-\d\d-\d\d"')
_MCP_METHOD: Final = re.compile(
    r'"method"\s*:\s*"(?:tools|resources|prompts|sampling|roots|completion|notifications)/'
)
_ACP: Final = re.compile(r'"method"\s*:\s*"session/|sessionUpdate|session_update|"protocolVersion"\s*:\s*\d')
_LSP: Final = re.compile(r'"method"\s*:\s*"(?:textDocument|workspace|window|\$)/')
_ZED_LOG: Final = re.compile(r"\[agent_servers::acp\]|\[zed\] =+ starting zed")
_RUST_TRAFFIC: Final = re.compile(r"agent_client_protocol::rpc\]?:? (?:recv|send): ")
_KIMI_TYPES: Final = frozenset({"TurnBegin", "TurnEnd", "StepBegin", "ContentPart", "StatusUpdate", "ToolResult"})
_CLAUDE_KEYS: Final = frozenset({"parentUuid", "sessionId", "uuid", "message"})


def _where(test: Callable[[dict[str, object]], bool], said: str) -> Callable[[Sniff], str | None]:
    return lambda head: said if any(test(one) for one in head.objects) else None


def _kimi(one: dict[str, object]) -> bool:
    message = one.get("message")
    return isinstance(message, dict) and message.get("type") in _KIMI_TYPES and "payload" in message


def _claude(one: dict[str, object]) -> bool:
    return "parentUuid" in one and len(_CLAUDE_KEYS & one.keys()) >= 3


def _mcp(head: Sniff) -> str | None:
    if _ACP.search(head.text):
        return None
    if _DATED_PROTOCOL.search(head.text):
        return "a protocolVersion that is a date, as in MCP"
    return "methods of MCP" if _MCP_METHOD.search(head.text) else None


def _lsp(head: Sniff) -> str | None:
    return (
        "methods of the Language Server Protocol"
        if _LSP.search(head.text) and not _ACP.search(head.text)
        else None
    )


def _zed_log(head: Sniff) -> str | None:
    if _ZED_LOG.search(head.text) and not _RUST_TRAFFIC.search(head.text):
        return "lines of Zed's own log, which holds no traffic"
    return None


_ORDER: Final = 28


register(
    line_format(
        "zed-log",
        "Zed.log",
        "Zed",
        _ORDER,
        _zed_log,
        hint="In Zed run `dev: open acp logs`, press Copy, and load what you copied.",
    ),
    line_format(
        "kimi-wire",
        "Kimi wire log",
        "kimi-cli",
        _ORDER,
        _where(_kimi, "records of the Kimi wire protocol (TurnBegin, ContentPart, ...)"),
        hint="It is another protocol; record the standard input and output of `kimi acp` instead.",
    ),
    line_format(
        "claude-code-transcript",
        "Claude Code transcript",
        "Claude Code",
        _ORDER,
        _where(_claude, "records with parentUuid, as in Claude Code's transcripts"),
        hint="It is the agent's own history; record the traffic of its ACP adapter instead.",
    ),
    line_format(
        "acpx-checkpoint",
        "acpx session checkpoint",
        "acpx",
        9,
        lambda head: "the schema acpx.session.v1" if '"acpx.session.v1"' in head.text[:2_000] else None,
        hint="The traffic is in the file that ends in .stream.ndjson beside it.",
    ),
    line_format(
        "mcp",
        "MCP traffic",
        "",
        _ORDER,
        _mcp,
        hint="MCP is the protocol between an agent and its tools; record the agent's own input and output.",
    ),
    line_format(
        "lsp",
        "LSP traffic",
        "",
        _ORDER,
        _lsp,
        hint="It is the protocol between an editor and a language server.",
    ),
)
