"""Rendered scenes in the folders, file names and lists of the authors' dataset, so that their code reads ours.

Their frame of a scene: x east, z north, metres, origin near the middle.
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

from tolman.core.files import write_file
from tolman.core.geometry import Cell, Heading
from tolman.render.assets.choose import surface_pack
from tolman.render.building.walls import DOOR_HEIGHT, DOOR_WIDTH
from tolman.render.camera import TopDown
from tolman.render.instruction_pictures import calibration_picture, object_legend_picture
from tolman.render.renderer import Renderer
from tolman.render.stored_pictures import png_bytes
from tolman.render.views import (
    RenderJob,
    RenderSubject,
    Shot,
    WorkerSettings,
    cached_asset_source,
    exclusive_engine,
    shots,
    top_down_camera,
)
from tolman.world import AGENT, START, Door, Room, Scene, Thing, changes_between
from tolman.world.files import DOOR_X, DOOR_Y, OUTSIDE, mask_of
from tolman.world.vocabulary import KIND_BY_NAME

_FIRST_DOOR = 20_001


@dataclass(frozen=True)
class PublishedFrame:
    """The authors' frame of a scene: low corner of the mask, offset of the origin from it, and the mask."""

    low: Cell
    offset: Cell
    mask: list[list[int]]

    def at(self, cell: Cell) -> tuple[float, float]:
        """x and z of the centre of a cell."""
        return float(cell[0] - self.low[0] - self.offset[0]), float(cell[1] - self.low[1] - self.offset[1])

    def point(self, cell: Cell, height: float) -> dict[str, float]:
        x, z = self.at(cell)
        return {"x": x, "y": height, "z": z}


