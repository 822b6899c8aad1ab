"""Lettered points on a plan that have not been in view: the plan is read, and past looks are laid on it.

Plan cells are counted from the lower left corner, x to the east and y to the north.
"""

from collections import deque
from dataclasses import dataclass

from tolman.belief.cognitive_map import UnexploredForm
from tolman.explore.heard import HeardEpisode
from tolman.geometry import Cell, Heading, difference, distance
from tolman.sense import Observation, in_view
from tolman.world import Scene

WALL, DOOR, AGENT = "#", "+", "*"
_STEPS = tuple(heading.vector for heading in Heading)


@dataclass(frozen=True)
class Plan:
    """What stands on each cell, and the number of the room it is in, for cells of the floor."""

    marks: dict[Cell, str]
    rooms: dict[Cell, int]

    @property
    def agent(self) -> Cell | None:
        return next((cell for cell, mark in self.marks.items() if mark == AGENT), None)

    @property
    def letters(self) -> dict[str, Cell]:
        return {mark: cell for cell, mark in self.marks.items() if mark.isalpha()}

    def rooms_at(self, cell: Cell) -> set[int]:
        """The room of a cell of the floor, or those on both sides of a doorway."""
        around = [cell] if cell in self.rooms else _beside(cell)
        return {self.rooms[near] for near in around if near in self.rooms}


def read_plan(text: str, in_doorway: bool) -> Plan:
    """A plan from its characters; `in_doorway` says whether the agent's mark hides a door.

    A cell is two characters wide where there are more points than letters; only then is the floor padded with spaces.
    """
    width = 2 if " " in text else 1
    rows = [[row[at : at + width].strip() for at in range(0, len(row), width)] for row in text.split("\n")]
    marks = {(x, y): mark for y, row in enumerate(reversed(rows)) for x, mark in enumerate(row) if mark}
    shut = (WALL, WALL * width, DOOR, AGENT if in_doorway else WALL)
    floor = {cell for cell, mark in marks.items() if mark not in shut}
    return Plan(marks, _numbered(floor))


def say_points(text: str, world: Scene, heard: HeardEpisode) -> str:
    """The letters of a plan that no look has had in view."""
    plan = read_plan(text, heard.standing_on in heard.brief.doors)
    looks = _looks_on(plan, world, heard)
    unseen = [
        letter
        for letter, cell in plan.letters.items()
        if not any(
            plan.rooms.get(cell) in rooms and (cell == here or in_view(difference(cell, here), heading))
            for here, heading, rooms in looks
        )
    ]
    return UnexploredForm(unexplored=sorted(unseen)).model_dump_json()


def _looks_on(plan: Plan, world: Scene, heard: HeardEpisode) -> list[tuple[Cell, Heading, set[int]]]:
    """Cell, heading and rooms of every look, on the plan; nothing where the plan does not show the agent."""
    if plan.agent is None or not plan.rooms:
        return []
    shift = difference(plan.agent, world.pose_at(heard.standing_on, heard.heading).cell)
    poses = {(turn.standing_on, turn.heading) for turn in heard.turns if isinstance(turn.told, Observation)}
    looks: list[tuple[Cell, Heading, set[int]]] = []
    for place, heading in sorted(poses):
        x, y = world.pose_at(place, heading).cell
        cell = _on_plan(plan, (x + shift[0], y + shift[1]), place in heard.brief.doors)
        looks.append((cell, heading, plan.rooms_at(cell)))
    return looks


def _on_plan(plan: Plan, cell: Cell, is_door: bool) -> Cell:
    """The cell itself if one can stand there; else the nearest one, as a belief may be a little off."""
    fitting = [c for c, mark in plan.marks.items() if mark in (DOOR, AGENT)] if is_door else list(plan.rooms)
    return min(fitting, key=lambda other: (distance(difference(other, cell)), other), default=cell)


def _numbered(floor: set[Cell]) -> dict[Cell, int]:
    """Connected parts of the floor, numbered."""
    rooms: dict[Cell, int] = {}
    for number, first in enumerate(sorted(floor)):
        frontier = deque([first] if first not in rooms else [])
        while frontier:
            cell = frontier.popleft()
            if cell not in rooms:
                rooms[cell] = number
                frontier.extend(near for near in _beside(cell) if near in floor)
    return rooms


def _beside(cell: Cell) -> list[Cell]:
    return [(cell[0] + dx, cell[1] + dy) for dx, dy in _STEPS]
