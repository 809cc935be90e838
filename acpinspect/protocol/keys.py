"""The keys that the schema has at the root of params, updates and results, by method or variant and version."""

from __future__ import annotations

from functools import cache

from acpinspect.protocol.fields import Version
from acpinspect.protocol.methods import METHODS, Call
from acpinspect.protocol.variants import VARIANTS

__all__ = ["params_keys", "result_keys", "update_keys"]


def _find_call(method: str, version: Version) -> Call | None:
    known = METHODS.get(method)
    return None if known is None else known.calls.get(version)


def params_keys(method: str, version: Version) -> frozenset[str] | None:
    """The keys that the schema has at the root of a method's params.

    Args:
        method: A method name.
        version: The protocol version.

    Returns:
        The keys; ``None`` if the version doesn't have the method.

    >>> sorted(params_keys("session/update", "v1"))
    ['_meta', 'sessionId', 'update']
    """
    call = _find_call(method, version)
    return None if call is None else call.params


def result_keys(method: str, version: Version) -> frozenset[str] | None:
    """The keys that the schema has at the root of a method's result.

    Args:
        method: A method name.
        version: The protocol version.

    Returns:
        The keys; ``None`` if the version doesn't have the method, or it has no result, or any result will do.

    >>> sorted(result_keys("session/prompt", "v1"))
    ['_meta', 'stopReason', 'usage']
    """
    call = _find_call(method, version)
    return None if call is None else call.result


@cache
def update_keys(name: str, version: Version) -> frozenset[str]:
    """The keys that the schema has at the root of an update.

    Args:
        name: The value of ``sessionUpdate``.
        version: The protocol version.

    Returns:
        The keys; only ``sessionUpdate`` for a name that the version doesn't have.

    >>> sorted(update_keys("plan_removed", "v2"))
    ['_meta', 'planId', 'sessionUpdate']
    """
    variant = VARIANTS[version].get(name)
    fields = () if variant is None else variant.fields
    return frozenset({"sessionUpdate", *(field.name for field in fields)})
