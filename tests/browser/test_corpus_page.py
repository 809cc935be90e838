"""The page of a corpus, opened from disk by a browser without network."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import acpinspect
from tests.collection.folders import WITH_IDS, WITHOUT_IDS, begun, turn
from tests.logs import ndjson

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
HOSTILE = "<img src=x onerror=alert(1)><script>alert(2)</script>"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    logs = tmp_path_factory.mktemp("logs")
    (logs / "a.jsonl").write_bytes(ndjson(WITH_IDS))
    (logs / "b.jsonl").write_bytes(ndjson(WITHOUT_IDS))
    (logs / "c.jsonl").write_bytes(ndjson([*begun(HOSTILE), *turn("I am done.", "Now I write.", ids=False)]))
    (logs / "d.json").write_text('{"scripts": {}}')
    out = logs.parent / "out"
    acpinspect.corpus(logs, workers=1).write(out, policies=["toad", "zed-v1", "acpx"], examples=1)
    return out


@pytest.fixture(params=["light", "dark"])
def page(offline_browser: Browser, folder: Path, request: pytest.FixtureRequest) -> Iterator[Page]:
    """The open page; it may have no error and ask for nothing but itself."""
    context = offline_browser.new_context(
        offline=True, color_scheme=request.param, viewport={"width": 1280, "height": 900}
    )
    opened = context.new_page()
    said: list[str] = []
    asked: list[str] = []
    opened.on("pageerror", lambda error: said.append(str(error)))
    opened.on("console", lambda message: said.append(message.text))
    opened.on("request", lambda sent: asked.append(sent.url))
    opened.on("dialog", lambda dialog: said.append(dialog.message))
    opened.goto((folder / "corpus.html").as_uri())
    yield opened
    assert said == []
    assert asked == [(folder / "corpus.html").as_uri()]
    context.close()


def test_its_pictures_have_colours_though_nothing_of_them_is_in_line(page: Page) -> None:
    fills = page.locator("#agents svg rect").evaluate_all("all => all.map(one => getComputedStyle(one).fill)")
    assert len(fills) >= 3
    assert len(set(fills)) >= 2
    assert "rgb(0, 0, 0)" not in fills
    grounds = page.locator("table.matrix td[class]").evaluate_all(
        "all => all.map(one => getComputedStyle(one).backgroundColor)"
    )
    assert len(set(grounds)) >= 2


def test_a_hostile_name_is_text(page: Page) -> None:
    assert page.locator("#agents td", has_text="<script>alert(2)</script>").count() == 1
    assert page.locator("img, script, iframe").count() == 0


def test_nothing_is_wider_than_the_window(page: Page) -> None:
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")


def test_the_parts_are_reached_by_the_links_at_the_top(page: Page) -> None:
    for link in page.locator("nav a").all():
        assert page.locator(str(link.get_attribute("href"))).count() == 1
