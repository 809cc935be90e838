"""Known findings: which of the findings of today were there before."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

from acpinspect.errors import SourceError

__all__ = ["fingerprints", "new_ones", "read_baseline", "write_baseline"]

_VERSION = 1


def fingerprints(findings: Iterable[tuple[str, str, str]]) -> list[str]:
    """A name for each finding that stays when other frames come or go.

    Args:
        findings: Name of the log, code and message of each.

    Example:
        >>> fingerprints([("a.jsonl", "empty-turn", "...")]) == fingerprints([("a.jsonl", "empty-turn", "...")])
        True
    """
    return [hashlib.sha256("\0".join(finding).encode()).hexdigest()[:16] for finding in findings]


def new_ones(prints: Sequence[str], known: Counter[str]) -> list[bool]:
    """Which findings are not known; of equal ones as many are known as the baseline has.

    Example:
        >>> new_ones(["a", "a", "b"], Counter(["a"]))
        [False, True, True]
    """
    left = Counter(known)
    fresh = []
    for name in prints:
        fresh.append(left[name] <= 0)
        left[name] -= 1
    return fresh


def read_baseline(path: Path) -> Counter[str]:
    """The known findings of a file.

    Raises:
        SourceError: If it is no baseline.
    """
    try:
        value = json.loads(path.read_text(encoding="utf-8"))
        return Counter({str(name): int(count) for name, count in value["known"].items()})
    except (ValueError, KeyError, AttributeError, TypeError, RecursionError) as error:
        raise SourceError(f"{path} is no baseline. Write one with --update-baseline.") from error


def write_baseline(path: Path, prints: Iterable[str]) -> None:
    """Write the findings of today as known ones."""
    known = dict(sorted(Counter(prints).items()))
    path.write_text(json.dumps({"version": _VERSION, "known": known}, indent=1) + "\n", encoding="utf-8")
