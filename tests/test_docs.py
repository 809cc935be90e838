"""The documents say what is so: generated pages are current, and what the README shows is what comes out."""

from __future__ import annotations

import inspect
import re
import runpy
import shlex
import shutil
import webbrowser
from collections.abc import Iterator
from pathlib import Path

import click
import nbformat
import pytest
from matplotlib import pyplot as plt

import acpinspect
from acpinspect.cli import main
from acpinspect.diagnostics import CODES, forget_rule
from acpinspect.grouping import registry as policy_registry
from acpinspect.grouping.presets import PRESETS
from acpinspect.reading import archives
from acpinspect.reading.decompress import MAX_EXPANDED
from acpinspect.reading.jsontext import MAX_DEPTH, MAX_VALUE
from acpinspect.reading.notation import builder
from tests.doc_examples import blocks, run_page

ROOT = Path(__file__).resolve().parents[1]
PAGES = runpy.run_path(str(ROOT / "docs" / "make.py"))["pages"]()
API_PAGE = runpy.run_path(str(ROOT / "docs" / "api_page.py"))
REFERENCE = sorted(name for page in API_PAGE["PAGES"] for name in page.names)
found = API_PAGE["found"]
API = {name: text for name, text in PAGES.items() if name.startswith("api/")}
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))
DOCUMENTS = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), ROOT / "sample_logs" / "README.md"]
WITH_EXAMPLES = sorted(page for page in DOCUMENTS if blocks(page))


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A folder with logs for the examples; what they register, draw and open is gone afterwards."""
    shutil.copytree(ROOT / "sample_logs", tmp_path / "sample_logs")
    for name in ("session.ndjson", "session.jsonl", "logs/session.jsonl"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        shutil.copy(ROOT / "sample_logs" / "v1_doubled_text.ndjson", tmp_path / name)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.setenv("MPLBACKEND", "Agg")
    monkeypatch.setattr(webbrowser, "open", lambda _: True)
    monkeypatch.setattr(policy_registry, "_policies", {policy.name: policy for policy in PRESETS})
    yield
    for code in [code for code, entry in CODES.items() if entry.tier == "user"]:
        forget_rule(code)
    plt.close("all")


@pytest.mark.parametrize("name", sorted(PAGES))
def test_the_generated_page_is_current(name: str) -> None:
    assert (ROOT / "docs" / name).read_text(encoding="utf-8") == PAGES[name], "run `make docs`"


@pytest.mark.usefixtures("desk")
@pytest.mark.parametrize("page", WITH_EXAMPLES, ids=lambda page: str(page.relative_to(ROOT)))
def test_the_examples_of_a_page_run_and_give_what_it_shows(page: Path) -> None:
    run_page(page)


def test_the_pages_that_show_how_have_examples() -> None:
    named = {page.name for page in WITH_EXAMPLES}
    assert {"README.md", "start.md", "diagnostics.md", "policies.md", "timeline.md"} <= named
    assert {"conversion.md", "privacy.md", "minimize.md", "plots.md", "report.md", "explorer.md"} <= named


def test_every_make_command_in_the_documents_exists() -> None:
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    for page in ("README.md", "CONTRIBUTING.md", "sample_logs/README.md"):
        for line in re.findall(
            r"`make ([a-z ]+)`|^make ([a-z ]+)", (ROOT / page).read_text(encoding="utf-8"), re.MULTILINE
        ):
            assert set(" ".join(line).split()) <= targets, page


def test_the_page_of_limits_has_the_numbers_of_the_code() -> None:
    page = (ROOT / "docs" / "limits.md").read_text(encoding="utf-8")
    assert f"| one record, if it is more than a bare message on its own line | {MAX_VALUE >> 20} MiB |" in page
    assert f"| depth of JSON | {MAX_DEPTH:,} levels |" in page
    assert f"Lisp) | {builder.MAX_DEPTH} levels |" in page
    assert f"| one compressed file | {MAX_EXPANDED >> 30} GiB expanded |" in page
    assert f"| files of an archive | {archives._MAX_MEMBERS:,}, " in page


def test_every_link_to_a_file_leads_somewhere() -> None:
    for page in DOCUMENTS:
        for link in re.findall(r"\]\(([^)#]+)", page.read_text(encoding="utf-8")):
            assert "://" in link or (page.parent / link).exists(), f"{page}: {link}"


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.name)
def test_a_notebook_is_kept_without_its_outputs(path: Path) -> None:
    notebook = nbformat.read(path, as_version=4)
    cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert cells
    assert all(not cell.outputs and cell.execution_count is None for cell in cells)


@pytest.mark.parametrize("name", sorted({*acpinspect.__all__} - {"__version__"}))
def test_a_public_name_is_on_a_page_of_the_reference(name: str) -> None:
    assert any(f":: acpinspect.{name}\n" in page for page in API.values()), "name it in docs/api_page.py"


@pytest.mark.parametrize("name", REFERENCE)
def test_a_name_of_the_reference_has_a_docstring_with_an_example(name: str) -> None:
    doc = inspect.getdoc(found(name)) or ""
    assert doc.partition("\n")[0].endswith(".")
    assert "Example:\n" in doc or "Examples:\n" in doc
    assert "\n    >>> " in doc


@pytest.mark.parametrize("name", [name for name in REFERENCE if inspect.isfunction(found(name))])
def test_the_docstring_of_a_function_tells_every_parameter(name: str) -> None:
    told = inspect.getdoc(found(name)) or ""
    assert [given for given in inspect.signature(found(name)).parameters if f" {given}: " not in told] == []


def _inline_commands() -> list[str]:
    """The commands in the running text that name a log or a folder; a letter in capitals stands for a value."""
    found = {
        " ".join(command.split())
        for page in DOCUMENTS
        for command in re.findall(r"`(acpinspect [a-z][^`]+)`", page.read_text(encoding="utf-8"))
    }
    return sorted(command for command in found if re.search(r" LOG| DIR|/|[.]ndjson", command))


@pytest.mark.usefixtures("desk")
@pytest.mark.parametrize("command", _inline_commands())
def test_a_command_in_the_running_text_can_be_given_so(command: str) -> None:
    Path("LOG").touch()
    _, name, *arguments = shlex.split(command.replace(" N", " 1").replace("CODE", "glued-boundary"))
    group = click.Context(main)
    given = main.get_command(group, name)
    assert given is not None
    with given.make_context(name, arguments, parent=group) as context:
        assert [value for value in context.params.values() if value == "-o"] == []
