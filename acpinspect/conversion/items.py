"""Values inside updates and results that the two versions write differently: commands, options, tool content."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from acpinspect.conversion.patches import git_patch
from acpinspect.conversion.steps import Json, Loss, Losses, as_object, as_text
from acpinspect.protocol import Version

__all__ = ["commands_of", "options_of", "renamed", "tool_content_of"]


def renamed(value: Json, old: str, new: str) -> Json:
    """The object with a key under another name, at the same place.

    >>> renamed({"id": "a", "name": "A"}, "id", "configId")
    {'configId': 'a', 'name': 'A'}
    """
    if old not in value:
        return value
    return {new if key == old else key: item for key, item in value.items() if key != new}


def _each(items: object, change: Callable[[Json, int], Json | None]) -> object:
    """The list with its objects changed; those that become ``None`` are left out."""
    if not isinstance(items, list):
        return items
    made = [change(item, place) if isinstance(item, dict) else item for place, item in enumerate(items)]
    return [item for item in made if item is not None]


# --- commands ---------------------------------------------------------------------------------------------------


def commands_of(commands: object, to: Version, losses: Losses) -> object:
    """`availableCommands` in the form of a version: v2 says of a command's input that it is text.

    >>> commands_of([{"name": "n", "description": "d", "input": {"hint": "h"}}], "v2", [])[0]["input"]
    {'type': 'text', 'hint': 'h'}
    """

    def change(command: Json, place: int) -> Json:
        given = command.get("input")
        if not isinstance(given, dict):
            return command
        if to == "v2":
            return {**command, "input": {"type": "text", **given}}
        if given.get("type") == "text":
            return {**command, "input": {key: value for key, value in given.items() if key != "type"}}
        losses.append(Loss(f"availableCommands[{place}].input", "v1 knows only input that is text"))
        return {key: value for key, value in command.items() if key != "input"}

    return _each(commands, change)


# --- options ----------------------------------------------------------------------------------------------------

_OPTION_KEYS: Final = {"v1": ("configId", "id"), "v2": ("id", "configId")}
_GROUP_KEYS: Final = {"v1": ("groupId", "group"), "v2": ("group", "groupId")}


def options_of(options: object, to: Version) -> object:
    """`configOptions` in the form of a version, which differ in the names of two ids.

    >>> options_of([{"id": "m", "options": [{"group": "g", "options": []}]}], "v2")
    [{'configId': 'm', 'options': [{'groupId': 'g', 'options': []}]}]
    """

    def change(option: Json, _: int) -> Json:
        new = renamed(option, *_OPTION_KEYS[to])
        if isinstance(new.get("options"), list):
            new = {**new, "options": _each(new["options"], lambda group, _: renamed(group, *_GROUP_KEYS[to]))}
        return new

    return _each(options, change)


# --- tool content -----------------------------------------------------------------------------------------------


def tool_content_of(content: object, to: Version, losses: Losses, path: str = "content") -> object:
    """The `content` of a tool call in the form of a version.

    A v1 diff becomes a v2 diff with a patch of the whole text. A v2 diff has no v1 form: a patch need not hold the
    file. A terminal is the client's in v1 and the agent's in v2, so that the item of the one means nothing in the
    other.

    >>> losses: Losses = []
    >>> tool_content_of([{"type": "diff", "changes": []}], "v1", losses), losses[0].field
    ([], 'content[0]')
    """

    def change(item: Json, place: int) -> Json | None:
        kind = item.get("type")
        if kind == "terminal":
            losses.append(Loss(f"{path}[{place}]", f"a terminal of {_OTHER[to]} is none of {to}"))
            return None
        if kind != "diff":
            return item
        if to == "v1":
            losses.append(Loss(f"{path}[{place}]", "v1 has no diff that is a list of changes"))
            return None
        return _diff_of(item)

    return _each(content, change)


_OTHER: Final = {"v1": "v2", "v2": "v1"}
_DIFF_KEYS: Final = frozenset({"path", "oldText", "newText"})


def _diff_of(item: Json) -> Json:
    """A v2 diff of a v1 diff; of a malformed one itself, which v2 doesn't take either."""
    path, new, old = as_text(item.get("path")), as_text(item.get("newText")), as_text(item.get("oldText"))
    if path is None or new is None:
        return item
    rest = {key: value for key, value in as_object(item).items() if key not in _DIFF_KEYS and key != "type"}
    change: Json = {"operation": "add" if old is None else "modify", "path": path}
    return {
        "type": "diff",
        "changes": [change],
        "patch": {"format": "git_patch", "text": git_patch(path, old, new)},
        **rest,
    }
