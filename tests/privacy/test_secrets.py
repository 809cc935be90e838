"""Nothing that is planted anywhere in a log survives."""

from __future__ import annotations

import base64
import json
import string
from typing import Any

import pandas as pd
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import acpinspect
from acpinspect.protocol import VERSIONS, Version
from tests.privacy.samples import frames, planted, string_places
from tests.wire import chunk, initialize, update

_WORD = st.text(string.ascii_letters + string.digits, min_size=8, max_size=40)
SECRETS = st.one_of(
    _WORD,
    _WORD.map("sk-{}".format),
    st.lists(_WORD, min_size=2, max_size=4).map(lambda parts: "/" + "/".join(parts) + ".py"),
    st.tuples(_WORD, _WORD).map(lambda parts: f"{parts[0]}@{parts[1]}.com"),
    _WORD.map("https://{}.example/x".format),
    st.from_regex(r"\+[0-9]{10,14}", fullmatch=True),
    st.text("абвгдежзиклмнопрст", min_size=8),
    st.text(st.characters(min_codepoint=0x4E00, max_codepoint=0x9FFF), min_size=8, max_size=20),
    st.uuids().map(str),
    st.binary(min_size=24, max_size=48).map(lambda data: base64.b64encode(data).decode()),
)
PLACES = {
    version: [(frame, place) for frame in frames(version) for place in string_places(frame)]
    for version in VERSIONS
}


def _shown(events: pd.DataFrame) -> str:
    """All strings of a table in one."""
    columns = events.select_dtypes(include=["string", "category", "object"])
    return "\n".join(columns.astype(object).fillna("").agg("\n".join, axis=1))


@pytest.mark.parametrize("version", VERSIONS)
@settings(deadline=None, max_examples=4, suppress_health_check=[HealthCheck.too_slow])
@given(secret=SECRETS)
def test_a_secret_at_any_place_of_any_variant_does_not_survive(version: Version, secret: str) -> None:
    log = [planted(frame, place, secret) for frame, place in PLACES[version]]
    events = acpinspect.from_records(log, protocol=version)
    shown = _shown(acpinspect.redact(events, salt="s"))
    assert json.dumps(secret)[1:-1] not in shown
    assert secret not in shown


def test_there_are_places_for_every_kind_of_string() -> None:
    """The test above would prove little if the samples held few places."""
    assert {version: len(places) > 400 for version, places in PLACES.items()} == {"v1": True, "v2": True}


@given(secret=SECRETS)
@settings(deadline=None, max_examples=30)
def test_a_secret_as_a_key_does_not_survive(secret: str) -> None:
    log: list[dict[str, Any]] = [
        {**chunk("x"), secret: 1},
        update("agent_message_chunk", content={"type": "text", "text": "x", "_meta": {secret: {secret: 1}}}),
        update("usage_update", **{secret: 1}),
        update("tool_call", toolCallId="t", title="x", rawInput={secret: secret}),
    ]
    assert secret not in _shown(acpinspect.redact(acpinspect.from_records(log), salt="s"))


@given(secret=SECRETS, cut=st.integers(1, 7))
@settings(deadline=None, max_examples=40)
def test_a_secret_cut_into_chunks_does_not_survive(secret: str, cut: int) -> None:
    log = [chunk(secret[i : i + cut], "m1") for i in range(0, len(secret), cut)]
    redacted = acpinspect.redact(acpinspect.from_records(log), salt="s")
    assert secret not in acpinspect.messages(redacted)["text"].iloc[0]


@given(secret=SECRETS)
@settings(deadline=None, max_examples=40)
def test_a_secret_in_noise_and_torn_records_does_not_survive(secret: str) -> None:
    log = (
        f"{secret}\n"
        + json.dumps(chunk("x"))
        + f'\n{{"jsonrpc":"2.0","method":"session/update","params":{{"{secret}'
    )
    assert secret not in _shown(acpinspect.redact(acpinspect.load(log.encode()), salt="s"))


@given(secret=SECRETS)
@settings(deadline=None, max_examples=40)
def test_a_secret_in_what_a_terminal_writes_does_not_survive(secret: str) -> None:
    data = secret.encode()
    halves = [base64.b64encode(half).decode() for half in (data[:9], data[9:])]
    log = [
        *initialize(version=2),
        *(update("terminal_output_chunk", terminalId="t", data=half) for half in halves),
        update("terminal_update", terminalId="t", output={"data": base64.b64encode(data).decode()}),
    ]
    redacted = acpinspect.redact(acpinspect.from_records(log), salt="s")
    new = [acpinspect.payload(redacted, event)["params"]["update"] for event in (2, 3, 4)]
    first, second = (base64.b64decode(part["data"]) for part in new[:2])
    whole = base64.b64decode(new[2]["output"]["data"])
    assert secret.encode() not in whole
    assert first + second == whole


@pytest.mark.parametrize("name", ["Bobby's laptop.jsonl", "bobby/run.stdout.log", "bobby/messages.jsonl.3"])
def test_names_of_files_do_not_survive(name: str) -> None:
    events = acpinspect.from_records([chunk("x")])
    events["source"] = events["source"].cat.rename_categories([name])
    assert "obby" not in _shown(acpinspect.redact(events, salt="s"))


def test_images_are_as_many_other_bytes() -> None:
    data = base64.b64encode(b"\x89PNG" + bytes(100)).decode()
    block = {"type": "image", "data": data, "mimeType": "image/png"}
    log = [update("user_message_chunk", content=block), update("agent_message_chunk", content=block)]
    redacted = acpinspect.redact(acpinspect.from_records(log), salt="s")
    first, second = (acpinspect.payload(redacted, event)["params"]["update"]["content"] for event in (0, 1))
    assert len(base64.b64decode(first["data"])) == 104
    assert first["data"] != data
    assert first == second
    assert first["mimeType"] == "image/png"
