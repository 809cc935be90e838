"""A git patch that says the same as the two texts of a v1 diff."""

from __future__ import annotations

from itertools import takewhile
from typing import Final

__all__ = ["git_patch"]

_ESCAPES: Final = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\t": "\\t", "\r": "\\r"}
_UNENDED: Final = "\\ No newline at end of file\n"


def git_patch(path: str, old: str | None, new: str) -> str:
    r"""The patch from one text of a file to another, with all of the file in it, so that both can be told from it.

    Cost: linear. Between the lines that both texts begin and end with, all are removed and added.

    Args:
        path: Absolute path of the file.
        old: Its text before; ``None`` if the file is new.
        new: Its text after.

    >>> print(git_patch("/a.txt", "one\ntwo\n", "one\n2\n"), end="")
    diff --git a/a.txt b/a.txt
    --- a/a.txt
    +++ b/a.txt
    @@ -1,2 +1,2 @@
     one
    -two
    +2
    """
    name = path.lstrip("/")
    head = f"diff --git {_quoted(f'a/{name}')} {_quoted(f'b/{name}')}\n"
    if old is None:
        head += "new file mode 100644\n"
    before, after = _lines(old or ""), _lines(new)
    if before == after:
        return head
    first = "/dev/null" if old is None else _quoted(f"a/{name}")
    span = f"@@ -{_span(len(before))} +{_span(len(after))} @@\n"
    return f"{head}--- {first}\n+++ {_quoted(f'b/{name}')}\n{span}{_hunk(before, after)}"


def _hunk(before: list[str], after: list[str]) -> str:
    same = _shared(before, after)
    tail = _shared(before[same:][::-1], after[same:][::-1])
    removed, added = before[same : len(before) - tail], after[same : len(after) - tail]
    rows = [
        *((" ", line) for line in before[:same]),
        *(("-", line) for line in removed),
        *(("+", line) for line in added),
        *((" ", line) for line in before[len(before) - tail :]),
    ]
    return "".join(sign + line + ("" if line.endswith("\n") else f"\n{_UNENDED}") for sign, line in rows)


def _shared(some: list[str], others: list[str]) -> int:
    """How many lines both begin with."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(some, others, strict=False)))


def _lines(text: str) -> list[str]:
    """The lines with their line feeds; only these end a line for git."""
    lines = [f"{line}\n" for line in text.split("\n")]
    last = lines.pop().removesuffix("\n")
    return [*lines, last] if last else lines


def _span(count: int) -> str:
    if count == 1:
        return "1"
    return f"1,{count}" if count else "0,0"


def _quoted(name: str) -> str:
    """A name as git writes it: in quotes where it has characters that would break the line."""
    escaped = "".join(_ESCAPES.get(c, c if c >= " " and c != "\x7f" else f"\\{ord(c):03o}") for c in name)
    return f'"{escaped}"' if escaped != name else name
