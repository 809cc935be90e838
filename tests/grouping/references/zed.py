"""Zed: transcripts of entries, and the last one counts."""

# ruff: noqa: ARG002  (a reducer need not look at all of an event)

from __future__ import annotations

from dataclasses import dataclass, field

from tests.grouping.references.client import Client, Text
from tests.grouping.sequences import Item


@dataclass
class Block:
    kind: str
    id: str | None
    text: Text


@dataclass
class User:
    block: Block
    optimistic: bool
    said: list[tuple[bool, str]] = field(default_factory=list)


def can_merge(a: str | None, b: str | None) -> bool:
    return a is None or b is None or a == b


class ZedV1(Client):
    searches = False
    consolidates = False

    def start(self) -> None:
        self.last: User | Block | str | None = None
        self.blocks: list[Block] = []

    def prompt(self, i: int, item: Item) -> None:
        self.last = User(Block("u", None, self.new(i)), optimistic=True, said=[(False, item.text)])

    def tool(self, i: int, item: Item) -> None:
        if self.new_tool(item):
            self.last = "tool"

    def chunk(self, i: int, item: Item) -> None:
        self.user(i, item) if item.kind == "u" else self.assistant(i, item)

    def user(self, i: int, item: Item) -> None:
        said = (item.image, "" if item.image else item.text)
        last = self.last
        if isinstance(last, User):
            merges = can_merge(last.block.id, item.id)
            if last.optimistic and said in last.said and merges:
                last.block.id = item.id if item.id is not None else last.block.id
                return
            fresh = last.optimistic and last.block.id is None and item.id is not None
            if merges and not fresh:
                last.block.id = item.id if item.id is not None else last.block.id
                last.block.text.append(i)
                last.said.append(said)
                return
        self.last = User(Block("u", item.id, self.new(i)), optimistic=False, said=[said])

    def assistant(self, i: int, item: Item) -> None:
        if self.searches and item.id is not None:
            for block in reversed(self.blocks):
                if (block.kind, block.id) == (item.kind, item.id):
                    block.text.append(i)
                    return
        last = self.last
        if isinstance(last, Block) and last.kind == item.kind and can_merge(last.id, item.id):
            swallows = self.consolidates and item.kind == "a" and last.id is None and item.id is not None
            last.id = item.id if item.id is not None else last.id
            if not swallows:
                last.text.append(i)
            return
        self.last = Block(item.kind, item.id, self.new(i))
        self.blocks.append(self.last)


class Zed62503(ZedV1):
    consolidates = True


class Zed62672(ZedV1):
    searches = True


class ZedPreIds(ZedV1):
    def user(self, i: int, item: Item) -> None:
        said = (item.image, "" if item.image else item.text)
        if isinstance(self.last, User):
            if said not in self.last.said:
                self.last.block.text.append(i)
                self.last.said.append(said)
            return
        self.last = User(Block("u", None, self.new(i)), optimistic=False, said=[said])

    def assistant(self, i: int, item: Item) -> None:
        if isinstance(self.last, Block) and self.last.kind == item.kind:
            self.last.text.append(i)
        else:
            self.last = Block(item.kind, None, self.new(i))


class ZedV2(Client):
    def start(self) -> None:
        self.by_id: dict[str, tuple[str, Text]] = {}

    def prompt(self, i: int, item: Item) -> None:
        pass

    def chunk(self, i: int, item: Item) -> None:
        if item.id is None:
            return
        if item.id not in self.by_id:
            self.by_id[item.id] = item.kind, self.new(i)
        elif self.by_id[item.id][0] == item.kind:
            self.by_id[item.id][1].append(i)


CLIENTS = {
    "zed-v1": (ZedV1, ZedV1),
    "zed-pre-ids": (ZedPreIds, ZedPreIds),
    "zed-62503": (Zed62503, Zed62503),
    "zed-62672": (Zed62672, Zed62672),
    "zed-v2": (ZedV2, ZedV2),
}
