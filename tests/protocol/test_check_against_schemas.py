"""`read_update` and the published schemas agree on which updates are valid, and on what is left of the others."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from acpinspect.protocol import VERSIONS, Reading, Version, read_content_blocks, read_permission, read_update
from tests.conftest import SHARED, corpus_files, needs_corpus, needs_spec, read_case
from tests.protocol.generated import permissions, updates
from tests.protocol.schemas import is_valid

CASES = corpus_files("bugs/*.json") + corpus_files("rules/*.json")
MANY = settings(max_examples=400, deadline=None, suppress_health_check=[HealthCheck.too_slow])

# The strategies are made from the schemas, so they can't be made without them.
HAVE_SPEC = (SHARED / "spec").is_dir()
VALID = {version: updates(version, broken=False) if HAVE_SPEC else st.nothing() for version in VERSIONS}
BROKEN = {version: updates(version, broken=True) if HAVE_SPEC else st.nothing() for version in VERSIONS}


def put_together(reading: Reading) -> dict[str, Any]:
    """The update that is left after reading."""
    assert reading.variant is not None
    return {"sessionUpdate": reading.variant.name, **reading.fields, **reading.extra}


@needs_spec
@pytest.mark.parametrize("version", VERSIONS)
def test_a_valid_update_has_no_issues_and_loses_nothing(version: Version) -> None:
    @MANY
    @given(VALID[version])
    def check(update: dict[str, Any]) -> None:
        assert is_valid(update, version)
        reading = read_update(update, version)
        assert (reading.issues, reading.rejected) == ((), None)
        assert put_together(reading) == update

    check()


@needs_spec
@pytest.mark.parametrize("version", VERSIONS)
def test_an_update_has_issues_exactly_if_the_schema_refuses_it(version: Version) -> None:
    @MANY
    @given(BROKEN[version])
    def check(update: object) -> None:
        assert (read_update(update, version).issues == ()) is is_valid(update, version)

    check()


@needs_spec
@pytest.mark.parametrize("version", VERSIONS)
def test_what_is_left_of_an_update_that_is_not_rejected_is_valid(version: Version) -> None:
    @MANY
    @given(BROKEN[version])
    def check(update: object) -> None:
        reading = read_update(update, version)
        if reading.rejected is None:
            assert is_valid(put_together(reading), version)

    check()


@needs_spec
@pytest.mark.parametrize("version", VERSIONS)
def test_reading_never_changes_the_update(version: Version) -> None:
    @MANY
    @given(BROKEN[version])
    def check(update: object) -> None:
        before = copy.deepcopy(update)
        read_update(update, version)
        assert update == before

    check()


@needs_spec
@pytest.mark.parametrize("version", VERSIONS)
def test_a_permission_request_has_issues_exactly_if_the_schema_refuses_it(version: Version) -> None:
    @MANY
    @given(permissions(version, broken=True))
    def check(params: object) -> None:
        issues = read_permission(params, version).issues
        assert (issues == ()) is is_valid(params, version, "RequestPermissionRequest")

    check()


@needs_spec
@pytest.mark.parametrize("version", VERSIONS)
def test_the_blocks_that_are_kept_are_the_valid_ones(version: Version) -> None:
    texts = st.sampled_from([None, 1, "a"])
    blocks = st.fixed_dictionaries({}, optional={"type": st.sampled_from(["text", "later", 1]), "text": texts})

    @MANY
    @given(st.lists(blocks | st.none(), max_size=4))
    def check(items: list[Any]) -> None:
        kept = [item for item in items if is_valid(item, version, "ContentBlock")]
        assert read_content_blocks(items, version).blocks == kept

    check()


@needs_spec
@needs_corpus
@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_the_updates_of_a_case_have_issues_where_the_schema_refuses_them(path: Any) -> None:
    case = read_case(path)
    version = case["protocol"]
    for event, message in enumerate(case["log"]):
        if message.get("method") == "session/update":
            update = message["params"].get("update")
            assert bool(read_update(update, version).issues) is not is_valid(update, version), event


@needs_corpus
@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_the_updates_of_a_case_have_issues_where_the_case_says_so(path: Any) -> None:
    case = read_case(path)
    named = set(case.get("schema_errors_at", ()))
    updates_at = {i for i, message in enumerate(case["log"]) if message.get("method") == "session/update"}
    faulty = {i for i in updates_at if read_update(case["log"][i]["params"]["update"], case["protocol"]).issues}
    # Errors of other places are those of results, and of params beside the update.
    assert faulty == named & updates_at
