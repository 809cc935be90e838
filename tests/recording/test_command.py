"""``acpinspect record`` as a command: where the log goes, what it says, what it costs to start."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

import acpinspect
from acpinspect.recording.pumps import Pump
from tests.recording.running import bytes_of, environment, events, needs_posix, python, recorder, records

pytestmark = needs_posix


def run(*command: str, **settings: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command, capture_output=True, text=True, env=environment(), stdin=subprocess.DEVNULL, **settings
    )


def test_the_agent_s_options_are_its_own(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    for words in (["--"], []):
        command = [
            sys.executable,
            "-m",
            "acpinspect",
            "record",
            "-o",
            str(log),
            *words,
            "echo",
            "-o",
            "--help",
            "-",
        ]
        assert run(*command).stdout == "-o --help -\n"
    assert records(log)[0]["command"] == ["echo", "-o", "--help", "-"]


def test_nothing_is_said_where_nothing_is_wrong(tmp_path: Path) -> None:
    result = run(*recorder(f"{tmp_path}/logs/", ["true"]))
    assert (result.stdout, result.stderr, result.returncode) == ("", "", 0)
    [log] = (tmp_path / "logs").iterdir()
    assert stat.S_IMODE(log.stat().st_mode) == 0o600


def test_a_log_that_is_there_stays_and_the_other_name_is_told(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    log.write_bytes(b"mine")
    result = run(*recorder(log, ["true"]))
    assert (
        result.stderr == f"acpinspect record: {log} is there already; this is recorded in {tmp_path}/log-2.jsonl\n"
    )
    assert log.read_bytes() == b"mine"
    assert events(tmp_path / "log-2.jsonl")[-1] == {"event": "exit", "status": 0}


def test_the_home_folder_is_found_without_a_shell(tmp_path: Path) -> None:
    command = recorder("~/log.jsonl", ["true"])
    subprocess.run(command, env=environment() | {"HOME": str(tmp_path)}, stdin=subprocess.DEVNULL, check=True)
    assert (tmp_path / "log.jsonl").exists()


def test_an_agent_that_is_not_there_is_127_and_leaves_no_log(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    result = run(*recorder(log, ["no-such-agent"]))
    assert result.returncode == 127
    assert result.stderr == (
        "Error: no-such-agent can't be started: No such file or directory. Give the agent's command after `--`.\n"
    )
    assert not log.exists()


def test_an_agent_that_can_not_be_run_is_126(tmp_path: Path) -> None:
    (tmp_path / "agent").write_text("no program")
    assert run(*recorder(tmp_path / "log.jsonl", [str(tmp_path / "agent")])).returncode == 126


def test_a_log_that_can_not_be_opened_is_2_and_starts_nothing(tmp_path: Path) -> None:
    result = run(*recorder(tmp_path / "no" / "log.jsonl", ["touch", str(tmp_path / "started")]))
    assert result.returncode == 2
    assert "no/log.jsonl can't be written: No such file or directory." in result.stderr
    assert not (tmp_path / "started").exists()


def test_no_agent_is_an_error_of_usage(tmp_path: Path) -> None:
    assert run(*recorder(tmp_path / "log.jsonl", [])).returncode == 2
    with pytest.raises(acpinspect.ArgumentError, match="There is no command"):
        acpinspect.record([], tmp_path / "log.jsonl")


def test_the_environment_the_folder_and_open_files_are_the_agent_s_too(tmp_path: Path) -> None:
    reading, writing = os.pipe()
    os.set_inheritable(writing, True)
    agent = python(f"import os; print(os.environ['LAMP'], os.getcwd()); os.write({writing}, b'deep')")
    command = recorder(tmp_path / "log.jsonl", agent)
    shown = subprocess.run(
        command,
        env=environment() | {"LAMP": "lit"},
        cwd=tmp_path,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        close_fds=False,
    )
    os.close(writing)
    assert shown.stdout == f"lit {tmp_path}\n"
    assert os.read(reading, 10) == b"deep"
    os.close(reading)


def test_no_word_of_the_command_is_lost_that_is_no_text(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    command = [*(word.encode() for word in recorder(log, ["printf"])), b"%s", b"\xff\n"]
    shown = subprocess.run(command, env=environment(), stdin=subprocess.DEVNULL, capture_output=True)
    assert shown.stdout == b"\xff\n"
    assert records(log)[0]["command"] == ["printf", "%s", "\\xff\n"]
    assert bytes_of(log, "agent") == b"\xff\n"


def test_a_recorder_that_fails_lets_the_conversation_go_on() -> None:
    class Broken:
        def write(self, sender: str, data: bytes) -> None:
            raise MemoryError(sender, len(data))

        def end(self, sender: str) -> None:
            raise MemoryError(sender)

    said: list[str] = []
    ends = [os.pipe() for _ in range(3)]
    (source, client), (reading, target), (stop, stopper) = ends
    pump = Pump("agent", source, target, stop, Broken(), said.append)  # type: ignore[arg-type]
    pump.start()
    for line in (b"one\n", b"two\n"):
        os.write(client, line)
        assert os.read(reading, 10) == line
    os.close(client)
    assert os.read(reading, 10) == b""
    assert pump.join(10)
    assert len(said) == 1
    assert "MemoryError('agent', 4)" in said[0]
    for file in (reading, stop, stopper):
        os.close(file)


def test_starting_it_imports_neither_pandas_nor_the_rest_of_the_house() -> None:
    code = (
        "import sys\nfrom acpinspect.cli.record import command\nimport acpinspect\nacpinspect.record\n"
        "ours = {name.split('.')[1] for name in sys.modules if name.startswith('acpinspect.')}\n"
        "heavy = {'pandas', 'numpy', 'pyarrow', 'asyncio', 'rich', 'msgspec', 'json'} & set(sys.modules)\n"
        "print(sorted(ours), sorted(heavy))"
    )
    assert run(sys.executable, "-c", code).stdout == "['cli', 'errors', 'recording'] []\n"
