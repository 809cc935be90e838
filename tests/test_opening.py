"""A function of events takes the path of a log as well."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import acpinspect

LOG = Path(__file__).resolve().parents[1] / "sample_logs" / "v1_mixed_ids.ndjson"

FUNCTIONS: dict[str, Callable[[object], object]] = {
    "group": lambda e: acpinspect.group(e).tolist(),
    "messages": lambda e: acpinspect.messages(e)["text"].tolist(),
    "load_report": lambda e: acpinspect.load_report(e).values.tolist(),
    "summarize": lambda e: acpinspect.summarize(e).to_csv(),
    "diagnose": lambda e: acpinspect.diagnose(e)["code"].tolist(),
    "timeline": lambda e: len(acpinspect.timeline(e)),
    "compare": lambda e: str(acpinspect.compare(e)),
    "compare_logs": lambda e: acpinspect.compare_logs(e, e).same,
    "compare_clients": lambda e: acpinspect.compare_clients(e, ["zed-v1", "toad"])["right"].tolist(),
    "explain": lambda e: str(acpinspect.explain(e, "zed-v1", 6)),
    "convert": lambda e: acpinspect.convert(e, "v2", on_loss="report").events["raw"].tolist(),
    "redact": lambda e: acpinspect.redact(e, salt="s")["text"].tolist(),
    "minimize": lambda e: acpinspect.minimize(e, code="mixed-message-ids", progress=False)["kind"].tolist(),
    "discover_meta_ids": lambda e: acpinspect.discover_meta_ids(e).values.tolist(),
}


@pytest.mark.parametrize("function", FUNCTIONS.values(), ids=FUNCTIONS)
def test_a_path_is_as_good_as_the_table(function: Callable[[object], object]) -> None:
    expected = function(acpinspect.load(LOG))
    assert function(LOG) == expected
    assert function(str(LOG)) == expected


@pytest.mark.parametrize("function", FUNCTIONS.values(), ids=FUNCTIONS)
def test_what_is_neither_is_refused(function: Callable[[object], object]) -> None:
    with pytest.raises(acpinspect.EventsError, match="Load the log first"):
        function([1, 2, 3])
