"""Logs for reports, and a reader of what stands in one."""

from __future__ import annotations

import base64
import json
import re
import zlib
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pandas as pd

import acpinspect

CANARY = "window.canary = 1"
HOSTILE = (
    f"<script>{CANARY}</script>",
    f'"><img src=x onerror="{CANARY}">',
    f"</script><script>{CANARY}</script>",
    f"</title></style></textarea><svg onload='{CANARY}'>",
    "<!--<script>",
    "\u202etxt.exe\u202c \u2067x\u2069 \u200f",
    "nul \x00 and \x1b[31m escape",
    "$title ${title} {{7*7}}",
    "&lt;b&gt;",
    "lonely \ud83c half",
    "w" * 1_000_000,
)


def update(name: str, session: str = "s1", **fields: Any) -> dict[str, Any]:
    params = {"sessionId": session, "update": {"sessionUpdate": name, **fields}}
    return {"jsonrpc": "2.0", "method": "session/update", "params": params}


def chunk(text: str, message_id: str = "m1", session: str = "s1") -> dict[str, Any]:
    block = {"type": "text", "text": text}
    return update("agent_message_chunk", session, messageId=message_id, content=block)


def hostile_log() -> pd.DataFrame:
    """Every place of a log that a report shows, filled with each of the hostile texts."""
    records: list[dict[str, Any]] = []
    for text in HOSTILE:
        session, short = HOSTILE[0], text[:100]
        image = {"type": "content", "content": {"type": "image", "mimeType": short, "data": "AAAA"}}
        diff = {"type": "diff", "path": short, "oldText": text, "newText": text}
        call = {"toolCallId": short, "title": text, "kind": "read", "status": "failed", "content": [diff, image]}
        entry = {"content": text, "priority": "high", "status": "pending"}
        prompt = {"sessionId": session, "prompt": [{"type": "text", "text": text.replace("\ud83c", "")}]}
        records += [
            {"jsonrpc": "2.0", "id": short, "method": "session/prompt", "params": prompt},
            chunk(text, short, session),
            update("tool_call", session, rawInput={short: text}, rawOutput=text, **call),
            update("plan", session, entries=[entry]),
            update("session_info_update", session, title=short),
            update(short, session),
            {
                "jsonrpc": "2.0",
                "method": short,
                "params": {"__proto__": {"x": short}, "big": 12345678901234567890},
            },
        ]
    lines = [json.dumps(record) for record in records] + [HOSTILE[0], HOSTILE[1]]
    events = acpinspect.from_records([json.loads(line) for line in lines[:-2]])
    return events.assign(source=events["source"].cat.rename_categories([HOSTILE[1]]))


class Page(HTMLParser):
    """The elements and attributes of a page."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.texts.append(data)

    def all(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.tags if name == tag]

    @property
    def policy(self) -> str:
        metas = [meta for meta in self.all("meta") if meta.get("http-equiv") == "Content-Security-Policy"]
        return str(metas[0]["content"])


def report_text(events: pd.DataFrame, folder: Path, **options: Any) -> str:
    return acpinspect.report(events, folder / "report.html", **options).read_text(encoding="utf-8")


def embedded(text: str) -> dict[str, Any]:
    """The log that the explorer of a page reads."""
    match = re.search(r'<script type="application/json" id="log" data-form="([a-z-]+)">([^<]*)</script>', text)
    assert match
    data = match[2]
    if match[1] == "deflate-raw":
        data = zlib.decompress(base64.b64decode(data), -15).decode("utf-8")
    return json.loads(data)
