"""Rules about turns, tools and states, found in columns and by a walk with a notebook: they agree."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import acpinspect
from acpinspect.diagnostics.sketch import sketched
from tests.diagnostics.reference_turns import CODES, Findings, findings_of

LINES = {
    "v1": """
        prompt Go
        prompt Go
        end end_turn
        end end_turn
        end cancelled
        end odd
        fail
        cancel
        agent m1 Hm
        agent m2 " "
        thought t1 hm
        user u1 Go
        tool t1 Dig pending
        tool t2 Mow completed
        update t1 in_progress
        update t1 completed
        update t2 pending
        update t3 completed
        ask t1
        ask t4
        allow
        plan Dig=pending
        load
        resume
        loaded
    """,
    "v2": """
        prompt Go
        prompt Go
        ok
        ok
        fail
        cancel
        agent m1 Hm
        whole agent m2 Hm
        thought t1 hm
        user u1 Go
        whole user u2 Go
        tool t1 Dig pending
        tool t2 Mow completed
        update t1 in_progress
        update t1 completed
        update t2 pending
        state running
        state running
        state idle end_turn
        state idle cancelled
        state idle
        state requires_action
    """,
}
BEGINNING = {
    "v1": ["new", "is s1", "prompt Go", "agent a0 Hm", "end end_turn"],
    "v2": [
        "new",
        "is s1",
        "prompt Go",
        "ok",
        "state running",
        "whole user u0 Go",
        "agent a0 Hm",
        "state idle end_turn",
    ],
}
NOT_IN_V2 = ("tool-update-before-create", "duplicate-tool-call")
"""The walk knows only what v1 says of these."""

ASKS = {"prompt": "prompt", "load": "load", "resume": "load", "ask": "ask"}
ANSWERS = {"end": "prompt", "allow": "ask", "ok": "prompt", "loaded": "load", "fail": None}


def possible(lines: list[str]) -> list[str]:
    """The lines that can be written: answers to what is open, loads and prompts one at a time."""
    open_ones: list[str] = []
    kept = []
    for line in lines:
        word = line.split(" ")[0]
        asked, answered = ASKS.get(word), ANSWERS.get(word, "")
        if (asked == "load" and {"load", "prompt"} & set(open_ones)) or (
            asked == "prompt" and "load" in open_ones
        ):
            continue
        if answered != "" and not answer(open_ones, word, answered):
            continue
        if asked:
            open_ones.append(asked)
        kept.append(line)
    return kept


def answer(open_ones: list[str], word: str, answered: str | None) -> bool:
    """Take away what an answer answers, if that is open."""
    if word in ("end", "allow"):
        if answered not in open_ones:
            return False
        at = len(open_ones) - 1 - open_ones[::-1].index(str(answered))
        del open_ones[at]
        return True
    if not open_ones or open_ones[-1] == "ask" or answered not in (None, open_ones[-1]):
        return False
    open_ones.pop()
    return True


def of_version(found: Findings, version: str) -> Findings:
    return sorted(one for one in found if version == "v1" or one[0] not in NOT_IN_V2)


@pytest.mark.parametrize("version", ["v1", "v2"])
def test_rules_in_columns_find_what_a_walk_finds(version: str) -> None:
    lines = [line.strip() for line in LINES[version].splitlines() if line.strip()]

    @settings(max_examples=150, deadline=None)
    @given(st.lists(st.sampled_from(lines), min_size=2, max_size=22))
    def holds(chosen: list[str]) -> None:
        frames = sketched("\n".join([*BEGINNING[version], *possible(chosen)]), version)
        table = acpinspect.from_records(frames, protocol=version)
        found = acpinspect.diagnose(table, codes=list(CODES))
        columns = (found["code"].astype(str), found["event"].tolist(), found["severity"].astype(str))
        assert of_version(list(zip(*columns, strict=True)), version) == of_version(
            findings_of(table, version), version
        )

    holds()
