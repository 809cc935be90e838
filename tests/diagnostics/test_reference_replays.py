"""Rules about loads, found in columns and from the messages table: they agree."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

import acpinspect
from acpinspect.diagnostics.sketch import sketched
from tests.diagnostics.reference_replays import CODES, findings_of

LINES = """
    prompt Go
    end end_turn
    end cancelled
    fail
    agent m1 "The beds are wet"
    agent m2 "The beds are wet"
    agent m3 "Another text here"
    agent - "Another text here"
    agent m4 "ab"
    user u1 "Please water all"
    user u2 "Please water all"
    thought t1 "I think of rain"
    tool t1 Dig completed
    tool t2 Mow completed
    update t1 completed
    plan Dig=pending
    load
    load
    resume
    loaded
    loaded
    send {"sessionUpdate": "usage_update", "used": 1, "size": 9}
"""
ASKS = {"prompt": "prompt", "load": "load", "resume": "load"}
ANSWERS = {"end": ("prompt",), "loaded": ("load",), "fail": ("prompt", "load")}


def possible(lines: list[str]) -> list[str]:
    """The lines that can be written: one request at a time, and answers to it."""
    asked, kept = "", []
    for line in lines:
        word = line.split(" ")[0]
        if (word in ASKS and asked) or (word in ANSWERS and asked not in ANSWERS[word]):
            continue
        asked = ASKS.get(word, "" if word in ANSWERS else asked)
        kept.append(line)
    return kept


@settings(max_examples=150, deadline=None)
@given(st.lists(st.sampled_from([line.strip() for line in LINES.strip().splitlines()]), min_size=4, max_size=30))
def test_what_is_said_of_loads_in_columns_is_said_by_the_messages_table(lines: list[str]) -> None:
    table = acpinspect.from_records(sketched("\n".join(possible(lines))), protocol="v1")
    found = acpinspect.diagnose(table, codes=list(CODES))
    columns = (found["code"].astype(str), found["event"].tolist(), found["severity"].astype(str))
    assert sorted(zip(*columns, strict=True)) == findings_of(table)
