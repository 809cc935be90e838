"""What of the texts a table holds: all, or only what its other columns are made from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from acpinspect.reading.batches import KINDS, Columns

__all__ = ["ALL", "Kept", "thinned"]

_REQUEST: Final = KINDS.index("request")


@dataclass(frozen=True, slots=True)
class Kept:
    """Which texts are kept.

    Attributes:
        text: The texts of the contents.
        raw: The JSON texts; without them, those that the context of the frames is read from are kept till then.
        from_file: JSON texts that can't be read from their file again are kept too.
    """

    text: bool = True
    raw: bool = True
    from_file: bool = False

    @property
    def without_file(self) -> Kept:
        """The same where nothing can be read again: what would be read from the file is kept."""
        return Kept(text=self.text, raw=self.raw or self.from_file)


ALL: Final = Kept()


def thinned(batch: Columns, kept: Kept) -> Columns:
    """The batch without the texts that nobody will ask for.

    Args:
        batch: The columns.
        kept: What is kept of them.
    """
    n = len(batch["kind"])
    if not kept.text:
        batch = {**batch, "text": pa.nulls(n, pa.large_string())}
    if kept.raw:
        return batch
    wanted = _read_for_context(batch)
    if kept.from_file:
        wanted |= batch["_raw_at"].is_null().to_numpy(zero_copy_only=False)
    return {**batch, "raw": pc.if_else(pa.array(wanted), batch["raw"], "")}


def _read_for_context(batch: Columns) -> npt.NDArray[np.bool_]:
    """The rows whose JSON tells something of other rows, or of which a client may refuse the update."""
    kind = batch["kind"].to_numpy()
    nameless = batch["update"].is_null().to_numpy(zero_copy_only=False)
    update = pc.fill_null(pc.equal(batch["update"].cast(pa.large_string()), "state_update"), False)
    wanted: npt.NDArray[np.bool_] = (
        (kind == _REQUEST)
        | nameless
        | update.to_numpy(zero_copy_only=False)
        | batch["_check"].to_numpy(zero_copy_only=False)
    )
    return wanted
