"""Lines that are read together, held against what each gives alone."""

from __future__ import annotations

import numpy as np

from acpinspect.reading.arrays import TextStore
from acpinspect.reading.batches import Columns, columns_of_frames, columns_of_lines
from acpinspect.reading.framing import line_frames

__all__ = ["assert_places_hold", "assert_same_as_alone"]

START = 70


def read_together(lines: list[bytes]) -> Columns:
    block = b"\n".join(lines)
    return columns_of_lines(block, lines, "a", 3, START, line_frames, TextStore())


def assert_same_as_alone(lines: list[bytes]) -> None:
    """Compare what lines give together with what the line reader gives for each."""
    together = read_together(lines)
    begins = START + np.cumsum([0, *(len(line) + 1 for line in lines)])
    frames = [f for i, line in enumerate(lines) for f in line_frames(line, "a", 3 + i, int(begins[i]))]
    alone = columns_of_frames(frames)
    for name, column in together.items():
        if name not in ("_raw_at", "_raw_size"):  # only lines know where they stand
            assert column.type == alone[name].type, name
            assert column.to_pylist() == (alone[name].to_pylist() if frames else []), name


def assert_places_hold(lines: list[bytes]) -> None:
    """Look for each text where it is said to stand."""
    together, data = read_together(lines), b" " * START + b"\n".join(lines)
    texts, places, sizes = (together[name].to_pylist() for name in ("raw", "_raw_at", "_raw_size"))
    for text, at, size in zip(texts, places, sizes, strict=True):
        assert (at is None) == (size is None)
        assert at is None or data[at : at + size] == text.encode()
