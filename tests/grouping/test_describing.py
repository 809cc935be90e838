"""A policy in plain words, for the terminal and for a notebook."""

from __future__ import annotations

import pytest

from acpinspect import Cues, Policy, Rules, Stream

FULL = Policy(
    name="mine",
    description="Two kinds of text.",
    evidence="source",
    source="https://example.org/x",
    version="1.2",
    date="2026-05",
    live=Rules(
        user=Stream(show="never"),
        agent=Stream(
            id="compare",
            null="fresh",
            close_on={"plan", "tool:new"},
            close_idless={"usage", "mode"},
            empty="drop",
            blank="drop_at_start",
            newline="absorb_at_start",
            blank_group="drop",
            nontext="own",
        ),
        thought=Stream(id="each"),
        prompt="join",
        dedup={"restated_block", "echo_block_last"},
        late="drop",
        id_scope="role",
        kind_conflict="reject",
        null_invalid=True,
        unanimous_ids=True,
    ),
    load=Rules(drop_all=True),
    faults=("Loses images.", "Loses time."),
    empty_id="absent",
    meta_id="update._meta.x",
    cues=Cues(gap=2.5, content_type=True, state=True, start="_a", end="_b"),
)


def test_a_description_says_all_that_a_policy_does() -> None:
    agent = "; ".join(
        [
            "a chunk joins the open message if their ids go together",
            "a chunk without id never continues anything",
            "closed by the first sight of a tool in the session, by call or update, a plan",
            "without id also closed by a usage_update, a current_mode_update",
            "empty chunks are dropped",
            "blank chunks are dropped where they would begin a message",
            "a chunk of line breaks begins a message, but shows nothing there",
            "a message whose text is blank is not shown",
            "images and the like stand alone and close the message",
        ]
    )
    assert FULL.describe().splitlines() == [
        "mine: Two kinds of text.",
        "Known from: read from the client's source (https://example.org/x, 1.2, 2026-05).",
        "Live:",
        "  User chunks: they are never shown.",
        f"  Agent chunks: {agent}.",
        "  Thought chunks: every chunk is a message of its own.",
        "  The prompt that was sent joins an open user message.",
        "  A user chunk that repeats a block of the last user message is swallowed.",
        "  An agent chunk that repeats the whole text so far under another id is dropped.",
        "  Chunks outside a turn are dropped.",
        "  Agent text and thought share the id that is compared.",
        "  A chunk whose id belongs to another role is rejected.",
        "  A chunk without id is rejected.",
        "  Ids count only where every agent chunk of the turn has one.",
        "In a replay:",
        "  Nothing is shown.",
        'The id "" counts as none.',
        "Ids are taken from update._meta.x.",
        "A pause of more than 2.5 s begins a new message.",
        "Another block type begins a new message.",
        "A change of the session's state begins a new message.",
        "The marker '_a' starts a message.",
        "The marker '_b' ends a message.",
        "Known to be wrong: Loses images.",
        "Known to be wrong: Loses time.",
    ]


def test_a_description_says_nothing_of_what_is_as_usual() -> None:
    assert Policy(name="bare").describe().splitlines() == [
        "bare",
        "Known from: made by a user.",
        "Live and in a replay:",
        "  User chunks: ids are not looked at.",
        "  Agent chunks: ids are not looked at.",
        "  Thought chunks: ids are not looked at.",
        "  The prompt that was sent is a message of its own.",
    ]


@pytest.mark.parametrize(
    ("where", "words"),
    [
        ({"source": "a talk"}, "(a talk)"),
        ({"version": "1"}, "(1)"),
        ({"source": "a", "date": "2026"}, "(a, 2026)"),
    ],
)
def test_of_its_origin_a_description_says_what_is_known(where: dict[str, str], words: str) -> None:
    assert Policy(name="bare", **where).describe().splitlines()[1] == f"Known from: made by a user {words}."  # type: ignore[arg-type]


def test_in_a_notebook_each_line_is_a_paragraph_and_those_of_a_phase_are_set_in() -> None:
    policy = Policy(name="mine", description="<b>", live=Rules(drop_all=True))
    assert policy._repr_html_() == (
        "<div><p><b>mine: &lt;b&gt;</b></p>"
        '<p style="margin:0 0 0 0em">Known from: made by a user.</p>'
        '<p style="margin:0 0 0 0em">Live and in a replay:</p>'
        '<p style="margin:0 0 0 1.5em">  Nothing is shown.</p></div>'
    )
