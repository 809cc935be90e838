"""Formats are recognised by content; one can be forced; what is no ACP is named with a way out."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from acpinspect.errors import ArgumentError
from acpinspect.reading.detection import choose, detect, is_acp, not_acp
from acpinspect.reading.document import Document
from acpinspect.reading.frames import Frame
from acpinspect.reading.reader import read_document
from acpinspect.reading.registry import Dialect, dialect, dialects, register
from acpinspect.reading.sniffing import Sniff
from tests.reading.traffic import RAWS, WRAPPED


def of(text: str) -> Document:
    return Document.of_bytes("<bytes>", text.encode())


def frame(**message: object) -> Frame:
    return Frame(raw=json.dumps(message), source="")


def test_the_name_of_a_file_says_nothing(tmp_path: Path) -> None:
    path = tmp_path / "acp.har"
    path.write_bytes(WRAPPED["raw"])
    assert detect(path)[0].format == "raw-ndjson"


def test_detection_says_why() -> None:
    [found] = detect(WRAPPED["local prefix"])
    assert (found.format, found.writer) == ("jetbrains-acp-transport", "JetBrains AI Assistant")
    assert "AcpTransport" in found.evidence


def test_a_named_format_is_not_questioned() -> None:
    document = of(WRAPPED["raw"].decode())
    assert choose(document, "sse")[0].name == "sse"
    assert [f.kind for f in read_document(document, "prefixed-json")] == [None] * len(RAWS)


def test_an_unknown_format_is_an_error_that_names_the_known_ones() -> None:
    with pytest.raises(ArgumentError, match="raw-ndjson"):
        dialect("nonsense")


@pytest.mark.parametrize("name", [one.name for one in dialects() if "sqlite" not in one.name])
def test_every_format_reads_any_text_without_a_crash(name: str) -> None:
    for text in ("", "\n", "x", RAWS[0], WRAPPED["headers"].decode(), "((:direction . 1", "{'a': (", "\0\0"):
        assert isinstance(list(read_document(of(text), name)), list)


def test_formats_have_names_of_their_own_and_say_what_they_are() -> None:
    names = [one.name for one in dialects()]
    assert len(names) == len(set(names)) >= 45
    assert all(one.title and (one.hint if one.negative else True) for one in dialects())


def test_the_next_format_is_one_addition() -> None:
    def sniff(head: Sniff) -> str | None:
        return "it begins with %%" if head.text.startswith("%%") else None

    mine = Dialect(name="mine", title="x", writer="me", sniff=sniff, frames=lambda _: iter(()), order=1)
    before = dialects()
    register(mine)
    try:
        assert choose(of("%% anything"))[0] is mine
        assert [f.kind for f in read_document(of("%% anything"))] == ["other"]
    finally:
        from acpinspect.reading import registry

        registry._DIALECTS.pop("mine")
    assert dialects() == before


@pytest.mark.parametrize(
    ("message", "verdict"),
    [
        ({"method": "session/update", "params": {}}, True),
        ({"method": "_x.ai/session/update", "params": {}}, True),
        ({"id": 0, "method": "initialize", "params": {"protocolVersion": 1}}, True),
        ({"id": 0, "method": "initialize", "params": {"protocolVersion": "2025-06-18"}}, False),
        ({"id": 0, "result": {"stopReason": "end_turn"}}, True),
        ({"id": 0, "result": {}}, None),
        ({"id": 0, "method": "tools/call"}, False),
    ],
)
def test_acp_is_told_from_its_neighbours(message: dict[str, object], verdict: bool | None) -> None:
    assert is_acp([frame(**message)]) is verdict


def test_a_torn_record_alone_may_be_acp_and_noise_is_not() -> None:
    assert is_acp(read_document(of('{"jsonrpc":"2.0","id":4,"'))) is None
    assert is_acp(read_document(of("hello\n"))) is False
    assert is_acp([]) is False


def test_zeds_log_points_to_where_its_traffic_is() -> None:
    error = not_acp([of("2026-01-05T11:00:02+00:00 WARN  [agent_servers::acp] agent stderr: ready\n")])
    assert error.recognised == "zed-log"
    assert "dev: open acp logs" in str(error)


def test_what_is_nothing_that_we_know_says_how_it_was_read() -> None:
    error = not_acp([of("hello\n")])
    assert error.recognised is None
    assert "read as lines" in str(error)
