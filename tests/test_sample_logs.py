"""The sample logs: made by their script, byte for byte, and each true to its story."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pandas as pd
import pytest

import acpinspect
from tests.conftest import SHARED, needs_spec

SAMPLES = Path(__file__).resolve().parents[1] / "sample_logs"
LOGS = sorted(path for path in SAMPLES.iterdir() if path.suffix in (".ndjson", ".jsonl", ".json", ".log"))
BESIDE_MESSAGES = {"zed_copy.json": 1, "recorded.jsonl": 5}  # the agent's stderr, what the recorder says
SOUND = [path for path in LOGS if path.name not in ("broken.log", "large.ndjson")]


def table(name: str, policy: str = "spec") -> pd.DataFrame:
    return acpinspect.messages(acpinspect.load(SAMPLES / name), policy)


def texts(name: str, policy: str = "spec") -> list[str]:
    return table(name, policy)["text"].tolist()


@pytest.fixture(scope="module")
def remade(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("samples")
    subprocess.run([sys.executable, SAMPLES / "make.py", "--to", folder, "--large", "1000"], check=True)
    return folder


def test_the_script_makes_the_very_same_bytes(remade: Path) -> None:
    made = {path.name: path.read_bytes() for path in remade.iterdir() if path.name != "large.ndjson"}
    assert made == {name: (SAMPLES / name).read_bytes() for name in made}


def test_every_log_is_made_by_the_script(remade: Path) -> None:
    assert {path.name for path in LOGS} - {"large.ndjson"} <= {path.name for path in remade.iterdir()}
    assert len(LOGS) >= 12


def test_every_log_has_its_line_in_the_readme() -> None:
    lines = (SAMPLES / "README.md").read_text(encoding="utf-8").splitlines()
    for path in SOUND:
        assert sum(line.startswith(f"| `{path.name}` |") for line in lines) == 1


def test_the_large_log_has_as_many_events_as_were_asked_for(remade: Path) -> None:
    events = acpinspect.load(remade / "large.ndjson")
    assert len(events) == 1000
    assert events["problem"].isna().all()


@pytest.mark.parametrize("path", SOUND, ids=lambda path: path.name)
def test_a_sound_log_is_read_without_a_problem(path: Path) -> None:
    events = acpinspect.load(path)
    messages = events[events["kind"] != "other"]
    assert messages["problem"].isna().all()
    assert len(events) - len(messages) == BESIDE_MESSAGES.get(path.name, 0)


@needs_spec
@pytest.mark.parametrize("version", ["v1", "v2"])
def test_every_update_fits_the_published_schema(version: str) -> None:
    import jsonschema

    schema = json.loads((SHARED / "spec" / f"acp-{version}.schema.json").read_text(encoding="utf-8"))
    check = jsonschema.Draft202012Validator({"$ref": "#/$defs/SessionUpdate", "$defs": schema["$defs"]})
    updates = [
        message["params"]["update"]
        for path in SAMPLES.glob(f"{version}_*.ndjson")
        for message in map(json.loads, path.read_text(encoding="utf-8").splitlines())
        if message.get("method") == "session/update"
    ]
    assert len(updates) > 20
    assert [error.message for update in updates for error in check.iter_errors(update)] == []


ONE_TURN = [
    "The lamp test reads the schedule, so I look there first.",
    "Let me look at the schedule.",
    "The schedule goes dark at 23:59, so the last minute of the night is missing.",
    "Shall I change it to 24:00?",
]


def test_v1_with_ids_tells_the_two_answers_apart() -> None:
    assert texts("v1_with_ids.ndjson") == ONE_TURN
    assert table("v1_with_ids.ndjson")["boundary"].iloc[3] == "id"


def test_v1_without_ids_runs_the_two_answers_together() -> None:
    assert texts("v1_without_ids.ndjson") == [*ONE_TURN[:2], ONE_TURN[2] + ONE_TURN[3]]


def test_v1_mixed_ids_goes_on_with_the_open_message() -> None:
    assert texts("v1_mixed_ids.ndjson") == [
        "The lamp has a thousand watts, and the lens does the rest.",
        "It is a Fresnel lens.",
        "Ask me for a drawing.",
    ]


def test_v1_doubled_text_shows_each_answer_twice() -> None:
    assert texts("v1_doubled_text.ndjson")[0] == "The fog horn is on since 04:10." * 2


def test_v1_id_reused_makes_one_message_of_two_turns() -> None:
    assert texts("v1_id_reused.ndjson") == ["Mina has the early watch.Tomas has the late watch."]
    assert len(texts("v1_id_reused.ndjson", "heuristic")) == 2


def test_v1_replay_keeps_the_history_apart_from_the_live_turns() -> None:
    messages = table("v1_replay.ndjson")
    assert messages["epoch"].tolist() == [0, 1, 1, 1]
    assert messages["phase"].tolist() == ["live", "replay", "replay", "live"]
    assert messages["text"].iloc[0] == messages["text"].iloc[2]


def test_v1_subagents_needs_the_ids_to_be_readable() -> None:
    messages = table("v1_subagents.ndjson")
    assert "The north stairs are dry and all forty steps are sound. " in messages["text"].tolist()
    assert not messages["contiguous"].all()
    assert "The The north south stairs stairs " in "".join(texts("v1_subagents.ndjson", "heuristic"))


def test_v1_two_sessions_never_mixes_them() -> None:
    messages = table("v1_two_sessions.ndjson")
    assert messages[["session_id", "text"]].to_numpy().tolist() == [
        ["sess-east", "Sweeping the east pier now."],
        ["sess-west", "Painting the west door now."],
        ["sess-west", "The door is blue."],
    ]


def test_v1_cancelled_has_text_after_the_end_of_the_turn() -> None:
    events = acpinspect.load(SAMPLES / "v1_cancelled.ndjson")
    assert events["text"].iloc[-1] == ", five"
    assert events["kind"].iloc[-2] == "response"


def test_v2_whole_messages_ends_with_what_the_last_update_left() -> None:
    messages = table("v2_whole_messages.ndjson").set_index("message_id")["text"]
    assert messages["m-calm"] == "A calm night, no ships. Good visibility."
    assert messages["m-wind"] == "Wind from the north, three knots."
    assert messages["m-secret"] == ""
    assert messages["m-regret"] == ""


def test_v2_turn_has_its_user_s_words_and_the_agent_s() -> None:
    assert table("v2_turn.ndjson")["role"].tolist() == ["user", "thought", "agent", "agent"]


def test_broken_loses_no_line() -> None:
    events = acpinspect.load(SAMPLES / "broken.log")
    written = (SAMPLES / "broken.log").read_bytes().split(b"\r\n")
    assert set(events["line"]) == {number for number, line in enumerate(written, 1) if line}
    assert events["kind"].iloc[-1] == "unreadable"
    assert texts("broken.log")[1:] == ONE_TURN[1:]


def test_recorder_gives_the_first_log_with_time_and_direction() -> None:
    bare, wrapped = acpinspect.load(SAMPLES / "v1_with_ids.ndjson"), acpinspect.load(SAMPLES / "recorder.jsonl")
    assert wrapped["raw"].tolist() == bare["raw"].tolist()
    assert wrapped["time"].notna().all()
    assert wrapped["sender"].tolist() == bare["sender"].tolist()
    assert set(wrapped["sender_label"]) == {"in", "out"}


def test_recorded_gives_the_first_log_with_all_that_a_recorder_knows() -> None:
    bare, recorded = acpinspect.load(SAMPLES / "v1_with_ids.ndjson"), acpinspect.load(SAMPLES / "recorded.jsonl")
    messages = recorded[recorded["kind"] != "other"]
    assert messages["raw"].tolist() == bare["raw"].tolist()
    assert messages["sender"].tolist() == bare["sender"].tolist()
    assert messages["elapsed"].is_monotonic_increasing
    assert recorded["problem"].iloc[-1] == "recorder: exit"
    assert texts("recorded.jsonl") == ONE_TURN


def test_vscode_traffic_gives_the_replay_once_more() -> None:
    assert texts("vscode_traffic.log") == texts("v1_replay.ndjson")


def test_zed_copy_gives_the_log_without_ids_once_more() -> None:
    assert texts("zed_copy.json") == texts("v1_without_ids.ndjson")
