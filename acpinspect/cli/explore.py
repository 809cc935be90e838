"""``acpinspect explore``: JupyterLab on a notebook that opens the explorer on a log."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path

import click

from acpinspect.cli.group import CannotDo
from acpinspect.cli.options import policy_option

__all__ = ["command"]

_NEEDED = ("jupyterlab", "ipywidgets", "anywidget")


@click.command(name="explore")
@click.argument("path", metavar="PATH", type=click.Path(exists=True, path_type=Path))
@click.option("--session", metavar="ID", help="The session to begin with; else the biggest one.")
@policy_option
@click.option(
    "-o",
    "--output",
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="Where to write the notebook; else explore-NAME.ipynb in this folder.",
)
@click.option("--force", is_flag=True, help="Write over a notebook that is there.")
@click.option("--no-open", is_flag=True, help="Write the notebook and say how to open it.")
def command(path: Path, session: str | None, policy: str, output: Path | None, force: bool, no_open: bool) -> None:
    """Open JupyterLab on a notebook that steps through a log.

    Writes the notebook and opens it. Where JupyterLab or a widget library is missing, says what to install.
    """
    import acpinspect
    from acpinspect.widgets.ready_notebook import ready_notebook

    acpinspect.detect(path)
    acpinspect.get_policy(policy)
    target = output or Path(f"explore-{path.stem}.ipynb")
    if target.exists() and not force:
        raise CannotDo(f"{target} is there already. Say --force to write over it, or -o FILE to write elsewhere.")
    target.write_text(ready_notebook(str(path.resolve()), session, policy), encoding="utf-8")
    click.echo(f"Wrote {target}.")
    missing = [name for name in _NEEDED if importlib.util.find_spec(name) is None]
    if missing:
        click.echo(f"To open it: pip install 'acpinspect[notebook]' jupyterlab; jupyter lab {target}")
    elif no_open:
        click.echo(f"To open it: jupyter lab {target}")
    else:
        sys.stdout.flush()
        opening = [sys.executable, "-m", "jupyterlab", str(target)]
        sys.exit(subprocess.run(opening, check=False).returncode)  # noqa: S603 - this interpreter, a file of ours
