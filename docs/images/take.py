"""Take the pictures of the explorer again: ``python docs/images/take.py``. Needs JupyterLab and Chromium."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
LOG = ROOT / "sample_logs" / "v1_mixed_ids.ndjson"
THEME = "async (theme) => { await window.jupyterapp.commands.execute('apputils:change-theme', { theme }); }"


def main() -> None:
    """Open the explorer in JupyterLab and take it in both themes."""
    sys.path.insert(0, str(ROOT))
    from playwright.sync_api import sync_playwright

    from tests.browser.conftest import Notebook
    from tests.browser.jupyter import CHROMIUM_ARGS, find_chromium, jupyterlab, notebook

    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        home, notebooks = Path(folder, "home"), Path(folder, "notebooks")
        home.mkdir()
        notebooks.mkdir()
        cell = f"explorer = acpinspect.explore({str(LOG)!r}, step=7)\nexplorer"
        (notebooks / "explorer.ipynb").write_text(notebook("import acpinspect", cell), encoding="utf-8")
        with jupyterlab(notebooks, home) as url:
            browser = playwright.chromium.launch(executable_path=find_chromium(), args=CHROMIUM_ARGS)
            book = Notebook(browser.new_page(viewport={"width": 1290, "height": 1000}))
            book.open(f"{url}/doc/tree/explorer.ipynb")
            explorer = book.page.locator(".acpi-explorer")
            for theme in ("Light", "Dark"):
                book.page.evaluate(THEME, f"JupyterLab {theme}")
                book.page.wait_for_timeout(1_000)
                explorer.evaluate("element => element.scrollIntoView({ block: 'start' })")
                explorer.screenshot(path=HERE / f"explorer-{theme.lower()}.png")
            browser.close()


if __name__ == "__main__":
    main()
