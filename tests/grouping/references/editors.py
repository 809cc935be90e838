"""Extensions of VS Code and Obsidian."""

# ruff: noqa: ARG002  (a reducer need not look at all of an event)

from __future__ import annotations

from tests.grouping.references.client import Client, Text
from tests.grouping.sequences import Item


class VsCodeFh(Client):
    """One A and one T buffer a turn; a history of finished items."""

    uses_ids = False

    def start(self) -> None:
        self.a: Text | None = None
        self.t: Text | None = None
        self.a_id: str | None = None
        self.t_id: str | None = None
        self.full: set[int] = set()
        self.user: Text | None = None  # the user message at the end of the history, if one is there
        self.user_id: str | None = None
        self.sent: list[str] = []  # what the prompt that was sent holds, while nothing came after it

    def finish(self) -> None:
        if self.t is not None or (self.a is not None and id(self.a) in self.full):
            self.user = None
        self.a = self.t = None

    def prompt(self, i: int, item: Item) -> None:
        self.finish()
        self.user, self.user_id = self.new(i), None
        self.full.add(id(self.user))
        self.sent = [item.text]

    def other(self, i: int, item: Item) -> None:
        super().other(i, item)
        if item.kind in ("end", "loaded"):
            self.finish()
        if item.kind == "plan":
            self.user = None
            self.close_without_id()

    def tool(self, i: int, item: Item) -> None:
        if item.kind == "call":
            self.user = None
            self.close_without_id()

    def close_without_id(self) -> None:
        if self.uses_ids:
            self.user = None
            if self.a_id is None:
                self.a = None
            if self.t_id is None:
                self.t = None

    def goes(self, own: str | None, new: str | None) -> bool:
        return not self.uses_ids or own is None or new is None or own == new

    def chunk(self, i: int, item: Item) -> None:
        if not item.image:
            {"a": self.agent, "t": self.thought, "u": self.said}[item.kind](i, item)

    def agent(self, i: int, item: Item) -> None:
        if item.text == "":
            return
        if self.a is None or not self.goes(self.a_id, item.id):
            self.a, self.a_id = self.new(i), None
        else:
            self.a.append(i)
        self.a_id = item.id if item.id is not None else self.a_id
        if item.text.strip():
            self.full.add(id(self.a))
            self.user = None

    def thought(self, i: int, item: Item) -> None:
        if self.t is None or not self.goes(self.t_id, item.id):
            self.t, self.t_id = self.new(i), None
        else:
            self.t.append(i)
        self.t_id = item.id if item.id is not None else self.t_id
        self.full.add(id(self.t))
        self.user = None

    def said(self, i: int, item: Item) -> None:
        if (
            self.uses_ids
            and self.user
            and self.sent
            and self.goes(self.user_id, item.id)
            and item.text in self.sent
        ):
            self.user_id = item.id if item.id is not None else self.user_id
            return
        self.finish()
        if self.user is not None and self.goes(self.user_id, item.id):
            self.user.append(i)
            if self.sent:
                self.sent.append(item.text)
        else:
            self.user, self.user_id, self.sent = self.new(i), None, []
        self.user_id = item.id if item.id is not None else self.user_id
        self.full.add(id(self.user))

    def shown(self) -> list[Text]:
        return [text for text in self.texts if id(text) in self.full]


class VsCodeFhPr56(VsCodeFh):
    uses_ids = True


class VsCodeOm(Client):
    """Agent text; a titled tool call or the end of the turn ends it."""

    def start(self) -> None:
        self.a: Text | None = None

    def tool(self, i: int, item: Item) -> None:
        if item.kind == "call" and item.titled:
            self.a = None

    def other(self, i: int, item: Item) -> None:
        super().other(i, item)
        if item.kind == "end":
            self.a = None

    def chunk(self, i: int, item: Item) -> None:
        if item.kind != "a" or item.image:
            return
        if self.a is None:
            self.a = self.new(i)
        else:
            self.a.append(i)


