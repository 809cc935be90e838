"""Recordings that look like ACP and are not: named, so that nobody searches in them."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from acpinspect.reading.lines import frames_by_line
from acpinspect.reading.registry import Dialect, register
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


def _negative(
    name: str, title: str, writer: str, sniff: Callable[[Sniff], str | None], hint: str, order: int = 28
) -> Dialect:
    return Dialect(
        name=name,
        title=title,
        writer=writer,
        sniff=sniff,
        frames=frames_by_line,
        order=order,
        by_line=True,
        negative=True,
        hint=hint,
    )


register(
    _negative(
        "zed-log",
        "Zed.log",
        "Zed",
        _zed_log,
        "In Zed run `dev: open acp logs`, press Copy, and load what you copied.",
    ),
    _negative(
        "kimi-wire",
        "Kimi wire log",
        "kimi-cli",
        _where(_kimi, "records of the Kimi wire protocol (TurnBegin, ContentPart, ...)"),
        "It is another protocol; record the standard input and output of `kimi acp` instead.",
    ),
    _negative(
        "claude-code-transcript",
        "Claude Code transcript",
        "Claude Code",
        _where(_claude, "records with parentUuid, as in Claude Code's transcripts"),
        "It is the agent's own history; record the traffic of its ACP adapter instead.",
    ),
    _negative(
        "acpx-checkpoint",
        "acpx session checkpoint",
        "acpx",
        lambda head: "the schema acpx.session.v1" if '"acpx.session.v1"' in head.text[:2_000] else None,
        "The traffic is in the file that ends in .stream.ndjson beside it.",
        order=9,
    ),
    _negative(
        "mcp",
        "MCP traffic",
        "",
        _mcp,
        "MCP is the protocol between an agent and its tools; record the agent's own input and output.",
    ),
    _negative("lsp", "LSP traffic", "", _lsp, "It is the protocol between an editor and a language server."),
)
