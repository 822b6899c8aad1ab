"""`tolman make`: data sets from seeds; the same command again goes on where it stopped."""

from pathlib import Path
from typing import Annotated

from cyclopts import App, Parameter
from rich.console import Console

from tolman.benchmarks.osr_bench.chart import Handedness
from tolman.benchmarks.osr_bench.making import SetPlan, make_set
from tolman.benchmarks.osr_bench.negatives import Choice
from tolman.benchmarks.osr_bench.osr_options import OsrOptions
from tolman.cli.shared import Force, progress_bar
from tolman.cluster import cluster as within
from tolman.errors import SettingsError
from tolman.rules import RuleSetName
from tolman.world.select import seeds_in

make_app = App(name="make", help="Make a data set from seeds.")
make_app.command(
    "tolman.cli.make_sparrta:sparrta",
    name="sparrta",
    help="Make pictures of three things under the sky, with masks, depth and parameters, in the authors' layout.",
)


@make_app.command(name="osr-bench")
def osr_bench(
    *,
    scenes: Annotated[str, Parameter(help="Seeds of the rooms, such as 0-99.")] = "0-99",
    out: Annotated[Path, Parameter(help="Folder for the set.")] = Path("osr-bench"),
    each: Annotated[int, Parameter(help="Questions of a kind about a room.")] = 10,
    rules: Annotated[RuleSetName, Parameter(help="How questions are made.")] = "strict",
    handedness: Annotated[
        Handedness | None, Parameter(help="Maps as seen from above, or mirrored as released. As the rules say.")
    ] = None,
    distractors: Annotated[Choice, Parameter(help="Absent objects: as the authors' code or paper chooses.")] = "code",
    grid: Annotated[int, Parameter(help="Cells along a side of a map.")] = 10,
    width: Annotated[int, Parameter(help="Pixels of a panorama; it is half as high.")] = 1024,
    preset: Annotated[str, Parameter(help="draft, standard or reference.")] = "standard",
    models: Annotated[str, Parameter(help="auto, pack, built-in, or a folder of your own.")] = "auto",
    pictures: Annotated[bool, Parameter(help="Render the panoramas, and the rooms from above.")] = True,
    workers: Annotated[
        int | None, Parameter(help="Processes; -1 for all cores. By default all for questions, one for pictures.")
    ] = None,
    cluster: Annotated[str, Parameter(help="ray, ray://HOST:PORT, dask or dask://HOST:PORT.")] = "",
    force: Force = False,
) -> None:
    """Make rooms with panoramas, true maps and questions: in the authors' layout, as CSV and as Parquet."""
    if workers is not None and (workers == 0 or workers < -1):
        raise SettingsError(f"--workers is at least 1, or -1 for all cores, not {workers}")
    seeds = seeds_in(scenes)
    if seeds is None:
        raise SettingsError(f"--scenes {scenes!r} names no seeds; give some such as 0-99")
    options = OsrOptions(
        each=each,
        rules=rules,
        handedness=handedness,
        distractors=distractors,
        grid=grid,
        width=width,
        preset=preset,
        assets=models,
    )
    plan = SetPlan(tuple(seeds), options, pictures)
    jobs = -1 if workers is None else workers
    with progress_bar(Console(stderr=True)) as progress, within(cluster, workers):
        tasks = {name: progress.add_task(name, total=None) for name in ("maps", "questions", "pictures", "tables")}
        if not pictures:
            progress.remove_task(tasks.pop("pictures"))

        def tell(what: str, done: int, total: int) -> None:
            progress.update(tasks[what], completed=done, total=total)

        make_set(plan, out, tell, jobs=jobs, painters=1 if workers is None and not cluster else jobs, force=force)
    what = "One room is" if len(seeds) == 1 else f"{len(seeds)} rooms are"
    Console().print(f"{what} in {out}; README.md there says what is where.", markup=False, soft_wrap=True)
