"""Scenes annotated with 3D boxes, in the form of DeepPanoContext and ReplicaPano, laid on the grid of a map (Algorithm
1 of the paper).

A scene is a folder with `data.json` and `rgb.png`. The makers ship `data.pkl`, which is never loaded here, as a pickle
can run code; `docs/osr-bench-data.md` says how to convert it. Lengths are metres in the file's frame, z up.
"""

import cmath
import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, cast

from tolman.benchmarks.osr_bench.maps.grid import GridMap, Handedness, Point, map_of_room
from tolman.benchmarks.osr_bench.panoramas import read_panorama
from tolman.benchmarks.osr_bench.released.scenes import PANORAMA_FILE
from tolman.core.errors import SceneFileError, SettingsError, TolmanError
from tolman.core.files import read_json
from tolman.core.limits import PICTURE_FILE, read_file
from tolman.core.seeds import digest

SCENE_FILE, PICKLED_FILE = "data.json", "data.pkl"
SceneSource = Literal["DeepPanoContext", "ReplicaPano"]
QUESTIONS_BY_SOURCE: dict[SceneSource, int] = {"DeepPanoContext": 10, "ReplicaPano": 5}
"""Questions per kind, as published: fewer where many panoramas show the same room."""
_REPLICA_FOLDER = "Scene_Info"
_NAME = re.compile(r"[^\W_][\w .&'()/+-]{0,59}")
"""A class that can stand in a prompt: lists of classes are separated by commas, and enclosed in braces."""
_PLACEHOLDERS = frozenset({"unknown", "undefined", "none", "other", "others", "object", "objects", "misc", "void"})
Ahead = Literal["right", "up", "left", "down"]
_QUARTERS: tuple[Ahead, ...] = ("right", "up", "left", "down")
"""Directions on a map, counter-clockwise."""


@dataclass(frozen=True)
class AnnotatedBox:
    """One object: its class, and its box seen from above."""

    name: str
    centre: Point
    footprint: tuple[Point, ...]
    """Corners of the floor of the box, in order."""


@dataclass(frozen=True)
class RoomPlan:
    """A room seen from above in the frame of its map, x to the right and y up."""

    layout: tuple[Point, ...]
    boxes: tuple[AnnotatedBox, ...]
    camera: Point
    ahead: Ahead = "up"
    """Where on the map the middle of the panorama is."""

    def grid_map(self, size: int) -> GridMap:
        """Each object in the cell of the centre of its box, however the box is rotated."""
        return map_of_room(self.layout, ((box.name, box.centre) for box in self.boxes), size=size)


@dataclass(frozen=True)
class AnnotatedScene:
    """One panorama with its boxes and the corners of its floor, in the frame of its file."""

    name: str
    """As the authors name their folders."""
    source: SceneSource
    folder: Path
    layout: tuple[Point, ...]
    boxes: tuple[AnnotatedBox, ...]
    camera: Point
    ahead: float
    """Direction of the middle of the panorama: radians from the x axis towards the y axis."""
    mirrored: bool
    """Whether the frame is mirrored: turning right in the panorama goes from x towards y."""

    @property
    def digest(self) -> str:
        """Of everything that its map depends on."""
        boxes = [[box.name, *box.centre] for box in self.boxes]
        return digest([self.name, list(map(list, self.layout)), boxes, list(self.camera), self.ahead, self.mirrored])

    def plan(self, handedness: Handedness) -> RoomPlan:
        """The room on its map: as seen from above with the panorama's middle up, or as in the authors' maps.

        Those keep the axes of the file (x to the right, y up), which makes mirror images where the frame is mirrored;
        a frame that is not is mirrored for them.
        """
        if handedness == "released":
            ahead = self.ahead if self.mirrored else math.pi - self.ahead
            quarter = round(ahead / (math.pi / 2)) % 4
            return self._moved(0, 1.0 if self.mirrored else -1.0, 1.0, _QUARTERS[quarter])
        ahead = -self.ahead if self.mirrored else self.ahead
        return self._moved(round(1 - ahead / (math.pi / 2)) % 4, 1.0, -1.0 if self.mirrored else 1.0, "up")

    def _moved(self, quarters: int, x_sign: float, y_sign: float, ahead: Ahead) -> RoomPlan:
        def move(point: Point) -> Point:
            x, y = x_sign * point[0], y_sign * point[1]
            for _ in range(quarters):
                x, y = -y, x
            return x, y

        boxes = (AnnotatedBox(box.name, move(box.centre), tuple(map(move, box.footprint))) for box in self.boxes)
        return RoomPlan(tuple(map(move, self.layout)), tuple(boxes), move(self.camera), ahead)


