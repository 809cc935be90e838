"""The documents say what is so: generated pages are current, and what the README shows is what comes out."""

from __future__ import annotations

import doctest
import re
import runpy
import shlex
from pathlib import Path

import nbformat
import pytest
from click.testing import CliRunner

from acpinspect.cli import main

ROOT = Path(__file__).resolve().parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
PAGES = runpy.run_path(str(ROOT / "docs" / "make.py"))["pages"]()
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))
FLAGS = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS

Shown = list[tuple[str, str]]


def console_blocks() -> Shown:
    """Each `$ acpinspect ...` of the README with the lines shown below it."""
    shown = []
    for block in re.findall(r"```console\n(.*?)```", README, re.DOTALL):
        shown += re.findall(r"^\$ (acpinspect .*)\n((?:(?!\$ ).*\n)*)", block, re.MULTILINE)
    return shown


@pytest.mark.parametrize("name", sorted(PAGES))
def test_the_generated_page_is_current(name: str) -> None:
    assert (ROOT / "docs" / name).read_text(encoding="utf-8") == PAGES[name], "run `make docs`"


def test_the_python_of_the_readme_gives_what_it_shows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    parser, runner = doctest.DocTestParser(), doctest.DocTestRunner(optionflags=FLAGS)
    code = "\n".join(re.findall(r"```pycon\n(.*?)```", README, re.DOTALL))
    runner.run(parser.get_doctest(code, {}, "README.md", "README.md", 0))
    assert runner.summarize().attempted > 2
    assert runner.failures == 0


def test_the_readme_shows_the_command_line() -> None:
    assert len(console_blocks()) >= 2


@pytest.mark.parametrize(("command", "output"), console_blocks())
def test_the_command_of_the_readme_prints_what_it_shows(
    command: str, output: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    monkeypatch.setenv("COLUMNS", "100")
    result = CliRunner().invoke(main, shlex.split(command)[1:])
    assert [line.rstrip() for line in result.output.strip().splitlines()] == output.strip().splitlines()


def test_every_make_command_in_the_documents_exists() -> None:
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    for page in ("README.md", "CONTRIBUTING.md", "sample_logs/README.md"):
        for line in re.findall(
            r"`make ([a-z ]+)`|^make ([a-z ]+)", (ROOT / page).read_text(encoding="utf-8"), re.MULTILINE
        ):
            assert set(" ".join(line).split()) <= targets, page


def test_every_link_to_a_file_leads_somewhere() -> None:
    for page in [*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md"), ROOT / "sample_logs" / "README.md"]:
        for link in re.findall(r"\]\(([^)#]+)", page.read_text(encoding="utf-8")):
            assert "://" in link or (page.parent / link).exists(), f"{page.name}: {link}"


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.name)
def test_a_notebook_is_kept_without_its_outputs(path: Path) -> None:
    notebook = nbformat.read(path, as_version=4)
    cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert cells
    assert all(not cell.outputs and cell.execution_count is None for cell in cells)
