"""The code blocks of a page of the documentation, run in order as a reader would run them.

`python` runs; `pycon` runs and gives what it shows; of `console` and `sh` the lines that begin with `acpinspect`
run, and print what stands below them (`...` stands for what is left out, lines or a part of one). The blocks of a
page share their names.
"""

from __future__ import annotations

import doctest
import re
import shlex
from dataclasses import dataclass
from pathlib import Path

from click.testing import CliRunner
from markdown_it import MarkdownIt

from acpinspect.cli import main

FLAGS = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS
RUN = ("python", "pycon", "console", "sh")


@dataclass(frozen=True, slots=True)
class Block:
    """One fenced block: its language, its text, and the line of its page at which it begins."""

    language: str
    text: str
    line: int


def blocks(page: Path) -> list[Block]:
    """The fenced blocks of a page that run."""
    tokens = MarkdownIt().parse(page.read_text(encoding="utf-8"))
    fences = [token for token in tokens if token.type == "fence" and token.info in RUN]
    return [Block(token.info, token.content, (token.map or [0])[0] + 1) for token in fences]


def run_page(page: Path) -> None:
    """Run every block of a page in the folder that is current; fail at the first one that doesn't hold."""
    names: dict[str, object] = {}
    for block in blocks(page):
        place = f"{page.name}:{block.line}"
        if block.language == "python":
            exec(compile(block.text, place, "exec"), names)
        elif block.language == "pycon":
            _run_session(block, place, names)
        else:
            for command, output in commands(block):
                _run_command(command, output, place)


def commands(block: Block) -> list[tuple[str, str]]:
    """Each `acpinspect` command of a block with the output that is shown below it, if any is."""
    text = block.text.replace("\\\n", " ")
    if block.language == "sh":
        return [(line, "") for line in text.splitlines() if line.startswith("acpinspect ")]
    return re.findall(r"^\$ (acpinspect .*)\n((?:(?!\$ ).*\n)*)", text, re.MULTILINE)


def _run_session(block: Block, place: str, names: dict[str, object]) -> None:
    test = doctest.DocTestParser().get_doctest(block.text, names, place, place, block.line)
    runner = doctest.DebugRunner(optionflags=FLAGS)
    try:
        runner.run(test, clear_globs=False)
    except doctest.DocTestFailure as failure:
        raise AssertionError(f"{place}: {failure.example.source}gives\n{failure.got}") from None
    except doctest.UnexpectedException as failure:
        raise failure.exc_info[1] from None
    names.update(test.globs)


def _run_command(command: str, output: str, place: str) -> None:
    arguments = shlex.split(command.partition(" > ")[0], comments=True)
    result = CliRunner().invoke(main, arguments[1:])
    assert result.exit_code in (0, 1), f"{place}: $ {command}\n{result.output}"
    if result.exception and not isinstance(result.exception, SystemExit):
        raise result.exception
    if output.strip():
        wanted, got = _lines(output), _lines(result.output)
        pattern = "".join("(?:.*\n)*" if line == "..." else _pattern(line) + "\n" for line in wanted)
        assert re.fullmatch(pattern, "".join(f"{line}\n" for line in got)), (
            f"{place}: $ {command}\n{result.output}"
        )


def _pattern(line: str) -> str:
    return ".*".join(map(re.escape, line.split("...")))


def _lines(text: str) -> list[str]:
    return [line.rstrip() for line in text.strip().splitlines()]
