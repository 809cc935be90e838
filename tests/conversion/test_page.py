"""The page on conversions says what is tested."""

from __future__ import annotations

import doctest
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


def test_the_code_of_the_page_gives_what_it_shows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    code = "\n".join(re.findall(r"```pycon\n(.*?)```", PAGE, re.DOTALL))
    runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE)
    runner.run(doctest.DocTestParser().get_doctest(code, {}, "conversion.md", "conversion.md", 0))
    assert runner.summarize().attempted == 6
    assert runner.failures == 0
