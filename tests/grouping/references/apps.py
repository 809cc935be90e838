"""Applications: sesori, AionUi, Agent of Empires, marimo, Jupyter AI, Simple Agent Manager."""

# ruff: noqa: ARG002  (a reducer need not look at all of an event)

from __future__ import annotations

from tests.grouping.references.client import Client, Nothing, Text
from tests.grouping.sequences import Item


class SesoriLive(Client):
    """By id and role; without id an envelope with a counter."""

    def start(self) -> None:
        self.counter = 0
        self.parts: dict[tuple[str, str], Text] = {}

    def prompt(self, i: int, item: Item) -> None:
        self.new(i)
        self.counter += 1
        self.tools = set()

    def tool(self, i: int, item: Item) -> None:
        if self.new_tool(item):
            self.counter += 1

    def chunk(self, i: int, item: Item) -> None:
        if item.kind == "u" or (item.text == "" and not item.image):
            return
        if item.kind == "a" and item.id:
            self.counter += 1
        key = (f"id {item.id}" if item.id else f"envelope {self.counter}", item.kind)
        if item.image:
            self.new(i)
            self.parts.pop(key, None)
        elif key in self.parts:
            self.parts[key].append(i)
        else:
            self.parts[key] = self.new(i)


class SesoriLoad(Client):
    """The last draft: a role and an id; text, thought and pictures are its parts."""

    def start(self) -> None:
        self.draft: tuple[str, str] | None = None
        self.parts: dict[str, Text] = {}

    def tool(self, i: int, item: Item) -> None:
        if self.new_tool(item) and self.draft is not None and self.draft[0] == "assistant":
            self.parts.pop("a", None)
            if self.draft[1] == "":
                self.draft = None

    def chunk(self, i: int, item: Item) -> None:
        if item.text == "" and not item.image:
            return
        draft = ("user" if item.kind == "u" else "assistant", item.id or "")
        if self.draft != draft:
            self.draft, self.parts = draft, {}
        if item.image:
            self.new(i)
            self.parts.pop(item.kind, None)
        elif item.kind in self.parts:
            self.parts[item.kind].append(i)
        else:
            self.parts[item.kind] = self.new(i)


class AionUi(Client):
    """A map from the literal key to a text, cleared now and then."""

    def start(self) -> None:
        self.map: dict[str, Text] = {}

    def tool(self, i: int, item: Item) -> None:
        if item.kind == "call":
            self.map = {}

    def other(self, i: int, item: Item) -> None:
        super().other(i, item)
        if item.kind in ("plan", "end"):
            self.map = {}

    def chunk(self, i: int, item: Item) -> None:
        if item.kind == "u" or item.image or item.text == "":
            return
        key = f"{item.kind}-{item.id if item.id is not None else 'default'}"
        if key in self.map:
            self.map[key].append(i)
        else:
            self.map[key] = self.new(i)


class AgentOfEmpires(Client):
    """Agent text in a row; everything else ends it, but for the session's title. Restated text is dropped."""

    def start(self) -> None:
        self.a: Text | None = None
        self.state: tuple[str | None, str] | None = None

    def prompt(self, i: int, item: Item) -> None:
        self.new(i)

    def tool(self, i: int, item: Item) -> None:
        self.a = self.state = None

    def other(self, i: int, item: Item) -> None:
        if item.kind in ("load", "loaded"):
            return
        super().other(i, item)
        self.state = None
        if item.kind not in ("info", "other"):
            self.a = None

    def chunk(self, i: int, item: Item) -> None:
        if item.kind != "a" or item.image:
            self.a = self.state = None
            if item.kind == "u":
                self.new(i)
        elif not self.restated(item):
            if self.a is None:
                self.a = self.new(i)
            else:
                self.a.append(i)

    def restated(self, item: Item) -> bool:
        if item.text == "":
            self.state = item.id, ""
        elif self.state is not None and item.id == self.state[0]:
            self.state = item.id, self.state[1] + item.text
        elif self.state is not None and item.text == self.state[1]:
            self.state = None
            return True
        else:
            self.state = item.id, item.text
        return False


class Marimo(Client):
    """A run of one update type, of those that its SDK knows; only agent texts are joined."""

    def start(self) -> None:
        self.a: Text | None = None

    def tool(self, i: int, item: Item) -> None:
        self.a = None

    def other(self, i: int, item: Item) -> None:
        super().other(i, item)
        if item.kind in ("prompt", "plan", "mode", "commands"):
            self.a = None

    def chunk(self, i: int, item: Item) -> None:
        if item.kind != "a" or item.image:
            self.new(i)
            self.a = None
        elif self.a is None:
            self.a = self.new(i)
        else:
            self.a.append(i)


class JupyterAi(Client):
    """Agent text up to a tool that is new in the turn."""

    def start(self) -> None:
        self.a: Text | None = None

    def prompt(self, i: int, item: Item) -> None:
        self.new(i)
        self.a, self.tools = None, set()

    def tool(self, i: int, item: Item) -> None:
        if self.new_tool(item):
            self.a = None

    def chunk(self, i: int, item: Item) -> None:
        if item.kind != "a":
            return
        if self.a is None:
            self.a = self.new(i)
        else:
            self.a.append(i)


class Sam(Client):
    """A list of items; the last one takes a chunk of its kind while it streams."""

    def start(self) -> None:
        self.items: list[tuple[str, str]] = []
        self.last: Text = []
        self.streaming = False
        self.planned = False

    def add(self, kind: str, text: str = "") -> None:
        self.items.append((kind, text))
        self.last, self.streaming = [], kind in ("a", "t")
        self.texts.append(self.last)

    def prompt(self, i: int, item: Item) -> None:
        self.add("u", item.text)
        self.last.append(i)

    def tool(self, i: int, item: Item) -> None:
        if item.kind == "call":
            self.add("tool")

    def other(self, i: int, item: Item) -> None:
        super().other(i, item)
        if item.kind == "end":
            self.streaming = False
        elif item.kind in ("mode", "info", "other"):
            self.add("raw")
        elif item.kind == "plan" and not self.planned:
            self.planned = True
            self.add("plan")

    def chunk(self, i: int, item: Item) -> None:
        text = "" if item.image else item.text
        if item.kind == "u":
            if not item.image and text in self.tail():
                return
            self.add("u", text)
        elif not (self.items and self.items[-1][0] == item.kind and self.streaming):
            self.add(item.kind, text)
        if not item.image:
            self.last.append(i)

    def tail(self) -> list[str]:
        texts: list[str] = []
        for kind, text in reversed(self.items):
            if kind != "u" or len(texts) == 5:
                break
            texts.append(text)
        return texts


CLIENTS = {
    "sesori": (SesoriLive, SesoriLoad),
    "aionui": (AionUi, Nothing),
    "agent-of-empires": (AgentOfEmpires, AgentOfEmpires),
    "marimo": (Marimo, Marimo),
    "jupyter-ai": (JupyterAi, Nothing),
    "sam": (Sam, Sam),
}
