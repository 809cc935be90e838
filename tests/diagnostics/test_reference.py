"""Rules in columns and rules event by event agree on every log."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import acpinspect
from acpinspect.diagnostics.sketch import sketched
from tests.diagnostics.cases import Case, read_cases
from tests.diagnostics.reference import findings_of

SESSIONS = ("", "", "", "@s2 ")
IDS = ("m1", "m2", "m3", "-", "-", "null", "#3")
TEXTS = ['""', '" "', '"ab"', '"ab cd"', '"ab cd ef gh ij"', '"ef gh ij"']
MARKS = ['"Cd."', '"(Ef.)"', '"# G`"', '"```"', '"\\n"']
OTHERS = """
    tool t1 Dig pending
    tool t2 Mow completed
    update t1 in_progress
    update t3 completed
    ask t1
    ask t4
    send {"sessionUpdate": "usage_update", "used": 1, "size": 9}
    send {"sessionUpdate": "_acme"}
    plan Dig=pending
    cancel
    prompt Go
    prompt Go
    end end_turn
    end end_turn
    load
    resume
    loaded
"""


@st.composite
def frames(draw: st.DrawFn) -> list[dict]:
    """Lines at random, with what can't be written (an answer without a request) left out."""
    chunk = st.builds(
        "{}{} {} {}".format,
        st.sampled_from(SESSIONS),
        st.sampled_from(("agent", "agent", "thought", "user")),
        st.sampled_from(IDS),
        st.sampled_from([*TEXTS, *MARKS]),
    )
    others = [line.strip() for line in OTHERS.split("\n") if line.strip()]
    other = st.builds("{}{}".format, st.sampled_from(SESSIONS), st.sampled_from(others))
    lines = draw(st.lists(st.one_of(chunk, chunk, other), min_size=2, max_size=25))
    asked = {"end": 0, "loaded": 0}
    kept = []
    for line in lines:
        word = line.split("@s2 ")[-1].split(" ")[0]
        need = {"end": "end", "loaded": "loaded"}.get(word)
        if need and not asked[need]:
            continue
        if need:
            asked[need] -= 1
        if word in ("prompt", "load", "resume"):
            asked["end" if word == "prompt" else "loaded"] += 1
        kept.append("loaded-one" if word == "loaded" else line)
    return written(kept)


def written(lines: list[str]) -> list[dict]:
    """The frames; `loaded-one` answers the last open load or resume."""
    text, out, open_loads = [], [], []
    for line in lines:
        if line == "loaded-one":
            out.append(open_loads.pop())
            continue
        text.append(line)
        frame = sketched("\n".join(text))[-1]
        if frame.get("method") in ("session/load", "session/resume"):
            open_loads.append({"jsonrpc": "2.0", "id": frame["id"], "result": {}})
        out.append(frame)
    return out


def agree(table_frames: list[dict]) -> None:
    table = acpinspect.from_records(table_frames, protocol="v1")
    expected = findings_of(table)
    found = acpinspect.diagnose(table, codes=list(expected))
    assert {code: found.loc[found["code"] == code, "event"].tolist() for code in expected} == expected


@settings(max_examples=150, deadline=None)
@given(frames())
def test_rules_in_columns_find_what_rules_event_by_event_find(table_frames: list[dict]) -> None:
    agree(table_frames)


@pytest.mark.parametrize("case", [case for case in read_cases() if case.version == "v1"], ids=str)
def test_they_agree_on_the_logs_of_all_rules(case: Case) -> None:
    agree(case.frames)
