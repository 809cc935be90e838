"""How other policies read the same log: for each, which events make one message."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt
import pandas as pd

from acpinspect.grouping import policies
from acpinspect.grouping.applying import Shared, apply, name_of

if TYPE_CHECKING:
    from acpinspect.grouping import AnyPolicy

__all__ = ["readings"]

Ints = npt.NDArray[np.int64]


def readings(events: pd.DataFrame, policy: AnyPolicy) -> list[dict[str, object]]:
    """Every way in which a registered policy reads the log, each once.

    Args:
        events: An events table.
        policy: The one that comes first.

    Returns:
        Of each way the `names` of the policies that read so, and the `runs` of its labels over the rows: a label
        (-1 for none) and how often it stands there in succession, again and again.
    """
    shared = Shared(events)
    found: dict[bytes, tuple[list[str], Ints]] = {}
    for each in (policy, *policies().index.tolist()):
        labels = _numbered(apply(each, shared).labels)
        names, _ = found.setdefault(labels.tobytes(), ([], labels))
        if name_of(each) not in names:
            names.append(name_of(each))
    return [{"names": names, "runs": _runs(labels)} for names, labels in found.values()]


def _numbered(labels: Ints) -> Ints:
    """The messages numbered in the order in which they begin, so that equal groupings are equal."""
    numbers = np.full(len(labels), -1, dtype=np.int64)
    shown = labels >= 0
    numbers[shown] = pd.factorize(labels[shown])[0]
    return numbers


def _runs(labels: Ints) -> list[int]:
    starts = np.flatnonzero(np.diff(labels, prepend=-2))
    counts = np.diff(np.append(starts, len(labels)))
    runs: list[int] = np.column_stack([labels[starts], counts]).ravel().tolist()
    return runs
