"""``acpinspect lint``: what is wrong in logs, for people, for programs and for continuous integration."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, get_args

import click

from acpinspect.cli.group import CannotDo
from acpinspect.cli.lint_formats import WRITERS, Output
from acpinspect.cli.options import policy_option, read

if TYPE_CHECKING:
    import pandas as pd

    from acpinspect.diagnostics.findings import Severity
    from acpinspect.protocol import Version
    from acpinspect.reading.frames import Sender

__all__ = ["command"]


@click.command(name="lint")
@click.argument("paths", metavar="LOG...", nargs=-1, required=True)
@click.option(
    "--format",
    "output",
    type=click.Choice(get_args(Output)),
    default="text",
    show_default=True,
    help="How to print the findings; how to read the logs says --log-format.",
)
@click.option("--select", metavar="CODES", multiple=True, help="Only these codes, with commas; may be repeated.")
@click.option("--ignore", metavar="CODES", multiple=True, help="All but these codes.")
@click.option(
    "--severity",
    type=click.Choice(["info", "warning", "error"]),
    default="warning",
    show_default=True,
    help="The least severity that is looked at.",
)
@click.option("--baseline", type=click.Path(path_type=Path), help="A file of known findings, which don't fail.")
@click.option("--update-baseline", is_flag=True, help="Write today's findings to that file.")
@click.option(
    "--option", "options", metavar="NAME=VALUE", multiple=True, help="A threshold, such as replay_min=20."
)
@click.option(
    "--explain",
    metavar="CODE",
    is_eager=True,
    expose_value=False,
    callback=lambda ctx, _, code: _explain(ctx, code),
    help="Explain a code and exit.",
)
@policy_option
@click.option("--log-format", metavar="NAME", help="Read the logs as this format.")
@click.option("--protocol", type=click.Choice(["v1", "v2"]), help="The version, where the log doesn't say.")
@click.option("--sender", type=click.Choice(["agent", "client"]), help="Who sent it, if the log has one side.")
@click.pass_context
def command(
    ctx: click.Context,
    *,
    paths: tuple[str, ...],
    output: Output,
    select: tuple[str, ...],
    ignore: tuple[str, ...],
    severity: Severity,
    baseline: Path | None,
    update_baseline: bool,
    options: tuple[str, ...],
    policy: str,
    log_format: str | None,
    protocol: Version | None,
    sender: Sender | None,
) -> None:
    """Find what is wrong in logs.

    Each finding comes with the line of the log, the place in it, the rule and what to do. `acpinspect.catalogue()`
    lists the codes.

    \b
    Exit status:
      0  nothing was found, or only what the baseline knows
      1  something was found
      2  the command can't be carried out
    """  # noqa: D301  (click wants it: what follows keeps its lines)
    import acpinspect
    from acpinspect.diagnostics.findings import SEVERITIES

    if update_baseline and baseline is None:
        raise CannotDo("--update-baseline needs --baseline FILE, the file to write.")
    events = read(paths, format=log_format, protocol=protocol, sender=sender, tz=None)
    codes = _codes(select, ignore)
    found = acpinspect.diagnose(events, codes=codes, policy=policy, options=_options(options))
    grave = found["severity"].isin(SEVERITIES[SEVERITIES.index(severity) :])
    fresh = _without_known(found[grave], events, baseline, update=update_baseline)
    WRITERS[output](fresh, events, found[~grave])
    ctx.exit(1 if len(fresh) else 0)


def _explain(ctx: click.Context, code: str | None) -> None:
    if code is not None:
        import acpinspect

        click.echo(acpinspect.explain_code(code), nl=False)
        ctx.exit()


def _codes(select: tuple[str, ...], ignore: tuple[str, ...]) -> list[str]:
    """The codes that are wanted; a name that is no code is an error."""
    from acpinspect.diagnostics.catalogue import CODES, code_named

    chosen = [code_named(name).code for name in _names(select)] or list(CODES)
    ignored = {code_named(name).code for name in _names(ignore)}
    return [code for code in chosen if code not in ignored]


def _names(values: tuple[str, ...]) -> list[str]:
    return [name.strip() for value in values for name in value.split(",") if name.strip()]


def _options(pairs: tuple[str, ...]) -> dict[str, object]:
    options: dict[str, object] = {}
    for pair in pairs:
        name, equals, value = pair.partition("=")
        if not equals:
            raise CannotDo(f"--option wants NAME=VALUE, not {pair!r}.")
        options[name] = int(value) if value.isdecimal() else value
    return options


def _without_known(
    findings: pd.DataFrame, events: pd.DataFrame, baseline: Path | None, *, update: bool
) -> pd.DataFrame:
    """The findings that the baseline doesn't know."""
    from collections import Counter

    from acpinspect.diagnostics.baseline import fingerprints, new_ones, read_baseline, write_baseline

    if baseline is None:
        return findings
    sources = events["source"].astype("string").reindex(findings["event"])
    names = zip(sources, findings["code"].astype(str), findings["message"], strict=True)
    prints = fingerprints((str(source), code, str(message)) for source, code, message in names)
    if update:
        write_baseline(baseline, prints)
        return findings.iloc[:0]
    if not baseline.exists():
        raise CannotDo(f"There is no {baseline}. Write it with --update-baseline.")
    known: Counter[str] = read_baseline(baseline)
    return findings[new_ones(prints, known)]
