"""From the JSON text of a frame to the values of its row.

One typed decode says all that the columns need. What it refuses (odd types, lone surrogates, NaN) is read
again without types and reduced to the same struct, so that there is one way from here on.
"""

from __future__ import annotations

from typing import Any, Final, Literal

import msgspec
from msgspec import UNSET, Raw, Struct, UnsetType

from acpinspect.events import parse

__all__ = [
    "INVALID_ID",
    "Block",
    "LooseMessage",
    "Message",
    "Params",
    "TextBlock",
    "Update",
    "decode_bare",
    "extract",
    "identifier",
]


class TextBlock(Struct, gc=False, frozen=True):
    """A text block. Content of any other form is read loosely: it is rare, and needs a closer look anyway."""

    type: Literal["text"]
    text: str


class Block(Struct, gc=False, frozen=True):
    """A block that is no plain text, in a message that was read loosely."""

    type: str | None = None


class Update(Struct, gc=False, frozen=True):
    """`params.update`, as far as a row shows it."""

    sessionUpdate: str | None = None  # noqa: N815
    messageId: str | UnsetType | None = UNSET  # noqa: N815
    content: TextBlock | list[Raw] | UnsetType | None = UNSET
    toolCallId: str | None = None  # noqa: N815
    kind: str | None = None
    status: str | None = None
    title: str | None = None
    used: int | None = None
    size: int | None = None


class _ToolRef(Struct, gc=False, frozen=True):
    toolCallId: str | None = None  # noqa: N815


class _Subject(Struct, gc=False, frozen=True):
    toolCall: _ToolRef | None = None  # noqa: N815


# The defaults are shared and frozen, so that the columns can be read off without asking for None.
_NO_UPDATE: Final = Update()


class Params(Struct, gc=False, frozen=True):
    """`params`, as far as a row shows it."""

    sessionId: str | None = None  # noqa: N815
    update: Update = _NO_UPDATE
    toolCall: _ToolRef | None = None  # noqa: N815
    subject: _Subject | None = None

    @property
    def permission_tool(self) -> str | None:
        """The tool call that a permission request is about: v1 `toolCall`, v2 `subject.toolCall`."""
        reference = self.toolCall or (self.subject and self.subject.toolCall)
        return reference.toolCallId if reference else None


_NO_PARAMS: Final = Params()


class Message(Struct, gc=False, frozen=True):
    """A JSON-RPC message, as far as a row shows it."""

    method: str | None = None
    id: int | str | None = None
    params: Params = _NO_PARAMS
    result: Raw | UnsetType = UNSET
    error: Raw | UnsetType = UNSET


class _BareMessage(Message, gc=False, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A JSON-RPC message with nothing around or beside it."""

    jsonrpc: Literal["2.0"]


INVALID_ID: Final[Any] = False
"""Stands for a messageId that is neither a string nor null, in a message that was read loosely."""


class LooseMessage(Message, gc=False, frozen=True):
    """Read without types: some value is not of the type that the protocol gives it."""


decode_bare: Final = msgspec.json.Decoder(_BareMessage).decode
"""Decode a line that is a JSON-RPC message and nothing else.

A wrapper, a foreign key, an odd type, a value that the fast parser refuses: all raise msgspec.DecodeError
(hostile depth RecursionError) and take the long way."""

_decode: Final = msgspec.json.Decoder(Message).decode


def extract(raw: str | bytes) -> Message:
    """The values of one frame; never raises for JSON, whatever the types in it."""
    try:
        return _decode(raw)
    except (msgspec.DecodeError, RecursionError, UnicodeEncodeError):
        pass
    try:
        value = parse(raw)
    except (ValueError, RecursionError):
        return LooseMessage()
    return _loosely(value) if isinstance(value, dict) else LooseMessage()


def _text(value: object) -> str | None:
    """A string that Arrow can hold: lone surrogates become U+FFFD, halves that meet become one character."""
    if not isinstance(value, str):
        return None
    return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def identifier(value: object) -> str | None:
    """An identifier that Arrow can hold: lone surrogates stay apart, as escapes."""
    return value.encode("utf-8", "backslashreplace").decode() if isinstance(value, str) else None


def _loosely(value: dict[str, Any]) -> Message:
    params = value.get("params")
    rpc_id = value.get("id")
    return LooseMessage(
        method=identifier(value.get("method")),
        id=_rpc_id(rpc_id),
        params=_params(params) if isinstance(params, dict) else _NO_PARAMS,
        result=Raw(b"null") if "result" in value else UNSET,
        error=Raw(b"{}") if value.get("error") is not None else UNSET,
    )


def _rpc_id(value: object) -> int | str | None:
    if value is None or isinstance(value, bool):
        return None if value is None else str(value).lower()
    if isinstance(value, int):
        return value
    return identifier(value) if isinstance(value, str) else repr(value)


def _params(params: dict[str, Any]) -> Params:
    update = params.get("update")
    subject = params.get("subject")
    return Params(
        sessionId=identifier(params.get("sessionId")),
        update=_update(update) if isinstance(update, dict) else _NO_UPDATE,
        toolCall=_tool_ref(params.get("toolCall")),
        subject=_Subject(_tool_ref(subject.get("toolCall"))) if isinstance(subject, dict) else None,
    )


def _tool_ref(value: object) -> _ToolRef | None:
    return _ToolRef(identifier(value.get("toolCallId"))) if isinstance(value, dict) else None


def _update(update: dict[str, Any]) -> Update:
    return Update(
        sessionUpdate=identifier(update.get("sessionUpdate")),
        messageId=_message_id(update),
        content=_content(update),
        toolCallId=identifier(update.get("toolCallId")),
        kind=identifier(update.get("kind")),
        status=identifier(update.get("status")),
        title=_text(update.get("title")),
        # used and size only tell a well-formed usage update from one that needs a closer look.
    )


def _message_id(update: dict[str, Any]) -> str | UnsetType | None:
    if "messageId" not in update:
        return UNSET
    value = update["messageId"]
    return value if value is None else (identifier(value) or (value if value == "" else INVALID_ID))


def _content(update: dict[str, Any]) -> Any:  # noqa: ANN401  (also what a typed read refuses)
    if "content" not in update:
        return UNSET
    value = update["content"]
    if isinstance(value, dict):
        kind, text = identifier(value.get("type")), _text(value.get("text"))
        return TextBlock("text", text) if kind == "text" and text is not None else Block(kind)
    if isinstance(value, list):
        return [Raw(b"null")] * len(value)
    return None if value is None else UNSET
