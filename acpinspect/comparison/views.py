"""How a comparison looks: both groupings side by side, aligned, what differs marked."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from acpinspect.comparison.alignment import Pairing, Side
from acpinspect.comparison.kinds import KINDS
from acpinspect.events import parse

if TYPE_CHECKING:
    from acpinspect.comparison.result import Comparison

__all__ = ["as_html", "as_text"]

Ints = npt.NDArray[np.int64]
Mask = npt.NDArray[np.bool_]

_WIDTH: Final = 44  # characters of a column in the text view
_PIECE: Final = 160  # characters of one piece in the HTML view
_MOST: Final = 24  # rows shown; the rest is told by number
_AROUND: Final = 1  # rows shown before and after one that differs
_HEADLINE: Final = ("boundary_f1", "over_split_bits", "over_merge_bits", "bcubed_f1")


class _Row(NamedTuple):
    """One piece of text that both sides keep together, or that one of them lacks."""

    text: str
    a: int
    b: int
    begins_a: bool
    begins_b: bool
    differs: bool
    after_gap: bool


def as_text(comparison: Comparison, pairing: Pairing) -> str:
    """The comparison for a terminal."""
    lines = [_headline(comparison), _counts(comparison), "", f"  {_cell(comparison.a)} | {_cell(comparison.b)}"]
    rows, more = _rows(pairing)
    for row in rows:
        lines += ["  ..."] if row.after_gap else []
        lines += _text_row(row)
    return "\n".join(lines + (["  ..."] if more else []))


def _headline(comparison: Comparison) -> str:
    values = comparison.measures["value"]
    told = ", ".join(f"{name.replace('_', ' ')} {values[name]:.2f}" for name in _HEADLINE)
    verdict = "the same" if comparison.same else "not the same"
    return f"{comparison.a} and {comparison.b}: {verdict}; {told}"


def _counts(comparison: Comparison) -> str:
    counts = comparison.kinds["kind"].value_counts()
    told = ", ".join(f"{counts[name]} {name}" for name in reversed(KINDS) if counts.get(name, 0))
    return f"Of {len(comparison.kinds)} messages of {comparison.a}: {told or 'none'}"


def _rows(pairing: Pairing) -> tuple[list[_Row], bool]:
    """The pieces to show, in order, and whether more follow: those that differ, with their neighbours."""
    a, b, session = pairing.a.labels, pairing.b.labels, pairing.session
    if not len(a):
        return [], False
    new = np.append(True, session[1:] != session[:-1])
    starts = np.flatnonzero(new | np.append(True, (a[1:] != a[:-1]) | (b[1:] != b[:-1])))
    begins_a = new[starts] | np.append(True, a[starts[1:]] != a[starts[:-1]])
    begins_b = new[starts] | np.append(True, b[starts[1:]] != b[starts[:-1]])
    lacking = (a[starts] < 0) != (b[starts] < 0)
    differs = np.where(pairing.prompt[starts], False, lacking | ((begins_a != begins_b) & _seen(pairing, starts)))
    chosen = _chosen(differs)
    ends = np.append(starts[1:], len(a))
    rows = [
        _Row(
            _text(pairing, int(starts[i]), int(ends[i])),
            int(a[starts[i]]),
            int(b[starts[i]]),
            bool(begins_a[i]),
            bool(begins_b[i]),
            bool(differs[i]),
            i != before + 1,
        )
        for before, i in zip([-1, *chosen[:-1]], chosen, strict=True)
    ]
    return rows, bool(chosen) and chosen[-1] != len(starts) - 1


def _seen(pairing: Pairing, starts: Ints) -> Mask:
    """Pieces that follow one which both sides show: a prompt that only one shows is no difference."""
    both = pairing.both[starts]
    seen: Mask = both & np.append(False, both[:-1])
    return seen


def _chosen(differs: Mask) -> list[int]:
    """The pieces to show: those that differ and their neighbours; where none does, the first."""
    near = np.flatnonzero(differs)[:_MOST]
    steps = np.arange(-_AROUND, _AROUND + 1)
    around = np.unique(np.clip(near[:, None] + steps, 0, len(differs) - 1))[:_MOST]
    return around.tolist() if len(around) else list(range(min(len(differs), _MOST)))


def _text(pairing: Pairing, start: int, end: int) -> str:
    """The text of a piece; where words of two logs are compared, that of its message."""
    a, b = pairing.a, pairing.b
    if a.events is not b.events:
        side, label = (a, a.labels[start]) if a.labels[start] >= 0 else (b, b.labels[start])
        return side.texts[int(label)][:_PIECE]
    if pairing.prompt[start]:
        return _prompt_text(a.events["raw"].iloc[int(a.rows[start])])
    rows = a.rows[start : min(end, start + _PIECE)]
    said, kinds = (a.events[name].iloc[rows].astype(object).tolist() for name in ("text", "content_type"))
    return "".join(map(_shown, said, kinds))


def _shown(text: object, kind: object) -> str:
    """The text of an event, or the type of its content where that is none."""
    return text if isinstance(text, str) else f"({kind})" if isinstance(kind, str) else ""


def _prompt_text(raw: str) -> str:
    prompt = parse(raw)["params"].get("prompt")
    blocks = prompt if isinstance(prompt, list) else []
    said = (block.get("text") for block in blocks if isinstance(block, dict))
    return "".join(text for text in said if isinstance(text, str)) or "(prompt)"


def _text_row(row: _Row) -> Iterator[str]:
    mark = "!" if row.differs else " "
    rule_a, rule_b = ("-" * _WIDTH if begins else " " * _WIDTH for begins in (row.begins_a, row.begins_b))
    if row.begins_a or row.begins_b:
        yield f"{mark} {rule_a} | {rule_b}"
    left = _cell(f"{row.a}: {row.text}" if row.a >= 0 else "")
    right = _cell(f"{row.b}: {row.text}" if row.b >= 0 else "")
    yield f"{mark} {left} | {right}"


def _cell(text: str) -> str:
    visible = "".join(c if c.isprintable() else "↵" if c == "\n" else "·" for c in text)
    return (visible if len(visible) <= _WIDTH else visible[: _WIDTH - 1] + "…").ljust(_WIDTH)


# HTML -----------------------------------------------------------------------------------------------------------

_STYLE: Final = """
.acp-cmp{font:13px/1.45 system-ui,sans-serif;max-width:72rem}
.acp-cmp table.acp-rows{border-collapse:collapse;width:100%;table-layout:fixed}
.acp-cmp table.acp-rows tr :is(th,td){text-align:left;vertical-align:top;padding:2px 8px}
.acp-cmp table.acp-rows tr td{font:12px/1.4 ui-monospace,monospace;white-space:pre-wrap;overflow-wrap:anywhere}
.acp-cmp table.acp-rows tr :is(th,td):first-child{width:1.2em;padding:2px 4px;font-weight:700}
.acp-cmp td.cut{border-top:2px solid currentColor}
.acp-cmp td.odd{border-top:2px dashed #d55e00}
.acp-cmp td.none{opacity:.7;font-style:italic}
.acp-cmp tr.differs td:first-child{color:#d55e00}
.acp-cmp .label{opacity:.7;margin-right:.6em}
"""
_SIGN: Final = "\u2260"


def as_html(comparison: Comparison, pairing: Pairing) -> str:
    """The comparison for a notebook; every text of the log is escaped."""
    body: list[str] = []
    gap = '<tr><td></td><td colspan="2" class="none">…</td></tr>'
    rows, more = _rows(pairing)
    for row in rows:
        body += [gap] if row.after_gap else []
        body.append(_html_row(row, pairing.a, pairing.b))
    body += [gap] if more else []
    head = f"<tr><th></th><th>{escape(comparison.a)}</th><th>{escape(comparison.b)}</th></tr>"
    told = f"<p><b>{escape(_headline(comparison))}</b><br>{escape(_counts(comparison))}</p>"
    table = f'<table class="acp-rows"><thead>{head}</thead><tbody>{"".join(body)}</tbody></table>'
    return f'<div class="acp-cmp"><style>{_STYLE}</style>{told}{table}</div>'


def _html_row(row: _Row, a: Side, b: Side) -> str:
    left = _html_cell(row.text, row.a, a, begins=row.begins_a, odd=row.begins_a and not row.begins_b)
    right = _html_cell(row.text, row.b, b, begins=row.begins_b, odd=row.begins_b and not row.begins_a)
    if row.differs:
        return f'<tr class="differs"><td title="here they differ">{_SIGN}</td>{left}{right}</tr>'
    return f"<tr><td></td>{left}{right}</tr>"


def _html_cell(text: str, label: int, side: Side, *, begins: bool, odd: bool) -> str:
    if label < 0:
        return '<td class="none">not shown</td>'
    kind = ' class="odd"' if odd else ' class="cut"' if begins else ""
    role = escape(str(side.roles[label]))
    piece = text if len(text) <= _PIECE else text[: _PIECE - 1] + "…"
    who = f'<span class="label">{label} {role}</span>' if begins else ""
    return f"<td{kind}>{who}{escape(piece)}</td>"