def published_frame(scene: Scene) -> PublishedFrame:
    """The frame of the released scenes: the offset is half the mask's sides, rounded down."""
    mask = mask_of(scene)
    return PublishedFrame(scene.bounds[0], (len(mask) // 2, len(mask[0]) // 2), mask)


def camera_ids(scene: Scene) -> dict[str, int]:
    """Ids of things and doors, and of the cameras on them; the agent's camera is `agent`."""
    things = {thing.name: number for number, thing in enumerate(scene.things, start=1)}
    return things | {door.name: number for number, door in enumerate(scene.doors, start=_FIRST_DOOR)}


_LEAST_DISTANCE = 1.42
"""Between things, as published."""


def meta_data(scene: Scene, number: int, job: RenderJob, images: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """The content of the file; `number` is given as the seed, `images` are the entries of the picture files."""
    frame, ids = published_frame(scene), camera_ids(scene)
    return {
        "room_size": [float(len(frame.mask[0])), float(len(frame.mask))],
        "screen_size": [job.size, job.size],
        "seed": number,
        "run_seed": number,
        "min_distance": _LEAST_DISTANCE,
        "objects": [
            *(_thing(thing, ids[thing.name], frame) for thing in scene.things),
            *(_door_object(door, ids[door.name], frame) for door in scene.doors),
        ],
        "cameras": list(_cameras(scene, frame, job.eye)),
        "images": list(images),
        "rooms": {str(room.id): _room(scene, room, frame) for room in scene.rooms},
        "doors": {_door_key(scene, door): _door(door, frame) for door in scene.doors},
        "room_object_assignments": {str(room.id): _assigned(scene, room) for room in scene.rooms},
        "mask": frame.mask,
        "offset": list(frame.offset),
        "validated_tasks": [],
        "topdown_map": _mapping(frame, top_down_camera(scene)),
    }


def _thing(thing: Thing, number: int, frame: PublishedFrame) -> dict[str, Any]:
    kind = KIND_BY_NAME.get(thing.category)
    attributes: dict[str, Any] = {"scale": 1.0, "has_orientation": thing.front is not None, "room_id": thing.room}
    if thing.front is not None:
        attributes["orientation"] = thing.front.word
    return {
        "object_id": number,
        "model": thing.category.replace(" ", "_"),
        "name": thing.name,
        "label": str(number),
        "pos": frame.point(thing.cell, 0.0),
        "rot": {"x": 0, "y": 0 if thing.front is None else round(thing.front.degrees), "z": 0},
        "size": [1.0, 1.0] if kind is None else [kind.width, kind.height],
        "attributes": attributes,
    }


def _door_object(door: Door, number: int, frame: PublishedFrame) -> dict[str, Any]:
    colour = _colour(door)
    return {
        "object_id": number,
        "model": f"{colour}_door",
        "name": door.name,
        "pos": frame.point(door.cell, 0.0),
        "rot": {"x": 0, "y": 0, "z": 0},
        "size": [DOOR_WIDTH, DOOR_HEIGHT],
        "attributes": {"color": colour, "orientation": _orientation(door), "connected_rooms": sorted(door.rooms)},
    }


def _door(door: Door, frame: PublishedFrame) -> dict[str, Any]:
    return {
        "center": list(frame.at(door.cell)),
        "color": _colour(door),
        "connected_rooms": sorted(door.rooms),
        "orientation": _orientation(door),
        "width": 1,
    }


def _door_key(scene: Scene, door: Door) -> str:
    """The door's code in the mask, followed by its cell if several doors have this code."""
    code = DOOR_X if door.axis == "x" else DOOR_Y
    unique = sum(other.axis == door.axis for other in scene.doors) == 1
    (x0, y0), (x, y) = scene.bounds[0], door.cell
    return str(code) if unique else f"{code}{x - x0:02}{y - y0:02}"


def _colour(door: Door) -> str:
    return door.name.removesuffix(" door")


def _orientation(door: Door) -> str:
    return "vertical" if door.axis == "x" else "horizontal"


def _cameras(scene: Scene, frame: PublishedFrame, eye: float) -> list[dict[str, Any]]:
    def camera(name: str, label: str, cell: Cell) -> dict[str, Any]:
        return {"id": name, "label": label, "position": frame.point(cell, eye), "rotation": {"y": 0.0}}

    ids = camera_ids(scene)
    return [
        camera(AGENT, "A", scene.start),
        *(camera(str(ids[thing.name]), str(ids[thing.name]), thing.cell) for thing in scene.things),
        *(camera(str(ids[door.name]), f"D{ids[door.name]}", door.cell) for door in scene.doors),
    ]


def _room(scene: Scene, room: Room, frame: PublishedFrame) -> dict[str, Any]:
    (x0, z0), (x1, z1) = frame.at(room.low), frame.at(room.high)
    return {
        "center": [(x0 + x1) / 2, (z0 + z1) / 2],
        "bounds": [x0 - 0.5, x1 + 0.5, z0 - 0.5, z1 + 0.5],
        "area": len(room.cells),
        "connected_rooms": sorted(door.beyond(room.id) for door in scene.doors if room.id in door.rooms),
    }


def _assigned(scene: Scene, room: Room) -> list[dict[str, Any]]:
    ids = camera_ids(scene)
    return [
        {"object_id": ids[thing.name], "name": thing.name, "label": str(ids[thing.name])}
        for thing in scene.things
        if thing.room == room.id
    ]


def _mapping(frame: PublishedFrame, camera: TopDown) -> dict[str, Any]:
    """The centre of each cell in `top_down.png`, in pixels from its upper left corner."""
    cells = [
        (row, column)
        for row, values in enumerate(frame.mask)
        for column, value in enumerate(values)
        if value != OUTSIDE
    ]
    return {
        "rows": len(frame.mask),
        "cols": len(frame.mask[0]),
        "cell_size": 1.0,
        "mapping": [_mapped(frame, camera, row, column) for row, column in cells],
    }


def _mapped(frame: PublishedFrame, camera: TopDown, row: int, column: int) -> dict[str, Any]:
    x, y = row + frame.low[0], column + frame.low[1]
    across, down = (x - camera.west) * camera.scale, (camera.north - y) * camera.scale
    at = frame.at((x, y))
    return {"row": row, "col": column, "world": {"x": at[0], "z": at[1]}, "pixel": {"x": across, "y": down}}


def image_names(scene: Scene, job: RenderJob, suffix: str = "") -> Iterator[tuple[Shot, str]]:
    """The views of the dataset, with their file names there."""
    for shot in shots(scene, job):
        if shot.kind == "ego":
            yield shot, f"{_camera(scene, shot)}_facing_{shot.heading}{suffix}.png"
        elif shot.kind == "topdown":
            yield shot, f"top_down_annotated{suffix}.png"


def image_list(subject: RenderSubject, out: Path, job: RenderJob, suffix: str = "") -> Iterator[dict[str, Any]]:
    """The entries of the key `images`. For each thing in a picture they give its pixels, without the authors' ratios of
    visible and occluded parts."""
    scene, frame = subject.scene, published_frame(subject.scene)
    yield _top_down_entry("top_down.png")
    for shot, name in image_names(scene, job, suffix):
        if isinstance(shot.camera, TopDown):
            yield _top_down_entry(name)
        else:
            yield {
                "file": name,
                "cam_id": _camera(scene, shot),
                "pos": frame.point((round(shot.camera.x), round(shot.camera.y)), job.eye),
                "direction": shot.heading,
                "object_ratios": list(_visible_things(scene, shot.files(out / subject.name)["ids"])),
            }


def _camera(scene: Scene, shot: Shot) -> str:
    return AGENT if shot.standing_on == START else str(camera_ids(scene)[shot.standing_on])


def _top_down_entry(file: str) -> dict[str, Any]:
    position = {"x": 0, "y": 20, "z": 0}
    camera = file.removesuffix(".png")
    return {"file": file, "cam_id": camera, "pos": position, "direction": "down", "object_ratios": []}


def _visible_things(scene: Scene, file: Path) -> Iterator[dict[str, Any]]:
    with Image.open(file) as picture:
        counts = np.bincount(np.asarray(picture).ravel(), minlength=len(scene.names) + 1)
    for number, thing in enumerate(scene.things, start=1):
        if counts[number]:
            model = thing.category.replace(" ", "_")
            yield {"object_id": camera_ids(scene)[thing.name], "model": model, "pixels": int(counts[number])}


PUBLISHED_FOLDER = "published"


@dataclass(frozen=True)
class PublishedRun:
    """One scene of the dataset, and its changed version if that was rendered."""

    subject: RenderSubject
    changed: RenderSubject | None = None


def write_instruction(settings: WorkerSettings) -> None:
    """Write the calibration picture, which all scenes share."""
    job, file = settings.job, settings.out / PUBLISHED_FOLDER / "instruction.png"
    if not file.exists():
        with exclusive_engine(settings):
            picture = calibration_picture(field=job.field, size=job.size, eye=job.eye, preset=job.preset)
            write_file(file, png_bytes(picture))


def write_run(settings: WorkerSettings, run: PublishedRun) -> None:
    """Write one scene's folder from its rendered views."""
    scene, job = run.subject.scene, settings.job
    folder = settings.out / PUBLISHED_FOLDER / f"run{run.subject.number:02}"
    source = cached_asset_source(job.assets)
    if not (file := folder / "orientation_instruction.png").exists():
        with exclusive_engine(settings):
            write_file(file, png_bytes(object_legend_picture(scene, source.asset, size=job.size, preset=job.preset)))
    if not (file := folder / "top_down.png").exists():
        with exclusive_engine(settings):
            empty = Renderer(replace(scene, things=()), source.asset, job.preset, scene, surface_pack(source))
            write_file(file, png_bytes(empty.top_down(scale=top_down_camera(scene).scale).rgb))
    _write_scene(run.subject, folder, settings, "")
    if run.changed is not None:
        _write_scene(run.changed, folder, settings, "_fbexp")


def _write_scene(subject: RenderSubject, folder: Path, settings: WorkerSettings, suffix: str) -> None:
    job, scene = settings.job, subject.scene
    for shot, name in image_names(scene, job, suffix):
        write_file(folder / name, shot.files(settings.out / subject.name)["rgb"].read_bytes())
    meta = meta_data(scene, subject.number, job, list(image_list(subject, settings.out, job, suffix)))
    if subject.before is not None:
        meta["_fb_changes"] = list(_changes(subject.before, scene))
    file = folder / ("falsebelief_exp.json" if suffix else "meta_data.json")
    write_file(file, json.dumps(meta, indent=1).encode())


def _changes(before: Scene, after: Scene) -> Iterator[dict[str, Any]]:
    """The entries of the key `_fb_changes`."""
    frame, ids = published_frame(before), camera_ids(before)
    for change in changes_between(before, after):
        old, new = (next(t for t in scene.things if t.name == change.name) for scene in (before, after))
        moved = change.kind == "position"
        entry: dict[str, Any] = {"name": old.name, "pos" if moved else "ori": True, "object_id": ids[old.name]}
        entry |= {"pos_from": _xz(frame, old.cell), **_facing(old, "from"), "pos_to": _xz(frame, new.cell)}
        yield entry if moved else entry | _facing(new, "to")


def _facing(thing: Thing, when: str) -> dict[str, Any]:
    front = thing.front or Heading.NORTH
    return {f"yaw_{when}": front.degrees, f"orientation_{when}": front.word}


def _xz(frame: PublishedFrame, cell: Cell) -> dict[str, float]:
    x, z = frame.at(cell)
    return {"x": x, "z": z}
