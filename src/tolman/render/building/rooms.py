"""A scene as parts for the engine: walls, floors, ceilings, windows, lights, doors and things."""

from collections.abc import Iterator, Sequence

from tolman.core.geometry import Heading
from tolman.core.seeds import one_of, rng
from tolman.render.building.decor import room_decor
from tolman.render.building.finishes import RoomFinish, SurfacePack, random_finish
from tolman.render.building.lamps import random_lamp
from tolman.render.building.things import AssetOf, placed_thing
from tolman.render.building.walls import (
    CEILING,
    DOOR_HEIGHT,
    DOOR_WIDTH,
    FRAME,
    SKIRTING_DEPTH,
    SKIRTING_HEIGHT,
    WALL,
    Opening,
    SlabBox,
    SlabCorner,
    Wall,
    slab,
)
from tolman.render.building.windows import WINDOW_KINDS, Pane, WindowKind, window_frame
from tolman.render.engine.values import ScenePart
from tolman.render.shapes.mesh import Material, Mesh, srgb
from tolman.render.shapes.sweep import joined
from tolman.world import Door, Room, Scene
from tolman.world.space.furnished_space import Space
from tolman.world.vocabulary import COLOURS

WINDOW_WIDTHS = (1.2, 1.6, 2.0)
"""Metres."""
_MARGIN = 0.6
"""Least metres between a window and the corners of its room."""
_WINDOW_SHARE = 0.6
"""Of outer walls that have a window."""


def walls_of_room(scene: Scene, room: Room, seed: int) -> Iterator[Wall]:
    """The four walls; `seed` is that of their windows."""
    (x0, y0), (x1, y1) = room.low, room.high
    half = WALL / 2
    lines = {
        Heading.NORTH: (0, x0 - 1.0, x1 + 1.0, y1 + 1.0 - half, y1 + 1.0),
        Heading.EAST: (1, y0 - 1.0, y1 + 1.0, x1 + 1.0 - half, x1 + 1.0),
        Heading.SOUTH: (0, x0 - 1.0, x1 + 1.0, y0 - 1.0 + half, y0 - 1.0),
        Heading.WEST: (1, y0 - 1.0, y1 + 1.0, x0 - 1.0 + half, x0 - 1.0),
    }
    for heading, line in lines.items():
        wall = Wall(*line)
        doors = tuple(_doorway(door, wall) for door in scene.doors if _is_in(door, wall, room))
        windows = () if doors else _windows(scene, room, heading, wall, seed)
        yield Wall(*line, openings=(*doors, *windows))


def _is_in(door: Door, wall: Wall, room: Room) -> bool:
    return room.id in door.rooms and door.cell[1 - wall.along] == wall.outer


def _doorway(door: Door, wall: Wall) -> Opening:
    """The wall ends within the door's frame: faces in one plane would flicker."""
    middle, half = float(door.cell[wall.along]), DOOR_WIDTH / 2 + FRAME / 3
    return Opening(middle - half, middle + half, 0.0, DOOR_HEIGHT + FRAME / 3)


def _windows(scene: Scene, room: Room, heading: Heading, wall: Wall, seed: int) -> tuple[Opening, ...]:
    """At most one window, in an outer wall."""
    stream = rng(seed, "windows", room.id, int(heading))
    width = one_of(stream, WINDOW_WIDTHS)
    free = wall.end - wall.start - 2 * (1 + _MARGIN) - width
    if stream.random() > _WINDOW_SHARE or free < 0 or not _is_outer(scene, room, heading):
        return ()
    start = wall.start + 1 + _MARGIN + float(stream.random()) * free
    kind = window_kind(seed, room)
    return (Opening(start, start + width, kind.sill, kind.top),)


def window_kind(seed: int, room: Room) -> WindowKind:
    """The kind of all windows of a room."""
    return list(WINDOW_KINDS.values())[int(rng(seed, "window kind", room.id).integers(len(WINDOW_KINDS)))]


def window_panes(scene: Scene, seed: int) -> list[Pane]:
    """The panes of all windows, as parts of the building; `seed` is that of the scene's appearance."""
    walls = (wall for room in scene.rooms for wall in walls_of_room(scene, room, seed))
    return [Pane(0, wall, hole) for wall in walls for hole in wall.openings if hole.low > 0]


def _is_outer(scene: Scene, room: Room, heading: Heading) -> bool:
    """Whether no other room is within four cells behind a wall."""
    (x0, y0), (x1, y1) = room.low, room.high
    depth = 4
    behind = {
        Heading.NORTH: ((x0 - 1, y1 + 1), (x1 + 1, y1 + depth)),
        Heading.EAST: ((x1 + 1, y0 - 1), (x1 + depth, y1 + 1)),
        Heading.SOUTH: ((x0 - 1, y0 - depth), (x1 + 1, y0 - 1)),
        Heading.WEST: ((x0 - depth, y0 - 1), (x0 - 1, y1 + 1)),
    }
    (west, south), (east, north) = behind[heading]
    others = (other for other in scene.rooms if other.id != room.id)
    return all(o.high[0] < west or o.low[0] > east or o.high[1] < south or o.low[1] > north for o in others)


_LAMP_POWER = 20.0
"""Radiance of a ceiling lamp times its square metres."""
_LIT_AREA = 24.0
"""Square metres per ceiling lamp."""


def building_meshes(scene: Scene, seed: int, pack: SurfacePack | None = None) -> Iterator[Mesh]:
    """Floors, ceilings, walls, windows, lamps and decor, room by room; `seed` is that of the scene's appearance."""
    for room in scene.rooms:
        finish = random_finish(rng(seed, "finish", room.id), pack)
        yield from floor_and_ceiling(room, finish, 1.0)
        walls = list(walls_of_room(scene, room, seed))
        for wall in walls:
            yield from wall_meshes(wall, finish)
            for hole in (hole for hole in wall.openings if hole.low > 0):
                yield from window_frame(wall, hole, window_kind(seed, room), finish.trim)
        yield from _lamps(room, seed)
        yield from room_decor(room, walls, seed)