class ObsidianAgentClient(Client):
    """Messages with a slot per kind; the last one counts."""

    def start(self) -> None:
        self.last: dict[str, Text] | None = None
        self.role = ""

    def message(self, role: str) -> dict[str, Text]:
        if self.last is None or self.role != role:
            self.last, self.role = {}, role
        return self.last

    def prompt(self, i: int, item: Item) -> None:
        self.last, self.role = {"u": self.new(i)}, "user"

    def tool(self, i: int, item: Item) -> None:
        if self.new_tool(item):
            self.last, self.role = {}, "assistant"

    def other(self, i: int, item: Item) -> None:
        super().other(i, item)
        if item.kind == "plan":
            self.message("assistant")

    def chunk(self, i: int, item: Item) -> None:
        if item.image:
            return
        slots = self.message("user" if item.kind == "u" else "assistant")
        if item.kind in slots:
            slots[item.kind].append(i)
        else:
            slots[item.kind] = self.new(i)


class CopilotLive(Client):
    """Parts of a turn; the trailing one counts. Late chunks find their turn by id."""

    def start(self) -> None:
        self.part: tuple[str, Text] | None = None
        self.ids: set[str] = set()
        self.finished: tuple[str, Text] | None = None
        self.finished_ids: set[str] = set()
        self.planned = False

    def prompt(self, i: int, item: Item) -> None:
        self.new(i)
        self.part, self.ids, self.planned = None, set(), False

    def tool(self, i: int, item: Item) -> None:
        if self.new_tool(item) and self.active:
            self.part = None

    def other(self, i: int, item: Item) -> None:
        if item.kind == "end":
            self.finished, self.finished_ids = self.part, self.ids
        elif item.kind == "plan" and self.active and not self.planned:
            self.part, self.planned = None, True
        super().other(i, item)

    def chunk(self, i: int, item: Item) -> None:
        if item.kind == "u" or item.image or item.text == "":
            return
        if item.id is not None and item.id in self.finished_ids:
            self.finished = self.append(self.finished, i, item)
        elif self.active:
            self.part = self.append(self.part, i, item)
            if item.id is not None:
                self.ids.add(item.id)

    def append(self, part: tuple[str, Text] | None, i: int, item: Item) -> tuple[str, Text]:
        if part is None or part[0] != item.kind:
            return item.kind, self.new(i)
        part[1].append(i)
        return part


class CopilotLoad(Client):
    """One current message of a sender; a user's id counts, an agent's doesn't."""

    def start(self) -> None:
        self.sender = ""
        self.id: str | None = None
        self.current: Text | None = None
        self.full: set[int] = set()

    def send(self, sender: str) -> None:
        if self.sender != sender:
            self.sender, self.current = sender, None

    def tool(self, i: int, item: Item) -> None:
        if item.kind == "call":
            self.send("agent")

    def other(self, i: int, item: Item) -> None:
        super().other(i, item)
        if item.kind == "plan":
            self.send("agent")

    def chunk(self, i: int, item: Item) -> None:
        self.send("user" if item.kind == "u" else "agent")
        if item.kind == "t" or item.image:
            return
        if item.kind == "u" and (item.id is None or item.id != self.id):
            self.current = None
        if self.current is None:
            self.current, self.id = self.new(i), item.id
        else:
            self.current.append(i)
        if item.text.strip():
            self.full.add(id(self.current))

    def shown(self) -> list[Text]:
        return [text for text in self.texts if id(text) in self.full]


CLIENTS = {
    "vscode-acp-fh": (VsCodeFh, VsCodeFh),
    "vscode-acp-fh-pr56": (VsCodeFhPr56, VsCodeFhPr56),
    "vscode-acp-om": (VsCodeOm, VsCodeOm),
    "obsidian-agent-client": (ObsidianAgentClient, ObsidianAgentClient),
    "obsidian-copilot": (CopilotLive, CopilotLoad),
}
