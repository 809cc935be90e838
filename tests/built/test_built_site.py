"""The site as `make site` built it: links lead somewhere, nothing comes from elsewhere, nothing is left out."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from urllib.parse import unquote, urldefrag

import pytest
from bs4 import BeautifulSoup

import acpinspect
from acpinspect.diagnostics import CODES

ROOT = Path(__file__).resolve().parents[2]
SITE = ROOT / "build" / "site"
LOADED = {"script": "src", "img": "src", "iframe": "src", "source": "src", "link": "href"}


@pytest.fixture(autouse=True, scope="module")
def built() -> None:
    assert (SITE / "index.html").is_file(), "run `make site` first"


@cache
def parsed(path: Path) -> BeautifulSoup:
    return BeautifulSoup(path.read_text(encoding="utf-8"), "html.parser")


@cache
def places(path: Path) -> frozenset[str]:
    return frozenset(str(tag["id"]) for tag in parsed(path).find_all(id=True))


def pages() -> list[Path]:
    """The pages of the site, without the report, which is a program of its own."""
    return sorted(path for path in SITE.rglob("*.html") if path.name != "sample-report.html")


def is_elsewhere(address: str) -> bool:
    return bool(re.match(r"(?:[a-z]+:)?//", address))


def test_every_link_within_the_site_leads_to_a_place_that_is_there() -> None:
    broken = []
    of_the_site = set(pages())
    for page in pages():
        for tag in parsed(page).find_all("a", href=True):
            address, place = urldefrag(str(tag["href"]))
            if is_elsewhere(address) or address.startswith("mailto:"):
                continue
            target = (page.parent / unquote(address)).resolve() if address else page
            there = target.is_file() and (
                not place or target not in of_the_site or unquote(place) in places(target)
            )
            if not there:
                broken.append(f"{page.relative_to(SITE)}: {tag['href']}")
    assert broken == []


def test_no_page_loads_anything_from_elsewhere() -> None:
    loaded = [
        f"{page.relative_to(SITE)}: {tag[key]}"
        for page in pages()
        for name, key in LOADED.items()
        for tag in parsed(page).find_all(name, **{key: True})
        if is_elsewhere(str(tag[key])) and tag.get("rel") != ["canonical"]
    ]
    assert loaded == []


def test_no_style_loads_anything_from_elsewhere() -> None:
    styles = [path.read_text(encoding="utf-8") for path in SITE.rglob("*.css")]
    assert styles
    assert not any(re.search(r"(?:url\(|@import)\s*['\"]?(?:https?:)?//", style) for style in styles)


def test_every_public_name_has_its_place_in_the_reference() -> None:
    there = frozenset().union(*(places(page) for page in (SITE / "api").glob("*.html")))
    wanted = {f"acpinspect.{name}" for name in acpinspect.__all__} - {"acpinspect.__version__"}
    assert wanted <= there


def test_every_code_has_its_place() -> None:
    assert set(CODES) <= places(SITE / "diagnostics.html")


@pytest.mark.parametrize("notebook", sorted((ROOT / "notebooks").glob("*.ipynb")), ids=lambda path: path.stem)
def test_a_notebook_is_shown_with_what_it_printed(notebook: Path) -> None:
    page = parsed(SITE / "notebooks" / f"{notebook.stem}.html")
    assert len(page.select(".cell_input")) >= 5
    assert len(page.select(".cell_output")) >= 5
    assert page.select_one("h1") is not None
