"""The pictures of README and documentation are those that ``make screenshots`` takes."""

from __future__ import annotations

import importlib.util
import re
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

import pytest

pytest.importorskip("playwright.sync_api")
pytest.importorskip("matplotlib")
from matplotlib import image

if TYPE_CHECKING:
    from playwright.sync_api import Browser

ROOT = Path(__file__).resolve().parents[2]
IMAGES = ROOT / "docs" / "images"


@pytest.fixture(scope="module")
def screenshots() -> ModuleType:
    spec = importlib.util.spec_from_file_location("screenshots", ROOT / "docs" / "screenshots.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def chromium(screenshots: ModuleType, chromium_path: str) -> Iterator[Browser]:  # noqa: ARG001 - one must be there
    with screenshots.chromium() as browser:
        yield browser


@pytest.fixture(scope="module")
def taken(
    screenshots: ModuleType, chromium: Browser, lab: str, workplace: Path, tmp_path_factory: pytest.TempPathFactory
) -> Path:
    """All pictures, taken now."""
    into = tmp_path_factory.mktemp("pictures")
    screenshots.take_plots(chromium, into)
    screenshots.take_report(chromium, into)
    screenshots.take_widgets(chromium, into, lab, workplace)
    return into


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_every_picture_that_is_there_is_taken_by_the_script(taken: Path) -> None:
    assert names(IMAGES) == names(taken)


def test_every_picture_is_as_large_as_the_one_that_is_there(taken: Path) -> None:
    sizes = [{name: image.imread(folder / name).shape[:2] for name in names(folder)} for folder in (IMAGES, taken)]
    assert all(abs(a - b) <= 40 for name in sizes[0] for a, b in zip(sizes[0][name], sizes[1][name], strict=True))


def test_no_picture_is_empty_and_dark_ones_are_dark(taken: Path) -> None:
    for name in names(taken):
        pixels = image.imread(taken / name)[..., :3].mean(axis=2)
        assert pixels.std() > 0.05
        assert (pixels.mean() < 0.4) == name.endswith("-dark.png")


def test_the_same_log_gives_the_same_picture(
    screenshots: ModuleType, chromium: Browser, taken: Path, tmp_path: Path
) -> None:
    screenshots.take_plots(chromium, tmp_path)
    screenshots.take_report(chromium, tmp_path)
    assert all((tmp_path / name).read_bytes() == (taken / name).read_bytes() for name in names(tmp_path))


def test_every_picture_is_shown_somewhere() -> None:
    pages = [ROOT / "README.md", *(ROOT / "docs").glob("*.md")]
    shown = {name for page in pages for name in re.findall(r"images/([\w-]+\.png)", page.read_text("utf-8"))}
    assert shown <= set(names(IMAGES))
    assert {name.rsplit("-", 1)[0] for name in shown} == {name.rsplit("-", 1)[0] for name in names(IMAGES)}
