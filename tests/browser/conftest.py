"""One JupyterLab and one Chromium for all browser tests, and a page that writes down what went wrong in it."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import pytest

from tests.browser.jupyter import CHROMIUM_ARGS, READY, RUN_ALL, find_chromium, jupyterlab, notebook

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page

REQUIRED = bool(os.environ.get("CI"))
"""Where changes are judged, a missing browser is a failure and no reason to skip."""


class Notebook:
    """An open notebook.

    Attributes:
        page: The page it is open in.
        errors: What JavaScript threw.
        foreign: Addresses that were asked for and are not on this machine.
    """

    def __init__(self, page: Page) -> None:
        self.page = page
        self.errors: list[str] = []
        self.foreign: list[str] = []
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.on("request", lambda request: self._asked(request.url))

    def _asked(self, url: str) -> None:
        parts = urlsplit(url)
        if parts.scheme not in ("data", "blob") and parts.hostname != "127.0.0.1":
            self.foreign.append(url)

    def open(self, url: str) -> None:
        self.page.goto(url)
        self.page.locator(".jp-Notebook").wait_for(timeout=60_000)
        self.page.evaluate(READY)
        assert self.page.evaluate(RUN_ALL) == "true", "a cell raised"
        self.page.locator(".acpi-explorer").wait_for(timeout=30_000)
        self.page.locator(".acpi-strip canvas").wait_for(timeout=30_000)

    def python(self, expression: str) -> str:
        """What an expression is in the kernel, as its repr."""
        script = """async (code) => {
          const kernel = window.jupyterapp.shell.currentWidget.sessionContext.session.kernel;
          const asked = { code: '', user_expressions: { it: code }, store_history: false };
          const reply = await kernel.requestExecute(asked).done;
          const it = reply.content.user_expressions.it;
          return it.status === 'ok' ? it.data['text/plain'] : `${it.ename}: ${it.evalue}`;
        }"""
        said: str = self.page.evaluate(script, expression)
        return said


@pytest.fixture(scope="session")
def workplace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that JupyterLab shows."""
    return tmp_path_factory.mktemp("notebooks")


@pytest.fixture(scope="session")
def lab(workplace: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    pytest.importorskip("jupyterlab")
    with jupyterlab(workplace, tmp_path_factory.mktemp("jupyter")) as url:
        yield url


@pytest.fixture(scope="session")
def chromium_path() -> str:
    """The Chromium that there is; without one the tests are skipped, or fail where that is no excuse."""
    pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
    chromium = find_chromium()
    if chromium is None:
        if REQUIRED:
            pytest.fail("There is no Chromium, though it is required: see `make browser`.")
        pytest.skip("there is no Chromium; `make browser` installs one")
    return chromium


# Playwright can be started once at a time, and each module has its own needs.
@pytest.fixture(scope="module")
def browser(chromium_path: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[BrowserContext]:
    """A Chromium with the settings of one user."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        context = playwright.chromium.launch_persistent_context(
            tmp_path_factory.mktemp("chromium"),
            headless=True,
            executable_path=chromium_path,
            args=CHROMIUM_ARGS,
            viewport={"width": 1280, "height": 900},
        )
        yield context
        context.close()


@pytest.fixture(scope="module")
def offline_browser(chromium_path: str) -> Iterator[Browser]:
    """A Chromium that opens pages from disk, each in a context of its own."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=chromium_path, args=CHROMIUM_ARGS)
        yield launched
        launched.close()


@pytest.fixture(scope="module")
def opened(lab: str, browser: BrowserContext, workplace: Path) -> Callable[..., Notebook]:
    """Opens a notebook of some cells, once for each name."""
    known: dict[str, Notebook] = {}

    def open_once(name: str, *cells: str) -> Notebook:
        if name not in known:
            (workplace / f"{name}.ipynb").write_text(notebook(*cells), encoding="utf-8")
            known[name] = Notebook(browser.new_page())
            known[name].open(f"{lab}/doc/tree/{name}.ipynb")
        return known[name]

    return open_once
