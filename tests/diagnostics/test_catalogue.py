"""The catalogue: complete, in our own words, and explained."""

from __future__ import annotations

import json
import re

import pytest

import acpinspect
from acpinspect.diagnostics import CODES, RULES, forget_rule, rule
from acpinspect.diagnostics.rules import register_all
from tests.conftest import CORPUS, needs_corpus


def test_every_code_has_a_rule_and_every_rule_a_code() -> None:
    register_all()
    assert set(RULES) == set(CODES)


@needs_corpus
def test_the_codes_tiers_and_versions_are_those_of_the_published_catalogue() -> None:
    published = json.loads((CORPUS / "diagnostics.json").read_text(encoding="utf-8"))["codes"]
    tiers = {one["code"]: one["tier"] for one in published}
    assert tiers.items() <= {code.code: code.tier for code in CODES.values()}.items()
    assert len(tiers) == 50
    one_version = {one["code"]: one["protocol"][:2] for one in published if one["protocol"] in ("v1", "v2")}
    assert one_version.items() <= {code.code: code.versions[0] for code in CODES.values()}.items()


@needs_corpus
def test_nothing_is_copied_from_the_published_catalogue() -> None:
    published = json.loads((CORPUS / "diagnostics.json").read_text(encoding="utf-8"))["codes"]
    theirs = {one[key] for one in published for key in ("means", "rule", "fix")}
    ours = {text for code in CODES.values() for text in (code.means, code.found, code.remedy)}
    assert not theirs & ours


def test_the_table_has_a_row_for_each_code_and_no_empty_meaning() -> None:
    table = acpinspect.catalogue()
    assert table["code"].tolist() == list(CODES)
    assert (table[["means", "found", "remedy"]] != "").all(axis=None)


def test_the_table_is_of_text_with_versions_side_by_side() -> None:
    table = acpinspect.catalogue().set_index("code")
    assert {str(dtype) for dtype in table.dtypes} == {"string"}
    assert table.loc["unknown-update", ["tier", "versions", "severity", "varies"]].tolist() == [
        "core",
        "v1 v2",
        "error",
        "info for names that begin with an underscore; warning for names that v2 reserves",
    ]
    assert table.loc["empty-turn", "versions"] == "v1"


WITH_A_THRESHOLD = """\
chunk-flood (info, v1 v2)

A message in very many tiny chunks.

When:     200 chunks or more of less than 8 code points on average.
Do:       Gather for some milliseconds before sending.
No fault: Plain token streaming.

Before (chunk_flood_min = 4):
  {"id": 1, "method": "session/prompt", "params": {"sessionId": "s1", "prompt": [TEXT Go]}}
> {"method": "session/update", "params": {"sessionId": "s1", "update": {CHUNK [TEXT one ]}}}
  {"method": "session/update", "params": {"sessionId": "s1", "update": {CHUNK [TEXT two ]}}}
  {"method": "session/update", "params": {"sessionId": "s1", "update": {CHUNK [TEXT six ]}}}
  {"method": "session/update", "params": {"sessionId": "s1", "update": {CHUNK [TEXT ten ]}}}
  {"id": 1, "result": {"stopReason": "end_turn"}}

After:
  {"id": 1, "method": "session/prompt", "params": {"sessionId": "s1", "prompt": [TEXT Go]}}
  {"method": "session/update", "params": {"sessionId": "s1", "update": {CHUNK [TEXT one two six ten ]}}}
  {"id": 1, "result": {"stopReason": "end_turn"}}
"""
WITH_SEVERITIES_AND_A_SOURCE = """\
unknown-update (error, v1 v2)

The version has no update of this name.

When:     At each; it is no message, tool or plan and closes nothing.
Do:       Negotiate the version; begin names of your own with an underscore.
No fault: A schema that is newer than this tool.
Severity: error; info for names that begin with an underscore; warning for names that v2 reserves
Source:   docs/protocol/v2/migration.mdx:66-72,699

Before:
"""


def test_an_explanation_says_when_what_to_do_and_the_threshold_of_its_example() -> None:
    chunk = '"sessionUpdate": "agent_message_chunk", "messageId": "m1", "content":'
    text = re.sub(r"\[TEXT (.*?)\]", r'{"type": "text", "text": "\1"}', WITH_A_THRESHOLD.replace("CHUNK", chunk))
    assert acpinspect.explain_code("chunk-flood") == text.replace(
        '"prompt": {"type": "text", "text": "Go"}', '"prompt": [{"type": "text", "text": "Go"}]'
    )


def test_an_explanation_says_how_the_severity_varies_and_where_it_is_written() -> None:
    assert acpinspect.explain_code("unknown-update").startswith(WITH_SEVERITIES_AND_A_SOURCE)


def test_an_explanation_shows_characters_as_they_are() -> None:
    assert "\ufffd" in acpinspect.explain_code("text-corruption")


def test_a_rule_of_ones_own_is_explained_without_example_in_lines_that_fit_a_terminal() -> None:
    rule("quiet", means="Too quiet.", remedy="Speak up, " * 15 + "please.")(lambda _: ())
    try:
        lines = acpinspect.explain_code("quiet").splitlines()
    finally:
        forget_rule("quiet")
    assert lines[:4] == ["quiet (warning, v1 v2)", "", "Too quiet.", ""]
    assert lines[4:] == [
        f"Do:       {'Speak up, ' * 9}".rstrip(),
        f"          {'Speak up, ' * 6}please.",
    ]


@pytest.mark.parametrize("code", sorted(CODES))
def test_a_code_is_explained_with_the_place_marked(code: str) -> None:
    text = acpinspect.explain_code(code)
    before, after = text.split("\nAfter:\n")
    assert text.startswith(f"{code} ({CODES[code].severity}")
    assert "\n> {" in before
    assert "\n> {" not in after


@pytest.mark.parametrize(
    ("code", "told"),
    [
        ("glued-boundry", "Did you mean glued-boundary?"),
        ("replay-ids", "Did you mean replay-ids-changed or load-replay-missing or replay-duplicate?"),
        ("xyz", "`acpinspect.catalogue()` lists them."),
    ],
)
def test_of_an_unknown_code_the_nearest_ones_are_told(code: str, told: str) -> None:
    with pytest.raises(acpinspect.ArgumentError, match=rf"^There is no code '{code}'\. {re.escape(told)}$"):
        acpinspect.explain_code(code)
