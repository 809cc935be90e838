"""Writes the cases as JSON into the package: `python -m vectors.make`.

One file a version and theme. The files are data of the package, so that `acpinspect vectors` has them everywhere;
a test holds them equal to what this script makes.
"""

from __future__ import annotations

import json
from pathlib import Path

from . import (
    advice,
    conversation,
    permissions,
    plans,
    settings,
    v1_messages,
    v1_session,
    v1_tools,
    v2_messages,
    v2_rejections,
    v2_session,
    v2_terminals,
    v2_tools,
)
from .language import JSON, Case, state

DATA = Path(__file__).resolve().parents[1] / "acpinspect" / "vectors" / "data"
CASES: tuple[Case, ...] = (
    *v1_messages.CASES,
    *v1_tools.CASES,
    *v1_session.CASES,
    *v2_messages.CASES,
    *v2_rejections.CASES,
    *v2_tools.CASES,
    *v2_terminals.CASES,
    *v2_session.CASES,
    *plans.CASES,
    *settings.CASES,
    *advice.CASES,
    *conversation.CASES,
    *permissions.CASES,
)


def file_name(case: Case) -> str:
    """The file of a case: its version and theme."""
    version, theme, _ = case.name.split("/")
    return f"{version}-{theme}.json"


def as_json(cases: list[Case]) -> str:
    """The text of one file: a step a line, and of each state only what the empty state doesn't have."""
    empty = state(cases[0].protocol)
    vectors = ",\n".join(_vector(case, empty) for case in cases)
    return f'{{"format": 1,\n"empty": {json.dumps(empty)},\n"vectors": [\n{vectors}\n]}}\n'


def _vector(case: Case, empty: JSON) -> str:
    said = {"name": case.name, "protocol": case.protocol, "tests": case.tests, "source": case.source}
    steps = ",\n  ".join(json.dumps(step | {"state": _differing(step["state"], empty)}) for step in case.steps)
    return f'{json.dumps(said)[:-1]}, "steps": [\n  {steps}]}}'


def _differing(whole: JSON, empty: JSON) -> JSON:
    return {key: value for key, value in whole.items() if value != empty[key]}


def files() -> dict[str, str]:
    """All files by name."""
    names = sorted({file_name(case) for case in CASES})
    return {name: as_json([case for case in CASES if file_name(case) == name]) for name in names}


def main() -> None:
    """Write all files, and remove those that no case is in any more."""
    DATA.mkdir(parents=True, exist_ok=True)
    made = files()
    for old in DATA.glob("*.json"):
        if old.name not in made:
            old.unlink()
    for name, text in made.items():
        (DATA / name).write_text(text, encoding="ascii")


if __name__ == "__main__":
    main()
