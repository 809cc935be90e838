"""An explorer of a log that is still being written."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

import acpinspect
from acpinspect.following import Following
from acpinspect.widgets.explorer import Explorer
from tests.logs import ndjson
from tests.wire import chunk, initialize, prompt, stop

BEGUN = [*initialize(), prompt(1), chunk("One ")]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "log.ndjson"
    path.write_bytes(ndjson(BEGUN))
    return path


@pytest.fixture
def explorer(path: Path) -> Iterator[Explorer]:
    made = acpinspect.explore(path, follow=True)
    yield made
    made.close()


def write(path: Path, *frames: dict[str, object]) -> None:
    with path.open("ab") as file:
        file.write(ndjson(list(frames)))


def test_it_begins_at_the_last_step_and_stays_there_when_events_come(explorer: Explorer, path: Path) -> None:
    assert explorer.step == 2
    write(path, chunk("two"), stop(1))
    assert explorer.look() == 2
    assert (explorer.step, explorer.event) == (4, 5)
    assert "One two" in explorer.parts.conversation.value.replace("<mark>", "").replace("</mark>", "")


def test_who_looks_at_an_earlier_step_stays_there(explorer: Explorer, path: Path) -> None:
    explorer.step = 1
    write(path, chunk("two"))
    explorer.look()
    assert (explorer.step, explorer.model.last) == (1, 3)


def test_bookmarks_filter_and_policy_stay_when_events_come(explorer: Explorer, path: Path) -> None:
    explorer.policy = "ids"
    explorer.filter = "role:agent"
    explorer.bookmark("here")
    write(path, chunk("two"))
    explorer.look()
    assert (explorer.policy, explorer.filter, explorer.model.bookmarks) == ("ids", "role:agent", {2: "here"})
    assert explorer.model.kept.tolist() == [2, 3]


def test_findings_are_looked_for_anew(explorer: Explorer, path: Path) -> None:
    write(path, chunk("Reading is done."), chunk("Now I write."), stop(1))
    explorer.look()
    assert explorer.findings is not None
    assert "glued-boundary" in explorer.findings["code"].tolist()


def test_a_new_session_can_be_chosen_and_does_not_take_over(explorer: Explorer, path: Path) -> None:
    write(path, *(chunk(f"{i}", session="s2") for i in range(9)))
    explorer.look()
    assert explorer.session == "s1"
    assert len(explorer.parts.sessions.options) == 2
    explorer.session = "s2"
    assert explorer.model.last == 9


def test_nothing_new_changes_nothing(explorer: Explorer) -> None:
    assert explorer.look() == 0


def test_a_log_that_is_still_empty_fills(tmp_path: Path) -> None:
    path = tmp_path / "log.ndjson"
    explorer = acpinspect.explore(path, follow=True)
    assert explorer.model.last == 0
    path.write_bytes(ndjson(BEGUN))
    assert explorer.look() == len(BEGUN)
    assert (explorer.session, explorer.step) == ("s1", 2)
    explorer.close()


def test_in_a_kernel_it_looks_by_itself_until_it_is_told_not_to(path: Path) -> None:
    async def follow() -> tuple[int, int]:
        explorer = acpinspect.explore(path, follow=True)
        write(path, chunk("two"))
        while explorer.model.last < 3:
            await asyncio.sleep(0.01)
        explorer.following = False
        write(path, chunk("three"))
        await asyncio.sleep(0.05)
        last = explorer.model.last
        explorer.close()
        return last, explorer.step

    assert asyncio.run(asyncio.wait_for(follow(), 60)) == (3, 3)


def test_a_log_that_can_not_be_followed_any_more_is_said_so(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def follow() -> str:
        explorer = acpinspect.explore(path, follow=True)

        def gone(_: Following) -> None:
            raise acpinspect.SourceError("log.ndjson can't be read: <gone>.")

        monkeypatch.setattr(Following, "read", gone)
        while explorer.following:
            await asyncio.sleep(0.01)
        said = explorer.parts.said.value
        explorer.close()
        return said

    assert "can't be read: &lt;gone&gt;" in asyncio.run(asyncio.wait_for(follow(), 60))


def test_a_table_can_not_be_followed(path: Path) -> None:
    with pytest.raises(acpinspect.ArgumentError, match="a table doesn't grow"):
        acpinspect.explore(acpinspect.load(path), follow=True)


def test_an_explorer_of_a_table_follows_nothing(path: Path) -> None:
    explorer = acpinspect.explore(path)
    explorer.following = True
    assert explorer.following is False
    assert explorer.look() == 0
    explorer.close()
