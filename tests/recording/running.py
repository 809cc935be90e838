"""Starting a recorder around an agent as an editor would, and talking to it line by line."""

from __future__ import annotations

import json
import os
import select
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from acpinspect.recording import wire_bytes

ROOT = Path(__file__).resolve().parents[2]
PATIENCE = 20.0  # seconds; nothing here takes long, except on a machine that is busy
ECHO = ("cat",)
SDK_AGENT = (sys.executable, str(Path(__file__).with_name("sdk_agent.py")))

needs_posix = pytest.mark.skipif(os.name != "posix", reason="an agent can be recorded on POSIX systems")
needs_linux = pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc, or limits another process")


def python(code: str) -> tuple[str, ...]:
    """An agent that is a few lines of Python."""
    return (sys.executable, "-c", code)


def recorder(log: Path | str, agent: Sequence[str]) -> list[str]:
    """The command that records an agent."""
    return [sys.executable, "-m", "acpinspect", "record", "-o", str(log), "--", *agent]


def environment() -> dict[str, str]:
    """What a started process needs to find this checkout."""
    paths = [str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])]
    return os.environ | {"PYTHONPATH": os.pathsep.join(paths)}


class Conversation:
    """A process with pipes for its streams; its standard error goes to a file."""

    def __init__(self, command: Sequence[str], errors: Path, **settings: Any) -> None:
        self.errors = errors
        with errors.open("wb") as file:
            self.process = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=file,
                env=environment(),
                bufsize=0,
                **settings,
            )
        self.received = b""

    def send(self, data: bytes) -> None:
        """Write all of it."""
        assert self.process.stdin is not None
        view = memoryview(data)
        while view:
            view = view[os.write(self.process.stdin.fileno(), view) :]

    def receive(self, size: int) -> bytes:
        """Wait until so many bytes have come in all."""
        assert self.process.stdout is not None
        end = time.monotonic() + PATIENCE
        while len(self.received) < size:
            if not select.select([self.process.stdout], [], [], max(0, end - time.monotonic()))[0]:
                raise TimeoutError(f"{len(self.received)} of {size} bytes; {self.stderr()!r}")
            data = os.read(self.process.stdout.fileno(), 1 << 16)
            if not data:
                raise EOFError(f"{len(self.received)} of {size} bytes; {self.stderr()!r}")
            self.received += data
        return self.received

    def rest(self) -> bytes:
        """Everything until the end of the output."""
        try:
            while True:
                self.receive(len(self.received) + 1)
        except EOFError:
            return self.received

    def close_input(self) -> None:
        """The client says no more."""
        assert self.process.stdin is not None
        self.process.stdin.close()

    def end(self) -> int:
        """Close the input, read the rest, and give the exit status."""
        self.close_input()
        self.rest()
        return self.process.wait(PATIENCE)

    def stderr(self) -> bytes:
        """What has come on standard error."""
        return self.errors.read_bytes()

    def __enter__(self) -> Conversation:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.wait()
        for stream in (self.process.stdin, self.process.stdout):
            assert stream is not None
            stream.close()


def bytes_of(log: Path, sender: str) -> bytes:
    """What a side has sent, by the log."""
    return b"".join(wire_bytes(log, sender))  # type: ignore[arg-type]


def records(log: Path) -> list[dict[str, Any]]:
    """The log's whole records."""
    return [json.loads(line) for line in log.read_bytes().splitlines(keepends=True) if line.endswith(b"\n")]


def events(log: Path) -> list[dict[str, Any]]:
    """What the recorder has to say for itself."""
    own = ("seq", "time", "mono", "sender", "format", "version", "command")
    return [
        {key: value for key, value in record.items() if key not in own}
        for record in records(log)
        if "event" in record
    ]


def message(number: int, text: str = "") -> bytes:
    """A line as a client sends it."""
    params = {"sessionId": "s1", "prompt": [{"type": "text", "text": text}]}
    return (
        json.dumps({"jsonrpc": "2.0", "id": number, "method": "session/prompt", "params": params}).encode() + b"\n"
    )


def until(condition: Any) -> None:
    """Wait until something holds."""
    end = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < end, "it didn't come to hold"
        time.sleep(0.01)
