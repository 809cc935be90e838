"""``acpinspect vectors`` writes the suite that the reducers are held to."""

from __future__ import annotations

import json
from pathlib import Path

from click.testing import CliRunner

from acpinspect.cli import main


def test_it_writes_the_files_of_one_version_and_the_page_that_explains_them(tmp_path: Path) -> None:
    done = CliRunner().invoke(main, ["vectors", "--protocol", "v2", "-o", str(tmp_path / "out")])
    assert done.exit_code == 0
    written = [Path(line) for line in done.output.splitlines()]
    assert [path.name for path in written if path.suffix == ".md"] == ["README.md"]
    cases = [
        case for path in written if path.suffix == ".json" for case in json.loads(path.read_text())["vectors"]
    ]
    assert len(cases) >= 100
    assert {case["protocol"] for case in cases} == {"v2"}


def test_it_asks_for_a_folder() -> None:
    assert CliRunner().invoke(main, ["vectors"]).exit_code == 2