def floor_and_ceiling(room: Room, finish: RoomFinish, margin: float) -> Iterator[Mesh]:
    """Both extend `margin` metres beyond the centres of the outer cells."""
    (x0, y0), (x1, y1) = room.low, room.high
    west, south, east, north = x0 - margin, y0 - margin, x1 + margin, y1 + margin
    yield slab((west, south, -0.1), (east, north, 0.0), finish.floor.material, finish.floor.repeat)
    yield slab((west, south, CEILING), (east, north, CEILING + 0.1), finish.ceiling)


def wall_meshes(wall: Wall, finish: RoomFinish) -> Iterator[Mesh]:
    """A wall around its openings, and its skirting board."""
    for box in wall.slabs():
        if _is_solid(box):
            yield slab(*box, finish.wall.material, finish.wall.repeat)
    for start, end in wall.foot_sections():
        board = wall.box(start, end, 0.0, SKIRTING_HEIGHT, (0.0, SKIRTING_DEPTH))
        if _is_solid(board):
            yield slab(*board, finish.trim)


def _lamps(room: Room, seed: int) -> Iterator[Mesh]:
    (x0, y0), (x1, y1) = room.low, room.high
    width, depth = x1 - x0 + 2.0, y1 - y0 + 2.0
    columns, rows = (max(1, round(side / _LIT_AREA**0.5)) for side in (width, depth))
    lamp = random_lamp(rng(seed, "lamps", room.id), _LAMP_POWER * (width * depth / (columns * rows) / _LIT_AREA) ** 0.5)
    for i in range(columns):
        for j in range(rows):
            yield from lamp(x0 - 1.0 + width * (i + 0.5) / columns, y0 - 1.0 + depth * (j + 0.5) / rows)


def _is_solid(box: SlabBox) -> bool:
    return all(high - low > 1e-6 for low, high in zip(*box, strict=True))


_LEAF = 0.045
"""Thickness of a door in metres."""
_BRASS = Material(srgb("#c9a75a"), roughness=0.25, metallic=1.0)
_TRIM = Material(srgb("#efece4"), roughness=0.5)


def door_leaf(door: Door) -> Iterator[Mesh]:
    """A door of its colour with raised panels, and handles on both sides."""
    paint = Material(srgb(COLOURS.get(door.name.split()[0], "#8b8f94")), roughness=0.4)
    half = DOOR_WIDTH / 2
    yield _box_in_doorway(door, (-half, half), _LEAF / 2, (0.0, DOOR_HEIGHT), paint)
    for low, high in ((0.18, 0.95), (1.08, 1.88)):
        for start, end in ((-half + 0.1, -0.04), (0.04, half - 0.1)):
            yield _box_in_doorway(door, (start, end), _LEAF / 2 + 0.008, (low, high), paint)
    yield _box_in_doorway(door, (half - 0.14, half - 0.06), _LEAF / 2 + 0.05, (0.99, 1.02), _BRASS)


def door_frame(door: Door) -> Iterator[Mesh]:
    """The frame of a door, on both sides of the wall."""
    half, depth = DOOR_WIDTH / 2, WALL / 2 + 0.012
    yield _box_in_doorway(door, (-half - FRAME, -half), depth, (0.0, DOOR_HEIGHT + FRAME), _TRIM)
    yield _box_in_doorway(door, (half, half + FRAME), depth, (0.0, DOOR_HEIGHT + FRAME), _TRIM)
    yield _box_in_doorway(door, (-half, half), depth, (DOOR_HEIGHT, DOOR_HEIGHT + FRAME), _TRIM)


def _box_in_doorway(
    door: Door, along: tuple[float, float], depth: float, heights: tuple[float, float], material: Material
) -> Mesh:
    """A box between two offsets along the wall and two heights, `depth` metres to both sides of the door's centre."""
    x, y = door.cell
    if door.axis == "x":
        low: SlabCorner = (x - depth, y + along[0], heights[0])
        high: SlabCorner = (x + depth, y + along[1], heights[1])
    else:
        low, high = (x + along[0], y - depth, heights[0]), (x + along[1], y + depth, heights[1])
    return slab(low, high, material)


def appearance_seed(place: Scene | Space) -> int:
    """The seed of the finishes, windows and assets of a scene or space."""
    return int(place.digest[:12], 16)


def scene_parts(scene: Scene, asset_of: AssetOf, seed: int, pack: SurfacePack | None = None) -> list[ScenePart]:
    """The building first, then things and doors; `seed` is that of their appearance."""
    frames = [mesh for door in scene.doors for mesh in door_frame(door)]
    building = merged_by_material([*building_meshes(scene, seed, pack), *frames])
    parts = [ScenePart(mesh, 0) for mesh in building]
    for number, item in enumerate(scene.items, start=1):
        meshes = list(door_leaf(item) if isinstance(item, Door) else placed_thing(item, asset_of, seed, scene.version))
        parts += [ScenePart(mesh, number, item.cell) for mesh in merged_by_material(meshes)]
    return parts


def merged_by_material(meshes: Sequence[Mesh]) -> list[Mesh]:
    """One mesh for each material, as the engine is slow with many."""
    groups: dict[tuple[int, bool, bool], list[Mesh]] = {}
    for mesh in meshes:
        key = id(mesh.material), mesh.normals is None, mesh.coordinates is None
        groups.setdefault(key, []).append(mesh)
    return [joined(group) for group in groups.values()]
