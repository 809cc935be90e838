"""A log that each code about sessions and payloads speaks of, and the same log put right."""

from __future__ import annotations

from typing import Final

from acpinspect.diagnostics.example import Example, around, around_v2

__all__ = ["OTHER_EXAMPLES"]

_OPENED: Final = "new\nis s1\n"
_LIVE: Final = f"{_OPENED}prompt 'Water the beds'\nagent a1 'The beds are wet now.'\nend end_turn\n"
_TOOLED: Final = f"{_OPENED}prompt Go\ntool t1 Dig completed\nagent a1 'Dug.'\nend end_turn\n"
_TURN: Final = "prompt Go\nagent a9 Hm\nend end_turn"
_V2_START: Final = "prompt Go\nok\nstate running\n"

OTHER_EXAMPLES: Final[dict[str, Example]] = {
    "schema-invalid": around(
        'send {"sessionUpdate": "usage_update", "used": "many", "size": 100}\nagent m1 Hm',
        'send {"sessionUpdate": "usage_update", "used": 9, "size": 100}\nagent m1 Hm',
    ),
    "unknown-update": around(
        'send {"sessionUpdate": "weather_update", "rain": true}\nagent m1 Hm',
        'send {"sessionUpdate": "session_info_update", "title": "Rain"}\nagent m1 Hm',
    ),
    "wrong-field-case": around(
        'send {"sessionUpdate": "session_info_update", "updated_at": "2026-01-01T00:00:00Z"}\nagent m1 Hm',
        'send {"sessionUpdate": "session_info_update", "updatedAt": "2026-01-01T00:00:00Z"}\nagent m1 Hm',
    ),
    "unknown-field": around(
        'send {"sessionUpdate": "session_info_update", "title": "Rain", "mood": "wet"}\nagent m1 Hm',
        'send {"sessionUpdate": "session_info_update", "title": "Rain", "_meta": {"mood": "wet"}}\nagent m1 Hm',
    ),
    "unknown-method": around(
        'frame {"method": "acme/tick", "params": {}}\nagent m1 Hm',
        'frame {"method": "_acme/tick", "params": {}}\nagent m1 Hm',
    ),
    "tool-open-at-turn-end": around(
        "tool t1 Dig in_progress\nagent m1 Hm", "tool t1 Dig in_progress\nupdate t1 completed\nagent m1 Hm"
    ),
    "tool-update-before-create": around("update t1 completed\nagent m1 Hm", "tool t1 Dig completed\nagent m1 Hm"),
    "duplicate-tool-call": around(
        "tool t1 Dig completed\ntool t1 Rake completed\nagent m1 Hm",
        "tool t1 Dig completed\ntool t2 Rake completed\nagent m1 Hm",
    ),
    "partial-plan-update": around(
        "plan Sow=in_progress Mow=pending\nplan Sow=completed\nagent m1 Hm",
        "plan Sow=in_progress Mow=pending\nplan Sow=completed Mow=pending\nagent m1 Hm",
    ),
    "plan-open-at-turn-end": around("plan Sow=in_progress\nagent m1 Hm", "plan Sow=completed\nagent m1 Hm"),
    "cumulative-tool-content": around(
        "tool t1 Dig in_progress\nupdate t1 - a\nupdate t1 - ab\nupdate t1 completed abc\nagent m1 Hm",
        "tool t1 Dig in_progress\nupdate t1 completed abc\nagent m1 Hm",
    ),
    "tool-status-regression": around(
        "tool t1 Dig completed\nupdate t1 in_progress\nupdate t1 completed\nagent m1 Hm",
        "tool t1 Dig completed\ntool t2 Dig in_progress\nupdate t2 completed\nagent m1 Hm",
    ),
    "permission-without-tool": around(
        "ask t1\nallow\nagent m1 Hm", "tool t1 Dig pending\nask t1\nallow\nupdate t1 completed\nagent m1 Hm"
    ),
    "v1-conversion-loss": around_v2(
        "agent m1 Draft\nwhole agent m1 'Final'", "whole agent m1 'Final'", options={"convert": "v1"}
    ),
    "replay-duplicate": Example(
        before="load\nuser u1 'Water the beds'\nagent a1 Wet\nuser u2 'Water the beds'\nagent a2 Done\nloaded",
        after="load\nuser u1 'Water the beds'\nagent a1 Wet\nagent a2 Done\nloaded",
    ),
    "replay-ids-changed": Example(
        before=f"{_LIVE}load\nagent b7 'The beds are wet now.'\nloaded",
        after=f"{_LIVE}load\nagent a1 'The beds are wet now.'\nloaded",
    ),
    "load-replay-missing": Example(
        before=f"{_LIVE}load\nloaded", after=f"{_LIVE}load\nagent a1 'The beds are wet now.'\nloaded"
    ),
    "resume-replays-history": Example(
        before=f"{_LIVE}resume\nagent a1 'The beds are wet now.'\nloaded", after=f"{_LIVE}resume\nloaded"
    ),
    "replay-incomplete": Example(
        before=f"{_LIVE}load\nuser u1 'Water the beds'\nloaded",
        after=f"{_LIVE}load\nuser u1 'Water the beds'\nagent a1 'The beds are wet now.'\nloaded",
    ),
    "replay-tool-ids-changed": Example(
        before=f"{_TOOLED}load\ntool x9 Dig completed\nagent a1 'Dug.'\nloaded",
        after=f"{_TOOLED}load\ntool t1 Dig completed\nagent a1 'Dug.'\nloaded",
    ),
    "update-outside-turn": Example(
        before=f"{_OPENED}{_TURN}\nagent a2 'And one more thing'",
        after=f"{_OPENED}prompt Go\nagent a9 Hm\nagent a2 'And one more thing'\nend end_turn",
    ),
    "session-unknown": Example(
        before=f'{_OPENED}@s7 send {{"sessionUpdate": "session_info_update", "title": "Rain"}}',
        after=f'{_OPENED}send {{"sessionUpdate": "session_info_update", "title": "Rain"}}',
    ),
    "update-after-close": Example(
        before=f'{_OPENED}close\nok\nsend {{"sessionUpdate": "session_info_update", "title": "Rain"}}',
        after=f'{_OPENED}send {{"sessionUpdate": "session_info_update", "title": "Rain"}}\nclose\nok',
    ),
    "stop-reason-anomaly": Example(
        before="prompt Go\nagent m1 Hm\nend finished", after="prompt Go\nagent m1 Hm\nend end_turn"
    ),
    "empty-turn": Example(before="prompt Go\nend end_turn", after="prompt Go\nagent m1 Hm\nend end_turn"),
    "prompt-not-acknowledged": Example(
        before=f"{_V2_START}agent m1 Hm\nstate idle end_turn",
        after=f"{_V2_START}whole user u1 Go\nagent m1 Hm\nstate idle end_turn",
        version="v2",
    ),
    "state-not-reported": Example(
        before="prompt Go\nok\nwhole user u1 Go\nagent m1 Hm\nstate idle end_turn",
        after=f"{_V2_START}whole user u1 Go\nagent m1 Hm\nstate idle end_turn",
        version="v2",
    ),
    "prompt-message-id": Example(
        before='frame {"id": 1, "method": "session/prompt", "params": {"sessionId": "s1", "messageId": "u1", '
        '"prompt": []}}\nagent m1 Hm\nframe {"id": 1, "result": {"stopReason": "end_turn"}}',
        after='frame {"id": 1, "method": "session/prompt", "params": {"sessionId": "s1", '
        '"prompt": []}}\nagent m1 Hm\nframe {"id": 1, "result": {"stopReason": "end_turn"}}',
    ),
}
