"""The page on conversions says what is tested."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.conversion.test_losses import TO_V1, TO_V2

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "conversion.md").read_text(encoding="utf-8")


@pytest.mark.parametrize(("to", "cases"), [("v1", TO_V1), ("v2", TO_V2)])
def test_each_loss_of_the_page_is_tested_and_each_tested_one_stands_there(
    to: str, cases: dict[str, object]
) -> None:
    table = PAGE.partition(f"<!-- losses to {to} -->\n")[2].partition("\n\n")[0]
    assert re.findall(r"^\| (.*?) \|", table, re.MULTILINE)[1:] == list(cases)
