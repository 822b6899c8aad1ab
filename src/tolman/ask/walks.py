"""Plans: walk them, make them up, and find one that leads to a pose."""

from collections import deque
from collections.abc import Sequence
from typing import cast

import numpy as np

from tolman.ask.question import Json
from tolman.explore.actions import ROTATIONS, Goto, Move, Rotate
from tolman.geometry import Heading, closest_heading, difference
from tolman.rules import Rules
from tolman.sense import in_view, visible
from tolman.world import START, Door, Item, Pose, Scene


def start_pose(scene: Scene) -> Pose:
    """Where the agent begins: on its start cell, facing north."""
    return scene.pose_at(START, Heading.NORTH)


def walk(scene: Scene, plan: Sequence[Move], rules: Rules) -> Pose | None:
    """The pose after a plan from the start, or None if a move can't be made.

    A move leads to a thing or door in the field of view; whether walls hide it is for the rules to say.
    """
    pose = start_pose(scene)
    for move in plan:
        after = _after(scene, pose, move, rules)
        if after is None:
            return None
        pose = after
    return pose


def _after(scene: Scene, pose: Pose, move: Move, rules: Rules) -> Pose | None:
    if isinstance(move, Rotate):
        allowed = move.degrees in ROTATIONS if rules.plans_must_be_walkable else move.degrees % 90 == 0
        return Pose(pose.cell, pose.heading.turned(move.degrees), pose.rooms) if allowed else None
    if move.name not in scene:
        return None
    target = scene.item(move.name)
    if not in_view(difference(target.cell, pose.cell), pose.heading):
        return None
    if rules.plans_must_be_walkable and set(pose.rooms).isdisjoint(target.rooms):
        return None
    return Pose(target.cell, pose.heading, target.rooms)


def random_plan(scene: Scene, jumps: int, stream: np.random.Generator) -> tuple[tuple[Move, ...], Pose] | None:
    """A plan with so many jumps that can be walked and ends where something is in view; None where there is none."""
    pose, moves = start_pose(scene), list[Move]()
    came_through: tuple[int, ...] = ()
    for _ in range(jumps):
        target = _next_target(scene, pose, came_through, stream)
        if target is None:
            return None
        came_through = pose.rooms if isinstance(target, Door) else ()
        facing = closest_heading(difference(target.cell, pose.cell))
        moves += [*_turn(pose.heading, facing), Goto(target.name)]
        pose = Pose(target.cell, facing, target.rooms)
    seeing = [h for h in Heading if visible(scene, Pose(pose.cell, h, pose.rooms))]
    if not seeing:
        return None
    last = seeing[int(stream.integers(len(seeing)))]
    return (*moves, *_turn(pose.heading, last)), Pose(pose.cell, last, pose.rooms)


def _turn(heading: Heading, wanted: Heading) -> list[Move]:
    return [] if heading == wanted else [Rotate(heading.turn_to(wanted))]


def _next_target(scene: Scene, pose: Pose, came_through: tuple[int, ...], stream: np.random.Generator) -> Item | None:
    """Behind a door something in the room beyond; else a door in six cases of ten, or a thing."""
    here = [item for item in scene.items_in(pose.rooms) if item.cell != pose.cell]
    things = [item for item in here if not isinstance(item, Door)]
    doors = [item for item in here if isinstance(item, Door)]
    if came_through:
        beyond = [thing for thing in things if thing.room not in came_through]
        pool: Sequence[Item] = beyond or things or doors
    elif doors and (int(stream.integers(10)) < 6 or not things):
        pool = doors
    else:
        pool = things
    return pool[int(stream.integers(len(pool)))] if pool else None


def plan_to(scene: Scene, name: str, heading: Heading) -> tuple[Move, ...] | None:
    """A shortest plan that leads from the start onto a thing or door, facing `heading`; None if there is none."""
    start = start_pose(scene)
    queue, seen = deque([(start, tuple[Move, ...]())]), {start.cell}
    while queue:
        pose, moves = queue.popleft()
        for item in scene.items_in(pose.rooms):
            if item.cell in seen:
                continue
            seen.add(item.cell)
            facing = closest_heading(difference(item.cell, pose.cell))
            after = (*moves, *_turn(pose.heading, facing), Goto(item.name))
            if item.name == name:
                return (*after, *_turn(facing, heading))
            queue.append((Pose(item.cell, facing, item.rooms), after))
    return None


def moves_to_json(plan: Sequence[Move]) -> list[Json]:
    """Moves as plain values: degrees for a turn, a name for a jump."""
    return [move.degrees if isinstance(move, Rotate) else move.name for move in plan]


def moves_from_json(values: Json) -> tuple[Move, ...]:
    """The moves that `moves_to_json` wrote."""
    listed = cast("list[int | str]", values)
    return tuple(Rotate(value) if isinstance(value, int) else Goto(value) for value in listed)
