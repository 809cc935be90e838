"""The corpus's sequences: every preset gives the groups, and drops the chunks, that are written there."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

import pandas as pd
import pytest

import acpinspect
from acpinspect.grouping.presets import PRESETS
from tests.conftest import CORPUS, corpus_files, needs_corpus

pytestmark = needs_corpus

FILES = corpus_files("policies/*.json")
EXPECTED = [
    (path.stem, policy) for path in FILES for policy in json.loads(path.read_text(encoding="utf-8"))["expected"]
]


@cache
def read_sequence(name: str) -> tuple[dict[str, Any], pd.DataFrame]:
    case = json.loads((CORPUS / "policies" / f"{name}.json").read_text(encoding="utf-8"))
    records: list[dict[str, Any]] = []
    ids: dict[str, int] = {}
    for i, event in enumerate(case["events"]):
        records.append(_record(i, event, ids))
    return case, acpinspect.from_records(records)


def _record(i: int, event: dict[str, Any], ids: dict[str, int]) -> dict[str, Any]:
    marker = event.get("marker")
    if marker is None:
        params = {"sessionId": "s", "update": event}
        return {"jsonrpc": "2.0", "method": "session/update", "params": params}
    what, when = marker.split("_")
    if when == "end":
        result = {"stopReason": event["stopReason"]} if what == "turn" else {}
        return {"jsonrpc": "2.0", "id": ids[what], "result": result}
    ids[what] = i
    method = "session/prompt" if what == "turn" else "session/load"
    own = {"prompt": event["prompt"]} if what == "turn" else {"cwd": "/", "mcpServers": []}
    return {"jsonrpc": "2.0", "id": i, "method": method, "params": {"sessionId": "s", **own}}


def read_groups(events: pd.DataFrame, policy: str) -> list[list[int]]:
    labels = acpinspect.group(events, policy)
    return [part.index.tolist() for _, part in labels.dropna().groupby(labels.dropna())]


@pytest.mark.parametrize(("name", "policy"), EXPECTED)
def test_a_preset_groups_a_sequence_as_its_rule_does(name: str, policy: str) -> None:
    case, events = read_sequence(name)
    assert read_groups(events, policy) == case["expected"][policy]


@pytest.mark.parametrize(("name", "policy"), EXPECTED)
def test_a_preset_drops_the_chunks_that_its_rule_drops(name: str, policy: str) -> None:
    case, events = read_sequence(name)
    labels = acpinspect.group(events, policy)
    dropped = events.index[(events["role"].notna() & labels.isna())].tolist()
    assert dropped == case["dropped"].get(policy, [])


def test_every_expected_policy_is_a_preset() -> None:
    assert {policy for _, policy in EXPECTED} <= {policy.name for policy in PRESETS}
    assert len(EXPECTED) > 100
