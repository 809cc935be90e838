"""Which policies there are: the presets, those that a user registers, and those of other packages.

Another package adds policies by an entry point of the group ``acpinspect.policies``: a `Policy`, several in a
list, or a function without arguments that gives them.
"""

from __future__ import annotations

import difflib
import warnings
from importlib import metadata
from typing import TYPE_CHECKING, Final

from acpinspect.errors import ArgumentError
from acpinspect.events import Column
from acpinspect.grouping.contracts import typed
from acpinspect.grouping.policy import Policy
from acpinspect.grouping.presets import PRESETS

if TYPE_CHECKING:
    import pandas as pd

    from acpinspect.grouping.applying import AnyPolicy, Grouper

__all__ = ["COLUMNS", "GROUP", "client_names", "found", "get_policy", "policies", "register_policy"]

GROUP: Final = "acpinspect.policies"
"""The group of entry points."""

COLUMNS: Final[tuple[Column, ...]] = (
    Column("description", "string", "What it does, or whose rule it is."),
    Column("evidence", "category", "How it is known."),
    Column("source", "string", "Where it was read."),
    Column("version", "string", "Of what version."),
    Column("date", "string", "As of when (year and month)."),
    Column("ids", "bool", "Whether it looks at ids."),
    Column("load", "category", "What it does with a replay: same, other, dropped."),
    Column("faults", "object", "What it is known to get wrong (list of str)."),
)

_OWN: Final = ("own", "specification")

_policies: dict[str, Policy] = {policy.name: policy for policy in PRESETS}
_plugins_loaded = False


def policies() -> pd.DataFrame:
    """The policies that there are.

    Returns:
        One row per policy, its name the index, with the columns of `COLUMNS`.

    Example:
        >>> import acpinspect
        >>> acpinspect.policies().loc["zed-v1", ["evidence", "load"]].tolist()
        ['source', 'same']
    """
    import pandas as pd

    rows = [
        {
            "policy": policy.name,
            "description": policy.description,
            "evidence": policy.evidence,
            "source": policy.source,
            "version": policy.version,
            "date": policy.date,
            "ids": policy.uses_ids,
            "load": _load(policy),
            "faults": list(policy.faults),
        }
        for policy in _all().values()
    ]
    return typed(pd.DataFrame(rows).set_index("policy"), COLUMNS)


def get_policy(name: str) -> Policy:
    """The policy of a name.

    Args:
        name: One of `policies`, those included that were registered.

    Raises:
        ArgumentError: If there is none.

    Example:
        >>> import acpinspect
        >>> acpinspect.get_policy("spec").evidence
        'own'
    """
    known = _all()
    if not isinstance(name, str) or name not in known:
        near = difflib.get_close_matches(str(name), known, n=3, cutoff=0.5)
        meant = f" Did you mean {' or '.join(near)}?" if near else ""
        raise ArgumentError(f"There is no policy {name!r}.{meant} Known policies: {', '.join(sorted(known))}.")
    return known[name]


def register_policy(policy: Policy, *, replace: bool = False) -> None:
    """Add a policy, so that its name can be used wherever a policy is wanted.

    Args:
        policy: The policy.
        replace: Whether it may take the place of another one of the same name.

    Raises:
        ArgumentError: If it is no policy, or its name is taken.

    Example:
        >>> import acpinspect
        >>> mine = acpinspect.get_policy("zed-v1").replace(name="zed-at-home", prompt="closed")
        >>> acpinspect.register_policy(mine, replace=True)
        >>> "zed-at-home" in acpinspect.policies().index
        True
    """
    if not isinstance(policy, Policy):
        raise ArgumentError(
            f"Expected a Policy, got {type(policy).__name__}. Make one: acpinspect.Policy(name=...)."
        )
    if policy.name in _all() and not replace and _policies[policy.name] != policy:
        raise ArgumentError(
            f"There is a policy {policy.name!r} already. Choose another name, or say replace=True."
        )
    _policies[policy.name] = policy


def client_names() -> list[str]:
    """The names of the policies of clients: all but acpinspect's own and the protocol's."""
    return [name for name, policy in _all().items() if policy.evidence not in _OWN]


def found(policy: AnyPolicy) -> Policy | Grouper:
    """The policy that is meant: by name, itself, or a function.

    Raises:
        ArgumentError: If there is none.
    """
    if isinstance(policy, str):
        return get_policy(policy)
    if isinstance(policy, Policy) or callable(policy):
        return policy
    raise ArgumentError(f"{policy!r} is no policy. Give a name, a Policy, or a function of the events.")


def _all() -> dict[str, Policy]:
    global _plugins_loaded  # noqa: PLW0603  (once per process)
    if not _plugins_loaded:
        _plugins_loaded = True
        for entry in metadata.entry_points(group=GROUP):
            _load_plugin(entry)
    return _policies


def _load_plugin(entry: metadata.EntryPoint) -> None:
    """Add what another package offers; a broken package is told of, and spoils nothing else."""
    try:
        offered = entry.load()
        made = offered() if callable(offered) else offered
        for policy in [made] if isinstance(made, Policy) else list(made):
            register_policy(policy)
    except Exception as error:  # noqa: BLE001  (another package's code can fail in any way)
        warnings.warn(f"The policies of {entry.value} can't be used: {error}", stacklevel=2)


def _load(policy: Policy) -> str:
    if policy.load.drop_all:
        return "dropped"
    return "same" if policy.load == policy.live else "other"
