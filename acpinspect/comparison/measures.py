"""How far two groupings are apart, in numbers. Each measure says its formula, its range and where it is from.

Measures of boundaries look at neighbours only: they are blind to reordering and to doubled text, which
`Comparison.kinds` reports apart.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from acpinspect.comparison.alignment import Pairing

__all__ = ["MEASURES", "Measure", "boundary_scores", "conditional_entropy", "measured", "shares_per_item"]

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]
Mask = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Measure:
    """One measure.

    Attributes:
        name: Its name.
        meaning: What it says.
        formula: How it is computed; A and B are the boundaries, a and b the groupings.
        range: The values it can have, the best first.
        source: Where it is from.
        of: Computes it from the pairing, the labels of both sides, and the boundaries of both.
    """

    name: str
    meaning: str
    formula: str
    range: str
    source: str
    of: Callable[[_Numbers], float]


@dataclass(frozen=True, slots=True)
class _Numbers:
    """What all measures are computed from; only things that both sides show."""

    a: Ints
    b: Ints
    weight: Ints
    cut_a: Mask
    cut_b: Mask

    @property
    def scores(self) -> tuple[float, float, float]:
        return boundary_scores(self.cut_a, self.cut_b)


def boundary_scores(a: Mask, b: Mask) -> tuple[float, float, float]:
    """Precision, recall and F1 of the boundaries of b, with those of a as the truth.

    Nothing said is nothing wrong: without boundaries in b the precision is 1, without any in a the recall is 1.

    Example:
        >>> import numpy as np
        >>> boundary_scores(np.array([True, False, True]), np.array([True, True, False]))
        (0.5, 0.5, 0.5)
    """
    hits, found, wanted = int((a & b).sum()), int(b.sum()), int(a.sum())
    precision = hits / found if found else 1.0
    recall = hits / wanted if wanted else 1.0
    f1 = 2 * precision * recall / (precision + recall) if precision + recall else 0.0
    return precision, recall, f1


def conditional_entropy(given: Ints, of: Ints, weight: Ints) -> float:
    """H(of | given) in bits, weighted.

    Example:
        >>> import numpy as np
        >>> conditional_entropy(np.array([0, 0]), np.array([0, 1]), np.array([1, 1]))
        1.0
    """
    total = float(weight.sum())
    if not total:
        return 0.0
    cell, own = _cells(given, of)
    joint = np.bincount(cell, weights=weight)
    marginal = np.bincount(given, weights=weight)
    of_cell = np.zeros(len(joint), dtype=np.int64)
    of_cell[cell] = given
    present = joint > 0
    share = joint[present] / marginal[of_cell[present]]
    bits = -float((joint[present] / total * np.log2(share)).sum())
    return bits if own and bits > 0 else 0.0


def shares_per_item(a: Ints, b: Ints) -> tuple[Floats, Floats]:
    """B-cubed precision and recall of each thing: which share of its message in b, and in a, is right."""
    if not len(a):
        return np.zeros(0), np.zeros(0)
    cell, _ = _cells(a, b)
    common = np.bincount(cell)[cell].astype(np.float64)
    return common / np.bincount(b)[b], common / np.bincount(a)[a]


def measured(pairing: Pairing) -> dict[str, float]:
    """The value of every measure."""
    numbers = _numbers(pairing)
    return {measure.name: measure.of(numbers) for measure in MEASURES}


def neighbours(session: Ints) -> Mask:
    """Which things have a neighbour of their session before them, but for the first of all."""
    same: Mask = session[1:] == session[:-1]
    return same


def _numbers(pairing: Pairing) -> _Numbers:
    both = pairing.both
    a, b, session = pairing.a.labels[both], pairing.b.labels[both], pairing.session[both]
    same = neighbours(session)
    return _Numbers(a, b, pairing.weight[both], (a[1:] != a[:-1])[same], (b[1:] != b[:-1])[same])


def _cells(a: Ints, b: Ints) -> tuple[Ints, int]:
    """A number for each pair of labels that occurs, and how many there are."""
    wide = a * (int(b.max(initial=0)) + 1) + b
    names, cell = np.unique(wide, return_inverse=True)
    return cell.astype(np.int64), len(names)


def _bcubed(n: _Numbers, which: int) -> float:
    values = shares_per_item(n.a, n.b)[which]
    return float(values.mean()) if len(values) else 1.0


def _bcubed_f1(n: _Numbers) -> float:
    precision, recall = _bcubed(n, 0), _bcubed(n, 1)
    return 2 * precision * recall / (precision + recall)


def _ones(n: _Numbers) -> Ints:
    return np.ones(len(n.a), dtype=np.int64)


_PRECISION: Final = "van Rijsbergen 1979, Information Retrieval, chapter 7"
_BITS: Final = "Meila 2003, Comparing Clusterings by the Variation of Information; its two halves"
_BCUBED: Final = "Bagga and Baldwin 1998, Algorithms for Scoring Coreference Chains"

MEASURES: Final[tuple[Measure, ...]] = (
    Measure("boundary_precision", "share of b's boundaries that a has too", "|A & B| / |B|", "1 to 0", _PRECISION,
            lambda n: n.scores[0]),
    Measure("boundary_recall", "share of a's boundaries that b has too", "|A & B| / |A|", "1 to 0", _PRECISION,
            lambda n: n.scores[1]),
    Measure("boundary_f1", "both in one", "2 P R / (P + R)", "1 to 0", _PRECISION,
            lambda n: n.scores[2]),
    Measure("over_split_bits", "how much b splits what is one message in a, by characters", "H(b | a)",
            "0 to log2(characters)", _BITS, lambda n: conditional_entropy(n.a, n.b, n.weight)),
    Measure("over_merge_bits", "how much b merges what are several messages in a, by characters", "H(a | b)",
            "0 to log2(characters)", _BITS, lambda n: conditional_entropy(n.b, n.a, n.weight)),
    Measure("over_split_bits_chunks", "how much b splits, every chunk counting once", "H(b | a)",
            "0 to log2(chunks)", _BITS, lambda n: conditional_entropy(n.a, n.b, _ones(n))),
    Measure("over_merge_bits_chunks", "how much b merges, every chunk counting once", "H(a | b)",
            "0 to log2(chunks)", _BITS, lambda n: conditional_entropy(n.b, n.a, _ones(n))),
    Measure("bcubed_precision", "how pure b's messages are, on average over the chunks",
            "mean |a(x) & b(x)| / |b(x)|", "1 to 0", _BCUBED, lambda n: _bcubed(n, 0)),
    Measure("bcubed_recall", "how whole a's messages are in b, on average over the chunks",
            "mean |a(x) & b(x)| / |a(x)|", "1 to 0", _BCUBED, lambda n: _bcubed(n, 1)),
    Measure("bcubed_f1", "both in one", "2 P R / (P + R)", "1 to 0", _BCUBED, _bcubed_f1),
)  # fmt: skip
"""The measures, in the order in which they are listed."""
