"""All views that an explorer of a scene can have: from the start, from things and doorways, four ways each."""

from collections.abc import Iterator
from dataclasses import dataclass

from tolman.geometry import Heading
from tolman.world import START, Pose, Scene


@dataclass(frozen=True)
class Viewpoint:
    """A place to stand (`START`, a thing or a door) and the way to face."""

    standing_on: str
    heading: Heading

    def pose(self, scene: Scene) -> Pose:
        return scene.pose_at(self.standing_on, self.heading)


def viewpoints(scene: Scene) -> Iterator[Viewpoint]:
    """The start first, then things and doors in the scene's order; north, east, south, west."""
    for name in (START, *scene.names):
        for heading in Heading:
            yield Viewpoint(name, heading)
