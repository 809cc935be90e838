"""Conformance vectors: logs with the expected state after each step, for reducers in any language.

The vectors are JSON files in ``data``, with a ``README.md`` that says what a runner has to do. They are written by
hand in the repository's `vectors/`, and our own reducers are only one of those that they test.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any, TypedDict

from acpinspect.errors import ArgumentError
from acpinspect.protocol import VERSIONS

__all__ = ["Step", "Vector", "vectors", "write_vectors"]


class Step(TypedDict, total=False):
    """One step of a vector: an ``update`` or a whole ``message``, its ``outcome``, and the ``state`` after it.

    Examples:
        >>> from acpinspect.vectors import vectors
        >>> vectors("v1")[0]["steps"][0]["outcome"] in ("applied", "rejected", "ignored")
        True
    """

    update: object
    message: dict[str, Any]
    outcome: str
    state: dict[str, Any]


class Vector(TypedDict):
    """One vector: its name, its protocol version, what it tests and where that is said, and its steps.

    Examples:
        >>> from acpinspect.vectors import vectors
        >>> sorted(vectors("v1")[0])
        ['name', 'protocol', 'source', 'steps', 'tests']
    """

    name: str
    protocol: str
    tests: str
    source: str
    steps: list[Step]


def vectors(protocol: str | None = None) -> list[Vector]:
    """All vectors, or those of one protocol version.

    Args:
        protocol: ``"v1"``, ``"v2"`` or ``None``.

    Raises:
        ArgumentError: There is no such version.

    Examples:
        >>> found = {vector["name"]: vector for vector in vectors("v2")}
        >>> steps = found["v2/messages/whole-replaces-chunks"]["steps"]
        >>> [step["state"]["messages"][0]["text"] for step in steps]
        ['A', 'AB', 'C']
    """
    return [vector for file in _files(protocol) for vector in _read(json.loads(file.read_text(encoding="utf-8")))]


def _read(content: dict[str, Any]) -> Iterator[Vector]:
    """The vectors of one file, with whole states: the file has only what differs from the empty one."""
    for vector in content["vectors"]:
        for step in vector["steps"]:
            step["state"] = content["empty"] | step["state"]
        yield vector


def write_vectors(directory: str | Path, protocol: str | None = None) -> list[Path]:
    """Write the files of the vectors, and the README beside them.

    Args:
        directory: Where; it is made where it isn't there. Files of the same names are overwritten.
        protocol: Only those of one version.

    Returns:
        The files that were written.

    Raises:
        ArgumentError: There is no such version.

    Examples:
        >>> from tempfile import TemporaryDirectory
        >>> with TemporaryDirectory() as folder:
        ...     "README.md" in [path.name for path in write_vectors(folder, "v2")]
        True
    """
    chosen = [*_files(protocol), _data() / "README.md"]
    target = Path(directory)
    target.mkdir(parents=True, exist_ok=True)
    written = []
    for file in chosen:
        path = target / file.name
        path.write_bytes(file.read_bytes())
        written.append(path)
    return written


def _data() -> Traversable:
    return files(__package__) / "data"


def _files(protocol: str | None) -> Iterator[Traversable]:
    """The JSON files in the order of their names."""
    if protocol is not None and protocol not in VERSIONS:
        raise ArgumentError(f"there are no vectors of protocol {protocol!r}; there are {' and '.join(VERSIONS)}")
    for file in sorted(_data().iterdir(), key=lambda file: file.name):
        if file.name.endswith(".json") and file.name.startswith(f"{protocol or 'v'}"):
            yield file
