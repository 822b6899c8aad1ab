"""Run the tasks of a benchmark, print the tables, and say what can be done next."""

import sys
from collections.abc import Sequence

from inspect_ai import Task
from rich.console import Console

from tolman.cli.evaluate.model_options import ModelOptions
from tolman.cli.show import print_tables
from tolman.core.errors import Interrupted
from tolman.harness.evaluation import RunOutcome, evaluate


def run_and_show(benchmark: str, tasks: Sequence[Task], options: ModelOptions) -> None:
    """The exit code is 1 where a scene is missing."""
    folder = options.folder(benchmark)
    try:
        outcome = evaluate(tasks, options.plan(benchmark))
    except Interrupted as interrupt:
        _say(f"tolman: {interrupt}")
        sys.exit(130)
    if options.tables and outcome.done:
        print_tables([folder], Console())
    if options.display != "none" and outcome.done:
        _say(f"Logs are in {folder}. Next: tolman report {folder}, or inspect view --log-dir {folder}")
    if not outcome.complete:
        _say(_not_done(outcome))
        sys.exit(1)


def _say(line: str) -> None:
    Console(stderr=True).print(line, markup=False, highlight=False, soft_wrap=True)


def _not_done(outcome: RunOutcome) -> str:
    """What is missing and why; the last reason stands last."""
    missing = f"tolman: {outcome.done} of {outcome.total} scenes done, run the same command to go on"
    return "; ".join((missing, *outcome.reasons))
