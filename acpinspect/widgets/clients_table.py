"""The table of `compare_clients` as HTML: what each client would show, and a way to set it side by side."""

from __future__ import annotations

from typing import Final

import pandas as pd

from acpinspect.widgets.markup import attribute, go_to, short
from acpinspect.widgets.spine import Spine

__all__ = ["clients_html"]

_KINDS: Final = ("split", "merged", "shear", "reordered", "lost", "duplicated", "absorbed", "leaked")


def clients_html(table: pd.DataFrame, spine: Spine, truth: str) -> str:
    """The table as HTML: clients that show the same stand in one row, those that show most right come first.

    Args:
        table: What `compare_clients` gives.
        spine: The session that is looked at: its events can be gone to.
        truth: The policy that the clients are held against.
    """
    kinds = [kind for kind in _KINDS if table[kind].any()]
    columns = ["right", "messages", *kinds, "boundary_f1", "first_event"]
    rows: dict[tuple[object, ...], list[str]] = {}
    values = table[columns].astype(object).where(table[columns].notna(), None)
    for name, row in zip(table.index.astype(str), values.itertuples(index=False, name=None), strict=True):
        rows.setdefault(row, []).append(name)
    order = sorted(rows, key=lambda row: (-int(str(row[0])), -float(str(row[-2])), rows[row]))
    heads = ("shown right", *kinds, "boundary F1", "goes wrong first at")
    head = "".join(f'<th scope="col">{short(name)}</th>' for name in (f"clients, against {truth}", *heads))
    body = "".join(_row(rows[row], row, spine) for row in order)
    return f'<table class="clients"><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>'


def _row(names: list[str], row: tuple[object, ...], spine: Spine) -> str:
    right, messages, *counts, boundaries, event = row
    cells = [f"{right} of {messages}", *(str(count or "") for count in counts), f"{boundaries:.2f}"]
    shown = "".join(f"<td>{short(cell)}</td>" for cell in cells)
    return f'<tr><th scope="row">{" ".join(map(_pick, names))}</th>{shown}<td>{_lead(event, spine)}</td></tr>'


def _pick(name: str) -> str:
    title = attribute(f"show {name} on the right")
    picked = (
        f'<button type="button" class="go" data-pick="{attribute(name)}" title="{title}">{short(name)}</button>'
    )
    return f'<span class="pick">{picked}</span>'


def _lead(event: object, spine: Spine) -> str:
    if event is None:
        return ""
    number = int(str(event))
    at = spine.position_of(number)
    return f"event {number:,}" if at is None else go_to(at + 1, f"event {number:,}")
