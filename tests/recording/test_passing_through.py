"""The client and the agent can't tell that there is a recorder between them."""

from __future__ import annotations

import json
import os
import pty
import signal
import subprocess
import time
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.recording.running import (
    ECHO,
    PATIENCE,
    SDK_AGENT,
    Conversation,
    bytes_of,
    environment,
    events,
    message,
    needs_linux,
    needs_posix,
    python,
    recorder,
    records,
    until,
)

pytestmark = needs_posix


def request(number: int, method: str, **params: object) -> bytes:
    return json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": params}).encode() + b"\n"


OWN_SIGNALS_OF_THE_C_LIBRARY = 0b11 << 31  # it sets them as it likes

SESSION = (
    request(0, "initialize", protocolVersion=1),
    request(1, "session/new", cwd="/", mcpServers=[]),
    request(2, "session/prompt", sessionId="s1", prompt=[{"type": "text", "text": "Is the lamp lit, Zoë?"}]),
    request(3, "session/prompt", sessionId="s1", prompt=[{"type": "text", "text": "x" * 100_000}]),
)


def talk(command: list[str], errors: Path) -> tuple[bytes, bytes, int]:
    """A client that asks, and waits for each answer: what it gets on its streams, and the exit status."""
    with Conversation(command, errors) as conversation:
        for number, line in enumerate(SESSION):
            conversation.send(line)
            answer = b'"id":%d,' % number
            until(lambda answer=answer: answer in conversation.receive(len(conversation.received) + 1))
        status = conversation.end()
    return conversation.received, conversation.stderr(), status


