"""The Python interface: run a benchmark, read logs, make an environment. `import tolman as tm` offers all of it."""

import asyncio
import warnings
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, cast

from tolman.core.errors import SettingsError, TolmanError

if TYPE_CHECKING:
    import gymnasium

    from tolman.report.whole_report import Results

Model = str | Mapping[str, object]
PathLike = str | Path
T = TypeVar("T")


def evaluate(benchmark: str, model: Model | Sequence[Model], **options: object) -> "Results":
    """Run a benchmark on a model, or on several, as `tolman eval` does; the same call continues an interrupted run.

    `options` are those of `tolman eval BENCHMARK --help`, with underscores: `scenes="0-9"`, `log_dir="logs"`,
    `epochs=3`, `temperature=0.7`, `display="none"`. A model is a name, or a mapping with options of its own. A scene
    that failed is reported as a warning; where none is done, an error is raised.
    """
    from tolman.cli.recipes import make_recipe, run_recipe  # noqa: PLC0415 brings Inspect

    if "config" in options:
        raise SettingsError("a recipe file is run by tm.run_recipe(FILE)")
    models = [model] if isinstance(model, str | Mapping) else list(model)
    recipe = make_recipe(benchmark, {"model": models[0] if len(models) == 1 else models, **options})
    return _results(_outside_of_loops(lambda: run_recipe(recipe)))


def run_recipe(path: PathLike) -> "Results":
    """Run the recipe in a YAML file, as `tolman eval --config FILE` does."""
    from tolman.cli.recipes import read_recipe, run_recipe  # noqa: PLC0415 brings Inspect

    recipe = read_recipe(Path(path))
    return _results(_outside_of_loops(lambda: run_recipe(recipe)))


def _outside_of_loops(run: Callable[[], T]) -> T:
    """Run here, or in a thread where an event loop is running already, as in a notebook."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return run()
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(run).result()


def _results(outcomes: Sequence[tuple[Path, Any]]) -> "Results":
    done = list(dict.fromkeys(folder for folder, outcome in outcomes if outcome.done))
    reasons = [reason for _, outcome in outcomes for reason in outcome.reasons]
    if not done:
        raise TolmanError("; ".join(["no scene is done", *reasons]))
    for folder, outcome in outcomes:
        if not outcome.complete:
            scenes = f"{outcome.total} scene{'s' * (outcome.total != 1)}"
            missing = f"{outcome.done} of {scenes} done in {folder}; the same call goes on"
            warnings.warn("; ".join((missing, *outcome.reasons)), stacklevel=3)
    return load(done)


def load(logs: PathLike | Sequence[PathLike], *, jobs: int = 1) -> "Results":
    """Results in logs of evaluations and folders of probes; damaged logs are reported as warnings.

    `jobs` is the number of processes that read and score, -1 for all cores.
    """
    from tolman.report.whole_report import Results  # noqa: PLC0415 brings Inspect

    paths = [Path(logs)] if isinstance(logs, str | Path) else [Path(each) for each in logs]
    return Results.read(paths, lambda line: warnings.warn(line, stacklevel=2), jobs=jobs)


def environment(name: str = "TheoryOfSpace-v0", **options: object) -> "gymnasium.Env[Any, Any]":
    """A Gymnasium environment of Tolman by name, with its options, as `gymnasium.make("tolman/NAME", ...)` makes it."""
    import gymnasium  # noqa: PLC0415

    known = [each.removeprefix("tolman/") for each in gymnasium.registry if each.startswith("tolman/")]
    if name.removeprefix("tolman/") not in known:
        raise SettingsError(f"there is no environment {name!r}; choose from {', '.join(known)}")
    make = cast("Any", gymnasium).make
    return cast("gymnasium.Env[Any, Any]", make(f"tolman/{name.removeprefix('tolman/')}", **options))
