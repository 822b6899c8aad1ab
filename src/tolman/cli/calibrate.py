"""`tolman calibrate`: what an ideal observer expects of its replies against what they score."""

from functools import partial
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter
from rich.console import Console

from tolman.benchmarks.theory_of_space.calibration import (
    EXPLORERS,
    CalibrationJob,
    as_numbers,
    calibration_tables,
    check_job,
    recorded_jobs,
    save_reliability_figure,
    seeded_jobs,
)
from tolman.benchmarks.theory_of_space.results import RESULTS
from tolman.cli.arguments import (
    Force,
    Format,
    Rooms,
    RoomSize,
    Things,
    check_new,
    print_in_format,
    progress_bar,
    track,
    warnings_on,
    write_text,
)
from tolman.core.grouping import gathered
from tolman.core.parallel import tracked_map
from tolman.explore.agents.registry import HALF, make_explorer
from tolman.ideal.observer import DEFAULT_OBSERVER, ObserverName
from tolman.report.table.formats import json_text
from tolman.world import WorldSettings, generate
from tolman.world.select import choose_scenes


def calibrate(
    paths: Annotated[
        list[Path] | None, Parameter(help="Logs of Theory of Space: explorations of models.", negative="")
    ] = None,
    *,
    explorer: Annotated[
        str, Parameter(help="Scripted explorers, with commas; half-NAME is the first half of its turns.")
    ] = ",".join(EXPLORERS),
    scenes: Annotated[str, Parameter(help="Seeds of generated scenes, such as 1000-1049.")] = "1000-1049",
    observer: Annotated[ObserverName, Parameter(help="The ideal observer to check.")] = DEFAULT_OBSERVER,
    rooms: Rooms = 3,
    things: Things = 4,
    room_size: RoomSize = (6, 6),
    figure: Annotated[
        Path | None, Parameter(help="Write the reliability diagram to this file (.svg, .png, .pdf).")
    ] = None,
    form: Format = "text",
    json_file: Annotated[Path | None, Parameter(name="--json", help="Write all numbers to this file.")] = None,
    jobs: Annotated[int, Parameter(help="Processes; -1 for all cores.")] = -1,
    force: Force = False,
) -> None:
    """Check the ideal observer: the score that it expects minus the score that it gets, and how reliable its odds are.

    After scripted explorations of fresh scenes, or after those in logs, it answers every question and states a map.
    """
    check_new(json_file, force=force)
    check_new(figure, force=force)
    named = _recorded(paths, observer) if paths else _scripted(explorer, scenes, observer, rooms, things, room_size)
    with progress_bar(Console(stderr=True)) as progress:
        found = tracked_map(check_job, [job for _, job in named], partial(track, progress), "scenes", jobs)
    checked = gathered((name, scene) for (name, _), scene in zip(named, found, strict=True))
    if json_file is not None:
        write_text(json_file, json_text(as_numbers(checked), indent=1) + "\n")
    if figure is not None:
        save_reliability_figure(checked, figure)
    print_in_format(calibration_tables(checked), form)


def _scripted(
    explorers: str, scenes: str, observer: ObserverName, rooms: int, things: int, room_size: tuple[int, int]
) -> list[tuple[str, CalibrationJob]]:
    choices = choose_scenes(scenes, WorldSettings(rooms, room_size, things))
    names = [name.strip() for name in explorers.split(",")]
    for name in names:
        make_explorer(name.removeprefix(HALF), generate(0))
    return [(name, job) for name in names for job in seeded_jobs(choices, name, observer)]


def _recorded(paths: list[Path], observer: ObserverName) -> list[tuple[str, CalibrationJob]]:
    console = Console(stderr=True)
    tell = warnings_on(console)
    with progress_bar(console) as progress:
        read = RESULTS.read(paths, tell, partial(track, progress))
    return list(recorded_jobs(read.model_runs, observer))
