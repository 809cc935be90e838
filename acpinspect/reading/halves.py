"""The two halves of one connection, each in a file of its own: which is whose, and how they are merged."""

from __future__ import annotations

import re
from collections import Counter
from typing import Final

from acpinspect.reading.document import Document, Role
from acpinspect.reading.recordings import part_of

__all__ = ["assign_roles"]

_METHOD: Final = re.compile(rb'"method"\s*:\s*"([^"\\]{1,80})"')
_OF_AGENT: Final = re.compile(rb"session/update|session/request_permission|(?:fs|terminal|elicitation)/")
_OF_CLIENT: Final = re.compile(
    rb"initialize\Z|authenticate\Z|session/(?:new|load|resume|list|prompt|cancel|set_|fork|close)"
)
_HEAD: Final = 262_144


def assign_roles(documents: list[Document]) -> bool:
    """Say of each document which half it is, by what stands in it and then by its name.

    Args:
        documents: The documents of one name; their roles are set.

    Returns:
        Whether both halves are there. Where not, no role is set.
    """
    roles = [_role_of(document) for document in documents]
    if "both" in roles or not {"agent", "client"} <= set(roles):
        return False
    for document, role in zip(documents, roles, strict=True):
        document.role = role  # type: ignore[assignment] # "both" is excluded above
    return True


def _role_of(document: Document) -> Role | str | None:
    named = part_of(document.name).role
    if named == "stderr":
        return named
    votes: Counter[str] = Counter()
    for method in _METHOD.findall(document.head(_HEAD)):
        if _OF_AGENT.match(method):
            votes["agent"] += 1
        elif _OF_CLIENT.match(method):
            votes["client"] += 1
    if len(votes) == 2:
        return "both"
    return next(iter(votes), named)
