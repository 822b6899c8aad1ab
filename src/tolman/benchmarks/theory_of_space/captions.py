"""What pictures show, in the words of the text world: with these a scripted model can see, so that tests need no other.

A picture holds them only where the option `captions` asks for it.
"""

from tolman.belief.unexplored import Points, point_map
from tolman.benchmarks.theory_of_space.case import Case
from tolman.benchmarks.theory_of_space.picture_marks import Key, Look, PointPlan
from tolman.geometry import Cell, Heading
from tolman.sense import Observation, look, say_observation
from tolman.world import START, Pose, Scene


def caption(case: Case, key: Key) -> str:
    """The words for a picture; empty for those that only calibrate."""
    match key:
        case Look():
            scene = scene_in(case, key)
            return say_observation(Observation(START, key.heading, *look(scene, _pose(scene, key.cell, key.heading))))
        case PointPlan():
            pose = _pose(case.scene, key.cell, key.heading)
            return point_map(case.scene, pose, Points(key.points, frozenset()))
        case _:
            return ""


def scene_in(case: Case, view: Look) -> Scene:
    """The world that a view is of."""
    return case.changed if view.phase == "revise" and case.changed else case.scene


def _pose(scene: Scene, cell: Cell, heading: Heading) -> Pose:
    """The pose on a cell: in both rooms of a doorway, else in the room that holds it."""
    door = next((door for door in scene.doors if door.cell == cell), None)
    rooms = door.rooms if door else tuple(room.id for room in scene.rooms if room.holds(cell))
    return Pose(cell, heading, rooms)
