"""Pictures are drawn without a screen, and each test starts with no open figure."""

from __future__ import annotations

from collections.abc import Iterator

import matplotlib as mpl
import pytest

mpl.use("Agg")


@pytest.fixture(autouse=True)
def no_open_figures() -> Iterator[None]:
    from matplotlib import pyplot as plt

    plt.close("all")
    yield
    plt.close("all")
