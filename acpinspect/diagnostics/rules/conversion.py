"""Rules about v2's whole-message updates: what they replace, and what v1 can't say."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from acpinspect.diagnostics.columns import before
from acpinspect.diagnostics.findings import Hit, quote
from acpinspect.diagnostics.log import Log
from acpinspect.diagnostics.registry import builtin

__all__: list[str] = []


@builtin("content-replaced")
def _content_replaced(log: Log) -> Iterator[Hit]:
    for old, new in zip(log.stretches, log.stretches[1:], strict=False):
        if new.opens or not old.text:
            continue
        row = new.rows[0]
        text = log.text[row]
        if not text:
            yield Hit(row, f"The text {quote(old.text)} is cleared.", related=(old.rows[0],))
        elif not text.startswith(old.text):
            yield Hit(row, f"The text {quote(old.text)} becomes {quote(text)}.", related=(old.rows[0],))


@builtin("v1-conversion-loss")
def _v1_conversion_loss(log: Log) -> Iterator[Hit]:
    if log.options.convert != "v1":
        return
    content = log.events["content_type"].notna().to_numpy()
    cleared = log.has("content_type", "null", "[]")
    received = before(log.message_key, log.has_content) > 0
    for row in np.flatnonzero(log.whole & log.v2).tolist():
        reasons = [
            told
            for holds, told in (
                (not content[row], "it has no content"),
                (cleared[row], "it clears the content"),
                (content[row] and not cleared[row] and received[row], "v1 has content for this id already"),
                (_clears_meta(log, row), "it clears _meta"),
            )
            if holds
        ]
        if reasons:
            yield Hit(
                row, f"v1 can't express this update of {quote(log.name('message_id', row))}: {', '.join(reasons)}."
            )


def _clears_meta(log: Log, row: int) -> bool:
    update = log.part(row, "params", "update")
    return isinstance(update, dict) and "_meta" in update and update["_meta"] is None
