"""Starting an agent with the recorder around it, until it ends."""

from __future__ import annotations

import os
import select
import signal
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Final, NamedTuple

from acpinspect.errors import ArgumentError, StartError
from acpinspect.recording.log_files import open_log
from acpinspect.recording.pumps import Pump
from acpinspect.recording.recorder import Recorder
from acpinspect.recording.signals import HANDED_ON, Forwarder

__all__ = ["record"]

_LINGER: Final = 1.0  # seconds that output may come from what an agent that has ended has started
_LONGEST_WORD: Final = 2_000  # bytes of what is said on standard error; a pipe that has room at all takes 4096


class _Agent(NamedTuple):
    """A running agent: its process, and our ends of its three standard streams."""

    pid: int
    stdin: int
    stdout: int
    stderr: int


def record(command: Sequence[str], path: str | os.PathLike[str]) -> int:
    r"""Run an agent in the place of this process, and record what passes between it and the client.

    The three standard streams are handed through byte for byte, as soon as bytes come; signals, the end of a
    stream and broken pipes are handed on (docs/recording.md). When it returns, the streams of this process are at
    their end as well: what is left to do is to exit with the status. A message is in the log before it goes on,
    unless the disk is slow or full; that never holds up the conversation.

    Args:
        command: The agent and its arguments.
        path: The log. A file that is there stays as it is: the next free name is taken, ``log-2.jsonl`` for
            ``log.jsonl``. A folder: a new file in it. Only its owner can read the file.

    Returns:
        The agent's exit status; the negative number of the signal that it died of, as `subprocess` has it.

    Raises:
        ArgumentError: If there is no command.
        SourceError: If the log can't be opened; the agent isn't started then.
        StartError: If the agent can't be started; or on Windows, where that isn't possible so far.

    Example:
        >>> import pathlib, subprocess, sys, tempfile
        >>> program = "import acpinspect, sys; sys.exit(acpinspect.record(['cat'], 'log.jsonl'))"
        >>> line = b'{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":1}}\n'
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     run = subprocess.run([sys.executable, "-c", program], cwd=folder, input=line, capture_output=True)
        ...     log = pathlib.Path(folder, "log.jsonl").read_bytes()
        >>> run.returncode, run.stdout == line, log.count(line.strip())
        (0, True, 2)
    """
    words = [os.fspath(word) for word in command]
    if not words:
        raise ArgumentError("There is no command; give the agent and its arguments.")
    if os.name != "posix":
        raise StartError("An agent can't be recorded on Windows so far; use acpinspect.Recorder in a program.")
    _fill_standard_streams()
    file, log = open_log(path)
    # Blocked before the first thread is there, so that no thread takes them but the one that is to.
    before = signal.pthread_sigmask(signal.SIG_BLOCK, HANDED_ON)
    try:
        agent = _start(words, before, file, log)
        if log != Path(path) and not Path(path).is_dir():
            _say(f"{path} is there already; this is recorded in {log}")
        return _run(agent, words, file, log, before)
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _start(words: list[str], mask: set[signal.Signals | int], file: int, log: Path) -> _Agent:
    """Start the agent with pipes for its streams, and signals as we found them."""
    pipes = [os.pipe() for _ in range(3)]
    theirs = [pipes[0][0], pipes[1][1], pipes[2][1]]
    ours = [pipes[0][1], pipes[1][0], pipes[2][0]]
    try:
        pid = os.posix_spawnp(
            words[0],
            words,
            os.environ,
            file_actions=[(os.POSIX_SPAWN_DUP2, end, number) for number, end in enumerate(theirs)],
            setsigmask=mask,
            setsigdef=[signal.SIGPIPE, signal.SIGXFSZ],  # the two that Python ignores
        )
    except (OSError, ValueError) as error:
        for end in (*ours, file):
            os.close(end)
        if log.is_file() and not log.stat().st_size:
            log.unlink()
        reason = getattr(error, "strerror", None) or error
        raise StartError(f"{words[0]} can't be started: {reason}. Give the agent's command after `--`.") from error
    finally:
        for end in theirs:
            os.close(end)
    return _Agent(pid, *ours)


def _run(agent: _Agent, words: list[str], file: int, log: Path, mask: set[signal.Signals | int]) -> int:
    pumps: list[Pump] = []

    def relieve(thread: int) -> None:
        for pump in pumps:
            pump.relieve(thread)

    shown = [os.fsencode(word).decode("utf-8", "backslashreplace") for word in words]
    recorder = Recorder._on(file, log, _say, {"command": shown}, relieve)
    stop, stopper = os.pipe()
    pumps += [
        Pump("client", 0, agent.stdin, stop, recorder, _say),
        Pump("agent", agent.stdout, 1, stop, recorder, _say),
        Pump("stderr", agent.stderr, 2, stop, recorder, _say),
    ]
    forwarder = Forwarder(agent.pid, lambda name: recorder.event("signal", signal=name))
    forwarder.start()
    for pump in pumps:
        pump.start()
    status = os.waitstatus_to_exitcode(os.waitpid(agent.pid, 0)[1])
    forwarder.stop()
    signal.pthread_sigmask(signal.SIG_SETMASK, mask)  # from now on they are for us
    incoming, *outgoing = pumps
    end = time.monotonic() + _LINGER
    for pump in outgoing:
        pump.join(max(0.0, end - time.monotonic()))
    os.close(stopper)
    # What the agent has written is passed on before we end, however long it takes the client to read it.
    for pump in outgoing:
        pump.join()
    if incoming.join(_LINGER):
        os.close(stop)
    recorder.event("exit", **_outcome(status))
    recorder.close()
    return status


def _outcome(status: int) -> dict[str, object]:
    if status >= 0:
        return {"status": status}
    try:
        return {"signal": signal.Signals(-status).name}
    except ValueError:  # one without a name
        return {"signal": str(-status)}


def _fill_standard_streams() -> None:
    """Open those of the three that are closed, so that no other file takes their numbers."""
    while (file := os.open(os.devnull, os.O_RDWR)) <= 2:
        pass
    os.close(file)


def _say(text: str) -> None:
    """A word on standard error, if there is room for it: a client that doesn't read it must not stop us."""
    room = select.poll()
    room.register(2, select.POLLOUT)
    if any(events & select.POLLOUT for _, events in room.poll(0)):
        os.write(2, f"acpinspect record: {text}\n".encode("utf-8", "backslashreplace")[:_LONGEST_WORD])
