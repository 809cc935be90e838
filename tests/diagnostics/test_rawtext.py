"""The JSON texts of a table: searched and read in the blocks in which they were read."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from acpinspect.diagnostics.rawtext import RawTexts

BLOCKS = [["one", "two", "nöne"], [], ["", "to one one", "ow"]]


@pytest.fixture
def texts() -> RawTexts:
    """Six texts in three blocks; the last block is a slice of a longer one."""
    arrays = [pa.array(block, pa.large_string()) for block in BLOCKS[:2]]
    arrays.append(pa.array(["wone", *BLOCKS[2], "one"], pa.large_string()).slice(1, 3))
    return RawTexts(pd.Series(pa.chunked_array(arrays), dtype=pd.ArrowDtype(pa.large_string())))


def test_a_text_is_read_by_its_row(texts: RawTexts) -> None:
    assert [texts[row] for row in range(6)] == ["one", "two", "nöne", "", "to one one", "ow"]


def test_each_mark_has_the_rows_whose_text_has_it_once_and_ascending(texts: RawTexts) -> None:
    assert texts.rows_with(b"one", b"w", b"\xc3", b"x") == {
        b"one": [0, 4],
        b"w": [1, 5],
        b"\xc3": [2],
        b"x": [],
    }


def test_a_mark_at_the_beginning_or_the_end_of_a_text_is_of_that_text(texts: RawTexts) -> None:
    assert texts.rows_with(b"tw", b"e", b"o") == {b"tw": [1], b"e": [0, 2, 4], b"o": [0, 1, 4, 5]}


@pytest.mark.parametrize("rows", [[0, 2, 3, 4], [1], [5], [], [3], range(6)])
def test_some_texts_are_read_as_bytes_in_order(texts: RawTexts, rows: list[int]) -> None:
    wanted = np.array(rows, dtype=np.int64)
    assert [bytes(view).decode() for view in texts.slices(wanted)] == [texts[row] for row in rows]


def test_no_texts_have_no_rows() -> None:
    texts = RawTexts(pd.Series([], dtype="string[pyarrow]"))
    assert texts.rows_with(b"a") == {b"a": []}
    assert list(texts.slices(np.zeros(0, dtype=np.int64))) == []
