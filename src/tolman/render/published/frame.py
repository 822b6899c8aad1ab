"""The authors' world frame (x east, z north, metres, the origin near the middle) and their numbers of things."""

from dataclasses import dataclass

from tolman.geometry import Cell
from tolman.world import Scene
from tolman.world.grid import mask_of

_FIRST_DOOR = 20_001


@dataclass(frozen=True)
class Frame:
    """Where the authors' origin lies among the cells of a scene."""

    low: Cell
    offset: Cell
    mask: list[list[int]]

    def at(self, cell: Cell) -> tuple[float, float]:
        """x and z of the middle of a cell."""
        return float(cell[0] - self.low[0] - self.offset[0]), float(cell[1] - self.low[1] - self.offset[1])

    def point(self, cell: Cell, height: float) -> dict[str, float]:
        x, z = self.at(cell)
        return {"x": x, "y": height, "z": z}


def frame_of(scene: Scene) -> Frame:
    """As in the released scenes: half the mask's sides, rounded down."""
    mask = mask_of(scene)
    return Frame(scene.bounds[0], (len(mask) // 2, len(mask[0]) // 2), mask)


def camera_ids(scene: Scene) -> dict[str, int]:
    """Numbers under which things and doors, and the cameras on them, go; the agent's camera is `agent`."""
    things = {thing.name: number for number, thing in enumerate(scene.things, start=1)}
    return things | {door.name: number for number, door in enumerate(scene.doors, start=_FIRST_DOOR)}
