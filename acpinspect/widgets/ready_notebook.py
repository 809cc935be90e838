"""A notebook that opens the explorer on a log, as JSON; no notebook library is needed to write it."""

from __future__ import annotations

import json
from pathlib import PurePath

__all__ = ["ready_notebook"]


def ready_notebook(path: str, session_id: str | None = None, policy: str = "spec") -> str:
    """The text of an ``.ipynb`` file.

    Args:
        path: The log, as the notebook will open it.
        session_id: The session to begin with.
        policy: The policy to begin with.

    Example:
        >>> import json
        >>> cells = json.loads(ready_notebook("log.ndjson"))["cells"]
        >>> print(cells[2]["source"])
        explorer = acpinspect.explore(events)
        explorer
    """
    more = "" if session_id is None else f", session_id={session_id!r}"
    more += "" if policy == "spec" else f", policy={policy!r}"
    name = PurePath(path).name.replace("`", "'")
    welcome = (
        f"`{name}`, step by step: **Run** ▸ **Run All Cells**, then click into the time strip; `?` shows its keys."
    )
    cells = [
        f"import acpinspect\n\nevents = acpinspect.load({path!r})",
        f"explorer = acpinspect.explore(events{more})\nexplorer",
    ]
    document = {
        "cells": [_text(welcome), *(_cell(number, source) for number, source in enumerate(cells))],
        "metadata": {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"}},
        "nbformat": 4,
        "nbformat_minor": 5,
    }
    return json.dumps(document, indent=1) + "\n"


def _text(source: str) -> dict[str, object]:
    return {"cell_type": "markdown", "id": "explore", "metadata": {}, "source": source}


def _cell(number: int, source: str) -> dict[str, object]:
    return {
        "cell_type": "code",
        "id": f"explore-{number}",
        "metadata": {},
        "execution_count": None,
        "outputs": [],
        "source": source,
    }
