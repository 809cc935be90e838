"""The time strip as a widget; the page's side of it is in ``assets/strip.js``."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import anywidget
import traitlets

from acpinspect.widgets.spine import Ints
from acpinspect.widgets.strip_data import StripData

__all__ = ["Strip"]

_ASSETS = Path(__file__).parent / "assets"


def _read(name: str) -> str:
    return (_ASSETS / name).read_text(encoding="utf-8")


class Strip(anywidget.AnyWidget):  # type: ignore[misc]  # anywidget has no types here
    """Draws the steps of a session and says which one is wanted."""

    _esm = "\n".join(_read(name) for name in ("strip_columns.js", "strip_drawing.js", "strip.js"))
    _css = _read("strip.css")

    step = traitlets.Int(0).tag(sync=True)
    lanes = traitlets.Bytes(b"").tag(sync=True)
    marks = traitlets.Bytes(b"").tag(sync=True)
    events = traitlets.Bytes(b"").tag(sync=True)
    names = traitlets.Bytes(b"").tag(sync=True)
    words = traitlets.List(traitlets.Unicode()).tag(sync=True)
    lane_names = traitlets.List(traitlets.Unicode()).tag(sync=True)
    filtered = traitlets.Bool(False).tag(sync=True)
    kept = traitlets.Bytes(b"").tag(sync=True)
    selected = traitlets.List(traitlets.Int()).tag(sync=True)
    flags = traitlets.List(traitlets.Int()).tag(sync=True)
    pinned = traitlets.Int(-1).tag(sync=True)
    offers = traitlets.List(traitlets.Unicode()).tag(sync=True)
    version = traitlets.Int(0).tag(sync=True)

    def mark(self, bookmarks: Iterable[int], pinned: int | None) -> None:
        """Show which steps are bookmarked, and which one is pinned."""
        with self.hold_sync():
            self.flags = sorted(bookmarks)
            self.pinned = -1 if pinned is None else pinned

    def draw(self, data: StripData, step: int) -> None:
        """Show another session, or other marks."""
        with self.hold_sync():
            for name, value in data._asdict().items():
                self.set_trait(name, value)
            self.step = step
            self.version += 1

    def keep(self, kept: Ints, count: int, selected: tuple[int, int] | None) -> None:
        """Show which steps a filter keeps."""
        with self.hold_sync():
            self.filtered = len(kept) < count
            self.kept = kept.astype("<i4").tobytes() if self.filtered else b""
            self.selected = list(selected or ())
            self.version += 1
