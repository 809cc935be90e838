"""What `load` and its relatives take, and what they say of what they don't."""

from __future__ import annotations

import gzip
import io
from pathlib import Path

import pandas as pd
import pytest

import acpinspect
from tests.logs import ndjson
from tests.wire import chunk, initialize, prompt, request, stop

LOG = ndjson([*initialize(), prompt(1), chunk("Hi", "m1"), stop(1)])


def same(events: pd.DataFrame) -> bool:
    columns = ["kind", "method", "session_id", "text", "turn", "reply_to", "raw"]
    return events[columns].equals(acpinspect.load(LOG)[columns])


def test_a_path_a_glob_a_folder_and_a_list(tmp_path: Path) -> None:
    path = tmp_path / "a.ndjson"
    path.write_bytes(LOG)
    for source in (path, str(path), str(tmp_path / "*.ndjson"), tmp_path, [path]):
        assert same(acpinspect.load(source))


def test_open_files_bytes_and_pasted_text() -> None:
    for source in (io.BytesIO(LOG), io.StringIO(LOG.decode()), LOG, LOG.decode(), gzip.compress(LOG)):
        assert same(acpinspect.load(source))


def test_a_short_path_like_string_is_never_content() -> None:
    with pytest.raises(acpinspect.SourceError, match="no such file"):
        acpinspect.load("session.log")


def test_a_file_without_acp_says_what_it_is(tmp_path: Path) -> None:
    path = tmp_path / "mcp.jsonl"
    path.write_bytes(ndjson([request(1, "initialize", protocolVersion="2025-06-18"), request(2, "tools/list")]))
    with pytest.raises(acpinspect.NotACPError, match=r"mcp\.jsonl"):
        acpinspect.load(path)


def test_a_folder_leaves_out_what_is_no_acp_with_a_warning(tmp_path: Path) -> None:
    (tmp_path / "a.ndjson").write_bytes(LOG)
    (tmp_path / "b.log").write_text("nothing of interest\n")
    with pytest.warns(UserWarning, match=r"1 of 2 files hold no ACP traffic and are left out: .*b\.log"):
        events = acpinspect.load(tmp_path)
    assert same(events)


def test_an_empty_file_is_a_recording_without_events() -> None:
    assert len(acpinspect.load(b"")) == 0


def test_on_error_raise_names_the_place() -> None:
    torn = LOG + b'{"jsonrpc":"2.0","method":"session/up'
    assert acpinspect.load(torn)["kind"].tolist()[-1] == "unreadable"
    with pytest.raises(acpinspect.ReadError, match="line 6") as caught:
        acpinspect.load(torn, on_error="raise")
    assert caught.value.line == 6


@pytest.mark.parametrize(
    ("argument", "sentence"),
    [
        ({"on_error": "ignore"}, "give 'keep' or 'raise'"),
        ({"sender": "server"}, "give 'agent' or 'client'"),
        ({"tz": "Mars/Olympus"}, "no time zone"),
        ({"protocol": "v9"}, "give v1 or v2"),
        ({"format": "no such format"}, "Known formats"),
    ],
)
def test_a_bad_argument_is_refused_with_a_sentence(argument: dict[str, str], sentence: str) -> None:
    with pytest.raises(acpinspect.ArgumentError, match=sentence):
        acpinspect.load(LOG, **argument)  # type: ignore[arg-type]


def test_sender_says_whose_output_it_is() -> None:
    events = acpinspect.load(ndjson([{"jsonrpc": "2.0", "method": "_vendor/x"}, stop(1)]), sender="agent")
    assert events["sender"].tolist() == ["agent", "agent"]


def test_detect_says_which_format_and_why() -> None:
    [found] = acpinspect.detect(LOG)
    assert found.format == "raw-ndjson"
    assert found.evidence


def test_formats_lists_them_in_the_order_in_which_they_are_tried() -> None:
    table = acpinspect.formats()
    assert table["format"].is_unique
    assert {"raw-ndjson", "zed-acp-logs-copy", "har"} <= set(table["format"])


def test_a_payload_is_the_json_of_an_event() -> None:
    events = acpinspect.load(LOG + b"noise\n")
    assert acpinspect.payload(events, 3)["params"]["update"]["messageId"] == "m1"
    assert [value is None for value in acpinspect.payloads(events)] == [False] * 5 + [True]
    with pytest.raises(acpinspect.EventsError, match="no event 99"):
        acpinspect.payload(events, 99)
    with pytest.raises(acpinspect.EventsError, match="of kind other"):
        acpinspect.payload(events, 5)


def test_a_payload_keeps_integers_beyond_64_bits() -> None:
    events = acpinspect.load(b'{"jsonrpc":"2.0","method":"session/x","params":{"n":12345678901234567890123}}')
    assert acpinspect.payload(events, 0)["params"]["n"] == 12345678901234567890123


def test_a_record_that_is_nothing_we_know_is_refused_with_its_place() -> None:
    with pytest.raises(acpinspect.ArgumentError, match="Record 1 is of type int"):
        acpinspect.from_records([chunk("a"), 5])


def test_the_report_counts_by_source_and_problem() -> None:
    report = acpinspect.load_report(acpinspect.load(b"ready\n" + LOG + b'steady\n{"jsonrpc":"2.0","id'))
    assert report["count"].tolist() == [2, 1]
    assert report["line"].tolist() == [1, 8]
    assert report["kind"].tolist() == ["other", "unreadable"]
