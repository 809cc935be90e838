"""The command line: what it prints, where, and with which exit status."""

from __future__ import annotations

import csv
import io
import json
import operator
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import acpinspect
from acpinspect.cli import COMMANDS, main
from acpinspect.cli.screen import cut, printable
from acpinspect.cli.tables import as_json

SAMPLES = Path(__file__).resolve().parents[1] / "sample_logs"
WITH_IDS = str(SAMPLES / "v1_with_ids.ndjson")
BROKEN = str(SAMPLES / "broken.log")
TWO_SESSIONS = str(SAMPLES / "v1_two_sessions.ndjson")
WITHOUT_LOG = ("record", "vectors")  # commands that read no log

Run = Callable[..., Result]


@pytest.fixture
def run() -> Run:
    runner = CliRunner(env={"COLUMNS": "120"})

    def run(*arguments: str, stdin: str | bytes | None = None) -> Result:
        return runner.invoke(main, list(arguments), input=stdin, catch_exceptions=False)

    return run


def chunk(text: str, session: str = "s1", message_id: str = "m1") -> str:
    update = {"sessionUpdate": "agent_message_chunk", "messageId": message_id}
    params = {"sessionId": session, "update": update | {"content": {"type": "text", "text": text}}}
    return json.dumps({"jsonrpc": "2.0", "method": "session/update", "params": params}) + "\n"


def python(*arguments: str, **settings: str) -> subprocess.CompletedProcess[str]:
    environment = {key: value for key, value in os.environ.items() if key not in ("NO_COLOR", "FORCE_COLOR")}
    command = [sys.executable, *arguments]
    return subprocess.run(
        command, capture_output=True, encoding="utf-8", env=environment | {"PYTHONUTF8": "1"} | settings
    )


def test_help_lists_every_command(run: Run) -> None:
    result = run("--help")
    assert result.exit_code == 0
    assert all(f"  {name} " in result.output for name in COMMANDS)


def test_version_is_the_package_s(run: Run) -> None:
    assert acpinspect.__version__ in run("--version").output


def test_help_needs_neither_pandas_nor_rich() -> None:
    code = (
        "import sys\nfrom acpinspect.cli import main\nmain(['--help'], standalone_mode=False)\n"
        "print([name for name in ('pandas', 'pyarrow', 'rich', 'orjson') if name in sys.modules])"
    )
    assert python("-c", code).stdout.endswith("[]\n")


def test_python_dash_m_is_the_same_command() -> None:
    result = python("-m", "acpinspect", "--help")
    assert result.returncode == 0
    assert result.stdout.startswith("Usage: acpinspect ")


# What each command shows


def test_messages_shows_a_row_for_each_message_with_what_opened_it(run: Run) -> None:
    result = run("messages", WITH_IDS)
    assert result.exit_code == 0
    texts = acpinspect.messages(acpinspect.load(WITH_IDS))["text"].tolist()
    rows = result.output.splitlines()[2:]
    assert len(rows) == len(texts) == 4
    assert all(text[:50] in row for text, row in zip(texts, rows, strict=True))
    assert [row.split()[4] for row in rows] == ["turn", "role", "tool_call", "id"]


def test_messages_follows_the_policy_asked_for(run: Run) -> None:
    by_ids = json.loads(run("messages", WITH_IDS, "--json").output)
    without = json.loads(run("messages", WITH_IDS, "--json", "--policy", "heuristic").output)
    assert [row["text"] for row in without] == [
        *(row["text"] for row in by_ids[:2]),
        by_ids[2]["text"] + by_ids[3]["text"],
    ]


def test_summary_counts_what_the_tables_hold(run: Run) -> None:
    document = json.loads(run("summary", WITH_IDS, "--json").output)
    events = acpinspect.load(WITH_IDS)
    (source,) = document["sources"]
    assert source["events"] == len(events)
    assert source["messages"] == source["by_ids"] == len(acpinspect.messages(events))
    assert source["no_ids"] == source["messages"] - 1
    assert (source["protocol"], source["sessions"], source["turns"], source["tools"]) == ("v1", 1, 1, 1)
    assert document["odd"] == []


def test_summary_has_a_row_for_each_log(run: Run) -> None:
    document = json.loads(run("summary", WITH_IDS, TWO_SESSIONS, "--json").output)
    assert [Path(row["source"]).name for row in document["sources"]] == [
        "v1_with_ids.ndjson",
        "v1_two_sessions.ndjson",
    ]


