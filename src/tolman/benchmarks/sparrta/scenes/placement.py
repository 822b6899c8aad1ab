"""Placement of actors and camera: positions drawn as in the paper, and drawn again until all geometric rules hold."""

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from tolman.benchmarks.sparrta.sample import (
    AMBIGUITY,
    FIELD_OF_VIEW,
    HUMAN,
    RELATIONS,
    ROLES,
    VIEWPOINTS,
    Actor,
    LookAtCamera,
    Relation,
    Role,
    Sample,
    Triple,
    Viewpoint,
)
from tolman.render.assets.outdoor.source import LEVEL_KINDS
from tolman.render.camera import LookAt, look_at
from tolman.render.environments.environment import BuiltEnvironment
from tolman.render.environments.terrain import Height
from tolman.render.shapes.mesh import Asset, turn

Floats = NDArray[np.float64]
_MIDDLES: dict[Relation, float] = {"front": 0.0, "back": 180.0, "left": 90.0, "right": -90.0}


@dataclass(frozen=True)
class PlacementRules:
    """Rules for every sample. Lengths in metres, angles in degrees."""

    wander: float = 3.0
    """Standard deviation of the group's centre around the anchor."""
    spread: float = 5.0
    """Standard deviation of each actor around that centre."""
    gap: float = 0.25
    """Minimum gap between the boxes of two actors."""
    farthest: float = 10.0
    """Maximum distance between two actors."""
    reach: float = 25.0
    """Maximum offset of the camera from the centre, along x and along y."""
    rise: float = 15.0
    """Maximum height of the camera above the actors."""
    margin: float = 2.0
    """Minimum distance of an actor's box from the edge, in pixels of a 224-pixel picture."""
    clustered: float = 8.0
    """At least one actor is this far off the centre of the picture."""
    share: float = 0.6
    """Minimum unoccluded share of an actor's pixels."""
    pixels: int = 50
    """Minimum visible pixels of an actor in a 224-pixel picture."""
    ambiguity: float = AMBIGUITY
    viewpoints: tuple[Viewpoint, ...] = VIEWPOINTS
    """Viewpoints from which the relation must be unambiguous."""
    balanced: bool = False
    """Whether all relations are equally frequent."""

    def wanted(self, index: int) -> dict[Viewpoint, Relation]:
        """The relations that a picture of a balanced set must show; all pairs are equally frequent."""
        if not self.balanced:
            return {}
        return {view: RELATIONS[index // 4**i % 4] for i, view in enumerate(self.viewpoints)}

    def are_clear(
        self, viewpoint: Viewpoint, index: int, seen_from: Floats, source: Floats, target: Floats
    ) -> NDArray[np.bool_]:
        """Whether the relation is unambiguous and, in a balanced set, the wanted one; for many positions at once.

        Positions are rows of x and y. True for a viewpoint that the rules do not include.
        """
        if viewpoint not in self.viewpoints:
            return np.ones(len(np.broadcast_arrays(seen_from, source)[0]), np.bool_)
        sight, offset = source - seen_from, target - source
        turned = np.degrees(
            np.arctan2(sight[:, 0] * offset[:, 1] - sight[:, 1] * offset[:, 0], (sight * offset).sum(axis=1))
        )
        wanted = self.wanted(index)
        sectors: list[Relation] = [wanted[viewpoint]] if viewpoint in wanted else list(RELATIONS)
        off = np.stack([np.abs((turned - _MIDDLES[sector] + 180) % 360 - 180) for sector in sectors])
        return np.asarray((off < 45 - self.ambiguity).any(axis=0))


Pose = NDArray[np.float64]
"""A 3 by 4 matrix: rotation, and translation in metres."""
_FOOT = 0.06
"""The lowest share of an object's height that counts as its base."""
_SUNK = {"rock": 0.06, "tree": 0.03, "snowy tree": 0.05, "cactus": 0.03, "snowman": 0.03}
"""Metres that an object is sunk into the ground."""


@dataclass(frozen=True, eq=False)
class Footing:
    """The bounding box and base of a 3D asset, in its own frame."""

    kind: str
    low: NDArray[np.float64]
    high: NDArray[np.float64]
    base: NDArray[np.float64]
    """Nine points of its base, in metres: rows of x, y, z."""

    @property
    def corners(self) -> NDArray[np.float64]:
        """Corners of the bounding box, one per row."""
        both = np.array([self.low, self.high])
        return np.array([[both[i, 0], both[j, 1], both[k, 2]] for i in (0, 1) for j in (0, 1) for k in (0, 1)])

    def pose(self, x: float, y: float, heading: float, height: Height) -> Pose:
        """The pose of the asset on the ground at x, y, with its front at a heading in clockwise degrees from north."""
        turned = turn("z", -heading)[:, :3]
        feet = self.base @ turned.T
        ground = height((feet[:, 0] + x).astype(np.float32), (feet[:, 1] + y).astype(np.float32)).astype(np.float64)
        if self.kind in LEVEL_KINDS:
            return np.column_stack([turned, [x, y, ground.min() - _SUNK.get(self.kind, 0.0)]])
        slopes = np.linalg.lstsq(np.column_stack([feet[:, :2], np.ones(len(feet))]), ground, rcond=None)[0]
        plane = slopes.astype(np.float64)
        low = float((ground - feet[:, :2] @ plane[:2] - plane[2]).min())
        return np.column_stack([_tilt(plane) @ turned, [x, y, plane[2] + max(low, -0.1)]])


def _tilt(plane: NDArray[np.float64]) -> NDArray[np.float64]:
    """The smallest rotation from vertical to the normal of a plane with slopes `plane` along x and y."""
    up = np.array([-plane[0], -plane[1], 1.0])
    up /= np.linalg.norm(up)
    x, y, z = up
    return np.array(
        [[1 - x * x / (1 + z), -x * y / (1 + z), x], [-x * y / (1 + z), 1 - y * y / (1 + z), y], [-x, -y, z]]
    )


def footing(kind: str, asset: Asset) -> Footing:
    """The footing of an asset that stands on z = 0."""
    low, high = asset.bounds
    points = np.concatenate([mesh.points for mesh in asset.meshes]).astype(np.float64)
    feet = points[points[:, 2] < low[2] + _FOOT * (high[2] - low[2])]
    least = np.array([0.12, 0.12])
    middle, half = (feet[:, :2].min(axis=0) + feet[:, :2].max(axis=0)) / 2, np.ptp(feet[:, :2], axis=0) / 2
    steps = np.array([[i, j] for i in (-1, 0, 1) for j in (-1, 0, 1)])
    base = np.column_stack([middle + steps * np.maximum(half, least), np.zeros(9)])
    return Footing(kind, low, high, base)


_CAMERAS = 256
"""Camera positions that are tried for a layout."""
_CLEARANCE = 0.35
"""Minimum distance in metres of a camera from the ground and from solid objects."""
_SIZE = 224.0
_SCALE = _SIZE / 2 / math.tan(math.radians(FIELD_OF_VIEW) / 2)
_NEAREST = 0.5


def camera_positions(
    setting: BuiltEnvironment, rules: PlacementRules, point: Floats, level: float, stream: np.random.Generator
) -> Floats:
    """Camera positions around a point, one per row: above the actors and the ground, outside solid objects."""
    flat = point[:2] + stream.uniform(-rules.reach, rules.reach, (_CAMERAS, 2))
    up = level + stream.uniform(0, rules.rise, _CAMERAS)
    x, y = flat.astype(np.float32).T
    free = setting.camera_allowed(x, y) & (up > setting.height(x, y) + _CLEARANCE)
    near = np.hypot(x[:, None] - setting.solids[:, 0], y[:, None] - setting.solids[:, 1])
    free &= (near > setting.solids[:, 2] + _CLEARANCE).all(axis=1)
    return np.column_stack([flat, up])[free]


def are_framed(positions: Floats, point: Floats, corners: Floats, rules: PlacementRules) -> NDArray[np.bool_]:
    """For each camera position looking at a point, whether all boxes are in the picture, large enough, and not all
    near its centre. `corners` are those of each box."""
    ahead = point - positions
    ahead /= np.linalg.norm(ahead, axis=1, keepdims=True)
    right = np.stack([ahead[:, 1], -ahead[:, 0], np.zeros(len(positions))], 1)
    right /= np.maximum(np.linalg.norm(right, axis=1, keepdims=True), 1e-9)
    up = np.cross(right, ahead)
    to = corners[None] - positions[:, None, None]
    far = (to * ahead[:, None, None]).sum(axis=-1)
    before = np.maximum(far, _NEAREST)
    across = _SCALE * (to * right[:, None, None]).sum(axis=-1) / before
    above = _SCALE * (to * up[:, None, None]).sum(axis=-1) / before
    most = _SIZE / 2 - rules.margin
    inside = ((np.abs(across) <= most) & (np.abs(above) <= most) & (far > _NEAREST)).all(axis=(1, 2))
    large = (np.ptp(across, axis=2) * np.ptp(above, axis=2) >= rules.pixels).all(axis=1)
    off = np.hypot(across.mean(axis=2), above.mean(axis=2)).max(axis=1)
    return inside & large & (off >= _SCALE * math.tan(math.radians(rules.clustered)))


Stream = np.random.Generator
AT_ONCE = 256
"""Layouts that are drawn at once."""
_SURELY = 0.9
"""Share of an actor's box that it occupies on any slope."""


@dataclass(frozen=True, eq=False)
class Candidate:
    """A sample that satisfies all geometric rules; occlusion is not checked yet."""

    sample: Sample
    poses: Mapping[Role, Pose]

    def camera(self, size: int) -> LookAt:
        """The camera for a picture with `size` pixels per side."""
        camera = self.sample.camera
        return look_at((camera.x, camera.y, camera.z), camera.looks_at, camera.field, size)


def candidates(
    triple: Triple,
    index: int,
    setting: BuiltEnvironment,
    footings: Mapping[Role, Footing],
    rules: PlacementRules,
    stream: Stream,
) -> Iterator[Candidate]:
    """Candidates for a picture, from one batch of layouts."""
    for spots, headings in _layouts(index, footings, rules, stream):
        placed = _placed_actors(triple, setting, footings, rules, spots, headings)
        if placed is None:
            continue
        actors, poses, corners = placed
        middles = np.array([box.mean(axis=0) for box in corners])
        point = middles.mean(axis=0)
        level = float(np.mean([actor.z for actor in actors]))
        positions = camera_positions(setting, rules, point, level, stream)
        positions = positions[rules.are_clear("ego", index, positions[:, :2], spots[:1], spots[1:2])]
        for at in positions[are_framed(positions, point, np.stack(corners), rules)].tolist():
            camera = LookAtCamera(at[0], at[1], at[2], (float(point[0]), float(point[1]), float(point[2])))
            yield Candidate(Sample(triple, index, *actors, camera), dict(zip(ROLES, poses, strict=True)))


def _layouts(
    index: int, footings: Mapping[Role, Footing], rules: PlacementRules, stream: Stream
) -> Iterator[tuple[Floats, Floats]]:
    """Positions and headings of the three actors: near each other, unambiguous from the human, and without
    certain overlap."""
    middles = stream.normal(0, rules.wander, (AT_ONCE, 1, 2))
    spots, headings = middles + stream.normal(0, rules.spread, (AT_ONCE, 3, 2)), stream.uniform(0, 360, (AT_ONCE, 3))
    kept = rules.are_clear("allo", index, spots[:, 2], spots[:, 0], spots[:, 1])
    half = _SURELY * np.array([(footings[role].high - footings[role].low)[:2] / 2 for role in ROLES])
    cos, sin = np.abs(np.cos(np.radians(headings)))[..., None], np.abs(np.sin(np.radians(headings)))[..., None]
    extent = cos * half + sin * half[:, ::-1]
    for i, j in combinations(range(3), 2):
        between = np.abs(spots[:, i] - spots[:, j])
        kept &= (np.hypot(between[:, 0], between[:, 1]) <= rules.farthest) & (
            (between >= extent[:, i] + extent[:, j]).any(axis=1)
        )
    yield from zip(spots[kept], headings[kept], strict=True)


def _placed_actors(
    triple: Triple,
    setting: BuiltEnvironment,
    footings: Mapping[Role, Footing],
    rules: PlacementRules,
    spots: Floats,
    headings: Floats,
) -> tuple[tuple[Actor, Actor, Actor], list[Pose], list[Floats]] | None:
    """Actors with their poses and the corners of their boxes; None if one has no room or two are too close."""
    kinds = {"source": triple.source, "target": triple.target, "human": HUMAN}
    actors: list[Actor] = []
    poses: list[Pose] = []
    corners: list[Floats] = []
    for role, (x, y), heading in zip(ROLES, spots.tolist(), headings.tolist(), strict=True):
        pose = footings[role].pose(x, y, heading, setting.height)
        box = footings[role].corners @ pose[:, :3].T + pose[:, 3]
        if not _has_room(box, setting) or any(_are_touching(box, other, rules.gap) for other in corners):
            return None
        poses.append(pose)
        corners.append(box)
        actors.append(Actor(role, kinds[role], x, y, float(pose[2, 3]), heading))
    return (actors[0], actors[1], actors[2]), poses, corners


def _are_touching(first: Floats, second: Floats, gap: float) -> bool:
    """Whether the upright boxes around two sets of corners are nearer than `gap` along all three axes."""
    apart = np.maximum(first.min(axis=0) - second.max(axis=0), second.min(axis=0) - first.max(axis=0))
    return bool((apart < gap).all())


def _has_room(box: Floats, setting: BuiltEnvironment) -> bool:
    """Whether an actor is in an allowed area, clear of solid objects."""
    low, high = box[:, :2].min(axis=0), box[:, :2].max(axis=0)
    flat = box[:, :2].astype(np.float32)
    if not setting.actor_allowed(flat[:, 0], flat[:, 1]).all():
        return False
    near = np.clip(setting.solids[:, :2], low, high) - setting.solids[:, :2]
    return bool((np.hypot(near[:, 0], near[:, 1]) > setting.solids[:, 2]).all())
