"""``acpinspect report``: one file, said in one line."""

from __future__ import annotations

from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from acpinspect.cli import main

LOG = str(Path(__file__).resolve().parents[1] / "sample_logs" / "v1_doubled_text.ndjson")
WORDS = "The fog horn is on since 04:10."


def run(*arguments: str) -> str:
    result = CliRunner().invoke(main, ["report", *arguments], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.output


def test_the_file_is_written_where_it_was_wanted(tmp_path: Path) -> None:
    target = tmp_path / "out.html"
    assert run(LOG, "-o", str(target)) == f"{target}: 15 events, 0.1 MB\n"
    assert WORDS in target.read_text(encoding="utf-8")


def test_a_title_can_be_given(tmp_path: Path) -> None:
    run(LOG, "-o", str(tmp_path / "out.html"), "--title", "Issue 7")
    assert "<h1>Issue 7</h1>" in (tmp_path / "out.html").read_text(encoding="utf-8")


def test_a_redacted_report_holds_no_word_and_every_finding(tmp_path: Path) -> None:
    target = tmp_path / "out.html"
    run(LOG, "-o", str(target), "--redact")
    text = target.read_text(encoding="utf-8")
    assert "fog horn" not in text
    assert "v1_doubled_text" not in text
    assert "<b>restated-message</b>, 2 times" in text


def test_the_browser_is_opened_only_if_it_is_wanted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[str] = []
    monkeypatch.setattr(click, "launch", opened.append)
    run(LOG, "-o", str(tmp_path / "one.html"))
    run(LOG, "-o", str(tmp_path / "two.html"), "--open")
    assert opened == [(tmp_path / "two.html").as_uri()]


def test_a_folder_that_is_not_there_is_said_in_a_sentence(tmp_path: Path) -> None:
    result = CliRunner().invoke(main, ["report", LOG, "-o", str(tmp_path / "no" / "out.html")])
    assert result.exit_code == 2
    assert "No such file or directory" in result.output
