"""`tolman make`: data sets from seeds. The same command continues an interrupted run."""

import time
from pathlib import Path
from typing import Annotated

from cyclopts import App, Parameter
from rich.console import Console
from rich.progress import Progress

from tolman.benchmarks.osr_bench.dataset.make import (
    AnnotatedPlan,
    DatasetPlan,
    StageProgress,
    make_dataset,
    make_from_annotated,
)
from tolman.benchmarks.osr_bench.maps.grid import Handedness
from tolman.benchmarks.osr_bench.options import Options, RoomVersion
from tolman.benchmarks.osr_bench.questions.generate import DistractorChoice
from tolman.benchmarks.sparrta.dataset.make import PicturePlan, make_pictures
from tolman.benchmarks.sparrta.sample import parse_viewpoints, triple_of, triples_in
from tolman.benchmarks.sparrta.scenes.placement import PlacementRules
from tolman.cli.arguments import Force, Rooms, Things, check_workers, counting_bar, progress_bar
from tolman.core.errors import SettingsError
from tolman.core.parallel import cluster as within
from tolman.core.rules import RuleSetName
from tolman.env.demonstrations import ContentForm, DemonstrationPlan, FileForm, Reasoning, Then, make_demonstrations
from tolman.env.options import EnvironmentOptions
from tolman.render.engine.values import RenderPresetName
from tolman.world.select import seeds_in

make_app = App(name="make", help="Make a data set.")
make_app.command(
    "tolman.cli.make:sparrta",
    name="sparrta",
    help="Make outdoor pictures of three objects, with masks, depth and parameters, in the authors' layout.",
)
make_app.command(
    "tolman.cli.make:demonstrations",
    name="demonstrations",
    help="Make conversations of scripted explorers to train on, in the words of the evaluation.",
)


@make_app.command(name="theory-of-space", show=False)
def theory_of_space() -> None:
    """Theory of Space has no data set to make."""
    raise SettingsError(
        "Theory of Space needs no data set: scenes are generated from seeds when they are run; "
        "`tolman render` writes their pictures ahead of time"
    )


@make_app.command(name="osr-bench")
def osr_bench(
    *,
    scenes: Annotated[str | None, Parameter(help="Seeds of the rooms. By default 0-99.")] = None,
    annotated: Annotated[
        Path | None,
        Parameter(
            name="--from",
            help="Folder of annotated scenes (data.json and rgb.png, as of DeepPanoContext or ReplicaPano) "
            "instead of generated rooms.",
        ),
    ] = None,
    out: Annotated[Path, Parameter(help="Folder for the set.")] = Path("osr-bench"),
    each: Annotated[
        int | None, Parameter(help="Questions of each kind about a room. By default 10; 5 for ReplicaPano.")
    ] = None,
    rules: Annotated[RuleSetName, Parameter(help="Rule set by which questions are made.")] = "strict",
    handedness: Annotated[
        Handedness | None,
        Parameter(help="Maps as seen from above, or mirrored as released. By default by the rules."),
    ] = None,
    distractors: Annotated[
        DistractorChoice, Parameter(help="How absent objects are chosen: as in the authors' code or paper.")
    ] = "code",
    room_version: Annotated[
        RoomVersion, Parameter(help="Version of the rooms: 1 with 9 to 34 objects, 2 with 25 to 40.")
    ] = 1,
    grid: Annotated[int, Parameter(help="Cells along a side of a map.")] = 10,
    width: Annotated[int, Parameter(help="Width of a panorama in pixels; its height is half of that.")] = 1024,
    preset: Annotated[RenderPresetName, Parameter(help="Quality of rendered pictures.")] = "standard",
    assets: Annotated[str, Parameter(help="3D assets: auto, pack, built-in, or a folder.")] = "auto",
    pictures: Annotated[bool, Parameter(help="Render the panoramas and top-down views of the rooms.")] = True,
    workers: Annotated[
        int | None, Parameter(help="Processes; -1 for all cores. By default all for questions, one for pictures.")
    ] = None,
    cluster: Annotated[str, Parameter(help="Cluster to run on: ray, ray://HOST:PORT, dask or dask://HOST:PORT.")] = "",
    force: Force = False,
) -> None:
    """Make rooms with panoramas, true maps and questions: in the authors' layout, as CSV and as Parquet.

    Rooms are generated from seeds, or made from panoramas that are annotated with 3D boxes (--from).
    """
    check_workers(workers)
    if annotated is not None and scenes is not None:
        raise SettingsError("give --scenes for generated rooms, or --from for annotated ones, not both")
    seeds = seeds_in("0-99" if scenes is None else scenes)
    if seeds is None:
        raise SettingsError(f"--scenes {scenes!r} is not a list of seeds; give some such as 0-99")
    options = Options(
        each=10 if each is None else each,
        rules=rules,
        handedness=handedness,
        distractors=distractors,
        room_version=room_version,
        grid=grid,
        width=width,
        preset=preset,
        assets=assets,
    )
    if annotated is not None:
        _from_annotated(AnnotatedPlan(annotated, options, each, pictures), out, force=force)
        return
    plan = DatasetPlan(tuple(seeds), options, pictures)
    jobs = -1 if workers is None else workers
    with progress_bar(Console(stderr=True)) as progress, within(cluster, workers):
        show = _stages(progress, "maps", "questions", *["pictures"] * pictures, "tables")
        make_dataset(plan, out, show, jobs=jobs, painters=1 if workers is None and not cluster else jobs, force=force)
    what = "One room is" if len(seeds) == 1 else f"{len(seeds)} rooms are"
    Console().print(f"{what} in {out}; README.md there describes the files.", markup=False, soft_wrap=True)


