"""From any recorder's wrapper to the JSON-RPC messages inside.

A wrapper is an object that is no message itself and holds one under some key: as an object, as JSON in a
string, in base64, or with a prefix before it in a log line's text. Wrappers nest; each is opened until a
message, bare params or a bare update is found. What stands beside it says when, and in which direction.
"""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Set
from dataclasses import dataclass
from typing import Final, Literal

from acpinspect.reading.casing import as_wire
from acpinspect.reading.clocks import NO_STAMP, Stamp
from acpinspect.reading.frames import Sender
from acpinspect.reading.jsontext import Slice, compact, elements, members, quoted, scan, soundness, text_of
from acpinspect.reading.prefixes import read_prefix
from acpinspect.reading.siblings import SIBLING_KEYS, Siblings, read_siblings

__all__ = [
    "RPC_KEYS",
    "STRONG_KEYS",
    "Found",
    "candidates",
    "is_message",
    "open_value",
    "record_shape",
    "shaping_keys",
]

Kind = Literal["unreadable", "other"]


@dataclass(slots=True)
class Found:
    """One message that was found, and what its wrappers say of it.

    Attributes:
        raw: The JSON text of the message.
        beside: What its wrappers say: time, label, connection.
        kind: ``"other"`` for what is recorded but is no message for anyone.
        problem: What is odd.
        sender: The sending side, where the wrapper itself fixes it.
    """

    raw: str
    beside: Siblings
    kind: Kind | None = None
    problem: str | None = None
    sender: Sender | None = None


Shape = Callable[[Mapping[str, Slice], Siblings], "list[Found] | None"]

_SHAPES: dict[str, Shape] = {}
_MAX_NESTING: Final = 12
_WRAPPED_IN_TEXT: Final = 400

STRONG_KEYS: Final = [
    "msg",
    "message",
    "raw",
    "frame",
    "json",
    "payload",
    "line",
    "notification",
    "data",
    "body",
    "object",
]
"""Keys under which a message stands even where the wrapper repeats its method or id."""

_CONTAINERS: Final = [
    *STRONG_KEYS,
    *[
        "request",
        "response",
        "rpc",
        "packet",
        "record",
        "entry",
        "event",
        "log",
        "fields",
        "content",
        "text",
        "value",
        "update",
        "params",
        "_source",
        "attributes",
        "item",
    ],
]
_CONTAINER_SET: Final = frozenset(_CONTAINERS)
RPC_KEYS: Final = frozenset({"jsonrpc", "id", "method", "params", "result", "error"})
_MESSAGE_KEYS: Final = RPC_KEYS | SIBLING_KEYS
_OF_ACP: Final = re.compile(r"_?[\w.]*/?session/|fs/|terminal/|initialize\Z|authenticate\Z")
_BARE_PARAMS: Final = frozenset({"sessionId", "session_id", "update", "_meta", "field_meta"})
_FOREIGN_TO_UPDATE: Final = frozenset({"timestamp", "type", "ts", "seq"})
_LOOKS_LIKE_ACP: Final = re.compile(r'jsonrpc|"method"|session_?[uU]pdate')
_CANDIDATE: Final = re.compile(r'\{\s*"|\[\s*\{')
_EXACT_MS: Final = re.compile(r'"agentTimestampMs"\s*:\s*(\d{13})\b')


def record_shape(*keys: str) -> Callable[[Shape], Shape]:
    """Register a reader for records that have these keys and hold a message in parts rather than as one."""

    def add(shape: Shape) -> Shape:
        for key in keys:
            _SHAPES[key] = shape
        return shape

    return add


def shaping_keys() -> Set[str]:
    """The keys of records that hold a message in parts."""
    return _SHAPES.keys()


def open_value(value: Slice, beside: Siblings | None = None, nesting: int = 0) -> list[Found]:
    """The messages in one JSON value; an empty list where there is none.

    Examples:
        >>> line = b'{"ts":1767610800041,"dir":"in","msg":{"jsonrpc":"2.0","id":0,"result":{}}}'
        >>> [found] = open_value(line)
        >>> found.raw
        '{"jsonrpc":"2.0","id":0,"result":{}}'
        >>> found.beside.label, found.beside.stamp.clock
        ('in', 'epoch ms')
    """
    beside = beside or Siblings()
    if nesting > _MAX_NESTING:
        return []
    keys = members(value)
    if keys is None:
        return _open_batch(value, beside, nesting)
    if _is_versioned(keys):
        return [_message(value, keys, beside)]
    for key in keys:
        if key in _SHAPES:
            found = _SHAPES[key](keys, read_siblings(keys, beside))
            if found is not None:
                return found
    return _open_object(value, keys, beside, nesting)


