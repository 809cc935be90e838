"""The protocol log of gptme: one line a message, its body cut at 200 characters.

Source: ``gptme/acp/__main__.py`` (``_make_protocol_observer``, on with ``GPTME_ACP_LOG_PROTOCOL=1``). gptme is the
agent, so ``-->`` comes from the client. Newer versions write the id (``initialize (id=0)``), older ones the word
``request`` and no id; what becomes of those is told in `acpinspect.reading.wire.lost_ids`. A body that was cut
(``... (269 chars)``) is completed from what is there: open strings and brackets are closed, nothing is made up.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from acpinspect.protocol.methods import METHODS
from acpinspect.reading.coverage import in_source_bytes
from acpinspect.reading.document import Document
from acpinspect.reading.frames import Frame, Sender
from acpinspect.reading.notation.builder import Value
from acpinspect.reading.notation.compact import write_json
from acpinspect.reading.notation.cut_json import complete_json
from acpinspect.reading.prefixes import read_prefix, without_ansi
from acpinspect.reading.registry import Dialect, register
from acpinspect.reading.sniffing import Sniff
from acpinspect.reading.wire.lost_ids import LostIds, lost_id_problem
from acpinspect.reading.wire.messages import as_message, error, notification, request, response

_LINE = re.compile(
    r"(?P<arrow>-->|<--)[ ]+(?:(?P<word>request|notification|response)\b[ ]*)?(?P<method>[\w$./-]+(?=[ (]|$))?[ ]*"
    r"(?:\(id=(?P<id>[^)]*)\))?[ ]*(?:(?P<key>params|result|error|raw)=(?P<body>.*))?$"
)
_CUT = re.compile(r"\.\.\. \((\d+) chars\)\s*$")
_LOOKS_LIKE = re.compile(r"(?:-->|<--) .*?(?:params|result|error)=[\[{\"]")
_SENDERS: dict[str, Sender] = {"-->": "client", "<--": "agent"}


def _frames(document: Document) -> Iterator[Frame]:
    return in_source_bytes(document, _retold(document))


def _retold(document: Document) -> Iterator[Frame]:
    ids = LostIds()
    for line, number, offset in document.lines():
        text = without_ansi(line).decode("utf-8", "replace").rstrip()
        match = _LINE.search(text)
        if match is None or match.group("key", "id", "word") == (None, None, None):
            continue
        raw, problem = _message(match, ids)
        prefix = text[: match.start()].encode()
        stamp, _ = read_prefix(prefix)
        yield Frame(
            raw=text if raw is None else raw,
            source=document.name,
            line=number,
            offset=offset,
            length=len(line.rstrip()),
            time=stamp.time,
            elapsed=stamp.elapsed,
            clock=stamp.clock,
            label=match.group("arrow"),
            sender=_SENDERS[match.group("arrow")],
            kind="unreadable" if raw is None else None,
            problem=problem,
        )


def _message(match: re.Match[str], ids: LostIds) -> tuple[str | None, str | None]:
    """The text of the message that a line stands for, and what is odd about it."""
    try:
        body, problem = _body(match.group("body"))
        message = _built(match, body, ids)
        raw = write_json(message)
    except (ValueError, RecursionError):
        return None, "no JSON in the body"
    return raw, "; ".join(filter(None, (problem, lost_id_problem(message)))) or None


def _body(text: str | None) -> tuple[Value, str | None]:
    """The body's value, completed where it was cut; no body at all is null."""
    if text is None:
        return None, None
    cut = _CUT.search(text)
    if cut is None:
        return json.loads(text), None
    problem = f"truncated: {cut.group(1)} characters in the original"
    return json.loads(complete_json(text[: cut.start()])), problem


def _built(match: re.Match[str], body: Value, ids: LostIds) -> dict[str, Value]:
    sender = _SENDERS[match.group("arrow")]
    method, key = match.group("method"), match.group("key")
    if key is None and (_needs_params(method) if method else match.group("id") is None):
        raise ValueError("the line ends before the body")
    if key == "raw":
        message = as_message(body)
        if message is None:
            raise ValueError("no JSON-RPC message")
        return message
    if key == "error":
        return error(body, _known_id(match) or ids.error(sender))
    if key == "result" or method is None:
        return response(body, _answered(match, sender, body, ids))
    if not _is_request(match, method):
        return notification(method, body)
    rpc_id = _known_id(match)
    if rpc_id is None:
        return request(method, body, ids.request(sender, method))
    return request(method, body, rpc_id)


def _needs_params(method: str) -> bool:
    """Whether a line without params was cut; methods of the vendor's own may have none."""
    known = METHODS.get(method)
    if known is None:
        return not method.startswith(("_", "$"))
    return any(call.required_params for call in known.calls.values())


def _is_request(match: re.Match[str], method: str) -> bool:
    if match.group("id") is not None or match.group("word") == "request":
        return True
    known = METHODS.get(method)
    return match.group("word") is None and known is not None and known.kind == "request"


def _answered(match: re.Match[str], sender: Sender, body: Value, ids: LostIds) -> Value:
    rpc_id = _known_id(match)
    return ids.response(sender, body) if rpc_id is None else rpc_id


def _known_id(match: re.Match[str]) -> Value:
    """The id as the line says it; it can't tell ``1`` from ``"1"``, and numbers are the rule."""
    text = match.group("id")
    return int(text) if text and text.isdecimal() and len(text) < 20 else text or None


def _sniff(sniff: Sniff) -> str | None:
    seen = sum(1 for line in sniff.lines if "gptme.acp.protocol" in line and _LOOKS_LIKE.search(line))
    if seen:
        return "lines of the logger gptme.acp.protocol"
    seen = sum(1 for line in sniff.lines if _LOOKS_LIKE.search(line))
    if seen and 2 * seen > len(sniff.lines):
        return "lines --> METHOD params=... and <-- ... result=..."
    return None


register(
    Dialect(
        name="gptme-acp-protocol",
        title="gptme's protocol log, bodies cut at 200 characters",
        writer="gptme",
        sniff=_sniff,
        frames=_frames,
        order=20,
        lossy=True,
    )
)
