"""The content blocks of v1 and v2: text, image, audio, resource link, embedded resource; v2 lets other types pass.

Source: ``ContentBlock`` in the published schemas.
"""

from __future__ import annotations

from typing import Final

from acpinspect.protocol.enums import ENUMS
from acpinspect.protocol.fields import (
    META,
    TEXT,
    Field,
    Integer,
    ListOf,
    Number,
    OneOf,
    Record,
    Tagged,
    Version,
    enum_text,
    may,
    need,
)

__all__ = ["CONTENT_BLOCK"]


def _annotations(version: Version) -> Field:
    priority = Number() if version == "v1" else Number(minimum=0, maximum=1)
    fields = (
        may("audience", ListOf(enum_text(ENUMS[version]["Role"])), skip=True),
        may("lastModified", TEXT),
        may("priority", priority),
        META,
    )
    return may("annotations", Record("annotations", fields))


_RESOURCE: Final = OneOf(
    "text or blob resource",
    (
        Record("text resource", (may("mimeType", TEXT), need("text", TEXT), need("uri", TEXT), META)),
        Record("blob resource", (need("blob", TEXT), may("mimeType", TEXT), need("uri", TEXT), META)),
    ),
)

_ICON: Final = Record(
    "icon",
    (
        need("src", TEXT),
        may("mimeType", TEXT),
        may("sizes", ListOf(TEXT), skip=True),
        may("theme", enum_text(ENUMS["v2"]["IconTheme"])),
    ),
)


def _content_block(version: Version) -> Tagged:
    media = (need("data", TEXT), need("mimeType", TEXT))
    link = (
        need("name", TEXT),
        need("uri", TEXT),
        may("title", TEXT),
        may("description", TEXT),
        may("mimeType", TEXT),
        may("size", Integer()),
    )
    icons = () if version == "v1" else (may("icons", ListOf(_ICON), skip=True),)
    tail = (_annotations(version), META)
    cases = {
        "text": (need("text", TEXT), *tail),
        "image": (*media, may("uri", TEXT), *tail),
        "audio": (*media, *tail),
        "resource_link": (*link, *icons, *tail),
        "resource": (need("resource", _RESOURCE), *tail),
    }
    return Tagged("content block", "type", cases, other=None if version == "v1" else ())


CONTENT_BLOCK: Final[dict[Version, Tagged]] = {"v1": _content_block("v1"), "v2": _content_block("v2")}
