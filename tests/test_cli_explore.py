"""``acpinspect explore``: a ready notebook, and how to open it."""

from __future__ import annotations

import importlib.util
import json
import subprocess
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from acpinspect.cli import main

LOG = Path(__file__).resolve().parents[1] / "sample_logs" / "v1_doubled_text.ndjson"


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["explore", *arguments])


def sources(path: Path, kind: str = "code") -> list[str]:
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    return [cell["source"] for cell in cells if cell["cell_type"] == kind]


def test_the_notebook_opens_the_log_with_what_was_asked_for(tmp_path: Path) -> None:
    target = tmp_path / "x.ipynb"
    result = run(str(LOG), "-o", str(target), "--no-open", "--session", "s'1", "--policy", "zed-v1")
    assert result.exit_code == 0
    assert f"jupyter lab {target}" in result.output
    load, explore = sources(target)
    assert f"acpinspect.load({str(LOG)!r})" in load
    assert explore.startswith("explorer = acpinspect.explore(events, session_id=\"s'1\", policy='zed-v1')")


def test_the_notebook_says_what_to_do(tmp_path: Path) -> None:
    target = tmp_path / "x.ipynb"
    run(str(LOG), "-o", str(target), "--no-open")
    [said] = sources(target, "markdown")
    assert said.startswith("`v1_doubled_text.ndjson`, step by step: **Run** ▸ **Run All Cells**")


def test_the_cells_of_the_notebook_run(tmp_path: Path) -> None:
    target = tmp_path / "x.ipynb"
    run(str(LOG), "-o", str(target), "--no-open")
    known: dict[str, object] = {}
    for source in sources(target):
        exec(source, known)
    explorer = known["explorer"]
    assert explorer.step == 1  # type: ignore[attr-defined]  # an Explorer
    explorer.close()  # type: ignore[attr-defined]


def test_jupyterlab_is_opened_on_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    called: list[list[str]] = []

    def instead(command: list[str], *, check: bool) -> subprocess.CompletedProcess[str]:
        assert not check
        called.append(command)
        return subprocess.CompletedProcess(command, 0)

    monkeypatch.setattr(subprocess, "run", instead)
    target = tmp_path / "x.ipynb"
    assert run(str(LOG), "-o", str(target)).exit_code == 0
    assert [command[1:] for command in called] == [["-m", "jupyterlab", str(target)]]


def test_what_is_missing_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda _: None)
    assert "pip install 'acpinspect[notebook]' jupyterlab" in run(str(LOG), "-o", str(tmp_path / "x.ipynb")).output


def test_a_notebook_that_is_there_is_kept(tmp_path: Path) -> None:
    target = tmp_path / "x.ipynb"
    target.write_text("mine", encoding="utf-8")
    result = run(str(LOG), "-o", str(target), "--no-open")
    assert result.exit_code == 2
    assert "--force" in result.output
    assert target.read_text(encoding="utf-8") == "mine"
    assert run(str(LOG), "-o", str(target), "--no-open", "--force").exit_code == 0


@pytest.mark.parametrize("arguments", [["nowhere.ndjson"], [str(LOG), "--policy", "nobody"]])
def test_what_can_not_be_opened_is_an_error_and_writes_nothing(tmp_path: Path, arguments: list[str]) -> None:
    target = tmp_path / "x.ipynb"
    assert run(*arguments, "-o", str(target), "--no-open").exit_code == 2
    assert not target.exists()
