"""The commands about groupings: compare, clients, explain, policies."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import acpinspect
from acpinspect.cli import main
from tests.wire import chunk

SAMPLES = Path(__file__).resolve().parents[1] / "sample_logs"
MIXED = str(SAMPLES / "v1_mixed_ids.ndjson")
WITHOUT_IDS = str(SAMPLES / "v1_without_ids.ndjson")

Run = Callable[..., Result]


@pytest.fixture
def run() -> Run:
    runner = CliRunner(env={"COLUMNS": "140"})

    def run(*arguments: str) -> Result:
        return runner.invoke(main, list(arguments), catch_exceptions=False)

    return run


def test_compare_shows_both_groupings_and_the_gaps(run: Run) -> None:
    result = run("compare", MIXED, "--a", "ids", "--b", "heuristic")
    assert result.exit_code == 1
    assert result.stdout.startswith("ids and heuristic: not the same")
    assert "only a" in result.stdout


def test_compare_of_equal_groupings_succeeds(run: Run) -> None:
    result = run("compare", WITHOUT_IDS, "--a", "spec", "--b", "heuristic")
    assert result.exit_code == 0
    assert "spec and heuristic: the same" in result.stdout


def test_compare_gives_json_with_all_that_differs(run: Run) -> None:
    plain = json.loads(run("compare", MIXED, "--json").stdout)
    assert plain["same"] is False
    assert {row["verdict"] for row in plain["disagreements"]} == {"only a"}
    assert plain["measures"]["boundary_precision"] == 1.0


def test_compare_gives_the_disagreements_as_csv(run: Run) -> None:
    rows = list(csv.DictReader(io.StringIO(run("compare", MIXED, "--csv").stdout)))
    assert [row["event"] for row in rows] == ["6", "7", "10", "11"]


def test_compare_holds_another_log_against_the_first(run: Run) -> None:
    result = run("compare", MIXED, "--with", WITHOUT_IDS)
    assert result.exit_code == 1
    assert result.stdout.startswith("spec, first log and spec, second log: not the same")
    assert result.stdout.splitlines()[-1].split()[:3] == ["2", "agent", "lost"]


def test_compare_of_a_log_with_itself_succeeds(run: Run) -> None:
    result = run("compare", MIXED, "--with", MIXED, "--policy", "ids")
    assert result.exit_code == 0
    assert result.stdout.startswith("ids, first log and ids, second log: the same")


def test_compare_of_two_logs_gives_the_messages_that_are_not_the_same(run: Run) -> None:
    kinds = acpinspect.compare_logs(MIXED, WITHOUT_IDS).kinds["kind"]
    plain = json.loads(run("compare", MIXED, "--with", WITHOUT_IDS, "--json").stdout)
    assert [row["kind"] for row in plain["messages"]] == kinds[kinds != "same"].tolist()
    rows = list(csv.DictReader(io.StringIO(run("compare", MIXED, "--with", WITHOUT_IDS, "--csv").stdout)))
    assert [row["message"] for row in rows] == [str(row["message"]) for row in plain["messages"]]


@pytest.mark.parametrize(
    ("options", "why"),
    [
        (("--with", WITHOUT_IDS, "--b", "toad"), "under one --policy; leave out --b."),
        (("--policy", "toad"), "--policy goes with --with"),
        (("--with", "nowhere.ndjson"), "There is no such file: 'nowhere.ndjson'."),
    ],
)
def test_compare_takes_two_policies_or_two_logs(run: Run, options: tuple[str, ...], why: str) -> None:
    result = run("compare", MIXED, *options)
    assert (result.exit_code, why in result.stderr) == (2, True)


def test_an_unknown_policy_is_answered_with_the_known_ones(run: Run) -> None:
    result = run("compare", MIXED, "--b", "zed")
    assert result.exit_code == 2
    assert "Known policies" in result.stderr


def test_a_policy_with_a_typing_error_is_told_which_are_near(run: Run) -> None:
    assert "Did you mean per-chunk?" in run("clients", MIXED, "--policy", "per-chunks").stderr


def test_clients_lists_them_and_says_where_they_go_wrong(run: Run) -> None:
    result = run("clients", MIXED)
    assert result.exit_code == 1
    assert "zed-v1" in result.stdout
    assert "merged" in result.stdout


def test_clients_can_be_chosen(run: Run) -> None:
    rows = json.loads(run("clients", MIXED, "--policy", "toad", "--policy", "spec", "--json").stdout)
    assert [row["policy"] for row in rows] == ["toad", "spec"]
    assert rows[1]["right"] == rows[1]["messages"]


def test_clients_that_are_all_right_succeed(run: Run) -> None:
    assert run("clients", MIXED, "--policy", "spec").exit_code == 0


def test_explain_names_the_rule_and_the_event(run: Run) -> None:
    result = run("explain", MIXED, "--event", "9", "--policy", "toad")
    assert result.exit_code == 0
    assert "The tool_call at event 8 closed the message" in result.stdout
    assert "agent.close_on has tool:new" in result.stdout


def test_explain_gives_json(run: Run) -> None:
    plain = json.loads(run("explain", MIXED, "--event", "9", "--policy", "toad", "--json").stdout)
    assert (plain["verdict"], plain["causes"]) == ("boundary", [8])
    assert plain["others"]["paseo"] == "boundary"


def test_explain_of_no_event_fails_with_a_sentence(run: Run) -> None:
    result = run("explain", MIXED, "--event", "999")
    assert result.exit_code == 2
    assert "There is no event 999" in result.stderr
    assert "`acpinspect events` shows it) goes from 0 to " in result.stderr


def test_explain_asks_for_the_event(run: Run) -> None:
    assert "--event N" in run("explain", MIXED).stderr


def test_policies_lists_all(run: Run) -> None:
    rows = json.loads(run("policies", "--json").stdout)
    assert [row["policy"] for row in rows] == acpinspect.policies().index.tolist()


def test_policies_tells_one_in_words_or_in_parameters(run: Run) -> None:
    assert "Known to be wrong:" in run("policies", "toad").stdout
    parameters = json.loads(run("policies", "toad", "--json").stdout)
    assert acpinspect.Policy.from_dict(parameters) == acpinspect.get_policy("toad")


def test_compare_reads_both_logs_by_the_same_options(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "log.ndjson"
    path.write_text(json.dumps(chunk("No id, so v2 refuses it.")) + "\n")
    given = ("compare", str(path), "--with", str(path), "--json")
    assert json.loads(run(*given).stdout)["kinds"]["same"] == 1
    assert sum(json.loads(run(*given, "--protocol", "v2").stdout)["kinds"].values()) == 0
