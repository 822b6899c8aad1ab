"""`tolman doctor`: check what works with a model, before a run that takes hours."""

import sys
from pathlib import Path
from typing import Annotated, Literal

import anyio
from cyclopts import Parameter
from inspect_ai.model import Model
from rich.console import Console
from rich.text import Text

from tolman.benchmarks.theory_of_space.case import case_of
from tolman.benchmarks.theory_of_space.options import Options
from tolman.benchmarks.theory_of_space.protocol.inspect_stage import InspectStage
from tolman.benchmarks.theory_of_space.protocol.run_scene import SceneRun
from tolman.cli.model_options import ModelChoice, pairs
from tolman.core.errors import SettingsError
from tolman.harness.cost import set_price
from tolman.harness.doctor import CheckResult, State, examine
from tolman.harness.evaluation import RunPlan, check_options, open_model
from tolman.harness.model_calls import ModelCalls
from tolman.harness.names import printable
from tolman.models.call_context import AnswerCallContext
from tolman.models.scripted.reply import ANSWER_AGENTS
from tolman.report.table import Cell, Column, Table, Tone, one_row, print_parts
from tolman.world import WorldSettings
from tolman.world.select import choose_scenes

_TONES: dict[State, Tone] = {"works": "good", "fails": "bad", "unknown": "uncertain", "none": ""}
_COLUMNS = (
    Column("state", "state", words=True, definition="Whether it works, fails, is unknown, or does not exist."),
    Column("found", "found", words=True, definition="What was observed."),
)


def doctor(
    *,
    choice: ModelChoice,
    pictures: Annotated[
        Literal["check", "need", "skip"],
        Parameter(help="Check pictures; fail without them (need: osr-bench, sparrta, --world vision); or skip them."),
    ] = "check",
    patience: Annotated[float, Parameter(help="Seconds to wait for each reply.")] = 60.0,
) -> None:
    """Check with three small calls what works with a model: text, pictures, reasoning, length limits, price, rate.

    The model is named as for tolman eval. The exit code is 1 where text, or pictures if needed, do not work.
    """
    if choice.is_replay:
        raise SettingsError(f"{choice.model} replays recorded replies: there is nothing to check")
    if patience <= 0:
        raise SettingsError(f"--patience must be more than 0 seconds, not {patience:g}")
    console = Console()
    where = f" at {choice.base_url}" if choice.base_url else ""
    title = printable(f"{choice.name}{where}")
    with Console(stderr=True).status(Text(f"calling {title}")):
        found = _found(choice, pictures != "skip", patience)
    print_parts([_table(found, title)], console)
    advice = [f"{finding.what}: {finding.advice}" for finding in found if finding.advice]
    for line in (*[""] * bool(advice), *advice):
        console.print(Text(printable(line)), soft_wrap=True)
    needed = {"model", "text", "answers", *(["pictures"] if pictures == "need" else [])}
    if any(finding.what in needed and finding.state == "fails" for finding in found):
        sys.exit(1)


def _found(choice: ModelChoice, pictures: bool, patience: float) -> tuple[CheckResult, ...]:
    set_price(choice.name, choice.prices, needed=False)
    check_options(choice.generation)
    plan = RunPlan(choice.name, Path(), pairs(choice.model_arg), choice.base_url, choice.generation)
    try:
        model = open_model(plan, memoize=False)
    except SettingsError as error:
        return (CheckResult("model", "fails", str(error)),)
    if choice.agent is not None:
        return anyio.run(_examine_scripted, model)
    return anyio.run(lambda: examine(model, choice.name, pictures=pictures, patience=patience))


def _table(found: tuple[CheckResult, ...], title: str) -> Table:
    entries = tuple(one_row(finding.what, _cells(finding)) for finding in found)
    return Table("doctor", title, "checked", _COLUMNS, entries, compact=True)


def _cells(finding: CheckResult) -> tuple[Cell, ...]:
    return Cell(finding.state, tone=_TONES[finding.state]), Cell(printable(finding.detail))


_SCOPE = {"options": "doctor", "scene": "doctor"}
_FREE = CheckResult("price", "works", "costs nothing")


async def _examine_scripted(model: Model) -> tuple[CheckResult, ...]:
    """Checks of a scripted agent, which costs nothing and has no separate reasoning."""
    agent = model.name
    found = [await _answers(model)] if agent in ANSWER_AGENTS else []
    if agent != "constant":
        found.append(await _explores(model))
    pictures = CheckResult("pictures", "none", "a scripted agent uses none: it reads captions, or is given the answers")
    return (*found, pictures, CheckResult("reasoning", "none", "none: its reasoning is part of its replies"), _FREE)


async def _explores(model: Model) -> CheckResult:
    options = Options(phases=("explore",), budget=1)
    (choice,) = choose_scenes("0", WorldSettings(rooms=1, things_per_room=2))
    case = case_of(choice, options)
    episode = await SceneRun(case, options, InspectStage(ModelCalls(model, _SCOPE, resume=False), case)).run()
    turn = episode.turns[0]
    if turn.parsed:
        return CheckResult("text", "works", f"begins a scene of Theory of Space with {turn.asked}")
    return CheckResult("text", "fails", "its first turn in a scene of Theory of Space can't be parsed")


async def _answers(model: Model) -> CheckResult:
    context = AnswerCallContext("doctor", "doctor", true="left", constant="left", guesses=("left",))
    reply = await ModelCalls(model, _SCOPE, resume=False).send([], context)
    detail = "answers questions of OSR-Bench and SpaRRTa"
    return CheckResult("answers", "works" if reply else "fails", detail if reply else "has no answer to a question")
