"""Where actors and the camera go: drawn as the paper says, and again until all that geometry can tell is right."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from tolman.benchmarks.sparrta.footing import Footing, Pose
from tolman.benchmarks.sparrta.framing import are_framed, cameras
from tolman.benchmarks.sparrta.rules import Rules
from tolman.benchmarks.sparrta.sample import ROLES, Actor, Eye, Role, Sample
from tolman.benchmarks.sparrta.triples import HUMAN, Triple
from tolman.render.outdoors.look_at import LookAt, look_at
from tolman.render.outdoors.setting import Setting

Stream = np.random.Generator
Floats = NDArray[np.float64]
AT_ONCE = 256
"""Layouts that are drawn together."""
_SURELY = 0.9
"""Share of an actor's box that it covers on any slope."""


@dataclass(frozen=True, eq=False)
class Candidate:
    """A sample that geometry has nothing against; what hides what is not known yet."""

    sample: Sample
    poses: Mapping[Role, Pose]

    def camera(self, size: int) -> LookAt:
        """The camera for a picture of so many pixels a side."""
        eye = self.sample.eye
        return look_at((eye.x, eye.y, eye.z), eye.looks_at, eye.field, size)


def candidates(
    triple: Triple, index: int, setting: Setting, footings: Mapping[Role, Footing], rules: Rules, stream: Stream
) -> Iterator[Candidate]:
    """Candidates for a picture, from some layouts of the actors that are drawn at once."""
    for spots, headings in _layouts(index, footings, rules, stream):
        laid = _laid(triple, setting, footings, rules, spots, headings)
        if laid is None:
            continue
        actors, poses, corners = laid
        middles = np.array([box.mean(axis=0) for box in corners])
        point = middles.mean(axis=0)
        level = float(np.mean([actor.z for actor in actors]))
        eyes = cameras(setting, rules, point, level, stream)
        eyes = eyes[rules.are_clear("ego", index, eyes[:, :2], spots[:1], spots[1:2])]
        for at in eyes[are_framed(eyes, point, np.stack(corners), rules)].tolist():
            eye = Eye(at[0], at[1], at[2], (float(point[0]), float(point[1]), float(point[2])))
            yield Candidate(Sample(triple, index, *actors, eye), dict(zip(ROLES, poses, strict=True)))


def _layouts(
    index: int, footings: Mapping[Role, Footing], rules: Rules, stream: Stream
) -> Iterator[tuple[Floats, Floats]]:
    """Positions and headings of the three actors: near enough to one another, clear from the human's place, and not
    surely in one another's way."""
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


def _laid(
    triple: Triple,
    setting: Setting,
    footings: Mapping[Role, Footing],
    rules: Rules,
    spots: Floats,
    headings: Floats,
) -> tuple[tuple[Actor, Actor, Actor], list[Pose], list[Floats]] | None:
    """Actors with their poses and the corners of their boxes; None where one has no room or two are too near."""
    played = {"source": triple.source, "target": triple.target, "human": HUMAN}
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
        actors.append(Actor(role, played[role], x, y, float(pose[2, 3]), heading))
    return (actors[0], actors[1], actors[2]), poses, corners


def _are_touching(first: Floats, second: Floats, gap: float) -> bool:
    """Whether the upright boxes around two sets of corners are nearer than `gap` along all three axes."""
    apart = np.maximum(first.min(axis=0) - second.max(axis=0), second.min(axis=0) - first.max(axis=0))
    return bool((apart < gap).all())


def _has_room(box: Floats, setting: Setting) -> bool:
    """Whether an actor stands where it may, clear of trunks, boulders and posts."""
    low, high = box[:, :2].min(axis=0), box[:, :2].max(axis=0)
    flat = box[:, :2].astype(np.float32)
    if not setting.stands(flat[:, 0], flat[:, 1]).all():
        return False
    near = np.clip(setting.solids[:, :2], low, high) - setting.solids[:, :2]
    return bool((np.hypot(near[:, 0], near[:, 1]) > setting.solids[:, 2]).all())
