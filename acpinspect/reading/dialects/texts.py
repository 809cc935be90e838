"""Text logs that write a message as JSON at the end of a line."""

from __future__ import annotations

import re
from typing import Final

from acpinspect.reading.lines import frames_by_line
from acpinspect.reading.registry import Dialect, register
from acpinspect.reading.sniffing import Sniff

__all__: list[str] = []

_JETBRAINS: Final = re.compile(r" - AcpTransport - (?:IN|OUT): ")
_RUST_RPC: Final = re.compile(r"agent_client_protocol::rpc\]?:? (?:recv|send): ")
_SACP_TEE: Final = re.compile(r"^[→←] \{", re.MULTILINE)
_PREFIXED: Final = re.compile(
    r'^(?![{\[]\s*["{]).{1,400}?\{\s*"(?:jsonrpc|method|id|result|error|params|sessionId|session_id|sessionUpdate)"',
    re.MULTILINE,
)


def _jetbrains(head: Sniff) -> str | None:
    return "lines with AcpTransport - IN: or OUT:" if _JETBRAINS.search(head.text) else None


def _rust_rpc(head: Sniff) -> str | None:
    return "lines of agent_client_protocol::rpc with recv: or send:" if _RUST_RPC.search(head.text) else None


def _sacp_tee(head: Sniff) -> str | None:
    return "lines that begin with an arrow and JSON" if _SACP_TEE.search(head.text) else None


def _prefixed(head: Sniff) -> str | None:
    return "JSON-RPC messages after a prefix on their lines" if _PREFIXED.search(head.text) else None


def _anything(_head: Sniff) -> str | None:
    return "no format that we know; each line is searched for messages"


register(
    Dialect(
        name="jetbrains-acp-transport",
        title="transport log, local times",
        writer="JetBrains AI Assistant",
        sniff=_jetbrains,
        frames=frames_by_line,
        order=25,
        by_line=True,
    ),
    Dialect(
        name="rust-rpc-trace",
        title="recv: and send: lines at trace level",
        writer="the Rust crate agent-client-protocol, older versions (Zed)",
        sniff=_rust_rpc,
        frames=frames_by_line,
        order=25,
        by_line=True,
    ),
    Dialect(
        name="sacp-tee",
        title="arrow, then JSON",
        writer="sacp-tee",
        sniff=_sacp_tee,
        frames=frames_by_line,
        order=45,
        by_line=True,
    ),
    Dialect(
        name="prefixed-json",
        title="JSON at the end of log lines",
        writer="debug logs",
        sniff=_prefixed,
        frames=frames_by_line,
        order=70,
        by_line=True,
    ),
    Dialect(
        name="lines",
        title="anything, line by line",
        writer="",
        sniff=_anything,
        frames=frames_by_line,
        order=1_000,
        by_line=True,
    ),
)
