"""Clients of terminals and terminal editors."""

# ruff: noqa: ARG002  (a reducer need not look at all of an event)

from __future__ import annotations

from tests.grouping.references.client import Client, Nothing, Text
from tests.grouping.sequences import Item


class Toad(Client):
    """An open response and an open thought."""

    def start(self) -> None:
        self.a: Text | None = None
        self.t: Text | None = None
        self.status: dict[str, str | None] = {}

    def close(self) -> None:
        self.a = self.t = None

    def prompt(self, i: int, item: Item) -> None:
        self.close()
        self.new(i)

    def tool(self, i: int, item: Item) -> None:
        known = item.tool in self.status
        if item.kind == "call" or item.status is not None:
            self.status[item.tool] = item.status
        merged = self.status.setdefault(item.tool, None)
        if not known or merged in (None, "completed"):
            self.close()

    def other(self, i: int, item: Item) -> None:
        super().other(i, item)
        if item.kind in ("plan", "ask", "end"):
            self.close()

    def chunk(self, i: int, item: Item) -> None:
        if item.image:
            return
        if item.kind == "u":
            if item.text:
                self.close()
                self.new(i)
        elif item.kind == "a":
            self.t = None
            if self.a is None:
                self.a = self.new(i)
            else:
                self.a.append(i)
        elif self.t is not None:
            self.t.append(i)
        elif item.text.strip():
            self.t = self.new(i)


class AgentShell(Client):
    """A run of one entry type."""

    def start(self) -> None:
        self.last = ""
        self.block: Text = []
        self.drawn = False

    def prompt(self, i: int, item: Item) -> None:
        self.new(i)
        self.last = ""

    def tool(self, i: int, item: Item) -> None:
        if self.active:
            self.last = "tool"

    def other(self, i: int, item: Item) -> None:
        super().other(i, item)
        if item.kind in ("plan", "commands", "ask"):
            self.last = item.kind

    def chunk(self, i: int, item: Item) -> None:
        if not self.active or (item.kind == "u" and not self.replay):
            return
        if self.last != item.kind:
            self.last, self.drawn = item.kind, False
            self.block = []
            self.texts.append(self.block)
        if item.image or item.text == "":
            return
        begins, self.drawn = not self.drawn, True
        if not (begins and not item.text.strip("\n")):
            self.block.append(i)


class CodeCompanionLive(Client):
    """Blocks of one kind; a tool's card is a block."""

    def start(self) -> None:
        self.last = ""
        self.block: Text = []
        self.cache: dict[str, str | None] = {}
        self.drawn: set[str] = set()

    def prompt(self, i: int, item: Item) -> None:
        self.new(i)
        self.last = ""

    def tool(self, i: int, item: Item) -> None:
        status = item.status if item.status is not None else self.cache.get(item.tool)
        if status == "completed":
            self.cache.pop(item.tool, None)
        else:
            self.cache[item.tool] = status
        if item.tool in self.drawn:
            if status == "completed":
                self.drawn.remove(item.tool)
        elif status != "pending":
            self.drawn.add(item.tool)
            self.last = "tool"

    def chunk(self, i: int, item: Item) -> None:
        if item.kind == "u" or not self.active or (item.text == "" and not item.image):
            return
        begins = self.last != item.kind
        if begins:
            self.last, self.block = item.kind, []
            self.texts.append(self.block)
        if item.image or not begins or item.text.strip("\n"):
            self.block.append(i)


class CodeCompanionLoad(Client):
    """A user and an agent buffer that flush each other."""

    def start(self) -> None:
        self.u: Text | None = None
        self.a: Text | None = None

    def chunk(self, i: int, item: Item) -> None:
        if item.kind == "t" or (item.text == "" and not item.image):
            return
        if item.kind == "u":
            self.a = None
            if self.u is None:
                self.u = self.new(i)
            else:
                self.u.append(i)
        else:
            self.u = None
            if self.a is None:
                self.a = self.new(i)
            else:
                self.a.append(i)


class Avante(Client):
    """A history; the last message takes a chunk of its kind. A call in progress is no message for a while."""

    def start(self) -> None:
        self.history: list[tuple[str, Text]] = []
        self.hidden: set[str] = set()

    def prompt(self, i: int, item: Item) -> None:
        self.history.append(("prompt", self.new(i)))

    def tool(self, i: int, item: Item) -> None:
        new = self.new_tool(item)
        if item.kind == "update" and item.status in ("completed", "failed"):
            self.history.append(("result", []))
        elif new and (item.kind == "call" or item.status is None):
            self.history.append((f"tool {item.tool}", []))
        if item.kind == "update" and item.status is not None:
            running = item.status == "in_progress"
            (self.hidden.add if running else self.hidden.discard)(item.tool)

    def chunk(self, i: int, item: Item) -> None:
        if item.kind == "u" or item.image:
            return
        seen = [entry for entry in self.history if entry[0].removeprefix("tool ") not in self.hidden]
        if seen and seen[-1][0] == item.kind:
            seen[-1][1].append(i)
        else:
            seen.append((item.kind, self.new(i)))
        # What is hidden before a text is settled: an update that comes later moves nothing.
        self.history, self.hidden = seen[-1:], set()


class Acpx(Client):
    """Parts of the agent's message; the last one counts."""

    drops_blank = False

    def start(self) -> None:
        self.last = ""
        self.part: Text = []

    def prompt(self, i: int, item: Item) -> None:
        self.new(i)
        self.last, self.tools = "", set()

    def tool(self, i: int, item: Item) -> None:
        if self.new_tool(item):
            self.last = "tool"

    def chunk(self, i: int, item: Item) -> None:
        if item.kind == "u":
            self.prompt(i, item)
        elif not item.image and item.text and (item.text.strip() or not self.drops_blank):
            if self.last == item.kind:
                self.part.append(i)
            else:
                self.last, self.part = item.kind, self.new(i)


class Acpx018(Acpx):
    drops_blank = True


CLIENTS = {
    "toad": (Toad, Toad),
    "agent-shell": (AgentShell, AgentShell),
    "codecompanion": (CodeCompanionLive, CodeCompanionLoad),
    "avante": (Avante, Avante),
    "acpx": (Acpx, Nothing),
    "acpx-0.18": (Acpx018, Acpx018),
}
