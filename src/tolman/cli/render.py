"""`tolman render`: pictures of scenes, ahead of time; the same command continues an interrupted run."""

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Literal

from cyclopts import Parameter
from rich.console import Console

from tolman.cli.arguments import Force, Rooms, Things, WorldVersion, check_workers, progress_bar
from tolman.core.errors import GenerationError
from tolman.core.parallel import cluster as within
from tolman.render.assets.source import show_asset_warnings_in_one_line
from tolman.render.building.walls import EYE
from tolman.render.engine.values import RenderPresetName
from tolman.render.prerender import prerender
from tolman.render.views import VIEW_KINDS, RenderJob, RenderSubject, shots
from tolman.report.contact_sheet import write_contact_sheet
from tolman.world import WorldSettings, perturb
from tolman.world.select import SceneChoice, choose_scenes

_PERIOD = 600.0
"""Seconds over which speed is measured, as single views take long."""


def render(
    *,
    scenes: Annotated[str, Parameter(help="Seeds such as 0-9 or 3,7, or folders of scenes.")] = "0",
    out: Annotated[Path, Parameter(help="Folder for the pictures.")] = Path("pictures"),
    views: Annotated[str, Parameter(help=f"Which views, with commas: {', '.join(VIEW_KINDS)}.")] = ",".join(VIEW_KINDS),
    size: Annotated[int, Parameter(help="Pixels along a side.")] = 384,
    field: Annotated[float, Parameter(help="Horizontal field of view, degrees.")] = 90.0,
    eye_height: Annotated[float, Parameter(help="Height of the camera above the floor, metres.")] = EYE,
    preset: Annotated[RenderPresetName, Parameter(help="Quality of rendered pictures.")] = "standard",
    assets: Annotated[str, Parameter(help="3D assets: auto, pack, built-in, or a folder.")] = "auto",
    changed: Annotated[bool, Parameter(help="Also render each scene after its false-belief change.")] = False,
    layout: Annotated[
        Literal["tolman", "published"], Parameter(help="published: also as in the authors' dataset, under published/.")
    ] = "tolman",
    workers: Annotated[
        int | None, Parameter(help="Processes; -1 for all cores. Default: one, or all of a cluster.")
    ] = None,
    threads: Annotated[int | None, Parameter(help="Maximum number of threads per process.")] = None,
    cluster: Annotated[str, Parameter(help="Cluster to run on: ray, ray://HOST:PORT, dask or dask://HOST:PORT.")] = "",
    rooms: Rooms = 3,
    things: Things = 4,
    world_version: WorldVersion = 1,
    force: Force = False,
) -> None:
    """Render every view that an explorer can have, with ids and depth, and write a page of them."""
    check_workers(workers)
    show_asset_warnings_in_one_line()
    job = RenderJob(tuple(part.strip() for part in views.split(",")), size, field, preset, assets, eye_height)
    choices = choose_scenes(scenes, WorldSettings(rooms=rooms, things_per_room=things, version=world_version))
    subjects = list(_subjects(choices, changed=changed))
    total = sum(1 for subject in subjects for _ in shots(subject.scene, job))
    with progress_bar(Console(stderr=True)) as progress, within(cluster, workers):
        progress.speed_estimate_period = _PERIOD
        task = progress.add_task("views", total=total)
        made = prerender(
            subjects,
            out,
            job,
            lambda done: progress.update(task, completed=done),
            workers=workers if workers is not None else -1 if cluster else 1,
            threads=threads,
            published=layout == "published",
            force=force,
        )
    sheet = write_contact_sheet(out, {subject.name: subject.scene for subject in subjects}, job, made)
    what = "one scene" if len(choices) == 1 else f"{len(choices)} scenes"
    Console().print(f"Pictures of {what} are in {out}; to view them, open {sheet}", markup=False, soft_wrap=True)


def _subjects(choices: list[SceneChoice], *, changed: bool) -> Iterator[RenderSubject]:
    for place, choice in enumerate(choices):
        name = choice.name or (f"{choice.seed:05}" if choice.path is None else choice.path.stem)
        scene, number = choice.load(), place if choice.name else choice.seed
        yield RenderSubject(name, scene, number=number)
        if changed:
            try:
                after = perturb(scene, choice.seed).scene
            except GenerationError:
                continue
            yield RenderSubject(f"{name}-changed", after, scene, number)