def test_summary_says_where_the_odd_things_are(run: Run) -> None:
    result = run("summary", BROKEN)
    report = acpinspect.load_report(acpinspect.load(BROKEN))
    assert "What is odd" in result.output
    assert all(str(problem)[:20] in result.output for problem in report["problem"])


def test_events_lists_every_frame(run: Run) -> None:
    rows = json.loads(run("events", BROKEN, "--json").output)
    events = acpinspect.load(BROKEN)
    assert [row["event"] for row in rows] == events.index.tolist()
    assert [row["raw"] for row in rows] == events["raw"].tolist()


def test_formats_without_a_path_lists_them_all(run: Run) -> None:
    rows = json.loads(run("formats", "--json").output)
    assert len(rows) == len(acpinspect.formats())


def test_formats_with_a_path_says_which_one_it_is(run: Run) -> None:
    result = run("formats", str(SAMPLES / "zed_copy.json"), "--json")
    (row,) = json.loads(result.output)
    assert "zed" in json.dumps(row).lower()


# Options


def test_a_session_can_be_picked(run: Run) -> None:
    rows = json.loads(run("messages", TWO_SESSIONS, "--session", "sess-west", "--json").output)
    assert {row["session_id"] for row in rows} == {"sess-west"}
    assert rows[0]["text"] == "Painting the west door now."


def test_several_sessions_can_be_picked(run: Run) -> None:
    rows = json.loads(
        run("events", TWO_SESSIONS, "--session", "sess-west", "--session", "sess-east", "--json").output
    )
    assert {row["session_id"] for row in rows} == {"sess-west", "sess-east"}


def test_an_unknown_session_is_an_error_that_names_the_known_ones(run: Run) -> None:
    result = run("messages", TWO_SESSIONS, "--session", "sess-north")
    assert result.exit_code == 2
    assert "'sess-east', 'sess-west'" in result.stderr


@pytest.mark.parametrize("form", [(), ("--json",), ("--csv",)])
def test_limit_keeps_the_first_rows(run: Run, form: tuple[str, ...]) -> None:
    output = run("messages", WITH_IDS, "--limit", "1", *form).output
    assert "The lamp test reads the schedule" in output
    assert "Let me look" not in output


def test_a_table_that_was_cut_says_how_much_is_missing(run: Run) -> None:
    assert "3 more; --limit 0 shows all." in run("messages", WITH_IDS, "--limit", "1").output


def test_limit_zero_shows_all(run: Run, tmp_path: Path) -> None:
    log = tmp_path / "long.ndjson"
    log.write_text("".join(chunk("x", message_id=f"m{n}") for n in range(150)))
    assert "50 more" in run("messages", str(log)).output
    assert "more" not in run("messages", str(log), "--limit", "0").output


def test_json_and_csv_say_the_same(run: Run) -> None:
    rows = json.loads(run("messages", WITH_IDS, "--json").output)
    table = list(csv.DictReader(io.StringIO(run("messages", WITH_IDS, "--csv").output)))
    assert list(table[0]) == list(rows[0])
    assert [row["text"] for row in table] == [row["text"] for row in rows]
    assert [json.loads(row["events"]) for row in table] == [row["events"] for row in rows]


def test_json_of_nothing_is_an_empty_array(run: Run, tmp_path: Path) -> None:
    log = tmp_path / "quiet.ndjson"
    log.write_text('{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":1}}\n')
    assert json.loads(run("messages", str(log), "--json").output) == []


def test_times_are_iso_8601_in_json(run: Run) -> None:
    rows = json.loads(run("events", str(SAMPLES / "recorder.jsonl"), "--json").output)
    assert rows[0]["time"] == "2026-03-01T06:42:00Z"


def test_values_that_are_not_there_are_null_in_json(run: Run) -> None:
    rows = json.loads(run("events", WITH_IDS, "--json").output)
    assert (rows[0]["time"], rows[0]["message_id"], rows[0]["reply_to"]) == (None, None, None)


def test_a_dash_reads_standard_input(run: Run) -> None:
    rows = json.loads(run("messages", "-", "--json", stdin=chunk("Hello.")).output)
    assert [row["text"] for row in rows] == ["Hello."]


def test_a_glob_in_quotes_is_expanded(run: Run) -> None:
    document = json.loads(run("summary", str(SAMPLES / "v1_*.ndjson"), "--json").output)
    assert len(document["sources"]) == len(list(SAMPLES.glob("v1_*.ndjson")))


