"""The text around a message: labels as written, and terminal escapes."""

from __future__ import annotations

import pytest

from acpinspect.reading.prefixes import label_in_prefix, without_ansi


@pytest.mark.parametrize(
    ("prefix", "label"),
    [
        ("2026-01-05 11:00:02,480 [ 75]   FINE - AcpTransport - IN: ", "IN"),
        ("2026-01-05T11:00:00Z DEBUG acp.transport: -> ", "->"),
        ("[acp] <- ", "<-"),
        ("→ ", "→"),
        ("0 ← +2011ms ", "←"),
        (">>> CLIENT → AGENT [REQUEST] initialize", ">>>"),
        ("<<< ", "<<<"),
        ("gptme --> ", "-->"),
        ("11:00 <-- ", "<--"),
        ("client -> agent: ", "client -> agent"),
        ("agent_to_client ", "agent_to_client"),
        ("fromAgent: ", "fromAgent"),
        ("TRACE [agent_client_protocol::rpc] recv: ", "recv"),
        ("Received:", "Received"),
        ("[agent] ", "agent"),
        ("dir=out msg=", "out"),
        ("stdout | ", "stdout"),
        ("DEBUG sent message: ", "sent"),
        ("2026-01-05T11:00:00.1Z stdout F ", "stdout"),
        ("c2a ", "c2a"),
        ("INFO starting in 3 s ", None),
        ("a->b ", None),
        ("x == y <= ", "<="),
        ("", None),
    ],
)
def test_the_label_is_what_was_written(prefix: str, label: str | None) -> None:
    assert label_in_prefix(prefix) == label


@pytest.mark.parametrize(
    "text",
    [b"\x1b[1 qX", b"\x1b[31;1mX\x1b[0m", b"\x1b]0;title\x07X", b"\x1b]8;;http://x\x1b\\X", b"\x1b(BX", b"X"],
)
def test_terminal_escapes_are_taken_out(text: bytes) -> None:
    assert without_ansi(text) == b"X"
