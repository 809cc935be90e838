"""Rules about sessions: known, closed, and what a prompt must not carry."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np

from acpinspect.diagnostics.columns import first_of_each
from acpinspect.diagnostics.findings import Hit, quote
from acpinspect.diagnostics.log import Log
from acpinspect.diagnostics.registry import builtin
from acpinspect.diagnostics.session_rows import between, rows_by_session

__all__: list[str] = []

_BRINGING: Final = ("session/new", "session/fork", "session/load", "session/resume", "session/prompt")
_RELICS: Final = frozenset({"messageId", "userMessageId"})


@builtin("session-unknown")
def _session_unknown(log: Log) -> Iterator[Hit]:
    asked = np.zeros(int(log.recording.max(initial=-1)) + 2, dtype=bool)
    asked[log.recording[np.flatnonzero(log.has("method", *_BRINGING) & log.request)]] = True
    named = log.events["session_id"].notna().to_numpy()
    rows = np.flatnonzero(log.is_update & named & asked[log.recording])
    for row in first_of_each(log.session[rows], rows).tolist():
        brought = log.control.brought.get(int(log.session[row]), [])
        session = quote(log.name("session_id", row))
        if not brought:
            yield Hit(row, f"No request or response of this log brings the session {session}.", "error")
        elif brought[0] > row and int(log.session[row]) in log.control.known:
            # A session that only a prompt brings was opened before the log begins.
            text = f"The client doesn't know the session {session} yet."
            yield Hit(row, text, "warning", (brought[0],))


@builtin("update-after-close")
def _update_after_close(log: Log) -> Iterator[Hit]:
    if not log.control.closings:
        return
    updates = rows_by_session(log, log.is_update)
    none = np.zeros(0, dtype=np.int64)
    for closing in log.control.closings:
        for row in between(updates.get(closing.session, none), closing.begin, closing.end).tolist():
            what = "deleted" if closing.deleted else "closed"
            text = f"The session {quote(log.name('session_id', row))} was {what} before this update."
            yield Hit(row, text, "warning" if closing.deleted else "error", (closing.begin,))


@builtin("prompt-message-id")
def _prompt_message_id(log: Log) -> Iterator[Hit]:
    done: set[int] = set()
    for row, extras in sorted(log.oddities.extra.items()):
        keys = [extra.key for extra in extras if extra.owner == "session/prompt" and extra.key in _RELICS]
        asks = bool(log.request[row])
        keys = [key for key in keys if key == "messageId" or not asks]
        session = int(log.session[row])
        if keys and session not in done:
            done.add(session)
            where = "prompt" if asks else "prompt's response"
            yield Hit(row, f"The {where} has a {keys[0]}.")
