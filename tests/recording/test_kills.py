"""Whatever was acknowledged on the wire is in the log, whoever is killed, and whenever: a hundred times."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from tests.recording.running import (
    ECHO,
    Conversation,
    bytes_of,
    environment,
    message,
    needs_linux,
    recorder,
    records,
)

pytestmark = needs_linux

TIMES = 33
CLIENT = """\
import os, subprocess, sys
agent = subprocess.Popen(sys.argv[1:], stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)
line = b'{"jsonrpc":"2.0","id":%d,"method":"session/prompt","params":{"sessionId":"s1","prompt":[]}}\\n'
os.write(1, b'%d\\n' % agent.pid)
for number in range(1_000_000):
    os.write(agent.stdin.fileno(), line % number)
    answer = agent.stdout.readline()
    if not answer:
        break
    os.write(1, b'%d\\n' % number)
"""


@pytest.mark.parametrize(("victim", "times"), [("recorder", TIMES + 1), ("agent", TIMES)])
def test_a_killed_recorder_or_agent_has_logged_what_was_answered(tmp_path: Path, victim: str, times: int) -> None:
    rng = random.Random(f"kill the {victim}")
    for turn in range(times):
        log = tmp_path / f"{turn}.jsonl"
        with Conversation(recorder(log, ECHO), tmp_path / "errors") as conversation:
            conversation.send(message(0))
            conversation.receive(len(message(0)))
            target = conversation.process.pid if victim == "recorder" else child_of(conversation.process.pid)
            killer = threading.Timer(rng.random() * 0.04, os.kill, (target, signal.SIGKILL))
            killer.start()
            answered = 1 + talk_until_broken(conversation, ahead=rng.randrange(3))
            killer.join()
            assert conversation.process.wait() == -signal.SIGKILL
        for sender in ("client", "agent"):
            logged = ids(log, sender)
            assert logged == list(range(len(logged)))
            assert len(logged) >= answered, f"turn {turn}, {sender}"


def test_of_a_killed_client_all_that_was_answered_is_logged(tmp_path: Path) -> None:
    rng = random.Random("kill the client")
    for turn in range(TIMES):
        log = tmp_path / f"{turn}.jsonl"
        command = [sys.executable, "-c", CLIENT, *recorder(log, ECHO)]
        client = subprocess.Popen(command, stdout=subprocess.PIPE, env=environment())
        assert client.stdout is not None
        running = int(client.stdout.readline())
        client.stdout.readline()
        time.sleep(rng.random() * 0.04)
        client.kill()
        client.wait()
        answered = [0, *map(int, client.stdout.read().splitlines())]
        client.stdout.close()
        wait_for_the_end_of(running)
        for sender in ("client", "agent"):
            logged = ids(log, sender)
            assert logged == list(range(len(logged)))
            assert len(logged) > answered[-1], f"turn {turn}, {sender}"
        assert records(log)[-1]["event"] == "exit"


def talk_until_broken(conversation: Conversation, ahead: int) -> int:
    """Send messages, some of them before the last is answered, until the pipe breaks: how many were answered."""
    before, number = len(conversation.received), 1
    try:
        while True:
            for _ in range(ahead + 1):
                conversation.send(message(number))
                number += 1
            conversation.receive(len(conversation.received) + 1)
    except (BrokenPipeError, EOFError):
        return conversation.received.count(b"\n", before)


def ids(log: Path, sender: str) -> list[int]:
    """The numbers of the messages of a side; the log's lines are whole, but for the last."""
    for line in log.read_bytes().split(b"\n")[:-1]:
        json.loads(line)
    return [json.loads(line)["id"] for line in bytes_of(log, sender).splitlines()]


def child_of(pid: int) -> int:
    """The process that a process has started."""
    [child] = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return int(child)


def wait_for_the_end_of(pid: int) -> None:
    """Wait until a process that isn't ours has ended."""
    status = Path(f"/proc/{pid}/status")
    while status.exists():
        try:
            if "\nState:\tZ" in status.read_text():
                return
        except (FileNotFoundError, ProcessLookupError):
            return
        time.sleep(0.005)
