"""The file that a recording is written to: a new one, for its owner's eyes."""

from __future__ import annotations

import itertools
import os
import stat
import time
from pathlib import Path
from typing import Final

from acpinspect.errors import SourceError

__all__ = ["open_log"]

_NEW: Final = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_APPEND | getattr(os, "O_BINARY", 0)


def open_log(path: str | os.PathLike[str]) -> tuple[int, Path]:
    """Open a new log for writing; no file that is there is touched.

    Args:
        path: The file; ``~`` is the home folder. Where there is a file, the next free name of this kind is taken:
            ``log-2.jsonl`` for ``log.jsonl``. A folder, or a name that ends with a slash: a new file in it, named
            after the time; the folder is made where it isn't there. A pipe or a device is written to as it is.

    Returns:
        The file descriptor and the path.

    Raises:
        SourceError: If it can't be opened.

    Example:
        >>> import tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     for _ in range(2):
        ...         file, path = open_log(f"{folder}/log.jsonl")
        ...         os.close(file)
        ...         print(path.name)
        log.jsonl
        log-2.jsonl
    """
    target = Path(path).expanduser()
    try:
        if os.fspath(path).endswith(("/", os.sep)):
            target.mkdir(mode=0o700, parents=True, exist_ok=True)
        if _is_pipe_or_device(target):
            return _open_for_writing(target), target
        return _open_new(target)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise SourceError(f"The log {target} can't be written: {reason}. Name another file for it.") from error


def _open_new(target: Path) -> tuple[int, Path]:
    if target.is_dir():
        target /= time.strftime(f"acp-%Y%m%dT%H%M%SZ-{os.getpid()}.jsonl", time.gmtime())
    for number in itertools.count(1):
        name = target if number == 1 else target.with_name(f"{target.stem}-{number}{target.suffix}")
        try:
            return os.open(name, _NEW, 0o600), name
        except FileExistsError:
            continue
    raise AssertionError  # the numbers don't end


def _is_pipe_or_device(target: Path) -> bool:
    try:
        mode = target.stat().st_mode
    except FileNotFoundError:
        return False
    return not (stat.S_ISREG(mode) or stat.S_ISDIR(mode))


def _open_for_writing(target: Path) -> int:
    """Open a pipe without waiting for somebody to read it; writing waits."""
    file = os.open(target, os.O_WRONLY | os.O_APPEND | getattr(os, "O_NONBLOCK", 0))
    os.set_blocking(file, True)
    return file
