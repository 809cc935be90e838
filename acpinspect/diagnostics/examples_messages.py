"""A log that each code about messages speaks of, and the same log put right."""

from __future__ import annotations

from typing import Final

from acpinspect.diagnostics.example import Example, around, around_v2

__all__ = ["MESSAGE_EXAMPLES"]

MESSAGE_EXAMPLES: Final[dict[str, Example]] = {
    "message-id-invalid": around("agent #7 'Roots first.'", "agent m7 'Roots first.'"),
    "no-message-ids": around("agent - 'Roots first.'", "agent m1 'Roots first.'"),
    "mixed-message-ids": around("agent m1 'Roots '\nagent - 'first.'", "agent m1 'Roots '\nagent m1 'first.'"),
    "message-id-in-meta": around(
        'send {"sessionUpdate": "agent_message_chunk", "content": {"type": "text", "text": "Roots"}, '
        '"_meta": {"acme": {"messageId": "m1"}}}',
        "agent m1 Roots",
    ),
    "id-per-chunk": around(
        "agent e1 'Water the '\nagent e2 'beds in the '\nagent e3 'morning.'",
        "agent m1 'Water the '\nagent m1 'beds in the '\nagent m1 'morning.'",
    ),
    "id-reused-across-turns": Example(
        before="prompt One\nagent 0 'Sow.'\nend end_turn\nprompt Two\nagent 0 'Mow.'\nend end_turn",
        after="prompt One\nagent a0 'Sow.'\nend end_turn\nprompt Two\nagent a1 'Mow.'\nend end_turn",
    ),
    "id-role-conflict": Example(
        before="load\nuser x1 'Go'\nagent x1 'Sown.'\nloaded", after="load\nuser u1 'Go'\nagent a1 'Sown.'\nloaded"
    ),
    "interleaved-messages": around(
        "agent a 'North: '\nagent b 'South: '\nagent a 'dry.'\n",
        "agent a 'North: '\nagent a 'dry.'\nagent b 'South: '",
    ),
    "message-spans-tool-call": around(
        "agent m1 'I look: '\ntool t1 Look completed\nagent m1 'all is dry.'",
        "agent m1 'I look: '\ntool t1 Look completed\nagent m2 'all is dry.'",
    ),
    "glued-boundary": around(
        "agent - 'I look at the beds.'\nagent - 'They are dry.'",
        "agent m1 'I look at the beds.'\nagent m2 'They are dry.'",
    ),
    "idless-run-interrupted": around(
        'agent - "One para"\nsend {"sessionUpdate": "usage_update", "used": 7, "size": 100}\nagent - "graph."',
        'agent m1 "One para"\nsend {"sessionUpdate": "usage_update", "used": 7, "size": 100}\nagent m1 "graph."',
    ),
    "restated-message": around(
        "agent m1 'Water the '\nagent m1 'tomatoes'\nagent m1 'Water the tomatoes'",
        "agent m1 'Water the '\nagent m1 'tomatoes'",
    ),
    "cumulative-chunks": around(
        "agent m1 'Oak'\nagent m1 'Oak tree'\nagent m1 'Oak tree by'",
        "agent m1 'Oak'\nagent m1 ' tree'\nagent m1 ' by'",
    ),
    "duplicate-update": around(
        "agent m1 'Starting the pump'\nagent m1 'Starting the pump'", "agent m1 'Starting the pump'"
    ),
    "prompt-echo": around("user - 'Go'\nagent m1 'Sown.'", "agent m1 'Sown.'"),
    "empty-chunk": around("agent m1 ''\nagent m2 'Sown.'", "agent m2 'Sown.'"),
    "text-corruption": around("agent m1 'caf\ufffd'", "agent m1 'café'"),
    "lost-whitespace": around(
        "\n".join(f"agent m1 {word}" for word in ["the", "old", "oak", "tree", "was", "tall"]),
        "\n".join(f"agent m1 '{word} '" for word in ["the", "old", "oak", "tree", "was", "tall"]),
    ),
    "chunk-flood": around(
        "\n".join(f"agent m1 '{word} '" for word in ["one", "two", "six", "ten"]),
        "agent m1 'one two six ten '",
        options={"chunk_flood_min": 4},
    ),
    "restarted-message": around(
        "agent m1 'Rainfall today is'\nagent m1 'Rainfall today was low'",
        "agent m1 'Rainfall today is'\nagent m2 'Rainfall today was low'",
    ),
    "reasoning-in-text": around(
        'agent m1 "<think>"\nagent m1 " roots first"', 'thought t1 " roots first"\nagent m1 "Sown."'
    ),
    "content-replaced": around_v2(
        "agent m1 'Draft'\nwhole agent m1 'Final'", "agent m1 'Draft'\nwhole agent m1 'Draft, then final'"
    ),
}
