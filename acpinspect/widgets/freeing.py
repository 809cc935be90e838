"""Frees widgets: ipywidgets keeps every widget, its layout and its style until each is closed."""

from __future__ import annotations

import ipywidgets

__all__ = ["close_all"]


def close_all(root: ipywidgets.Widget) -> None:
    """Close a widget, all that stand in it, and what belongs to them."""
    for child in getattr(root, "children", ()):
        close_all(child)
    for name in ("style", "layout"):
        own = getattr(root, name, None)
        if isinstance(own, ipywidgets.Widget):
            own.close()
    ipywidgets.DOMWidget.close(root)
