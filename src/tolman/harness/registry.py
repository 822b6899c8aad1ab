"""All benchmarks by name: one entry each. What an entry names is imported when it is needed.

Other packages add theirs by an entry point of the group `tolman.benchmarks` that names a `Registered`.
"""

import sys
from dataclasses import dataclass
from importlib import import_module
from importlib.metadata import entry_points
from typing import TYPE_CHECKING, cast

from tolman.core.errors import UnknownNameError

if TYPE_CHECKING:
    from collections.abc import Callable

    from inspect_ai import Task

    from tolman.harness.benchmark import AnyBenchmark


@dataclass(frozen=True)
class Registered:
    """Where the parts of a benchmark are: each `MODULE:NAME`, or empty where it has no such part."""

    name: str
    summary: str
    """What a model does in it, in one line."""
    benchmark: str
    """A `tolman.harness.benchmark.Benchmark`."""
    logs: str = ""
    """Reads its logs: a `tolman.report.results.ResultReader`."""
    folders: str = ""
    """Reads folders of results that are not logs; `is_folder` recognises them."""
    is_folder: str = ""
    released: str = ""
    """Scores the authors' released data again: a `tolman.report.results.ReleasedReader`."""
    baselines: str = ""
    """Scores strategies without knowledge: a function of a `tolman.report.baselines.BaselineRequest`."""
    make: str = ""
    """A command that writes a data set."""
    play: str = ""
    """How people play it: a `tolman.play.playable.Playable`."""
    leaderboard: str = ""
    """Makes and checks its entries: a `tolman.report.leaderboard.benchmark.BenchmarkLeaderboard`."""
    items: str = ""
    """Gives its cases as multiple-choice questions: a `tolman.harness.export.items.ItemSource`."""


_THEORY_OF_SPACE = "tolman.benchmarks.theory_of_space"
_OSR_BENCH = "tolman.benchmarks.osr_bench"
_SPARRTA = "tolman.benchmarks.sparrta"
BENCHMARKS: dict[str, Registered] = {
    each.name: each
    for each in (
        Registered(
            "theory-of-space",
            "Explore, state maps, answer, and revise when the world changes.",
            f"{_THEORY_OF_SPACE}.task:TheoryOfSpace",
            logs=f"{_THEORY_OF_SPACE}.results:RESULTS",
            released=f"{_THEORY_OF_SPACE}.results:RELEASED",
            baselines=f"{_THEORY_OF_SPACE}.tables.baseline_rows:baseline_grid",
            play="tolman.play.theory_of_space.play:SpacePlay",
            leaderboard=f"{_THEORY_OF_SPACE}.leaderboard.space_leaderboard:LEADERBOARD",
            items=f"{_THEORY_OF_SPACE}.items:ITEMS",
        ),
        Registered(
            "osr-bench",
            "One panorama: state its map, and answer questions without inventing objects.",
            f"{_OSR_BENCH}.task:OsrBench",
            logs=f"{_OSR_BENCH}.results:RESULTS",
            released=f"{_OSR_BENCH}.results:RELEASED",
            baselines=f"{_OSR_BENCH}.tables.references:baseline_grid",
            make="tolman.cli.make:osr_bench",
            play="tolman.play.osr_bench:OsrPlay",
            leaderboard=f"{_OSR_BENCH}.leaderboard:LEADERBOARD",
            items=f"{_OSR_BENCH}.items:ITEMS",
        ),
        Registered(
            "sparrta",
            "One picture: where A is relative to B, from the camera or from a person.",
            f"{_SPARRTA}.task:Sparrta",
            logs=f"{_SPARRTA}.questions.results:RESULTS",
            folders=f"{_SPARRTA}.probes.results:RESULTS",
            is_folder=f"{_SPARRTA}.probes:is_probe_folder",
            baselines=f"{_SPARRTA}.questions.accuracy:baseline_grid",
            make="tolman.cli.make:sparrta",
            play="tolman.play.sparrta:SparrtaPlay",
            leaderboard=f"{_SPARRTA}.leaderboard:LEADERBOARD",
            items=f"{_SPARRTA}.items:ITEMS",
        ),
    )
}


def _add_installed() -> None:
    """Add the benchmarks of other packages. One that can't be imported is reported, and does not affect others."""
    for point in entry_points(group="tolman.benchmarks"):
        try:
            registered = cast("Registered", point.load())
        except Exception as error:  # a third-party package may raise anything
            sys.stderr.write(f"tolman: the benchmark {point.name!r} can't be loaded: {' '.join(str(error).split())}\n")
            continue
        BENCHMARKS.setdefault(registered.name, registered)


_add_installed()


def load(place: str) -> object:
    """What `MODULE:NAME` names."""
    module, _, name = place.partition(":")
    return getattr(import_module(module), name)


def find_task(name: str) -> "Callable[..., Task]":
    """The Inspect task of a benchmark; it is in the benchmark's module, under the benchmark's name."""
    module, _, _ = BENCHMARKS[name].benchmark.partition(":")
    return cast("Callable[..., Task]", load(f"{module}:{name.replace('-', '_')}"))


def find_benchmark(name: str) -> "AnyBenchmark":
    """The benchmark of a name."""
    if name not in BENCHMARKS:
        raise UnknownNameError(f"there is no benchmark {name!r}; choose one of {', '.join(BENCHMARKS)}")
    return cast("type[AnyBenchmark]", load(BENCHMARKS[name].benchmark))()
