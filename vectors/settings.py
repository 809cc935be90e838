# ruff: noqa: ANN401 - a small language for cases: short names, JSON of any shape
"""Commands, options, titles and usage of both versions, written once; where the two differ, the case says so."""

from __future__ import annotations

from typing import Any

from .language import (
    IDLE_INFO,
    JSON,
    REJECTED,
    SAME,
    Case,
    Maker,
    up,
)

COMMAND, OTHER = {"name": "dig", "description": "Digs"}, {"name": "sow", "description": "Sows"}


def _commands(m: Maker) -> list[Case]:
    c, s = m.c, m.s

    def commands(value: Any) -> JSON:
        return up("available_commands_update", availableCommands=value)

    return [
        c(
            "commands/replaced-as-a-whole",
            "The list of commands is replaced by each update.",
            f"{m.schema}: AvailableCommandsUpdate",
            (commands([COMMAND, OTHER]), s(commands=[COMMAND, OTHER])),
            (commands([OTHER]), s(commands=[OTHER])),
            (commands([]), s()),
        ),
        c(
            "commands/malformed-command",
            "A malformed command is left out, and the others stay.",
            f"{m.schema}: AvailableCommandsUpdate.availableCommands, skip invalid items",
            (commands([COMMAND, {"name": "x"}, "sow", OTHER]), s(commands=[COMMAND, OTHER])),
        ),
        c(
            "commands/malformed-list",
            "A list that is none counts as the empty one.",
            f"{m.schema}: AvailableCommandsUpdate.availableCommands, default on error",
            (commands([COMMAND]), s(commands=[COMMAND])),
            (commands("none"), s()),
        ),
        c(
            "commands/without-a-list",
            "The list is required: without it the update has no effect.",
            f"{m.schema}: AvailableCommandsUpdate",
            (commands([COMMAND]), s(commands=[COMMAND])),
            (up("available_commands_update"), SAME, REJECTED),
        ),
    ]


def _options(m: Maker) -> list[Case]:
    c, s = m.c, m.s
    key, foreign = ("id", "configId") if m.version == "v1" else ("configId", "id")
    flag = {key: "f", "name": "Fast", "type": "boolean", "currentValue": True}
    choice = {
        key: "m",
        "name": "Model",
        "type": "select",
        "currentValue": "a",
        "options": [{"value": "a", "name": "A"}, {"value": "b", "name": "B"}],
    }
    strange = {foreign: "f", "name": "Fast", "type": "boolean", "currentValue": True}

    def options(value: Any) -> JSON:
        return up("config_option_update", configOptions=value)

    return [
        c(
            "config/replaced-as-a-whole",
            "The list of options is replaced by each update.",
            f"{m.schema}: ConfigOptionUpdate",
            (options([flag, choice]), s(config_options=[flag, choice])),
            (options([choice | {"currentValue": "b"}]), s(config_options=[choice | {"currentValue": "b"}])),
            (options([]), s()),
        ),
        c(
            "config/id-key-of-the-other-version",
            f"Options carry {key} in {m.version}; one that carries {foreign} instead is malformed and left out.",
            f"{m.schema}: SessionConfigOption",
            (options([strange, choice]), s(config_options=[choice])),
        ),
        c(
            "config/without-a-list",
            "The list is required: without it the update has no effect.",
            f"{m.schema}: ConfigOptionUpdate",
            (options([flag]), s(config_options=[flag])),
            (up("config_option_update"), SAME, REJECTED),
        ),
    ]


def _info(m: Maker) -> list[Case]:
    c, source = m.c, f"{m.schema}: SessionInfoUpdate"

    def s(**fields: Any) -> JSON:
        return m.s(info=IDLE_INFO | fields)

    def info(**fields: Any) -> JSON:
        return up("session_info_update", **fields)

    rows = [
        ("title", "title", "One", ""),
        ("updatedAt", "updated_at", "2026-01-01T00:00:00Z", "2026-01-02T00:00:00+01:00"),
        ("meta", "meta", {"x": 1}, {"y": 2}),
    ]
    full = {"title": "One", "updated_at": "now", "meta": {"x": 1}}
    return [
        *(
            c(
                f"info/{attribute}-patch",
                f"{key} of the session is a patch field: a value replaces, omitted leaves, null clears it.",
                source,
                (info(**{key: one}), s(**{attribute: one})),
                (info(), SAME),
                (info(**{key: other}), s(**{attribute: other})),
                (info(**{key: None}), s()),
            )
            for key, attribute, one, other in rows
        ),
        c(
            "info/each-field-for-itself",
            "A field that an update omits stays when the others are set or cleared.",
            source,
            (info(title="One", updatedAt="now", meta={"x": 1}), s(**full)),
            (info(title=None), s(**(full | {"title": None}))),
            (info(title="Two", updatedAt=None), s(title="Two", meta={"x": 1})),
        ),
        c(
            "info/malformed-fields",
            "A malformed field counts as omitted.",
            f"{source}, default on error",
            (info(title="One", updatedAt="now", meta={"x": 1}), s(**full)),
            (info(title=7, updatedAt=8, meta="x"), SAME),
        ),
    ]


def _usage(m: Maker) -> list[Case]:
    c, source = m.c, f"{m.schema}: UsageUpdate"
    cost = {"amount": 0.5, "currency": "EUR"}

    def s(used: int, size: int, cost: JSON | None = None) -> JSON:
        return m.s(usage={"used": used, "size": size, "cost": cost, "meta": None})

    def sent(**fields: Any) -> JSON:
        return up("usage_update", **fields)

    return [
        c(
            "usage/replaced-as-a-whole",
            "Each update says all: a cost that is omitted or null is not known any more.",
            source,
            (sent(used=5, size=10, cost=cost), s(5, 10, cost)),
            (sent(used=6, size=10), s(6, 10)),
            (sent(used=7, size=10, cost=cost), s(7, 10, cost)),
            (sent(used=0, size=10, cost=None), s(0, 10)),
        ),
        c(
            "usage/more-used-than-there-is",
            "The numbers stand as they are sent; the receiver doesn't judge.",
            source,
            (sent(used=11, size=10), s(11, 10)),
        ),
        c(
            "usage/malformed-cost",
            "A malformed cost counts as none.",
            f"{source}.cost, default on error",
            (sent(used=5, size=10, cost=cost), s(5, 10, cost)),
            (sent(used=6, size=10, cost="cheap"), s(6, 10)),
            (sent(used=6, size=10, cost={"amount": 1}), s(6, 10)),
        ),
        *(
            c(
                f"usage/{name}",
                "Both numbers are required, whole and not negative: otherwise the update has no effect.",
                source,
                (sent(used=5, size=10), s(5, 10)),
                (sent(**fields), SAME, REJECTED),
            )
            for name, fields in [
                ("without-a-size", {"used": 6}),
                ("without-use", {"size": 10}),
                ("word-for-a-number", {"used": "many", "size": 10}),
                ("negative", {"used": -1, "size": 10}),
                ("null", {"used": None, "size": 10}),
                ("true-for-a-number", {"used": True, "size": 10}),
            ]
        ),
    ]


def _made(m: Maker) -> list[Case]:
    return [made for part in (_commands, _options, _info, _usage) for made in part(m)]


CASES: list[Case] = [*_made(Maker("v1")), *_made(Maker("v2"))]