def _stages(progress: Progress, *names: str) -> StageProgress:
    """A bar for each stage, and what moves them."""
    tasks = {name: progress.add_task(name, total=None) for name in names}
    return lambda stage, done, total: progress.update(tasks[stage], completed=done, total=total)


def _from_annotated(plan: AnnotatedPlan, out: Path, *, force: bool) -> None:
    with progress_bar(Console(stderr=True)) as progress:
        show = _stages(progress, "maps", "questions", "tables")
        count, left_out = make_from_annotated(plan, out, show, force=force)
    what = "One scene is" if count == 1 else f"{count} scenes are"
    Console().print(f"{what} in {out}; README.md there describes the files.", markup=False, soft_wrap=True)
    for line in left_out.lines:
        Console().print(f"{line}.", markup=False, soft_wrap=True, highlight=False)


def sparrta(
    *,
    environment: Annotated[str, Parameter(help="forest, desert, winter_town, bridge or city.")],
    triple: Annotated[str, Parameter(help="1, 2, 3 or all: which source and target objects.")] = "1",
    images: Annotated[str, Parameter(help="Numbers of the pictures, such as 0-4999.")] = "0-99",
    out: Annotated[Path, Parameter(help="Folder for the set.")] = Path("sparrta"),
    size: Annotated[int, Parameter(help="Pixels along a side.")] = 224,
    ambiguity: Annotated[float, Parameter(help="Skip relations within this many degrees of a diagonal.")] = 15.0,
    viewpoint: Annotated[
        str, Parameter(help="Viewpoints from which the relation must be unambiguous: ego, allo or both.")
    ] = "both",
    balanced: Annotated[bool, Parameter(help="Make all relations equally frequent.")] = False,
    preset: Annotated[RenderPresetName, Parameter(help="Quality of rendered pictures.")] = "standard",
    assets: Annotated[str, Parameter(help="3D assets: auto, pack or built-in.")] = "auto",
    workers: Annotated[int, Parameter(help="Processes; -1 for all cores. On a GPU they run one at a time.")] = 1,
    cluster: Annotated[str, Parameter(help="Cluster to run on: ray, ray://HOST:PORT, dask or dask://HOST:PORT.")] = "",
    force: Force = False,
) -> None:
    """Make pictures with masks, depth and parameters, in the authors' layout, and a table of them."""
    check_workers(workers)
    indices = seeds_in(images)
    if indices is None:
        raise SettingsError(f"--images {images!r} names no pictures; give some such as 0-4999")
    if triple != "all" and not triple.isdecimal():
        raise SettingsError(f"--triple is 1, 2, 3 or all, not {triple!r}")
    chosen = triples_in(environment) if triple == "all" else (triple_of(environment, int(triple)),)
    rules = PlacementRules(ambiguity=ambiguity, viewpoints=parse_viewpoints(viewpoint), balanced=balanced)
    plan = PicturePlan(chosen, tuple(indices), size, rules, preset, assets)
    with counting_bar("pictures") as show, within(cluster, workers):
        index = make_pictures(plan, out, show, workers=workers, force=force)
    what = "One picture is" if len(indices) * len(chosen) == 1 else f"{len(indices) * len(chosen)} pictures are"
    Console().print(f"{what} in {out}; {index.name} there lists them.", markup=False, soft_wrap=True)


