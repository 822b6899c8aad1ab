"""`tolman doctor`: what works with a model, before a run that takes hours."""

import sys
from pathlib import Path
from typing import Annotated, Literal

import anyio
from cyclopts import Parameter
from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from tolman.benchmarks.doctor.examine import examine
from tolman.benchmarks.doctor.findings import Finding
from tolman.benchmarks.doctor.scripted import examine_scripted
from tolman.benchmarks.evaluation import Plan, check_options, open_model
from tolman.benchmarks.prices import set_price
from tolman.cli.evaluate.model_options import ModelChoice, pairs
from tolman.errors import SettingsError
from tolman.report.names import printable

_COLOURS = {"works": "green", "fails": "red", "unknown": "yellow", "none": ""}


def doctor(
    *,
    choice: ModelChoice,
    pictures: Annotated[
        Literal["check", "need", "skip"],
        Parameter(
            help="Send a picture and report; fail without them (osr-bench, sparrta, --world vision); or send none."
        ),
    ] = "check",
    patience: Annotated[float, Parameter(help="Seconds to wait for each reply.")] = 60.0,
) -> None:
    """Find out with three small calls what works with a model: text, pictures, reasoning, length limits, price, rate.

    The model is named as for tolman eval. The exit code is 1 where text, or what else is needed, does not work.
    """
    if choice.is_replay:
        raise SettingsError(f"{choice.model} answers from a record: there is nothing to examine")
    if patience <= 0:
        raise SettingsError(f"patience is more than 0 seconds, not {patience:g}")
    console = Console()
    where = f" at {choice.base_url}" if choice.base_url else ""
    console.print(Text(printable(f"{choice.name}{where}"), "bold"), soft_wrap=True)
    found = _found(choice, pictures != "skip", patience)
    console.print(_table(found))
    for finding in found:
        if finding.advice:
            console.print(Text(printable(f"{finding.what}: {finding.advice}")), soft_wrap=True)
    needed = {"model", "text", "answers", *(["pictures"] if pictures == "need" else [])}
    if any(finding.what in needed and finding.state == "fails" for finding in found):
        sys.exit(1)


def _found(choice: ModelChoice, pictures: bool, patience: float) -> tuple[Finding, ...]:
    set_price(choice.name, choice.prices, needed=False)
    check_options(choice.generation)
    plan = Plan(choice.name, Path(), pairs(choice.model_arg), choice.base_url, choice.generation)
    try:
        model = open_model(plan, memoize=False)
    except SettingsError as error:
        return (Finding("model", "fails", str(error)),)
    if choice.agent is not None:
        return anyio.run(examine_scripted, model)
    return anyio.run(lambda: examine(model, choice.name, pictures=pictures, patience=patience))


def _table(found: tuple[Finding, ...]) -> Table:
    table = Table(box=box.SIMPLE, show_header=False, pad_edge=False)
    for finding in found:
        state = Text(finding.state, _COLOURS[finding.state])
        table.add_row(Text(finding.what), state, Text(printable(finding.told)))
    return table