# Exit status


def test_summary_of_a_sound_log_ends_with_0(run: Run) -> None:
    assert run("summary", WITH_IDS).exit_code == 0


@pytest.mark.parametrize("form", [(), ("--json",), ("--csv",)])
def test_summary_of_a_broken_log_ends_with_1(run: Run, form: tuple[str, ...]) -> None:
    assert run("summary", BROKEN, *form).exit_code == 1


def test_other_commands_do_not_judge(run: Run) -> None:
    assert run("events", BROKEN).exit_code == 0
    assert run("messages", BROKEN).exit_code == 0


@pytest.mark.parametrize("command", ["summary", "events", "messages"])
def test_no_path_is_a_usage_error(run: Run, command: str) -> None:
    result = run(command)
    assert result.exit_code == 2
    assert "PATH" in result.stderr


def test_a_log_without_a_command_is_told_how_to_look_at_it(run: Run) -> None:
    result = run(WITH_IDS)
    assert result.exit_code == 2
    assert f"acpinspect summary {WITH_IDS}" in result.stderr


@pytest.mark.parametrize(
    ("given", "said"),
    [("sumary", "Did you mean summary?"), ("frobnicate", "acpinspect --help lists them."), ("\x1b[2J", "␛[2J")],
)
def test_a_command_that_does_not_exist_is_told_what_may_be_meant(run: Run, given: str, said: str) -> None:
    result = run(given)
    assert result.exit_code == 2
    assert said in result.stderr
    assert "\x1b" not in result.stderr


@pytest.mark.parametrize("command", COMMANDS)
def test_the_help_of_a_command_names_what_does_the_same_in_python(run: Run, command: str) -> None:
    twin = COMMANDS[command]
    assert f"In Python: acpinspect.{twin}" in run(command, "--help").output
    assert callable(operator.attrgetter(twin)(acpinspect))


@pytest.mark.parametrize("command", ["summary", "lint"])
def test_a_folder_without_a_log_is_one_sentence_and_2(run: Run, command: str, tmp_path: Path) -> None:
    result = run(command, str(tmp_path))
    assert result.exit_code == 2
    assert result.stderr.startswith("Error: There is no log in the folder")


@pytest.mark.parametrize("command", [name for name in COMMANDS if name not in WITHOUT_LOG])
def test_a_missing_file_is_one_sentence_and_2(run: Run, command: str, tmp_path: Path) -> None:
    result = run(command, str(tmp_path / "nowhere.ndjson"))
    assert result.exit_code == 2
    assert "nowhere.ndjson" in result.stderr
    assert result.stdout == ""
    assert "Traceback" not in result.stderr


def test_a_log_without_acp_is_one_sentence_and_2(run: Run, tmp_path: Path) -> None:
    log = tmp_path / "other.log"
    log.write_text('{"level":"info","msg":"started"}\n')
    result = run("summary", str(log))
    assert result.exit_code == 2
    assert result.stderr.startswith("Error: ")
    assert result.stderr.count("\n") == 1


@pytest.mark.parametrize(
    "options", [("--policy", "telepathy"), ("--format", "papyrus"), ("--tz", "Mars/Olympus"), ("--limit", "-1")]
)
def test_an_unknown_value_is_a_usage_error(run: Run, options: tuple[str, str]) -> None:
    result = run("messages", WITH_IDS, *options)
    assert result.exit_code == 2
    assert options[1] in result.stderr
    assert "Traceback" not in result.stderr


def test_what_is_left_out_is_a_warning_in_one_line(run: Run, tmp_path: Path) -> None:
    (tmp_path / "good.ndjson").write_text(chunk("Hello."))
    (tmp_path / "other.log").write_text('{"level":"info","msg":"started"}\n')
    result = run("messages", str(tmp_path))
    assert result.exit_code == 0
    assert "Hello." in result.stdout
    assert result.stderr.startswith("Warning: ")
    assert result.stderr.count("\n") == 1


# What a hostile log can do to a terminal: nothing


HOSTILE = "\x1b]0;owned\x07[red]red[/red]\x9b31m\u202eevil\u2066\x00\r\n\ttab"


def test_control_characters_of_a_log_never_reach_the_terminal(run: Run) -> None:
    log = chunk(HOSTILE, session="\x1b[2Js", message_id="\x1b[1mm")
    for command in ("events", "messages"):
        output = run(command, "-", stdin=log).output
        assert all(character.isprintable() for character in output.replace("\n", "")), command