def demonstrations(
    *,
    agent: Annotated[
        str, Parameter(help="A scripted explorer; `planner` pays less, for ten times the CPU time.")
    ] = "greedy-planner",
    scenes: Annotated[str, Parameter(help="Seeds of the worlds, from 100000 on.")] = "100000-100999",
    content: Annotated[
        ContentForm, Parameter(name="--format", help="Whole conversations (chat), or actions alone.")
    ] = "chat",
    files: Annotated[FileForm, Parameter(help="JSON lines or Parquet.")] = "jsonl",
    then: Annotated[
        Then, Parameter(help="What follows the exploration: nothing, a map, or the answer to one question.")
    ] = "nothing",
    reasoning: Annotated[
        Reasoning,
        Parameter(
            help="Reasoning before actions: how much was seen (count), or the exact belief in words (belief; "
            "ranges: with every step by which a look narrows ranges of positions; sightings: without positions)."
        ),
    ] = "count",
    out: Annotated[Path, Parameter(help="Folder for the set.")] = Path("demonstrations"),
    rooms: Rooms = 3,
    things: Things = 4,
    budget: Annotated[int, Parameter(help="Maximum number of exploration turns.")] = 20,
    think: Annotated[bool, Parameter(help="Whether prompts ask for reasoning, and replies have some.")] = True,
    workers: Annotated[int, Parameter(help="Processes; -1 for all cores.")] = -1,
    cluster: Annotated[str, Parameter(help="Cluster to run on: ray, ray://HOST:PORT, dask or dask://HOST:PORT.")] = "",
    allow_test_scenes: Annotated[
        bool, Parameter(negative="", help="Allow seeds below 100000, which are for evaluation.")
    ] = False,
    force: Force = False,
) -> None:
    """Make conversations of scripted explorers, with information gain per turn; seeds of the evaluation are refused."""
    check_workers(workers)
    seeds = seeds_in(scenes)
    if seeds is None:
        raise SettingsError(f"--scenes {scenes!r} is not a list of seeds; give some such as 100000-199999")
    options = EnvironmentOptions(
        rooms=rooms, things=things, budget=budget, think=think, allow_test_scenes=allow_test_scenes
    )
    plan = DemonstrationPlan(tuple(seeds), agent, content, files, then, reasoning, options)
    begin = time.perf_counter()
    with counting_bar(agent, len(seeds)) as show, within(cluster, workers):
        made = make_demonstrations(plan, out, lambda done: show(done, len(seeds)), workers=workers, force=force)
    seconds = time.perf_counter() - begin
    what = "One demonstration is" if len(seeds) == 1 else f"{len(seeds):,} demonstrations are"
    speed = f" {made:,} were made now, {made / seconds:.1f} per second." if made else ""
    Console().print(f"{what} in {out}; README.md there describes them.{speed}", markup=False, soft_wrap=True)
