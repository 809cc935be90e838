"""The catalogue: complete, in our own words, and explained."""

from __future__ import annotations

import json

import pytest

import acpinspect
from acpinspect.diagnostics import CODES, RULES
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


@pytest.mark.parametrize("code", sorted(CODES))
def test_a_code_is_explained_with_the_place_marked(code: str) -> None:
    text = acpinspect.explain_code(code)
    before, after = text.split("\nAfter:\n")
    assert text.startswith(f"{code} ({CODES[code].severity}")
    assert "\n> {" in before
    assert "\n> {" not in after


def test_an_unknown_code_is_not_explained() -> None:
    with pytest.raises(acpinspect.ArgumentError, match="glued-boundary"):
        acpinspect.explain_code("glued")
