"""Small logs to draw."""

from __future__ import annotations

from typing import Any

import pandas as pd

import acpinspect


def update(time: float | None, session: str, name: str, **fields: Any) -> dict[str, Any]:
    params = {"sessionId": session, "update": {"sessionUpdate": name, **fields}}
    message = {"jsonrpc": "2.0", "method": "session/update", "params": params}
    return message if time is None else {"ts": 1_772_000_000.0 + time, "message": message}


def chunk(time: float | None, text: str, session: str = "s1", role: str = "agent_message_chunk") -> dict[str, Any]:
    return update(time, session, role, content={"type": "text", "text": text}, messageId="m1")


def call(time: float | None, name: str, status: str, session: str = "s1") -> dict[str, Any]:
    return update(time, session, "tool_call", toolCallId=name, title=f"Run {name}", status=status)


def usage(time: float | None, used: object, size: object = 1000, **more: Any) -> dict[str, Any]:
    return update(time, "s1", "usage_update", used=used, size=size, **more)


def read(*records: dict[str, Any]) -> pd.DataFrame:
    return acpinspect.from_records(list(records))


NOTHING = read({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"protocolVersion": 1}})
MIXED = read(
    chunk(0.0, "One "),
    chunk(0.1, "message"),
    call(0.2, "t1", "completed"),
    call(0.3, "t2", "failed"),
    usage(0.4, 900, cost={"amount": 0.2, "currency": "USD"}),
    chunk(0.5, "Thought", role="agent_thought_chunk"),
)