@dataclass
class SkippedInputs:
    """What could not be used, by reason."""

    scenes: dict[str, str] = field(default_factory=dict[str, str])
    """Reasons by file."""
    objects: Counter[str] = field(default_factory=Counter[str])

    @property
    def lines(self) -> list[str]:
        """One line for scenes and one for objects, where there are such."""
        brief = {file: reason.partition(":")[0] for file, reason in self.scenes.items()}
        reasons, examples = Counter(brief.values()), {reason: file for file, reason in reversed(brief.items())}
        scenes = "; ".join(f"{count} {reason} ({examples[reason]})" for reason, count in reasons.most_common())
        objects = "; ".join(f"{count} {reason}" for reason, count in self.objects.most_common())
        found = ((len(self.scenes), "scene", scenes), (self.objects.total(), "object", objects))
        return [f"Left out {count} {what}{'s' * (count != 1)}: {why}" for count, what, why in found if count]


def read_annotated(folder: Path, left_out: SkippedInputs, *, pictures: bool = True) -> Iterator[AnnotatedScene]:
    """All usable scenes below a folder, in the order of their paths; the others are put on the list.

    Where `pictures` are wanted, a scene needs a panorama too.
    """
    if not folder.is_dir():
        raise SettingsError(f"{folder} is not a folder of scenes")
    files, seen = sorted(folder.rglob(SCENE_FILE)), set[str]()
    if not files:
        raise SettingsError(_nothing(folder))
    for file in files:
        try:
            scene = read_annotated_scene(file, left_out.objects)
            if scene.name in seen:
                raise SceneFileError("has the name of another scene")
            if pictures:
                read_panorama(read_file(scene.folder / PANORAMA_FILE, PICTURE_FILE), PANORAMA_FILE)
        except OSError:
            left_out.scenes[str(file.relative_to(folder))] = f"without {PANORAMA_FILE}"
        except TolmanError as error:
            left_out.scenes[str(file.relative_to(folder))] = str(error).replace(f"{file} ", "")
        else:
            seen.add(scene.name)
            yield scene


def _nothing(folder: Path) -> str:
    if next(folder.rglob(PICKLED_FILE), None) is None:
        return f"{folder} holds no {SCENE_FILE}; expected SCENE/CAMERA/{SCENE_FILE} or SCENE/Scene_Info/ID/{SCENE_FILE}"
    return (
        f"{folder} holds {PICKLED_FILE} only, which is not loaded, as a pickle can run code; docs/osr-bench-data.md "
        f"says how to convert it to {SCENE_FILE}"
    )


def read_annotated_scene(file: Path, objects_left_out: Counter[str]) -> AnnotatedScene:
    """The scene in a `data.json`; a `SceneFileError` says in a few words why it can't be used."""
    data = read_json(file)
    if not isinstance(data, Mapping):
        raise SceneFileError(f"{file} holds no JSON object")
    values = cast("Mapping[str, object]", data)
    replica = "T_w_c" in values or _REPLICA_FOLDER in file.parts
    source: SceneSource = "ReplicaPano" if replica else "DeepPanoContext"
    layout, (camera, target) = _layout(values), _camera(values)
    boxes: list[AnnotatedBox] = []
    sightings: list[tuple[float, float]] = []
    for value in _listed(values.get("objs")):
        box = _box(_mapping(value))
        if isinstance(box, str):
            objects_left_out[box] += 1
            continue
        boxes.append(box)
        if (longitude := _longitude(_mapping(value), _mapping(values.get("camera")))) is not None:
            sightings.append((_bearing(camera, box.centre), longitude))
    if not boxes:
        raise SceneFileError("without any usable object")
    ahead, mirrored = _measured_frame(sightings) or (_bearing(camera, target), replica)
    return AnnotatedScene(
        _scene_name(source, values, file), source, file.parent, layout, tuple(boxes), camera, ahead, mirrored
    )


def _scene_name(source: SceneSource, values: Mapping[str, object], file: Path) -> str:
    """By the folders of the file: the scene's and the camera's."""
    camera = file.parent
    room = camera.parent.parent if camera.parent.name == _REPLICA_FOLDER else camera.parent
    middle = [room.name, _REPLICA_FOLDER] if source == "ReplicaPano" else ["igibson", room.name]
    if isinstance(named := values.get("scene"), str) and named and source == "DeepPanoContext":
        middle[1] = named
    return re.sub(r"[^\w.-]", "_", "-".join([source, *middle, camera.name]))[:120]


