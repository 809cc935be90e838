"""Recorders that keep a retelling of the traffic rather than the traffic: AutoDev, BenchFlow.

Sources: AutoDev (Xiuper) ``AcpClient.kt``, ``~/.autodev/acp-logs/*.jsonl``; BenchFlow and SkillsBench,
``trajectory/acp_trajectory.jsonl``, in which chunks are merged and the prompt stands as a message of the user.
Each record becomes the message that it retells; the row's ``problem`` says that something was lost.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from msgspec.structs import replace

from acpinspect.protocol.variants import VARIANTS
from acpinspect.reading.casing import camel_keys
from acpinspect.reading.clocks import stamp_of_text
from acpinspect.reading.coverage import in_source_bytes
from acpinspect.reading.document import Document
from acpinspect.reading.frames import Frame, Sender
from acpinspect.reading.jsontext import may_be_too_deep
from acpinspect.reading.notation.builder import NotationError, Value
from acpinspect.reading.notation.compact import write_json
from acpinspect.reading.registry import Dialect, register
from acpinspect.reading.sniffing import Sniff
from acpinspect.reading.wire.kotlin_updates import kotlin_update
from acpinspect.reading.wire.lost_ids import LostIds, lost_id_problem
from acpinspect.reading.wire.messages import request, response, snake_name, update

_Record = dict[str, Value]


@dataclass(frozen=True)
class _Retold:
    """The message that a record retells, and who sent it."""

    message: dict[str, Value]
    sender: Sender


_Teller = Callable[[_Record, LostIds], "_Retold | None"]


def _autodev(record: _Record, ids: LostIds) -> _Retold | None:
    if record.get("type") == "prompt_start":
        prompt = {"prompt": [{"type": "text", "text": record.get("prompt")}]}
        return _Retold(request("session/prompt", prompt, ids.request("client", "session/prompt")), "client")
    name = record.get("update_type")
    if record.get("event_type") == "SessionUpdate" and isinstance(name, str):
        return _Retold(update(kotlin_update(name, record.get("update"))), "agent")
    reason = record.get("stop_reason")
    if record.get("event_type") == "PromptResponse" and isinstance(reason, str):
        result: dict[str, Value] = {"stopReason": snake_name(reason)}
        return _Retold(response(result, ids.response("agent", result)), "agent")
    return None


_MERGED = {
    "user_message": "user_message_chunk",
    "agent_message": "agent_message_chunk",
    "agent_thought": "agent_thought_chunk",
}
_OUTSIDE = frozenset(("type", "session_id", "sessionId", "timestamp", "ts"))


def _benchflow(record: _Record, _: LostIds) -> _Retold | None:
    kind = record.get("type")
    if not isinstance(kind, str):
        return None
    session = record.get("session_id", record.get("sessionId"))
    session_id = session if isinstance(session, str) else None
    if kind in _MERGED:
        body = {"sessionUpdate": _MERGED[kind], "content": {"type": "text", "text": record.get("text")}}
        return _Retold(update(body, session_id), "client" if kind == "user_message" else "agent")
    if kind not in VARIANTS["v1"]:
        return None
    rest = camel_keys({key: value for key, value in record.items() if key not in _OUTSIDE})
    return _Retold(update({"sessionUpdate": kind} | (rest if isinstance(rest, dict) else {}), session_id), "agent")


def _reader(tell: _Teller, lost: str) -> Callable[[Document], Iterator[Frame]]:
    """Reads a document line by line; a line that retells no message is a row of the kind ``other``."""

    def frames(document: Document) -> Iterator[Frame]:
        return in_source_bytes(document, retold(document))

    def retold(document: Document) -> Iterator[Frame]:
        ids = LostIds()
        for line, number, offset in document.lines():
            if line.strip():
                yield _frame(document.name, line, (number, offset), tell, ids, lost)

    return frames


def _frame(source: str, line: bytes, place: tuple[int, int], tell: _Teller, ids: LostIds, lost: str) -> Frame:
    text = line.decode("utf-8", "replace").strip().removeprefix("\ufeff")
    number, offset = place
    here = Frame(raw=text, source=source, line=number, offset=offset, length=len(line.rstrip()))
    record = _loaded(text)
    if record is None:
        return replace(here, kind="unreadable", problem="no JSON object")
    retold = tell(record, ids)
    stamp = stamp_of_text(str(record.get("timestamp", record.get("ts", ""))))
    then = replace(here, time=stamp.time, elapsed=stamp.elapsed, clock=stamp.clock)
    raw = None if retold is None else _written(retold.message)
    if retold is None or raw is None:
        return replace(then, kind="other", problem="no ACP message")
    problem = "; ".join(filter(None, (lost, lost_id_problem(retold.message))))
    return replace(then, raw=raw, sender=retold.sender, problem=problem)


def _loaded(text: str) -> _Record | None:
    if may_be_too_deep(text.encode("utf-8", "backslashreplace")):
        return None
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _written(message: Value) -> str | None:
    try:
        return write_json(message)
    except NotationError:
        return None


def _sniff_autodev(sniff: Sniff) -> str | None:
    if any(one.get("event_type") == "SessionUpdate" and "update_type" in one for one in sniff.objects):
        return "records with event_type SessionUpdate and an update_type"
    return None


def _sniff_benchflow(sniff: Sniff) -> str | None:
    if any("jsonrpc" in one or "method" in one for one in sniff.objects):
        return None
    merged = [one for one in sniff.objects if one.get("type") in _MERGED and isinstance(one.get("text"), str)]
    calls = [one for one in sniff.objects if one.get("type") == "tool_call" and "tool_call_id" in one]
    if (merged or calls) and 2 * len(merged + calls) >= len(sniff.objects):
        return "records of the types user_message, agent_message, agent_thought, tool_call"
    return None


register(
    Dialect(
        name="autodev-acp-log",
        title="AutoDev's log of updates, partly as Kotlin's toString",
        writer="AutoDev (Xiuper)",
        sniff=_sniff_autodev,
        frames=_reader(_autodev, "lossy: retold by AutoDev"),
        order=20,
        lossy=True,
    ),
    Dialect(
        name="benchflow-acp-trajectory",
        title="A trajectory with its chunks merged",
        writer="BenchFlow, SkillsBench",
        sniff=_sniff_benchflow,
        frames=_reader(_benchflow, "lossy: chunks merged by BenchFlow"),
        order=20,
        lossy=True,
    ),
)
