"""How quick the explorer is: ``python benchmarks/explore.py [EVENTS ...] [--browser]``.

In the kernel: what a step costs (neighbours and random ones) and how long opening takes beside loading the log.
With ``--browser``, in JupyterLab: from a key to the painted page, beside a bare 20 KB `ipywidgets.HTML` update of
the same run, and how long the time strip takes to be redrawn. Ratios compare 95th percentiles of one run.
"""

from __future__ import annotations

import argparse
import re
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from generate import DATA, generate

STEPS = 300
KEYS = 120
ROUNDS = 12
ONE_SESSION = re.compile(rb'"sess-[0-9a-f-]+"')


def log_of(n_events: int) -> Path:
    """A log of one session: the generated one, with all its sessions taken for one."""
    path = DATA / f"explore-{n_events}.ndjson"
    if not path.exists():
        DATA.mkdir(exist_ok=True)
        path.write_bytes(ONE_SESSION.sub(b'"sess-one"', generate(n_events).read_bytes()))
    return path


def timed(act: Callable[[], object]) -> float:
    """Milliseconds of this process: other work on the machine isn't counted."""
    start = time.process_time()
    act()
    return (time.process_time() - start) * 1e3


def p95(values: list[float]) -> float:
    return statistics.quantiles(values, n=20)[-1]


def kernel(n_events: int) -> dict[str, float]:
    """What the kernel does: milliseconds, and the characters of HTML of a step."""
    import random

    import acpinspect
    from acpinspect.widgets.model import ExplorerModel

    path = log_of(n_events)
    acpinspect.load(path, progress=False)
    loads = [timed(lambda: acpinspect.load(path, progress=False)) for _ in range(3)]
    events = acpinspect.load(path, progress=False)
    made: list[ExplorerModel] = []
    opened = [timed(lambda: made.append(_opened(events))) for _ in range(3)]
    model = made[-1]
    middle = model.last // 2
    near = [timed(lambda step=step: model.view(step)) for step in range(middle, min(middle + STEPS, model.last))]
    places = random.Random(0).sample(range(1, model.last), min(STEPS, model.last - 1))
    far = [timed(lambda step=step: model.view(step)) for step in places]
    views = [model.view(step) for step in places]
    return {
        "load": statistics.median(loads),
        "open": statistics.median(opened),
        "step": statistics.median(near),
        "step p95": p95(near),
        "random step p95": p95(far),
        "html p95": p95([float(len(view.conversation) + len(view.detail)) for view in views]),
    }


def _opened(events: object) -> object:
    from acpinspect.widgets.model import ExplorerModel

    model = ExplorerModel(events)  # type: ignore[arg-type]  # an events table
    model.view(1)
    model.strip()
    return model


PRESS = """async ([selector, act, count]) => {
  const target = document.querySelector(selector), times = [];
  for (let i = 0; i < count; i++) {
    const began = performance.now();
    await new Promise((done) => {
      const seen = new MutationObserver(() => {
        seen.disconnect();
        requestAnimationFrame(() => setTimeout(done, 0));
      });
      seen.observe(target, { childList: true, subtree: true, characterData: true });
      if (act === 'key') {
        const canvas = document.querySelector('.acpi-strip canvas');
        canvas.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowRight', bubbles: true }));
      } else document.querySelector('.bare-button').click();
    });
    times.push(performance.now() - began);
  }
  return times;
}"""

BARE = """import ipywidgets
page, button, count = ipywidgets.HTML(), ipywidgets.Button(description='bare'), [0]
page.add_class('bare'); button.add_class('bare-button')
def update(_):
    count[0] += 1
    page.value = '<p>' + f'{count[0]} word ' * (20_000 // len(f'{count[0]} word ')) + '</p>'
button.on_click(update)
ipywidgets.VBox([button, page])"""


@contextmanager
def notebooks(sizes: list[int]) -> Iterator[Callable[[int], object]]:
    """Opens a notebook with the explorer on a log and a bare widget below it."""
    from playwright.sync_api import sync_playwright

    from tests.browser.conftest import Notebook
    from tests.browser.jupyter import CHROMIUM_ARGS, find_chromium, jupyterlab, notebook

    with tempfile.TemporaryDirectory() as folder:
        root, home = Path(folder, "notebooks"), Path(folder, "home")
        root.mkdir()
        home.mkdir()
        for size in sizes:
            cell = f"explorer = acpinspect.explore({str(log_of(size))!r}, step={size // 2})\nexplorer"
            (root / f"n{size}.ipynb").write_text(notebook("import acpinspect", cell, BARE), encoding="utf-8")
        with jupyterlab(root, home) as url, sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=find_chromium(), args=CHROMIUM_ARGS)

            def opened(size: int) -> object:
                book = Notebook(browser.new_page(viewport={"width": 1280, "height": 900}))
                book.open(f"{url}/doc/tree/n{size}.ipynb")
                book.page.locator(".bare-button").wait_for(timeout=60_000)
                book.page.wait_for_timeout(4_000)  # the search for findings comes after what stands first
                return book.page

            yield opened
            browser.close()


def in_browser(page: object) -> dict[str, float]:
    """From key to painted page, from click to painted bare page, and the redraw of the strip: milliseconds."""
    evaluate = page.evaluate  # type: ignore[attr-defined]  # a page of Playwright
    times: dict[str, list[float]] = {"key": [], "bare": []}
    for round_ in range(ROUNDS + 1):
        for act in times:  # in turns, so that other work on the machine slows both
            measured = evaluate(PRESS, [_TARGET[act], act, KEYS // ROUNDS])
            times[act] += measured if round_ else []  # the first round warms up
    keys, bare = times["key"], times["bare"]
    redraws = [float(evaluate(REDRAW, key)) for key in ("+", "-") * 10]
    return {
        "key p50": statistics.median(keys),
        "key p95": p95(keys),
        "bare p50": statistics.median(bare),
        "bare p95": p95(bare),
        "ratio p50": statistics.median(keys) / statistics.median(bare),
        "ratio p95": p95(keys) / p95(bare),
        "strip redraw p95": p95(redraws),
    }


_TARGET = {"key": ".acpi-conversation", "bare": ".bare"}
REDRAW = """async (key) => {
  const canvas = document.querySelector('.acpi-strip canvas');
  canvas.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
  await new Promise((done) => requestAnimationFrame(() => setTimeout(done, 0)));
  return document.querySelector('.acpi-strip').dataset.redrawMs;
}"""


def show(name: str, measured: dict[str, float]) -> None:
    print(f"{name:>8}  " + "  ".join(f"{what} {value:,.2f}" for what, value in measured.items()), flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("events", nargs="*", type=int, default=[1_000, 10_000, 100_000])
    parser.add_argument("--browser", action="store_true")
    options = parser.parse_args()
    for size in options.events:
        measured = kernel(size)
        show(f"{size:,}", measured | {"open / load": measured["open"] / measured["load"]})
    if options.browser:
        with notebooks(options.events) as opened:
            for size in options.events:
                page = opened(size)
                show(f"{size:,}", in_browser(page))
                page.close()  # type: ignore[attr-defined]  # a page of Playwright


if __name__ == "__main__":
    main()
