"""Run the tasks of a benchmark, say where the logs are, and print the tables."""

import sys
from collections.abc import Sequence

from inspect_ai import Task
from rich.console import Console

from tolman.benchmarks.evaluation import evaluate
from tolman.cli.evaluate.model_options import ModelOptions
from tolman.cli.show import print_tables


def carry_out(benchmark: str, tasks: Sequence[Task], options: ModelOptions) -> None:
    """The exit code is 1 where a scene is missing."""
    folder = options.folder(benchmark)
    complete = evaluate(tasks, options.plan(benchmark)).complete
    Console(stderr=True).print(f"Logs are in {folder}; to look at them: inspect view --log-dir {folder}", markup=False)
    if options.tables:
        print_tables([folder], Console())
    if not complete:
        sys.exit(1)