def test_markup_of_rich_in_a_log_is_shown_as_it_is(run: Run) -> None:
    assert "[red]red[/red]" in run("messages", "-", stdin=chunk(HOSTILE)).output


def test_a_line_that_is_no_json_can_not_steer_the_terminal_either(run: Run) -> None:
    result = run("events", BROKEN)
    assert "\x1b" not in result.output


def test_json_escapes_what_a_terminal_would_obey_and_keeps_the_text(run: Run) -> None:
    output = run("messages", "-", "--json", stdin=chunk(HOSTILE)).output
    assert all(character.isprintable() for character in output.replace("\n", ""))
    assert json.loads(output)[0]["text"] == HOSTILE


def test_csv_into_a_file_is_exact(run: Run) -> None:
    output = run("messages", "-", "--csv", stdin=chunk("a\x1b[0m,b\u202e")).stdout_bytes.decode()
    assert next(csv.DictReader(io.StringIO(output)))["text"] == "a\x1b[0m,b\u202e"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain — naïve 日本 🚢", "plain — naïve 日本 🚢"),
        ("👩\u200d💻", "👩\u200d💻"),
        ("a\nb", "a↵b"),
        ("\x1b[31m", "␛[31m"),
        ("\x7f\x9b\u202e", "␡\\u{9b}\\u{202e}"),
        ("\ud83d", "\ufffd"),
        ("\U000e0041", "\\u{e0041}"),
    ],
)
def test_printable_shows_what_it_may_and_names_the_rest(text: str, shown: str) -> None:
    assert printable(text) == shown


def test_cut_shortens_before_it_looks() -> None:
    assert cut("x" * 10, 4) == "xxxx…"
    assert cut("xxxx", 4) == "xxxx"


def test_as_json_escapes_beyond_the_first_plane() -> None:
    text = "\U000e0041\u202e\x9b"
    assert as_json(text) == r'"\udb40\udc41\u202e\u009b"'
    assert json.loads(as_json(text)) == text


# Colours and pipes


def test_there_is_no_colour_where_there_is_no_terminal() -> None:
    result = python("-m", "acpinspect", "summary", BROKEN)
    assert "\x1b" not in result.stdout + result.stderr


@pytest.mark.parametrize(("settings", "coloured"), [({}, True), ({"NO_COLOR": "1"}, False)])
def test_a_terminal_gets_colours_unless_no_color_is_set(settings: dict[str, str], coloured: bool) -> None:
    output = on_terminal("messages", WITH_IDS, **settings)
    assert "The lamp test" in output
    assert ("\x1b[" in output) is coloured


def test_csv_on_a_terminal_is_harmless(tmp_path: Path) -> None:
    log = tmp_path / "log.ndjson"
    log.write_text(chunk("a\x1b]0;owned\x07b"))
    assert "a␛]0;owned␇b" in on_terminal("messages", str(log), "--csv", NO_COLOR="1")


def on_terminal(*arguments: str, **settings: str) -> str:
    """Run the command on a pseudo-terminal of 100 columns and return what arrives there."""
    import pty

    code = "import sys; from acpinspect.cli import main; main(sys.argv[1:], prog_name='acpinspect')"
    environment = {key: value for key, value in os.environ.items() if key not in ("NO_COLOR", "FORCE_COLOR", "CI")}
    environment |= {"TERM": "xterm-256color", "COLUMNS": "100", "PYTHONUTF8": "1"} | settings
    leader, follower = pty.openpty()
    with subprocess.Popen(
        [sys.executable, "-c", code, *arguments], stdout=follower, stderr=subprocess.DEVNULL, env=environment
    ) as process:
        os.close(follower)
        output = b""
        while piece := _read(leader):
            output += piece
        assert process.wait() == 0
    os.close(leader)
    return output.decode()


def _read(leader: int) -> bytes:
    try:
        return os.read(leader, 65536)
    except OSError:  # how Linux says that the other end is closed
        return b""


@pytest.mark.parametrize("form", [(), ("--json",), ("--csv",)])
def test_a_reader_who_has_had_enough_is_no_error(tmp_path: Path, form: tuple[str, ...]) -> None:
    log = tmp_path / "long.ndjson"
    log.write_text("".join(chunk("word " * 40, message_id=f"m{n}") for n in range(3000)))
    command = [sys.executable, "-m", "acpinspect", "messages", str(log), "--limit", "0", *form]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.read(100)
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait() == 0
