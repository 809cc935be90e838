"""What all reference reducers have: their texts, and where an event goes."""

# ruff: noqa: ARG002  (a reducer need not look at all of an event)

from __future__ import annotations

from collections.abc import Sequence

from tests.grouping.sequences import Item

Text = list[int]


class Client:
    """A client of one session. A text is the list of the events in it."""

    def __init__(self) -> None:
        self.texts: list[Text] = []
        self.tools: set[str] = set()
        self.active = False
        self.replay = False
        self.start()

    def start(self) -> None:
        """What the client knows at the start."""

    def new(self, i: int) -> Text:
        text = [i]
        self.texts.append(text)
        return text

    def new_tool(self, item: Item) -> bool:
        """Whether the client hasn't seen the tool; now it has."""
        new = item.tool not in self.tools
        self.tools.add(item.tool)
        return new

    def see(self, i: int, item: Item) -> None:
        if item.kind in ("prompt", "end", "load", "loaded"):
            self.active = item.kind in ("prompt", "load")
            self.replay = item.kind == "load"
        handle = {"u": self.chunk, "a": self.chunk, "t": self.chunk, "call": self.tool, "update": self.tool}
        handle.get(item.kind, self.other)(i, item)

    def chunk(self, i: int, item: Item) -> None:
        raise NotImplementedError

    def tool(self, i: int, item: Item) -> None:
        """A tool_call or tool_call_update."""

    def other(self, i: int, item: Item) -> None:
        if item.kind == "prompt":
            self.prompt(i, item)

    def prompt(self, i: int, item: Item) -> None:
        self.new(i)

    def shown(self) -> list[Text]:
        return self.texts


class Nothing(Client):
    """Shows nothing at all."""

    def chunk(self, i: int, item: Item) -> None:
        pass


def groups(live: type[Client], load: type[Client], items: Sequence[Item]) -> list[Text]:
    """The texts of a sequence, in the order of their first events."""
    client = load()
    done: list[Text] = []
    for i, item in enumerate(items):
        client.see(i, item)
        if item.kind == "loaded" and live is not load:
            done, client = client.shown(), live()
        if item.kind == "prompt" and i == 0 and live is not load:
            client = live()
            client.see(i, item)
    found = [text for text in done + client.shown() if text]
    return sorted(found)
