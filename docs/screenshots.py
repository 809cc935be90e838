"""Take the pictures of the documentation again: ``make screenshots``. Needs JupyterLab and Chromium.

All of them show the sample logs of today in the explorer, the report and the plots of today, so that none is older
than the code. The same code, browser and fonts give the same bytes.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from playwright.sync_api import Browser

HERE: Final = Path(__file__).resolve().parent
ROOT: Final = HERE.parent
IMAGES: Final = HERE / "images"
LOGS: Final = ROOT / "sample_logs"
SCHEMES: Final = ("light", "dark")
THEME: Final = """async (theme) => {
  await window.jupyterapp.commands.execute('apputils:change-theme', { theme: `JupyterLab ${theme}` });
}"""


class Cell(NamedTuple):
    """What is shown in JupyterLab.

    Attributes:
        code: The cell that shows it; the log's path stands in for ``{log}``.
        log: A sample log.
    """

    code: str
    log: str


IN_JUPYTER: Final = {
    "explorer": Cell("acpinspect.explore({log!r}, step=9)", "v1_mixed_ids.ndjson"),
    "comparison": Cell(
        "acpinspect.explore_comparison(acpinspect.compare({log!r}, 'spec', 'toad'))", "v1_with_ids.ndjson"
    ),
}


def take_in_jupyter(browser: Browser, into: Path) -> None:
    """The widgets, in a JupyterLab of their own."""
    from tests.browser.jupyter import jupyterlab

    with tempfile.TemporaryDirectory() as folder:
        home, notebooks = Path(folder, "home"), Path(folder, "notebooks")
        home.mkdir()
        notebooks.mkdir()
        with jupyterlab(notebooks, home) as url:
            take_widgets(browser, into, url, notebooks)


def take_widgets(browser: Browser, into: Path, url: str, notebooks: Path) -> None:
    """The widgets, without JupyterLab around them.

    Args:
        browser: The browser.
        into: The folder for the pictures.
        url: Where JupyterLab is.
        notebooks: The folder that it shows.
    """
    from tests.browser.conftest import Notebook
    from tests.browser.jupyter import notebook

    for name, cell in IN_JUPYTER.items():
        code = cell.code.format(log=str(LOGS / cell.log))
        (notebooks / f"{name}.ipynb").write_text(notebook("import acpinspect", code), encoding="utf-8")
        book = Notebook(browser.new_page(viewport={"width": 1290, "height": 900}, reduced_motion="reduce"))
        book.open(f"{url}/doc/tree/{name}.ipynb")
        for scheme in SCHEMES:
            book.page.evaluate(THEME, scheme.title())
            theme = f"body[data-jp-theme-light='{str(scheme == 'light').lower()}']"
            book.page.locator(theme).wait_for(state="attached")
            book.page.wait_for_timeout(1_000)  # the strip is drawn again a moment after
            explorer = book.page.locator(".acpi-explorer")
            explorer.evaluate("(element) => element.scrollIntoView({ block: 'start' })")
            explorer.screenshot(path=into / f"{name}-{scheme}.png", animations="disabled", caret="hide")
        book.page.close()


def take_report(browser: Browser, into: Path) -> None:
    """The explorer of a report, showing what Toad makes of a log, at the event where it goes another way."""
    import acpinspect

    with tempfile.TemporaryDirectory() as folder:
        path = acpinspect.report(LOGS / "v1_with_ids.ndjson", Path(folder, "report.html"))
        for scheme in SCHEMES:
            page = browser.new_page(
                viewport={"width": 1280, "height": 720}, color_scheme=scheme, reduced_motion="reduce"
            )
            page.goto(f"{path.as_uri()}#e21")
            page.wait_for_selector("html[data-ready=yes]")
            page.locator("[data-part=policy]").select_option("toad")
            page.locator("#explorer").evaluate("(element) => element.scrollIntoView({ block: 'start' })")
            page.mouse.move(0, 0)
            page.wait_for_timeout(500)
            page.screenshot(path=into / f"report-{scheme}.png", animations="disabled", caret="hide")
            page.close()


def take_plots(_: Browser, into: Path) -> None:
    """Four plots of a log with times."""
    import matplotlib as mpl

    mpl.use("Agg")
    from matplotlib import pyplot as plt

    import acpinspect
    from acpinspect import plot

    events = acpinspect.load(LOGS / "recorder.jsonl")
    for scheme in SCHEMES:
        with plt.style.context("dark_background" if scheme == "dark" else "default"):
            figure, grid = plt.subplots(2, 2, figsize=(13, 6.4), layout="constrained")
            plot.sessions(events, grid[0, 0])
            plot.chunks(events, grid[0, 1])
            plot.boundaries(acpinspect.compare(events, "spec", "toad"), grid[1, 0])
            plot.clients(acpinspect.compare_clients(events, CLIENTS), grid[1, 1])
            figure.savefig(into / f"plots-{scheme}.png", dpi=90, metadata={"Software": None})
            plt.close(figure)


CLIENTS: Final = (
    "zed-v1",
    "zed-pre-ids",
    "toad",
    "marimo",
    "jupyter-ai",
    "vscode-acp-fh",
    "avante",
    "acpx",
    "per-chunk",
)

TAKERS: Final[tuple[Callable[[Browser, Path], None], ...]] = (take_plots, take_report, take_in_jupyter)


@contextmanager
def chromium() -> Iterator[Browser]:
    """The browser that the tests use."""
    from playwright.sync_api import sync_playwright

    from tests.browser.jupyter import CHROMIUM_ARGS, find_chromium

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_chromium(), args=CHROMIUM_ARGS)
        yield browser
        browser.close()


def main(into: Path = IMAGES) -> None:
    """Write all pictures; what is there of that name is replaced."""
    with chromium() as browser:
        for take in TAKERS:
            take(browser, into)
    for path in sorted(into.glob("*.png")):
        print(f"{path.name}: {path.stat().st_size:,} bytes")


if __name__ == "__main__":
    sys.path.insert(0, str(ROOT))
    main()
