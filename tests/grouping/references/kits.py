"""Helpers of SDKs, rules of pull requests, and the protocol's own."""

# ruff: noqa: ARG002  (a reducer need not look at all of an event)

from __future__ import annotations

from tests.grouping.references.client import Client, Text
from tests.grouping.sequences import Item


class RustReadToString(Client):
    """All agent text up to the stop reason."""

    def start(self) -> None:
        self.queue: Text | None = None

    def prompt(self, i: int, item: Item) -> None:
        pass

    def other(self, i: int, item: Item) -> None:
        if item.kind == "end":
            self.queue = None

    def chunk(self, i: int, item: Item) -> None:
        if item.kind != "a" or item.image:
            return
        if self.queue is None:
            self.queue = self.new(i)
        else:
            self.queue.append(i)


class PerChunk(Client):
    """No grouping at all."""

    def prompt(self, i: int, item: Item) -> None:
        pass

    def chunk(self, i: int, item: Item) -> None:
        self.new(i)


class Aml(Client):
    """The chunks of a response, put together at its end."""

    def start(self) -> None:
        self.response: list[tuple[int, str | None]] = []

    def prompt(self, i: int, item: Item) -> None:
        self.put_together()

    def chunk(self, i: int, item: Item) -> None:
        if item.kind == "a" and not item.image:
            self.response.append((i, item.id))

    def put_together(self) -> None:
        by_id: dict[str | None, Text] = {}
        unanimous = all(ident is not None for _, ident in self.response)
        for i, ident in self.response:
            by_id.setdefault(ident if unanimous else None, []).append(i)
        self.texts += by_id.values()
        self.response = []

    def shown(self) -> list[Text]:
        self.put_together()
        return self.texts


class Paseo(Client):
    """A run of one kind and one id, or of none."""

    def start(self) -> None:
        self.last: tuple[str, str | None] | None = None
        self.text: Text = []

    def prompt(self, i: int, item: Item) -> None:
        self.new(i)
        self.last = None

    def tool(self, i: int, item: Item) -> None:
        if item.kind == "call":
            self.last = None

    def other(self, i: int, item: Item) -> None:
        super().other(i, item)
        if item.kind in ("plan", "end"):
            self.last = None

    def chunk(self, i: int, item: Item) -> None:
        if item.image:
            self.last = None
        elif self.last == (item.kind, item.id):
            self.text.append(i)
        else:
            self.last, self.text = (item.kind, item.id), self.new(i)


class Ids(Client):
    """By role and id; a chunk without id stands alone."""

    def start(self) -> None:
        self.by_id: dict[tuple[str, str], Text] = {}

    def prompt(self, i: int, item: Item) -> None:
        pass

    def chunk(self, i: int, item: Item) -> None:
        if item.id is None:
            self.new(i)
        elif (item.kind, item.id) in self.by_id:
            self.by_id[item.kind, item.id].append(i)
        else:
            self.by_id[item.kind, item.id] = self.new(i)


class SpecV2(Ids):
    """By role and id; a chunk without id is invalid."""

    def chunk(self, i: int, item: Item) -> None:
        if item.id is not None:
            super().chunk(i, item)


class RfdLiteral(Ids):
    """By role and id; without id a run of one update type, cut by any other."""

    def start(self) -> None:
        super().start()
        self.type = ""
        self.run: Text | None = None

    def turn_to(self, kind: str) -> None:
        if self.type != kind:
            self.type, self.run = kind, None

    def see(self, i: int, item: Item) -> None:
        if item.kind != "ask" or item.tool not in self.tools:
            self.turn_to(item.kind)
        if item.tool:
            self.tools.add(item.tool)
        super().see(i, item)

    def prompt(self, i: int, item: Item) -> None:
        self.new(i)

    def chunk(self, i: int, item: Item) -> None:
        if item.id is not None:
            super().chunk(i, item)
        elif self.run is None:
            self.run = self.new(i)
        else:
            self.run.append(i)


class Spec(Ids):
    """Ids where there are any, else the one open message."""

    looks_at_ids = True

    def start(self) -> None:
        super().start()
        self.open: tuple[str, Text] | None = None

    def tool(self, i: int, item: Item) -> None:
        if self.new_tool(item) or item.kind == "call":
            self.open = None

    def other(self, i: int, item: Item) -> None:
        if item.kind in ("plan", "prompt", "end", "load", "loaded") or (
            item.kind == "ask" and self.new_tool(item)
        ):
            self.open = None

    def chunk(self, i: int, item: Item) -> None:
        if item.id is not None and self.looks_at_ids:
            super().chunk(i, item)
            self.open = item.kind, self.by_id[item.kind, item.id]
        elif self.open is not None and self.open[0] == item.kind:
            self.open[1].append(i)
        else:
            self.open = item.kind, self.new(i)


class Heuristic(Spec):
    looks_at_ids = False


CLIENTS = {
    "rust-sdk-read-to-string": (RustReadToString, RustReadToString),
    "per-chunk": (PerChunk, PerChunk),
    "aml": (Aml, Aml),
    "paseo": (Paseo, Paseo),
    "ids": (Ids, Ids),
    "spec-v2": (SpecV2, SpecV2),
    "rfd-literal": (RfdLiteral, RfdLiteral),
    "spec": (Spec, Spec),
    "heuristic": (Heuristic, Heuristic),
}
