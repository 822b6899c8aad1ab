"""`tolman eval BENCHMARK`: run a benchmark on a model, or continue an interrupted run, and print its tables.

One command for every registered benchmark; its flags are the fields of the benchmark's options. `tolman eval --config
FILE` takes all of them, and several models, from a file.
"""

import sys
from collections.abc import Callable
from inspect import Parameter as Argument
from inspect import Signature
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import App, Parameter
from rich.console import Console

from tolman.core.errors import SettingsError
from tolman.harness.registry import BENCHMARKS

if TYPE_CHECKING:
    from tolman.cli.recipes import Recipe
    from tolman.harness.evaluation import RunOutcome

PrintConfig = Annotated[
    bool, Parameter(negative="", help="Print what would be run, as YAML that --config reads, and stop.")
]

eval_app = App(name="eval", help="Run a benchmark on a model; the same command continues an interrupted run.")
for _number, _registered in enumerate(BENCHMARKS.values()):
    eval_app.command(
        f"{__name__}:evaluate_{_registered.name.replace('-', '_')}",
        name=_registered.name,
        help=_registered.summary,
        sort_key=_number,
    )


@eval_app.default
def evaluate_recipe(
    *flags: Annotated[str, Parameter(show=False, allow_leading_hyphen=True)],
    config: Annotated[
        Path | None,
        Parameter(help="YAML file with `benchmark`, `model` (one or a list) and any options of the benchmark."),
    ] = None,
    print_config: PrintConfig = False,
) -> None:
    """Run a benchmark on a model, or on all models of a file; the same command continues an interrupted run.

    Flags of the benchmark override the file: `tolman eval --config run.yaml --scenes 0-4`. The exit code is 1 where a
    scene is missing.
    """
    from tolman.cli.recipes import given_flags, read_recipe  # noqa: PLC0415 brings Inspect

    given = given_flags(flags)
    if config is None:
        if given:
            raise SettingsError("name a benchmark before its flags (tolman eval theory-of-space ...), or give --config")
        eval_app.help_print([])
        return
    _run_or_print(read_recipe(config, given), print_only=print_config)


def __getattr__(name: str) -> Callable[..., None]:
    """The command of a benchmark, made when it is called: its options take seconds to import."""
    for benchmark in BENCHMARKS:
        if name == f"evaluate_{benchmark.replace('-', '_')}":
            return eval_command(benchmark)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def eval_command(name: str) -> Callable[..., None]:
    """The command line of a benchmark: flags of the model, then those of its selection and its protocol."""
    from tolman.cli.arguments import option_flags  # noqa: PLC0415
    from tolman.cli.model_options import PROTOCOL, ModelOptions  # noqa: PLC0415 brings Inspect
    from tolman.cli.recipes import Recipe  # noqa: PLC0415
    from tolman.harness.registry import find_benchmark  # noqa: PLC0415

    benchmark = find_benchmark(name)

    flags: list[Argument] = []
    for cls, group in ((benchmark.selection_class, None), (benchmark.options_class, PROTOCOL)):
        flags += option_flags(cls, group, benchmark.several)

    def evaluate(*, options: ModelOptions, print_config: bool = False, **given: object) -> None:
        _run_or_print(Recipe(name, (options,), given), print_only=print_config)

    flags.insert(0, Argument("options", Argument.KEYWORD_ONLY, annotation=ModelOptions))
    flags.insert(1, Argument("print_config", Argument.KEYWORD_ONLY, default=False, annotation=PrintConfig))
    evaluate.__signature__ = Signature(flags)  # pyright: ignore[reportFunctionMemberAccess]
    evaluate.__annotations__ = {flag.name: flag.annotation for flag in flags}
    evaluate.__doc__ = (
        f"Run {benchmark.title} on a model, then print its tables. The same command continues an interrupted run.\n\n"
        f"The exit code is 1 where a {benchmark.unit} is missing."
    )
    return evaluate


def _run_or_print(recipe: "Recipe", *, print_only: bool) -> None:
    """Run a recipe, print the tables, and suggest the next command; or only print what would be run."""
    from tolman.cli.recipes import recipe_yaml, run_recipe  # noqa: PLC0415 brings Inspect
    from tolman.cli.show import print_tables  # noqa: PLC0415
    from tolman.core.errors import Interrupted  # noqa: PLC0415

    if print_only:
        sys.stdout.write(recipe_yaml(recipe))
        return

    def say(line: str) -> None:
        Console(stderr=True).print(line, markup=False, highlight=False, soft_wrap=True)

    try:
        outcomes = run_recipe(recipe)
    except Interrupted as interrupt:
        say(f"tolman: {interrupt}")
        sys.exit(130)
    done = list(dict.fromkeys(folder for folder, outcome in outcomes if outcome.done))
    last = recipe.models[-1]
    if last.tables and done:
        print_tables(done, Console())
    if last.display != "none" and done:
        folders = " ".join(map(str, done))
        say(f"Logs are in {folders}. Next: tolman report {folders}, or inspect view --log-dir {done[0]}")
    several = len(outcomes) > 1
    for options, (_, outcome) in zip(recipe.models, outcomes, strict=True):
        if not outcome.complete:
            say(_missing(outcome, f"{options.name}: " if several else "", options.epochs))
    if not all(outcome.complete for _, outcome in outcomes):
        sys.exit(1)


def _missing(outcome: "RunOutcome", model: str, epochs: int) -> str:
    from tolman.harness.evaluation import counted_scenes  # noqa: PLC0415 brings Inspect

    done = f"{model}{outcome.done} of {counted_scenes(outcome.total, epochs)} done"
    return "; ".join((f"tolman: {done}, run the same command to go on", *outcome.reasons))
