"""The wheel and the source distribution as `make smoke` built them: all that belongs in them, and nothing else."""

from __future__ import annotations

import re
import tarfile
import zipfile
from pathlib import Path, PurePosixPath

import pytest

import acpinspect

ROOT = Path(__file__).resolve().parents[2]
DIST = ROOT / "build" / "dist"
NAME = f"acpinspect-{acpinspect.__version__}"


@pytest.fixture(scope="module")
def wheel() -> frozenset[str]:
    with zipfile.ZipFile(DIST / f"{NAME}-py3-none-any.whl") as archive:
        return frozenset(archive.namelist())


@pytest.fixture(scope="module")
def sdist() -> frozenset[str]:
    with tarfile.open(DIST / f"{NAME}.tar.gz") as archive:
        return frozenset(member.name.removeprefix(f"{NAME}/") for member in archive if member.isfile())


def tracked(*patterns: str) -> set[str]:
    found = {path for pattern in patterns for path in ROOT.glob(pattern) if path.is_file()}
    return {path.relative_to(ROOT).as_posix() for path in found if "__pycache__" not in path.parts}


def test_the_wheel_has_the_whole_package(wheel: frozenset[str]) -> None:
    assert tracked("acpinspect/**/*") <= wheel
    assert "acpinspect/py.typed" in wheel
    assert "acpinspect/vectors/data/README.md" in wheel


def test_the_wheel_has_nothing_else(wheel: frozenset[str]) -> None:
    assert {PurePosixPath(name).parts[0] for name in wheel} == {"acpinspect", f"{NAME}.dist-info"}
    assert f"{NAME}.dist-info/licenses/LICENSE" in wheel


def test_the_source_distribution_can_be_built_tested_and_read(sdist: frozenset[str]) -> None:
    wanted = tracked(
        "acpinspect/**/*", "tests/**/*.py", "docs/*.md", "docs/*.py", "docs/howto/*.md", "notebooks/*"
    )
    wanted |= tracked("sample_logs/*", "benchmarks/*.py", "vectors/*.py", "*.md", "Makefile", "requirements.lock")
    wanted |= tracked("pyproject.toml", "LICENSE", ".pre-commit-config.yaml", ".github/**/*.yml", ".ci/run")
    assert wanted - sdist == set()


def test_the_source_distribution_has_nothing_that_was_generated(sdist: frozenset[str]) -> None:
    generated = re.compile(r"__pycache__|\.pyc$|^docs/notebooks/|^build/|\.egg-info|\.ipynb_checkpoints|^\.venv")
    assert [name for name in sdist if generated.search(name)] == []
