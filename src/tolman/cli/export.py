"""`tolman export BENCHMARK` and `tolman import RESULTS`: sets for other harnesses, and their results as logs."""

import inspect
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

from cyclopts import App, Group, Parameter
from rich.console import Console

from tolman.cli.arguments import option_flags, progress_bar
from tolman.harness.export.exported_set import FormatName, ResultFormat
from tolman.harness.names import usual_log_dir
from tolman.harness.registry import BENCHMARKS

export_app = App(name="export", help="Write a benchmark as a multiple-choice set for another harness.")
for _number, _registered in enumerate(each for each in BENCHMARKS.values() if each.items):
    export_app.command(
        f"{__name__}:export_{_registered.name.replace('-', '_')}",
        name=_registered.name,
        help=f"Write the single-turn questions of {_registered.name} as a multiple-choice set.",
        sort_key=_number,
    )
Argument = inspect.Parameter


def __getattr__(name: str) -> Callable[..., None]:
    """The command of a benchmark, made when it is called: its options take seconds to import."""
    for benchmark in BENCHMARKS:
        if name == f"export_{benchmark.replace('-', '_')}":
            return export_command(benchmark)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def export_command(name: str) -> Callable[..., None]:
    """The command line of a benchmark: the format, how questions are chosen, then its selection and its protocol."""
    from tolman.cli.model_options import PROTOCOL  # noqa: PLC0415 brings Inspect
    from tolman.harness.export.exported_set import ExportOptions, find_source  # noqa: PLC0415
    from tolman.harness.registry import find_benchmark  # noqa: PLC0415

    benchmark = find_benchmark(name)
    how = option_flags(ExportOptions, Group("Choices", sort_key=0), {})
    flags = [
        flag
        for cls, group in ((benchmark.selection_class, None), (benchmark.options_class, PROTOCOL))
        for flag in option_flags(cls, group, {})
        if flag.name not in find_source(name).fixed
    ]

    def export(*, form: FormatName, out: Path, **given: object) -> None:
        chosen = {flag.name: given.pop(flag.name, flag.default) for flag in how}
        _export(name, form, out, {**{flag.name: flag.default for flag in flags}, **given}, ExportOptions(**chosen))  # pyright: ignore[reportArgumentType]

    formats = Annotated[FormatName, Parameter(name="--format", help="Harness that the set is for.")]
    folder = Annotated[Path, Parameter(help="Folder of the set; it must be new or empty.")]
    own = [Argument("form", Argument.KEYWORD_ONLY, annotation=formats)]
    own += [Argument("out", Argument.KEYWORD_ONLY, annotation=folder), *how]
    export.__signature__ = inspect.Signature([*own, *flags])  # pyright: ignore[reportFunctionMemberAccess]
    export.__annotations__ = {flag.name: flag.annotation for flag in [*own, *flags]}
    export.__doc__ = (
        f"Write {benchmark.title} as a multiple-choice set for another harness.\n\n"
        "Questions are asked without a map and in one turn; `tolman import` turns the results into logs."
    )
    return export


def _export(name: str, form: FormatName, out: Path, given: dict[str, object], how: Any) -> None:
    from tolman.core.errors import SettingsError  # noqa: PLC0415
    from tolman.harness.export.exported_set import find_format, make_set, write_manifest  # noqa: PLC0415

    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise SettingsError(f"{out} already holds files; name a new folder")
    with progress_bar(Console(stderr=True)) as progress:
        bar = progress.add_task("questions", total=None)

        def show(done: int, total: int) -> None:
            progress.update(bar, completed=done, total=total)

        made, manifest = make_set(name, given, how, show)
        progress.update(bar, description="writing", completed=0)
        out.mkdir(parents=True, exist_ok=True)
        commands = find_format(form).write(made, out, show)
        write_manifest(manifest, out)
    console = Console()
    lines = [
        made.about(),
        made.caveat,
        *([] if made.has_answers else ["The set has no answers; only `tolman import` can score replies to it."]),
        f"The set is in {out}. To run it:",
        *(f"  {command}" for command in commands),
    ]
    for line in lines:
        console.print(line, markup=False, highlight=False, soft_wrap=True)


def import_results(
    results: Annotated[Path, Parameter(help="File or folder of results of the other harness.")],
    *,
    harness: Annotated[ResultFormat, Parameter(name="--from", help="Harness that wrote the results.")],
    export: Annotated[Path, Parameter(help="Folder that `tolman export` wrote, or its tolman-export.json.")],
    log_dir: Annotated[Path | None, Parameter(help="Folder of logs. Default: logs/BENCHMARK/HARNESS.")] = None,
) -> None:
    """Turn results of another harness into logs, which `tolman show` and `tolman report` read.

    The cases are made again from the options of the export, so a sealed split must be where it was then.
    """
    from tolman.harness.export.exported_set import find_format, read_manifest  # noqa: PLC0415
    from tolman.harness.export.results import import_run  # noqa: PLC0415 brings Inspect
    from tolman.harness.names import printable  # noqa: PLC0415

    manifest = read_manifest(export)
    folder = log_dir or usual_log_dir(manifest.benchmark, harness)
    console = Console()
    for run in find_format(harness).read(results, manifest):
        done = import_run(run, manifest, harness, folder)
        differ = f", {done.disagreements} scored otherwise by {harness}" if done.disagreements else ""
        line = (
            f"{done.model}: {done.replies} of {done.asked} questions answered, {100 * done.accuracy:.1f} % right, "
            f"{done.unread} unparseable{differ}"
        )
        console.print(printable(line), markup=False, highlight=False, soft_wrap=True)
    console.print(f"Logs are in {folder}. Next: tolman show {folder}", markup=False, highlight=False, soft_wrap=True)