def is_message(keys: Mapping[str, Slice]) -> bool:
    """Whether an object with these members is a message or an update by itself, or a message in parts."""
    return (
        _is_versioned(keys)
        or "sessionUpdate" in keys
        or "session_update" in keys
        or "method" in keys
        or not _SHAPES.keys().isdisjoint(keys)
    )


def _is_versioned(keys: Mapping[str, Slice]) -> bool:
    return "jsonrpc" in keys and ("method" in keys or "result" in keys or "error" in keys)


def _open_object(value: Slice, keys: Mapping[str, Slice], beside: Siblings, nesting: int) -> list[Found]:
    if "sessionUpdate" in keys or "session_update" in keys:
        return _bare_update(value, keys, beside)
    if "update" in keys and ("sessionId" in keys or "session_id" in keys):
        found = _bare_params(value, keys, beside)
        if found:
            return found
    if not _is_message_without_version(keys):
        return _open_children(candidates(keys), keys, read_siblings(keys, beside), nesting)
    strong = (key for key in STRONG_KEYS if key in keys)
    return _open_children(strong, keys, read_siblings(keys, beside), nesting) or [_message(value, keys, beside)]


def _is_message_without_version(keys: Mapping[str, Slice]) -> bool:
    """Whether an object is a JSON-RPC message but for its version; a log record with such words is none."""
    if "method" in keys and ("params" in keys or "id" in keys):
        method = text_of(keys["method"])
        return method is not None and (_OF_ACP.match(method) is not None or _MESSAGE_KEYS.issuperset(keys))
    if "id" not in keys or not _MESSAGE_KEYS.issuperset(keys):
        return False
    return "result" in keys or ("error" in keys and members(keys["error"]) is not None)


def _open_batch(value: Slice, beside: Siblings, nesting: int) -> list[Found]:
    """Each element of an array; an array without any message is no batch."""
    items = elements(value)
    if not items:
        return []
    opened = [open_value(item, beside.copy(), nesting + 1) for item in items]
    if not any(opened):
        return []
    rows: list[Found] = []
    for item, found in zip(items, opened, strict=True):
        rows += found or [Found(str(bytes(item), "utf-8", "replace"), beside, "other", "no JSON-RPC message")]
    return rows


def _message(value: Slice, keys: Mapping[str, Slice], beside: Siblings) -> Found:
    """A JSON-RPC message as it stands; keys that are no JSON-RPC may say more about it."""
    if not RPC_KEYS.issuperset(keys):
        beside = read_siblings(keys, beside, weak=False)
    if "params" in keys and _has_flat_params(keys):
        return _unflattened(keys, beside)
    raw, problem = _as_text(value)
    if beside.stamp.clock == "epoch s" and "agentTimestampMs" in raw:
        exact = _EXACT_MS.search(raw)
        if exact is not None:
            beside = beside.copy()
            beside.stamp = Stamp(int(exact.group(1)) * 1_000_000, None, "epoch ms")
    if beside.label == "upstream" and _is_error_as_result(keys):
        problem = "an error recorded as a result (sacp-tee)"
    return Found(raw, beside, problem=problem)


def _has_flat_params(keys: Mapping[str, Slice]) -> bool:
    """Whether the params of a session/update are the update itself, as acpx prints them."""
    if b"session/update" not in bytes(keys.get("method", b"")):
        return False
    params = members(keys["params"])
    return params is not None and "update" not in params and "sessionUpdate" in params


def _unflattened(keys: Mapping[str, Slice], beside: Siblings) -> Found:
    """The message with its update where the protocol has it."""
    params = members(keys["params"]) or {}
    update, problem = _object({key: item for key, item in params.items() if key != "sessionId"})
    session = f'"sessionId":{_as_text(params["sessionId"])[0]},' if "sessionId" in params else ""
    others, _ = _object({key: item for key, item in keys.items() if key != "params"})
    raw = f'{others[:-1]},"params":{{{session}"update":{update}}}}}'
    return Found(raw, beside, problem=problem or "flat params: the update stood in the place of the params")


def _is_error_as_result(keys: Mapping[str, Slice]) -> bool:
    """Whether an answer is one that sacp-tee writes for an error."""
    result = members(keys["result"]) if "result" in keys else None
    return result is not None and list(result) == ["error"]


def _as_text(value: Slice) -> tuple[str, str | None]:
    data = bytes(value)
    try:
        return data.decode("utf-8"), None
    except UnicodeDecodeError:
        text = data.decode("utf-8", "replace")
        return text, "invalid UTF-8 (replaced)"


