"""The examples of the catalogue, two for each code, say the same when they are redacted."""

from __future__ import annotations

import pytest

import acpinspect
from acpinspect.diagnostics.example import Example
from acpinspect.diagnostics.explain import EXAMPLES
from acpinspect.diagnostics.sketch import sketched
from tests.privacy.test_shape import assert_same_shape


@pytest.mark.parametrize("code", sorted(EXAMPLES))
def test_an_example_and_its_remedy_keep_their_findings(code: str) -> None:
    example: Example = EXAMPLES[code]
    for sketch in (example.before, example.after):
        events = acpinspect.from_records(sketched(sketch, example.version), protocol=example.version)
        assert_same_shape(events, example.options)
