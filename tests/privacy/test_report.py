"""What a redaction says of itself, the page about it, and the command."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest
from click.testing import CliRunner

import acpinspect
from acpinspect.cli import main
from acpinspect.errors import ArgumentError, EventsError
from acpinspect.privacy import KINDS, LEFTOVER_COLUMNS, REPORT_COLUMNS
from tests.logs import ndjson
from tests.wire import chunk, tool_call, update

PAGE = Path(__file__).resolve().parents[2] / "docs" / "privacy.md"
LOG = [
    chunk("Dear Bobby, call 0170555123", "message-1"),
    tool_call("tool-1", rawInput={"password": "hunter22", "account": 12345678}),
    update("user_message_chunk", content={"type": "image", "data": "AAECAwQFBgcICQ==", "mimeType": "image/png"}),
]
EVENTS = acpinspect.from_records(LOG)


def _left(**options: object) -> list[tuple[str, str]]:
    redacted = acpinspect.redact(EVENTS, salt="s", **options)  # type: ignore[arg-type]
    left = acpinspect.leftovers(EVENTS, redacted)
    return list(zip(left["kind"], left["text"], strict=True))


def test_the_page_names_every_kind() -> None:
    text = PAGE.read_text(encoding="utf-8")
    assert all(f"`{kind}`" in text for kind in KINDS)


def test_the_report_counts_what_was_replaced() -> None:
    report = acpinspect.redaction_report(EVENTS, acpinspect.redact(EVENTS, salt="s")).set_index("kind")
    assert report.loc["text"].tolist() == [1, 1, 1, 27, 1]
    assert report.loc["data", "replaced"] == 1
    assert report.loc["key", "strings"] == 2


def test_the_report_shows_what_was_kept() -> None:
    report = acpinspect.redaction_report(EVENTS, acpinspect.redact(EVENTS, keep="text")).set_index("kind")
    assert report.loc["text", ["strings", "replaced"]].tolist() == [1, 0]


@pytest.mark.parametrize("log", [[], LOG], ids=["empty", "some"])
def test_the_tables_have_the_types_that_they_promise(log: list[object]) -> None:
    events = acpinspect.from_records(log)
    redacted = acpinspect.redact(events)
    for table, columns in (
        (acpinspect.redaction_report(events, redacted), REPORT_COLUMNS),
        (acpinspect.leftovers(events, redacted), LEFTOVER_COLUMNS),
    ):
        assert {name: str(dtype) for name, dtype in table.dtypes.items()} == {c.name: c.dtype for c in columns}


def test_only_large_numbers_are_left() -> None:
    assert _left() == [("number", "12345678")]


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("text", "Bobby"),
        ("text", "0170555123"),
        ("value", "hunter"),
        ("id", "message"),
        ("data", "AAECAwQFBgcICQ=="),
    ],
)
def test_what_was_kept_is_listed_as_left(kind: str, text: str) -> None:
    assert text in [left for _, left in _left(keep=[kind])]


def test_a_word_that_moved_is_listed_as_left() -> None:
    redacted = acpinspect.redact(EVENTS, salt="s")
    moved = redacted["raw"].str.replace(r'"text":"[^"]*"', '"text":"now hunterhunter is here"', regex=True)
    original = EVENTS.assign(raw=EVENTS["raw"].str.replace("hunter22", "hunterhunter"))
    assert "hunterhunter" in acpinspect.leftovers(original, redacted.assign(raw=moved))["text"].tolist()


def test_a_word_that_names_of_files_keep_is_not_left_where_a_text_has_it_too(tmp_path: Path) -> None:
    log = tmp_path / "slow-response.ndjson"
    log.write_bytes(ndjson([chunk("The response came late.")]))
    events = acpinspect.load(log)
    redacted = acpinspect.redact(events, salt="s")
    assert redacted["source"].iloc[0].endswith("-response.ndjson")
    assert acpinspect.leftovers(events, redacted).empty


def test_an_unknown_kind_is_refused() -> None:
    with pytest.raises(ArgumentError, match="no kind 'secrets' to keep"):
        acpinspect.redact(EVENTS, keep=["secrets"])


def test_tables_of_two_logs_are_refused() -> None:
    with pytest.raises(EventsError, match="other events"):
        acpinspect.leftovers(EVENTS, acpinspect.redact(EVENTS[:2]))


def test_a_table_that_holds_no_events_is_refused() -> None:
    with pytest.raises(EventsError):
        acpinspect.redact(pd.DataFrame())


def test_the_command_writes_the_log_and_says_what_it_replaced(tmp_path: Path) -> None:
    log, new = tmp_path / "log.ndjson", tmp_path / "new.ndjson"
    acpinspect.write(EVENTS, log)
    result = CliRunner().invoke(main, ["redact", str(log), "-o", str(new), "--json"])
    assert result.exit_code == 0
    assert '"kind":"text"' in result.stdout
    assert "large numbers stay" in result.stderr
    assert len(acpinspect.load(new)) == 3
    assert b"Bobby" not in new.read_bytes()


def test_the_command_gives_the_same_for_the_same_secret(tmp_path: Path) -> None:
    log, salt = tmp_path / "log.ndjson", tmp_path / "salt"
    acpinspect.write(EVENTS, log)
    salt.write_text("pepper\n")
    from_file = CliRunner().invoke(main, ["redact", str(log), "--salt-file", str(salt)])
    from_variable = CliRunner(env={"ACPINSPECT_SALT": "pepper"}).invoke(main, ["redact", str(log)])
    assert from_file.stdout == from_variable.stdout
    assert from_file.stdout.splitlines() == acpinspect.redact(acpinspect.load(log), salt="pepper")["raw"].tolist()


def test_the_command_refuses_an_empty_secret(tmp_path: Path) -> None:
    log, salt = tmp_path / "log.ndjson", tmp_path / "salt"
    acpinspect.write(EVENTS, log)
    salt.write_text("\n")
    result = CliRunner().invoke(main, ["redact", str(log), "--salt-file", str(salt)])
    assert result.exit_code == 2
    assert "The salt is empty" in result.stderr
