"""Replies of scripted agents to map elicitation: global and local maps as JSON, and unexplored points of a plan.

Plan cells are counted from the lower left corner, x to the east and y to the north.
"""

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass

from tolman.belief.cognitive_map import CognitiveMap, Placement, UnexploredForm, global_form, local_form
from tolman.core.geometry import Cell, Heading, difference, distance, to_ego
from tolman.explore.episode import TextHistory
from tolman.models.scripted.believed_world import AgentBelief
from tolman.sense import Observation, in_view, visible
from tolman.world import AGENT, Pose, Scene, Thing


def global_map_reply(belief: AgentBelief, history: TextHistory, names: Iterable[str]) -> str:
    """Some things and doors, and the agent, in cells east and north of the start."""
    here = _pose(belief, history)
    places = {
        name: Placement(belief.world.from_start(name), _facing(belief, name)) for name in names if name in belief.world
    }
    places[AGENT] = Placement(difference(here.cell, belief.world.start), here.heading)
    return global_form(CognitiveMap(places)).model_dump_json(exclude_none=True)


def local_map_reply(belief: AgentBelief, history: TextHistory) -> str:
    """What is in view, in cells to the right and ahead."""
    here = _pose(belief, history)
    names = (name for name in _in_view(belief, history, here) if name in belief.world)
    places = {
        name: Placement(
            to_ego(difference(belief.world.item(name).cell, here.cell), here.heading), _facing(belief, name)
        )
        for name in names
    }
    return local_form(CognitiveMap(places), here.heading).model_dump_json(exclude_none=True)


def _pose(belief: AgentBelief, history: TextHistory) -> Pose:
    return belief.world.pose_at(history.standing_on, history.heading)


def _facing(belief: AgentBelief, name: str) -> Heading | None:
    """The front of a thing, if known; maps are elicited without facings of doors."""
    item = belief.world.item(name)
    return item.front if isinstance(item, Thing) and name not in belief.unknown_fronts else None


def _in_view(belief: AgentBelief, history: TextHistory, here: Pose) -> tuple[str, ...]:
    """The names of the observation of the last turn; without one, the seen names in view in the believed world."""
    view = history.turns[-1].feedback if history.turns else None
    if isinstance(view, Observation):
        return view.names
    return tuple(item.name for item in visible(belief.world, here) if item.name in history.seen)


WALL_MARK, DOOR_MARK, AGENT_MARK = "#", "+", "*"
_STEPS = tuple(heading.vector for heading in Heading)


@dataclass(frozen=True)
class LetteredPlan:
    """The character of each cell, and the room number of each floor cell."""

    marks: dict[Cell, str]
    rooms: dict[Cell, int]

    @property
    def agent(self) -> Cell | None:
        return next((cell for cell, mark in self.marks.items() if mark == AGENT_MARK), None)

    @property
    def letters(self) -> dict[str, Cell]:
        return {mark: cell for cell, mark in self.marks.items() if mark.isalpha()}

    def rooms_at(self, cell: Cell) -> set[int]:
        """The room of a floor cell, or the rooms on both sides of a doorway."""
        around = [cell] if cell in self.rooms else _adjacent(cell)
        return {self.rooms[near] for near in around if near in self.rooms}


def parse_lettered_plan(text: str, in_doorway: bool) -> LetteredPlan:
    """A plan from its characters; `in_doorway` says whether the agent's mark hides a door.

    A cell is two characters wide where there are more points than letters; only then is the floor padded with spaces.
    """
    width = 2 if " " in text else 1
    rows = [[row[at : at + width].strip() for at in range(0, len(row), width)] for row in text.split("\n")]
    marks = {(x, y): mark for y, row in enumerate(reversed(rows)) for x, mark in enumerate(row) if mark}
    shut = (WALL_MARK, WALL_MARK * width, DOOR_MARK, AGENT_MARK if in_doorway else WALL_MARK)
    floor = {cell for cell, mark in marks.items() if mark not in shut}
    return LetteredPlan(marks, _connected_rooms(floor))


def unexplored_points_reply(text: str, world: Scene, history: TextHistory) -> str:
    """The letters of a plan that were never in view."""
    plan = parse_lettered_plan(text, history.standing_on in history.brief.doors)
    looks = _looks_on(plan, world, history)
    unseen = [
        letter
        for letter, cell in plan.letters.items()
        if not any(
            plan.rooms.get(cell) in rooms and (cell == here or in_view(difference(cell, here), heading))
            for here, heading, rooms in looks
        )
    ]
    return UnexploredForm(unexplored=sorted(unseen)).model_dump_json()


def _looks_on(plan: LetteredPlan, world: Scene, history: TextHistory) -> list[tuple[Cell, Heading, set[int]]]:
    """Cell on the plan, heading and rooms of every observation; empty where the plan does not show the agent."""
    if plan.agent is None or not plan.rooms:
        return []
    shift = difference(plan.agent, world.pose_at(history.standing_on, history.heading).cell)
    poses = {(turn.standing_on, turn.heading) for turn in history.turns if isinstance(turn.feedback, Observation)}
    looks: list[tuple[Cell, Heading, set[int]]] = []
    for place, heading in sorted(poses):
        x, y = world.pose_at(place, heading).cell
        cell = _on_plan(plan, (x + shift[0], y + shift[1]), place in history.brief.doors)
        looks.append((cell, heading, plan.rooms_at(cell)))
    return looks


def _on_plan(plan: LetteredPlan, cell: Cell, is_door: bool) -> Cell:
    """The nearest cell on which the agent can stand, as a believed position may be slightly wrong."""
    fitting = [c for c, mark in plan.marks.items() if mark in (DOOR_MARK, AGENT_MARK)] if is_door else list(plan.rooms)
    return min(fitting, key=lambda other: (distance(difference(other, cell)), other), default=cell)


def _connected_rooms(floor: set[Cell]) -> dict[Cell, int]:
    """Connected parts of the floor, numbered."""
    rooms: dict[Cell, int] = {}
    for number, first in enumerate(sorted(floor)):
        frontier = deque([first] if first not in rooms else [])
        while frontier:
            cell = frontier.popleft()
            if cell not in rooms:
                rooms[cell] = number
                frontier.extend(near for near in _adjacent(cell) if near in floor)
    return rooms


def _adjacent(cell: Cell) -> list[Cell]:
    return [(cell[0] + dx, cell[1] + dy) for dx, dy in _STEPS]