def test_a_conversation_with_an_agent_of_the_sdk_is_the_same_with_and_without(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    without = talk(list(SDK_AGENT), tmp_path / "without")
    recorded = talk(recorder(log, SDK_AGENT), tmp_path / "with")
    assert recorded == without
    assert without[0].count(b"\n") > 10
    assert b"a session in /\n" in without[1]
    assert (bytes_of(log, "agent"), bytes_of(log, "stderr")) == without[:2]
    assert bytes_of(log, "client") == b"".join(SESSION)


def test_any_bytes_pass_and_stand_in_the_log(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    odd = b'{"a": 1.0 }\r\n\n\r\n{"a":\n1}\n\xff\xfe\0{"\n  {"b":"\xe9"}\n[1,2]\n7\n{"c":"\xc3\xa9\\ud800"}\nend'
    with Conversation(recorder(log, ECHO), tmp_path / "errors") as conversation:
        conversation.send(odd)
        assert conversation.end() == 0
    assert conversation.received == odd
    assert bytes_of(log, "client") == bytes_of(log, "agent") == odd
    assert [record["seq"] for record in records(log)] == list(range(len(records(log))))


def test_standard_error_passes_beside_the_rest(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    agent = python("import os; os.write(2, b'\\x1b[31mup\\n\\xff'); os.write(1, b'{}\\n')")
    with Conversation(recorder(log, agent), tmp_path / "errors") as conversation:
        assert conversation.end() == 0
    assert (conversation.received, conversation.stderr()) == (b"{}\n", b"\x1b[31mup\n\xff")
    assert (bytes_of(log, "agent"), bytes_of(log, "stderr")) == (b"{}\n", b"\x1b[31mup\n\xff")


def test_bytes_go_on_before_their_line_is_whole(tmp_path: Path) -> None:
    with Conversation(recorder(tmp_path / "log.jsonl", ECHO), tmp_path / "errors") as conversation:
        conversation.send(b'{"half')
        assert conversation.receive(6) == b'{"half'
        conversation.send(b'":1}\n')
        assert conversation.receive(11) == b'{"half":1}\n'


def test_a_client_that_does_not_read_holds_up_nobody_but_that_direction(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    agent = python(
        "import os, threading, sys\nthreading.Thread(target=lambda: os.write(1, b'x\\n' * 200_000)).start()\n"
        "for line in sys.stdin.buffer: os.write(2, line)"
    )
    with Conversation(recorder(log, agent), tmp_path / "errors") as conversation:
        conversation.send(b"are you there?\n")
        until(lambda: conversation.stderr() == b"are you there?\n")
        conversation.close_input()
        assert conversation.rest() == b"x\n" * 200_000
        assert conversation.process.wait(PATIENCE) == 0
    assert bytes_of(log, "agent") == b"x\n" * 200_000


# How it ends


@pytest.mark.parametrize("status", [0, 1, 2, 77, 255])
def test_the_exit_status_is_handed_on(tmp_path: Path, status: int) -> None:
    log = tmp_path / "log.jsonl"
    command = recorder(log, ("sh", "-c", f"exit {status}"))
    assert subprocess.run(command, env=environment(), stdin=subprocess.DEVNULL).returncode == status
    assert events(log)[-1] == {"event": "exit", "status": status}


@pytest.mark.parametrize("name", ["SIGKILL", "SIGTERM", "SIGSEGV", "SIGPIPE"])
def test_the_signal_that_the_agent_died_of_is_handed_on(tmp_path: Path, name: str) -> None:
    log = tmp_path / "log.jsonl"
    command = recorder(log, ("sh", "-c", f"kill -{name.removeprefix('SIG')} $$"))
    run = subprocess.run(command, env=environment(), stdin=subprocess.DEVNULL, stderr=subprocess.PIPE)
    assert (-run.returncode, run.stderr) == (signal.Signals[name], b"")
    assert events(log)[-1] == {"event": "exit", "signal": name}


@pytest.mark.parametrize("name", ["SIGTERM", "SIGINT", "SIGHUP", "SIGQUIT", "SIGUSR1", "SIGUSR2"])
def test_a_signal_for_the_recorder_reaches_the_agent(tmp_path: Path, name: str) -> None:
    log = tmp_path / "log.jsonl"
    agent = python(
        f"import os, signal, sys\ndef caught(*_):\n    os.write(1, b'caught\\n')\n    sys.exit(5)\n"
        f"signal.signal(signal.{name}, caught)\nos.write(1, b'ready\\n')\nwhile True: signal.pause()"
    )
    with Conversation(recorder(log, agent), tmp_path / "errors") as conversation:
        conversation.receive(6)
        conversation.process.send_signal(signal.Signals[name])
        assert conversation.rest() == b"ready\ncaught\n"
        assert conversation.process.wait(PATIENCE) == 5
    assert conversation.stderr() == b""
    assert {"event": "signal", "signal": name} in events(log)


def test_an_agent_that_does_not_catch_a_signal_dies_of_it_and_so_does_the_recorder(tmp_path: Path) -> None:
    with Conversation(recorder(tmp_path / "log.jsonl", ECHO), tmp_path / "errors") as conversation:
        conversation.send(b"up\n")
        conversation.receive(3)
        conversation.process.terminate()
        assert conversation.process.wait(PATIENCE) == -signal.SIGTERM


@needs_linux
def test_the_agent_s_own_signal_mask_and_handlers_are_as_without(tmp_path: Path) -> None:
    def seen(command: Sequence[str]) -> list[int]:
        shown = subprocess.run(command, capture_output=True, check=True, env=environment()).stdout
        return [int(number, 16) & ~OWN_SIGNALS_OF_THE_C_LIBRARY for number in shown.split()]

    look = python("import re; print(*re.findall(r'Sig(?:Blk|Ign):\\s+(\\w+)', open('/proc/self/status').read()))")
    assert seen(recorder(tmp_path / "log.jsonl", look)) == seen(look)


def test_what_is_typed_at_a_terminal_reaches_the_agent_once(tmp_path: Path) -> None:
    agent = python(
        "import os, signal, time\ncount = 0\ndef caught(*_):\n    global count\n    count += 1\n"
        "signal.signal(signal.SIGINT, caught)\nos.write(1, b'ready.')\n"
        "while not count: time.sleep(0.01)\ntime.sleep(0.3)\nos.write(1, b'%d times' % count)"
    )
    child, terminal = pty.fork()
    if child == 0:
        command = recorder(tmp_path / "log.jsonl", agent)
        os.execvpe(command[0], command, environment())
    shown = b""
    while b"ready." not in shown:
        shown += os.read(terminal, 1000)
    os.write(terminal, b"\x03")
    end = time.monotonic() + PATIENCE
    while b"times" not in shown and time.monotonic() < end:
        shown += os.read(terminal, 1000)
    os.waitpid(child, 0)
    os.close(terminal)
    assert b"1 times" in shown


def test_the_end_of_the_client_s_input_is_handed_on(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    agent = python("import sys; data = sys.stdin.read(); print(len(data), 'and the end')")
    with Conversation(recorder(log, agent), tmp_path / "errors") as conversation:
        conversation.send(b"four")
        conversation.close_input()
        assert conversation.rest() == b"4 and the end\n"
    assert {"event": "end", "of": "client"} in events(log)


def test_the_end_of_the_agent_s_output_is_handed_on_while_the_agent_lives(tmp_path: Path) -> None:
    agent = python("import os, sys; os.write(1, b'bye'); os.close(1); sys.stdin.read(); os._exit(9)")
    with Conversation(recorder(tmp_path / "log.jsonl", agent), tmp_path / "errors") as conversation:
        assert conversation.rest() == b"bye"
        assert conversation.process.poll() is None
        conversation.close_input()
        assert conversation.process.wait(PATIENCE) == 9


def test_an_agent_that_writes_to_a_client_that_is_gone_gets_a_broken_pipe(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    agent = ("sh", "-c", "while echo tick; do sleep 0.01; done")
    with Conversation(recorder(log, agent), tmp_path / "errors") as conversation:
        conversation.receive(5)
        assert conversation.process.stdout is not None
        conversation.process.stdout.close()
        assert conversation.process.wait(PATIENCE) == -signal.SIGPIPE
    assert {"event": "broken", "of": "agent"} in events(log)


def test_an_agent_that_is_silent_learns_that_the_client_is_gone(tmp_path: Path) -> None:
    agent = python(
        "import os, select\nos.write(1, b'up')\nwatch = select.poll()\nwatch.register(1, 0)\n"
        "os._exit(6 if watch.poll(20_000) else 7)"
    )
    with Conversation(recorder(tmp_path / "log.jsonl", agent), tmp_path / "errors") as conversation:
        conversation.receive(2)
        assert conversation.process.stdout is not None
        conversation.process.stdout.close()
        assert conversation.process.wait(PATIENCE) == 6


def test_a_client_that_writes_to_an_agent_that_reads_no_more_gets_a_broken_pipe(tmp_path: Path) -> None:
    agent = python("import os, signal; os.close(0); os.write(1, b'closed'); signal.pause()")
    with Conversation(recorder(tmp_path / "log.jsonl", agent), tmp_path / "errors") as conversation:
        conversation.receive(6)

        def is_broken() -> bool:
            try:
                conversation.send(b"anyone?\n")
            except BrokenPipeError:
                return True
            return False

        until(is_broken)
        assert conversation.process.poll() is None


def test_what_the_agent_wrote_before_its_end_arrives_however_late_the_client_reads(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    agent = python("import os; os.write(1, b'y' * 150_000 + b'\\n')")
    with Conversation(recorder(log, agent), tmp_path / "errors") as conversation:
        time.sleep(1.5)
        assert conversation.rest() == b"y" * 150_000 + b"\n"
        assert conversation.process.wait(PATIENCE) == 0


def test_a_child_that_outlives_the_agent_does_not_keep_the_recorder(tmp_path: Path) -> None:
    agent = ("sh", "-c", "sleep 30 & echo $!")
    with Conversation(recorder(tmp_path / "log.jsonl", agent), tmp_path / "errors") as conversation:
        assert conversation.process.wait(PATIENCE) == 0
        os.kill(int(conversation.rest()), signal.SIGKILL)


def test_closed_standard_streams_do_no_harm(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    words = " ".join(recorder(log, ("sh", "-c", "'echo {}; echo up >&2; exit 3'")))
    run = subprocess.run(["sh", "-c", f"{words} <&- >&- 2>&-"], env=environment())
    assert run.returncode == 3
    assert bytes_of(log, "agent") == b"{}\n"


def test_messages_stand_in_the_order_in_which_they_passed(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    with Conversation(recorder(log, ECHO), tmp_path / "errors") as conversation:
        for number in range(50):
            line = message(number)
            conversation.send(line)
            conversation.receive((number + 1) * len(message(0)) + max(0, number - 9))
        conversation.end()
    said = [(record["msg"]["id"], record["sender"]) for record in records(log) if "msg" in record]
    assert said == [(number, sender) for number in range(50) for sender in ("client", "agent")]
    moments = [(record["time"], record["mono"]) for record in records(log)]
    assert moments == sorted(moments)
