"""`tolman eval BENCHMARK`: run a benchmark on a model, or continue an interrupted run, and print its tables.

One command for every registered benchmark; its flags are the fields of the benchmark's options.
"""

import sys
from collections.abc import Callable, Mapping
from inspect import Parameter as Argument
from inspect import Signature
from typing import Annotated, Any, cast

from cyclopts import App, Parameter
from rich.console import Console

from tolman.cli.arguments import progress_bar
from tolman.harness.names import counted
from tolman.harness.registry import BENCHMARKS

eval_app = App(name="eval", help="Run a benchmark on a model; the same command continues an interrupted run.")
for _number, _registered in enumerate(BENCHMARKS.values()):
    eval_app.command(
        f"{__name__}:evaluate_{_registered.name.replace('-', '_')}",
        name=_registered.name,
        help=_registered.summary,
        sort_key=_number,
    )


def __getattr__(name: str) -> Callable[..., None]:
    """The command of a benchmark, made when it is called: its options take seconds to import."""
    for benchmark in BENCHMARKS:
        if name == f"evaluate_{benchmark.replace('-', '_')}":
            return eval_command(benchmark)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def eval_command(name: str) -> Callable[..., None]:
    """The command line of a benchmark: flags of the model, then those of its selection and its protocol."""
    from tolman.cli.model_options import PROTOCOL, ModelOptions  # noqa: PLC0415 brings Inspect
    from tolman.harness.registry import find_benchmark  # noqa: PLC0415

    benchmark = find_benchmark(name)

    flags: list[Argument] = []
    for cls, group in ((benchmark.selection_class, None), (benchmark.options_class, PROTOCOL)):
        flags += option_flags(cls, group, benchmark.several)
    defaults = {flag.name: flag.default for flag in flags}

    def evaluate(*, options: ModelOptions, **given: object) -> None:
        _evaluate(name, options, {**defaults, **given})

    flags.insert(0, Argument("options", Argument.KEYWORD_ONLY, annotation=ModelOptions))
    evaluate.__signature__ = Signature(flags)  # pyright: ignore[reportFunctionMemberAccess]
    evaluate.__annotations__ = {flag.name: flag.annotation for flag in flags}
    evaluate.__doc__ = (
        f"Run {benchmark.title} on a model, then print its tables. The same command continues an interrupted run.\n\n"
        f"The exit code is 1 where a {benchmark.unit} is missing."
    )
    return evaluate


def option_flags(cls: type, group: Any, several: Mapping[str, str]) -> list[Argument]:
    """The flags of the options that a class declares; those in `several` take more than one value."""
    from tolman.harness.options import Option, options_of  # noqa: PLC0415

    def flag(option: Option) -> Argument:
        kind, default = option.kind, several.get(option.name) or option.default
        about: dict[str, Any] = {}
        if option.name in several and kind is bool:
            kind, default, about = tuple[bool, ...], (default,), {"negative_iterable": (), "show_default": False}
        elif option.name in several or option.listed or option.parse is not None:
            kind = str
            default = ",".join(map(str, cast("tuple[Any, ...]", default))) if isinstance(default, tuple) else default
        elif kind is bool and not default:
            about = {"negative": ""}
        hint = f" Choose from {', '.join(map(str, option.choices))}." if kind is str and option.choices else ""
        comma = " Give several with commas to run all." if option.name in several and kind is str else ""
        if option.optional:
            kind = kind | None
        if group is not None:
            about["group"] = group
        annotation = Annotated[kind, Parameter(help=f"{option.help}{hint}{comma}", **about)]
        return Argument(option.name, Argument.KEYWORD_ONLY, default=default, annotation=annotation)

    return [flag(option) for option in options_of(cls) if not option.hidden]


def _evaluate(name: str, options: Any, given: Mapping[str, object]) -> None:
    """Run every combination of the options with several values, print the tables, and suggest the next command."""
    from tolman.cli.show import print_tables  # noqa: PLC0415 brings Inspect
    from tolman.core.errors import Interrupted  # noqa: PLC0415
    from tolman.harness.cost import set_price  # noqa: PLC0415
    from tolman.harness.evaluation import RunOutcome, evaluate  # noqa: PLC0415
    from tolman.harness.options import combinations, options_of, read_options  # noqa: PLC0415
    from tolman.harness.registry import find_benchmark, find_task  # noqa: PLC0415

    benchmark = find_benchmark(name)
    if options.agent is not None:
        benchmark.check_scripted(options.agent)
    defaults = {option.name: option.default for option in options_of(benchmark.selection_class)}
    dependent = benchmark.default_selection(options.name)
    chosen = {**given, **{key: value for key, value in dependent.items() if given[key] == defaults[key]}}
    combined = list(combinations(chosen, tuple(benchmark.several)))
    selection = read_options(benchmark.selection_class, chosen)
    for other in benchmark.other_models(selection):
        set_price(other, options.prices, needed=options.limit_cost is not None)
    with progress_bar(Console(stderr=True)) as progress:
        bar = progress.add_task("pictures", total=None, visible=False)
        benchmark.prepare(
            selection,
            read_options(benchmark.options_class, combined[0]),
            lambda done, total: progress.update(bar, completed=done, total=total, visible=True),
        )
    make = find_task(name)
    tasks = [make(resume=not options.is_replay, **one) for one in combined]
    folder = options.folder(name)

    def say(line: str) -> None:
        Console(stderr=True).print(line, markup=False, highlight=False, soft_wrap=True)

    def missing(outcome: RunOutcome) -> str:
        done = f"{outcome.done} of {counted(outcome.total, 'scene')} done"
        return "; ".join((f"tolman: {done}, run the same command to go on", *outcome.reasons))

    try:
        outcome = evaluate(tasks, options.plan(name))
    except Interrupted as interrupt:
        say(f"tolman: {interrupt}")
        sys.exit(130)
    if options.tables and outcome.done:
        print_tables([folder], Console())
    if options.display != "none" and outcome.done:
        say(f"Logs are in {folder}. Next: tolman report {folder}, or inspect view --log-dir {folder}")
    if not outcome.complete:
        say(missing(outcome))
        sys.exit(1)
