"""All codes, as a table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from acpinspect.diagnostics.code import Code
from acpinspect.diagnostics.entries_messages import MESSAGE_CODES
from acpinspect.diagnostics.entries_payloads import PAYLOAD_CODES
from acpinspect.diagnostics.entries_sessions import SESSION_CODES
from acpinspect.errors import ArgumentError

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["CODES", "Code", "catalogue", "code_named"]

CODES: dict[str, Code] = {
    code.code: code for code in (*PAYLOAD_CODES[:3], *MESSAGE_CODES, *SESSION_CODES, *PAYLOAD_CODES[3:])
}
"""Every code by its name; rules that users add come last."""

_COLUMNS = ("code", "tier", "versions", "severity", "varies", "means", "found", "remedy", "caveat", "spec")


def catalogue() -> pd.DataFrame:
    """The codes that `diagnose` knows.

    Returns:
        One row a code: `code`, `tier` (core, extra or user), `versions`, `severity`, `varies` (when it is
        another one), `means`, `found` (when the rule speaks), `remedy`, `caveat` (when it is no fault), `spec`.

    Example:
        >>> import acpinspect
        >>> acpinspect.catalogue().loc[0, ["code", "severity"]].tolist()
        ['schema-invalid', 'error']
    """
    import pandas as pd

    rows = [[_cell(getattr(code, name)) for name in _COLUMNS] for code in CODES.values()]
    return pd.DataFrame(rows, columns=list(_COLUMNS), dtype="string")


def code_named(name: str) -> Code:
    """The entry of a code.

    Raises:
        ArgumentError: If there is no such code; the message names the nearest ones.

    Example:
        >>> code_named("empty-turn").severity
        'warning'
    """
    if name in CODES:
        return CODES[name]
    import difflib

    near = difflib.get_close_matches(name, CODES, n=3, cutoff=0.5)
    hint = f"Did you mean {' or '.join(near)}?" if near else "`acpinspect.catalogue()` lists them."
    raise ArgumentError(f"There is no code {name!r}. {hint}")


def _cell(value: object) -> str:
    return " ".join(value) if isinstance(value, tuple) else str(value)
