"""How text and data get into a page, and the files that a page is made of."""

from __future__ import annotations

import json
import subprocess
import sys
import zipfile
from importlib.resources import files
from pathlib import Path

import pytest

from acpinspect.html_report.assets import SCRIPTS, STYLES
from acpinspect.html_report.blocks import shown_items, shown_value
from acpinspect.html_report.packing import data_element, json_text
from acpinspect.html_report.shortening import shorten, shortened_json
from acpinspect.html_report.tables import cell
from acpinspect.html_report.texts import escape, visible
from tests.html_report.pages import HOSTILE, embedded

ROOT = Path(__file__).resolve().parents[2]
STATIC = files("acpinspect.html_report").joinpath("static")


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_json_in_a_page_says_the_same_and_holds_no_markup(text: str) -> None:
    packed = json_text({text: [text]})
    assert json.loads(packed) == {text: [text]}
    assert not set(packed) & set("<>&\u2028\u2029")
    packed.encode("utf-8")


def test_small_data_can_be_read_in_the_source_of_the_page() -> None:
    assert '>{"a":1}<' in data_element({"a": 1})


def test_large_data_is_compressed() -> None:
    value = {"a": ["text"] * 100_000}
    element = data_element(value)
    assert len(element) < 5_000
    assert embedded(element) == value


@pytest.mark.parametrize("name", ["page.html", "head.html", *STYLES, *SCRIPTS])
def test_every_part_of_the_page_is_there(name: str) -> None:
    assert STATIC.joinpath(name).is_file()


def test_no_script_or_style_lies_about_unused() -> None:
    names = {item.name for item in STATIC.iterdir()}
    assert names == {"page.html", "head.html", *STYLES, *SCRIPTS}


@pytest.mark.parametrize("name", SCRIPTS)
def test_no_script_makes_markup_of_text_or_fetches(name: str) -> None:
    text = STATIC.joinpath(name).read_text(encoding="utf-8")
    forbidden = ("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "Function(", "fetch(")
    forbidden += ("XMLHttpRequest", "WebSocket", "import(", "sendBeacon", "http:", "https:")
    assert [word for word in forbidden if word in text] == []


@pytest.mark.parametrize("name", ["page.html", "head.html", *STYLES, *SCRIPTS])
def test_every_part_is_small(name: str) -> None:
    assert len(STATIC.joinpath(name).read_text(encoding="utf-8").splitlines()) < 300


def test_the_wheel_has_every_part(tmp_path: Path) -> None:
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True)
    (wheel,) = tmp_path.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
    wanted = {f"acpinspect/html_report/static/{name}" for name in ("page.html", "head.html", *STYLES, *SCRIPTS)}
    assert wanted <= names


def test_marks_that_turn_the_direction_are_shown() -> None:
    assert visible("a\u202eb") == "a⟦U+202E⟧b"


def test_letters_that_are_read_from_the_right_stay() -> None:
    assert visible("שלום") == "שלום"


def test_lines_and_tabs_stay() -> None:
    assert visible("a\n\tb") == "a\n\tb"


def test_quotes_are_escaped_for_attributes() -> None:
    assert escape("\"'<&>") == "&quot;&#x27;&lt;&amp;&gt;"


def test_missing_values_are_empty_cells() -> None:
    import pandas as pd

    assert cell(pd.NA) == cell(None) == cell(float("nan")) == cell(pd.NaT) == "<td></td>"


def test_the_word_nan_in_a_log_is_a_word() -> None:
    assert cell("nan") == "<td>nan</td>"


def test_what_is_short_is_not_touched() -> None:
    raw = '{ "a" : 1.0e5 }'
    assert shortened_json(raw, 100) is raw


def test_what_is_cut_is_json_still() -> None:
    raw = json.dumps({"a": "x" * 500, "b": [1] * 500, "c": {"d": 2**70}})
    value = json.loads(shortened_json(raw, 50))
    assert value["a"] == "x" * 50 + "… (450 more characters)"
    assert value["b"][-1] == "… (300 more items)"
    assert value["c"] == {"d": 2**70}


def test_what_is_no_json_is_cut_at_its_end() -> None:
    assert shortened_json("not json " * 10, 8) == "not json… (82 more characters)"


def test_numbers_that_json_has_no_word_for_are_texts() -> None:
    assert shorten([float("nan"), float("inf")], 10) == ["nan", "inf"]


@pytest.mark.parametrize(
    ("item", "shown"),
    [
        ({"type": "content", "content": {"type": "text", "text": "a"}}, "a"),
        ({"type": "resource_link", "name": "n", "uri": "file:///a"}, ["resource_link", "n file:///a"]),
        ({"type": "terminal", "terminalId": "t"}, ["terminal", "t"]),
        ({"type": "diff", "path": "p", "oldText": None, "newText": "b"}, ["diff", "p", "", "b"]),
        ({"type": "hologram", "x": 1}, ["hologram", '{"type": "hologram", "x": 1}']),
        ({"type": "text", "text": 7}, ["text", '{"type": "text", "text": 7}']),
        ("no block", ["?", '"no block"']),
    ],
)
def test_content_is_shown_as_text_or_in_a_few_words(item: object, shown: object) -> None:
    assert shown_items([item], 100) == [shown]


def test_a_value_that_is_large_as_a_whole_is_cut_text() -> None:
    value = shown_value({str(i): "x" * 100 for i in range(150)}, 5_000)
    assert isinstance(value, str)
    assert len(value) < 2_100