def _bare_params(value: Slice, keys: Mapping[str, Slice], beside: Siblings) -> list[Found]:
    """The params of a session/update without their envelope."""
    update = members(keys["update"])
    if update is None or not ("sessionUpdate" in update or "session_update" in update):
        return []
    beside = read_siblings(keys, beside, weak=False)
    if _BARE_PARAMS.issuperset(keys):
        text, problem = _as_text(value)
    else:
        text, problem = _object({key: keys[key] for key in keys if key in _BARE_PARAMS})
    return [_notification(text, problem, beside)]


def _bare_update(value: Slice, keys: Mapping[str, Slice], beside: Siblings) -> list[Found]:
    """One update alone; its session, where a wrapper names it."""
    session = beside.session
    beside = read_siblings(keys, beside, weak=False)
    if _FOREIGN_TO_UPDATE.isdisjoint(keys):
        text, problem = _as_text(value)
    else:
        text, problem = _object({key: item for key, item in keys.items() if key not in _FOREIGN_TO_UPDATE})
    params = f'{{"sessionId":{session},"update":{text}}}' if session else f'{{"update":{text}}}'
    return [_notification(params, problem, beside)]


def _object(parts: Mapping[str, Slice]) -> tuple[str, str | None]:
    """An object of exact slices."""
    pairs = [(quoted(key), *_as_text(part)) for key, part in parts.items()]
    text = ",".join(f"{key}:{part}" for key, part, _ in pairs)
    return f"{{{text}}}", next((problem for *_, problem in pairs if problem), None)


def _notification(params: str, problem: str | None, beside: Siblings) -> Found:
    raw = f'{{"jsonrpc":"2.0","method":"session/update","params":{as_wire(compact(params))}}}'
    return Found(raw, beside, problem=problem)


def _open_children(
    candidates: Iterable[str], keys: Mapping[str, Slice], beside: Siblings, nesting: int
) -> list[Found]:
    """What a wrapper holds, under the first key that holds a message."""
    for key in candidates:
        found = _open_child(key, keys[key], beside, nesting)
        if found:
            return found
    return []


def candidates(keys: Mapping[str, Slice]) -> Iterator[str]:
    """The keys of a wrapper in the order in which a message is looked for: the usual ones first, then any."""
    yield from (key for key in _CONTAINERS if key in keys)
    yield from (key for key in keys if key not in _CONTAINER_SET)


def _open_child(key: str, value: Slice, beside: Siblings, nesting: int) -> list[Found]:
    first = bytes(memoryview(value)[:1])
    if first in (b"{", b"["):
        return open_value(value, beside.copy(), nesting + 1)
    if first != b'"' or (key not in _CONTAINER_SET and len(memoryview(value)) < 30):
        return []
    text = text_of(value)
    return _open_text(text, beside.copy(), nesting) if text else []


def _open_text(text: str, beside: Siblings, nesting: int) -> list[Found]:
    """JSON in a string: plain, after a prefix, or in base64."""
    if beside.base64 or text.startswith("eyJ"):
        decoded = _from_base64(text)
        if decoded is not None:
            return open_value(decoded, beside, nesting + 1)
    candidate = _CANDIDATE.search(text)
    if candidate is None or candidate.start() > _WRAPPED_IN_TEXT or not _LOOKS_LIKE_ACP.search(text):
        return []
    start = candidate.start()
    inner = text[start:].encode("utf-8")
    found = (
        open_value(inner.rstrip(), beside, nesting + 1)
        if soundness(inner).sound
        else _first_value(inner, beside, nesting)
    )
    if found and start:
        _add_prefix(text[:start], found)
    return found


def _first_value(inner: bytes, beside: Siblings, nesting: int) -> list[Found]:
    """The value at the beginning of a text that goes on after it."""
    span = scan(inner, 0)
    if not span.whole or not soundness(inner[: span.end]).sound:
        return []
    return open_value(inner[: span.end], beside, nesting + 1)


def _add_prefix(prefix: str, found: list[Found]) -> None:
    """What the text before the JSON says, where the wrapper said nothing."""
    stamp, label = read_prefix(prefix.encode("utf-8", "replace"))
    for one in found:
        if one.beside.stamp is NO_STAMP:
            one.beside.stamp = stamp
        one.beside.label = one.beside.label or label


def _from_base64(text: str) -> bytes | None:
    try:
        decoded = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        return None
    return decoded if decoded.lstrip()[:1] in (b"{", b"[") else None