def _layout(values: Mapping[str, object]) -> tuple[Point, ...]:
    """Corners of the floor: the first half of the layout, of which the second is the ceiling."""
    layout = _mapping(values.get("layout"))
    corners = _listed(layout.get("manhattan_world") or layout.get("cuboid_world"))
    if not corners:
        raise SceneFileError("without a layout in the world's frame (layout.manhattan_world)")
    points = [_numbers(corner, 3) for corner in corners[: len(corners) // 2]]
    floor = [(point[0], point[1]) for point in points if point is not None]
    if len(floor) < 3 or len(floor) < len(points):
        raise SceneFileError("with a layout that is not a list of corners")
    if min(max(axis) - min(axis) for axis in zip(*floor, strict=True)) <= 0:
        raise SceneFileError("with a layout of no area")
    return tuple(floor)


def _camera(values: Mapping[str, object]) -> tuple[Point, Point]:
    """Where the camera is, and a point ahead of it: the origin and the x axis where the file says nothing."""
    camera = _mapping(values.get("camera"))
    position, target = _numbers(camera.get("pos"), 3), _numbers(camera.get("target"), 3)
    x, y = (0.0, 0.0) if position is None else position[:2]
    if target is None or target[:2] == (x, y):
        return (x, y), (x + 1.0, y)
    return (x, y), (target[0], target[1])


def _box(thing: Mapping[str, object]) -> AnnotatedBox | str:
    """A box, or the reason why it is left out."""
    name, box = _class_of(thing), _mapping(thing.get("bdb3d"))
    if name is None:
        return "without a usable class"
    centre, size = _numbers(box.get("centroid"), 3), _numbers(box.get("size"), 3)
    if centre is None or size is None:
        return "without a finite box"
    if min(size) <= 0:
        return "with a box of no size"
    rows = [_numbers(row, 3) for row in _listed(box.get("basis"))]
    turned = len(rows) == 3 and None not in rows
    (xx, xy, _), (yx, yy, _) = cast("list[tuple[float, ...]]", rows)[:2] if turned else ((1, 0, 0), (0, 1, 0))
    footprint: list[Point] = []
    for a, b in ((-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)):
        along, across = a * size[0], b * size[1]
        footprint.append((centre[0] + xx * along + xy * across, centre[1] + yx * along + yy * across))
    return AnnotatedBox(name, (centre[0], centre[1]), tuple(footprint))


def _class_of(thing: Mapping[str, object]) -> str | None:
    """The class of an object, or None where it has none that can be asked about; `chair_12` is a chair."""
    name = thing.get("classname")
    if not isinstance(name, str) and isinstance(instance := thing.get("instance_name"), str):
        name = re.sub(r"_\d+$", "", instance)
    if not isinstance(name, str) or not _NAME.fullmatch(name) or name.lower() in _PLACEHOLDERS:
        return None
    return name


def _longitude(thing: Mapping[str, object], camera: Mapping[str, object]) -> float | None:
    """Where an object is in the panorama: radians to the right of the middle."""
    if (longitude := _number(_mapping(thing.get("bfov")).get("lon"))) is not None:
        return longitude
    box, width = _mapping(thing.get("bdb2d")), _number(camera.get("width"))
    left, right = _number(box.get("x1")), _number(box.get("x2"))
    if left is None or right is None or not width:
        return None
    return ((left + right) / 2 / width - 0.5) * 2 * math.pi


_SIGHTINGS, _AGREEMENT, _LEAD = 3, 0.9, 0.05
_LARGEST = 1e6


def _measured_frame(sightings: Sequence[tuple[float, float]]) -> tuple[float, bool] | None:
    """Direction ahead and whether the frame is mirrored, from the bearings of objects in the frame and in the picture.

    None where there are too few objects, or they agree with neither way around, or with both.
    """
    if len(sightings) < _SIGHTINGS:
        return None
    fits = {
        mirrored: sum(cmath.exp(1j * (seen - sign * bearing)) for bearing, seen in sightings) / len(sightings)
        for mirrored, sign in ((True, 1), (False, -1))
    }
    better = max(fits, key=lambda mirrored: abs(fits[mirrored]))
    if abs(fits[better]) < _AGREEMENT or abs(fits[better]) - abs(fits[not better]) < _LEAD:
        return None
    angle = cmath.phase(fits[better])
    return (-angle if better else angle), better


def _bearing(start: Point, end: Point) -> float:
    return math.atan2(end[1] - start[1], end[0] - start[0])


def _mapping(value: object) -> Mapping[str, object]:
    return cast("Mapping[str, object]", value) if isinstance(value, Mapping) else {}


def _listed(value: object) -> list[object]:
    return cast("list[object]", value) if isinstance(value, list) else []


def _numbers(value: object, count: int) -> tuple[float, ...] | None:
    """Exactly so many finite numbers."""
    numbers = [_number(each) for each in _listed(value)]
    if len(numbers) != count or None in numbers:
        return None
    return tuple(cast("list[float]", numbers))


def _number(value: object) -> float | None:
    """A finite number of a plausible size, in metres or pixels."""
    usable = isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < _LARGEST
    return float(cast("float", value)) if usable else None
