"""`tolman make sparrta`: pictures of three things under the sky; the same command again goes on where it stopped."""

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter
from rich.console import Console

from tolman.benchmarks.sparrta.make import PicturePlan, make_pictures
from tolman.benchmarks.sparrta.relations import viewpoints_of
from tolman.benchmarks.sparrta.rules import Rules
from tolman.benchmarks.sparrta.triples import triple_of, triples_of
from tolman.cli.shared import Force, progress_bar
from tolman.cluster import cluster as within
from tolman.errors import SettingsError
from tolman.world.select import seeds_in


def sparrta(
    *,
    environment: Annotated[str, Parameter(help="forest, desert, winter_town, bridge or city.")],
    triple: Annotated[str, Parameter(help="1, 2, 3 or all: which source and target.")] = "1",
    images: Annotated[str, Parameter(help="Numbers of the pictures, such as 0-4999.")] = "0-99",
    out: Annotated[Path, Parameter(help="Folder for the set.")] = Path("sparrta"),
    size: Annotated[int, Parameter(help="Pixels along a side.")] = 224,
    ambiguity: Annotated[float, Parameter(help="Degrees to both sides of a diagonal that are left out.")] = 15.0,
    viewpoint: Annotated[
        str, Parameter(help="From where it must be clear where the target is: ego, allo or both.")
    ] = "both",
    balanced: Annotated[bool, Parameter(help="Let relations take turns.")] = False,
    preset: Annotated[str, Parameter(help="draft, standard or reference.")] = "standard",
    models: Annotated[str, Parameter(help="auto, pack or built-in.")] = "auto",
    workers: Annotated[int, Parameter(help="Processes; -1 for all cores. On a GPU they take turns.")] = 1,
    cluster: Annotated[str, Parameter(help="ray, ray://HOST:PORT, dask or dask://HOST:PORT.")] = "",
    force: Force = False,
) -> None:
    """Make pictures with masks, depth and parameters, in the authors' layout, and a table of them."""
    if workers == 0 or workers < -1:
        raise SettingsError(f"--workers is at least 1, or -1 for all cores, not {workers}")
    indices = seeds_in(images)
    if indices is None:
        raise SettingsError(f"--images {images!r} names no pictures; give some such as 0-4999")
    if triple != "all" and not triple.isdecimal():
        raise SettingsError(f"--triple is 1, 2, 3 or all, not {triple!r}")
    chosen = triples_of(environment) if triple == "all" else (triple_of(environment, int(triple)),)
    rules = Rules(ambiguity=ambiguity, viewpoints=viewpoints_of(viewpoint), balanced=balanced)
    plan = PicturePlan(chosen, tuple(indices), size, rules, preset, models)
    with progress_bar(Console(stderr=True)) as progress, within(cluster, workers):
        task = progress.add_task("pictures", total=None)
        index = make_pictures(
            plan,
            out,
            lambda done, total: progress.update(task, completed=done, total=total),
            workers=workers,
            force=force,
        )
    what = "One picture is" if len(indices) * len(chosen) == 1 else f"{len(indices) * len(chosen)} pictures are"
    Console().print(f"{what} in {out}; {index.name} there lists all.", markup=False, soft_wrap=True)
