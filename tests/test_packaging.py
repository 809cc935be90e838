"""What a fresh machine relies on: lock file, project file, Makefile, and what they say of each other."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import yaml
from packaging.requirements import Requirement

import acpinspect

ROOT = Path(__file__).resolve().parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
LOCK = (ROOT / "requirements.lock").read_text(encoding="utf-8")
MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8")

EXTRAS = PROJECT["project"]["optional-dependencies"]
DIRECT = [
    *PROJECT["project"]["dependencies"],
    *EXTRAS["notebook"],
    *EXTRAS["sdk"],
    *EXTRAS["dask"],
    *PROJECT["dependency-groups"]["dev"],
    *PROJECT["build-system"]["requires"],
]

OURS = ("*.md", "*.toml", "*.lock", "Makefile", ".ci/run", ".github/**/*.yml", "docs/*", "notebooks/*.ipynb")
OURS += ("acpinspect/**/*.py", "tests/**/*.py", "benchmarks/*.py", "sample_logs/*")


WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
RELEASE = ROOT / ".github" / "workflows" / "release.yml"


def locked() -> list[tuple[Requirement, int]]:
    """The lock file's requirements, each with its number of hashes."""
    entries = LOCK.replace("\\\n", " ").splitlines()
    return [
        (Requirement(entry.split("--hash")[0].strip()), entry.count("--hash=sha256:"))
        for entry in entries
        if entry and not entry.startswith("#")
    ]


def normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


@pytest.mark.parametrize("wanted", DIRECT)
def test_the_lock_has_a_version_that_the_project_accepts(wanted: str) -> None:
    requirement = Requirement(wanted)
    pins = [pin for pin, _ in locked() if normal(pin.name) == normal(requirement.name)]
    assert pins
    for pin in pins:
        (version,) = pin.specifier
        assert requirement.specifier.contains(version.version)


def test_every_locked_package_is_pinned_and_has_hashes() -> None:
    for pin, hashes in locked():
        assert [version.operator for version in pin.specifier] == ["=="], pin
        assert hashes, pin


def test_the_lock_names_no_host_and_no_path() -> None:
    assert not re.search(r"://|file:|--(extra-)?index|--find-links|@ ", LOCK)


def test_the_version_is_in_the_changelog() -> None:
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert f"## [{acpinspect.__version__}]" in changelog


@pytest.mark.parametrize("target", ["demo", "test"])
def test_the_two_commands_set_up_what_they_need(target: str) -> None:
    assert re.search(rf"^{target}: \$\(VENV\)/ready", MAKEFILE, re.MULTILINE)


def test_ci_runs_what_the_readme_says() -> None:
    script = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    assert script.rstrip().endswith("make test")
    assert "set -euo pipefail" in script
    assert all("run: make test" in path.read_text(encoding="utf-8") for path in WORKFLOWS)


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
def test_actions_are_pinned_to_a_commit_and_say_its_version(path: Path) -> None:
    uses = re.findall(r"uses: (.+)", path.read_text(encoding="utf-8"))
    assert uses
    assert all(re.fullmatch(r"[\w.-]+/[\w.-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+", action) for action in uses)


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
def test_a_workflow_has_no_permission_but_what_its_jobs_ask_for(path: Path) -> None:
    workflow = yaml.safe_load(path.read_text(encoding="utf-8"))
    assert workflow["permissions"] == {}
    for name, job in workflow["jobs"].items():
        wanted = {"id-token": "write"} if name == "publish" else {"contents": "read"}
        assert job["permissions"] == wanted, name


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
def test_a_workflow_keeps_no_credentials_and_stores_no_secret(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert text.count("persist-credentials: false") == text.count("uses: actions/checkout@")
    assert "secrets." not in text


def test_the_publishing_job_runs_none_of_our_code() -> None:
    steps = yaml.safe_load(RELEASE.read_text(encoding="utf-8"))["jobs"]["publish"]["steps"]
    assert all("run" not in step and "checkout" not in step["uses"] for step in steps)


def test_importing_the_package_imports_nothing_heavy() -> None:
    code = (
        "import sys, acpinspect; print(sorted({'pandas', 'pyarrow', 'numpy', 'rich', 'click'} & set(sys.modules)))"
    )
    result = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, encoding="utf-8", cwd=ROOT, check=True
    )
    assert result.stdout == "[]\n"


def test_the_package_says_that_it_is_typed() -> None:
    assert (ROOT / "acpinspect" / "py.typed").is_file()


def test_every_extra_is_in_all() -> None:
    (everything,) = EXTRAS["all"]
    assert Requirement(everything).extras == set(EXTRAS) - {"all"}


def test_the_map_of_the_house_has_every_room() -> None:
    contributing = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    rooms = {
        path.stem
        for path in (ROOT / "acpinspect").iterdir()
        if path.stem[0] not in "_." and path.suffix != ".typed"
    }
    assert {room for room in rooms if f"`{room}`" not in contributing} == set()


def test_no_file_of_the_project_names_a_place_on_this_machine() -> None:
    texts = {path: path.read_bytes() for pattern in OURS for path in ROOT.glob(pattern) if path.is_file()}
    assert len(texts) > 50
    assert [path.name for path, text in texts.items() if f"{ROOT}/".encode() in text] == []
