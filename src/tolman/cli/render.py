"""`tolman render`: pictures of scenes, ahead of time; the same command again goes on where it stopped."""

import json
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter
from rich.console import Console

from tolman.cli.shared import Rooms, Things, progress_bar
from tolman.errors import SettingsError
from tolman.render.prerender import KINDS, Job, about, prerender, shots
from tolman.report.pictures.contact_sheet import write_contact_sheet
from tolman.whole_file import write_whole
from tolman.world import WorldSettings
from tolman.world.select import SceneChoice, choose_scenes


def render(
    *,
    scenes: Annotated[str, Parameter(help="Seeds such as 0-9 or 3,7, or folders of scenes.")] = "0",
    out: Annotated[Path, Parameter(help="Folder for the pictures.")] = Path("pictures"),
    views: Annotated[str, Parameter(help=f"Which views, with commas: {', '.join(KINDS)}.")] = ",".join(KINDS),
    size: Annotated[int, Parameter(help="Pixels of a side.")] = 384,
    field: Annotated[float, Parameter(help="Horizontal field of view, degrees.")] = 90.0,
    preset: Annotated[str, Parameter(help="draft, standard or reference.")] = "standard",
    models: Annotated[str, Parameter(help="auto, pack, built-in, or a folder of your own.")] = "auto",
    rooms: Rooms = 3,
    things: Things = 4,
) -> None:
    """Render every view that an explorer can have, with ids and depth."""
    job = Job(tuple(part.strip() for part in views.split(",")), size, field, preset, models)
    choices = choose_scenes(scenes, WorldSettings(rooms=rooms, things_per_room=things))
    made = about(job)
    _check_same(out, made)
    write_whole(out / "made-with.json", json.dumps(made, indent=1).encode())
    console = Console(stderr=True)
    with progress_bar(console) as progress:
        for choice in choices:
            scene = choice.load()
            total = sum(1 for _ in shots(scene, job))
            task = progress.add_task(f"scene {_name(choice)}", total=total)
            for _ in prerender(scene, out / _name(choice), job):
                progress.advance(task)
    sheet = write_contact_sheet(out, {_name(choice): choice.load() for choice in choices}, job, made)
    Console().print(f"Pictures of {len(choices)} scenes are in {out}; to look through them: {sheet}", markup=False)


def _name(choice: SceneChoice) -> str:
    return f"{choice.seed:05}" if choice.path is None else choice.path.stem


def _check_same(out: Path, made: dict[str, object]) -> None:
    """Pictures made in another way are not to be mixed with these."""
    file = out / "made-with.json"
    if file.exists() and json.loads(file.read_text(encoding="utf-8")) != made:
        raise SettingsError(f"{out} holds pictures that were made with other settings; choose another folder")
