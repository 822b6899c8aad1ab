"""A plan told step by step, each jump by how its target looks from where one stands."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tolman.ask.walks import start_pose
from tolman.bins import DistanceBin, EgoBin, ego_relation
from tolman.explore.actions import Goto, Move, Rotate
from tolman.geometry import bearing, difference, distance, to_ego
from tolman.sense import visible
from tolman.world import Item, Pose, Scene

_TURN = re.compile(r"Rotate\((-?\d{1,4})\)")
_LOOK = re.compile(rf"\b({'|'.join(sorted(EgoBin, key=len, reverse=True))}), ({'|'.join(DistanceBin)})\b")
_RANK = re.compile(r"(\d{1,3})(?:st|nd|rd|th)? from (?:the )?left")


def steps_in_words(scene: Scene, moves: Sequence[Move]) -> Iterator[str]:
    """One line for each move of a plan that can be walked from the start."""
    pose = start_pose(scene)
    for move in moves:
        if isinstance(move, Goto):
            target = scene.item(move.name)
            yield f"Go to {_described(scene, pose, target)}."
            pose = Pose(target.cell, pose.heading, target.rooms)
        else:
            yield str(move)
            pose = Pose(pose.cell, pose.heading.turned(move.degrees), pose.rooms)


@dataclass(frozen=True)
class Seen:
    """A jump to what is seen there; where several are, to the one with this number from the left."""

    direction: EgoBin
    distance: DistanceBin
    from_left: int | None


def hear_step(step: str) -> Rotate | Seen | None:
    """One step of a plan, ours or a released one; None where it is neither a turn nor a jump."""
    if turn := _TURN.fullmatch(step):
        return Rotate(int(turn[1]))
    look, rank = _LOOK.search(step), _RANK.search(step)
    return Seen(EgoBin(look[1]), DistanceBin(look[2]), int(rank[1]) if rank else None) if look else None


def plan_of_steps(scene: Scene, steps: Sequence[str]) -> tuple[Move, ...] | None:
    """The plan that steps tell, ours or the released ones, or None where it is not plain what is meant."""
    pose, moves = start_pose(scene), list[Move]()
    for step in map(hear_step, steps):
        if isinstance(step, Rotate):
            moves.append(step)
            pose = Pose(pose.cell, pose.heading.turned(step.degrees), pose.rooms)
        elif step and (target := _meant(scene, pose, step)):
            moves.append(Goto(target.name))
            pose = Pose(target.cell, pose.heading, target.rooms)
        else:
            return None
    return tuple(moves)


def _meant(scene: Scene, pose: Pose, step: Seen) -> Item | None:
    """What a step jumps to, seen from the pose before it."""
    there = [item for item in visible(scene, pose) if _bins(pose, item) == (step.direction, step.distance)]
    if step.from_left and step.from_left <= len(there):
        return _from_left(pose, there)[step.from_left - 1]
    return there[0] if len(there) == 1 else None


def _from_left(pose: Pose, items: Sequence[Item]) -> list[Item]:
    def key(item: Item) -> tuple[float, float]:
        apart = difference(item.cell, pose.cell)
        return bearing(*to_ego(apart, pose.heading)), distance(apart)

    return sorted(items, key=key)


def _bins(pose: Pose, item: Item) -> tuple[EgoBin, DistanceBin]:
    return ego_relation(difference(item.cell, pose.cell), pose.heading)


def _described(scene: Scene, pose: Pose, target: Item) -> str:
    """`the one at front-left, near`; where several are, also its place from the left and its nearness."""
    look = _bins(pose, target)
    alike = [item for item in visible(scene, pose) if _bins(pose, item) == look]
    words = f"what you see at {look[0]}, {look[1]}"
    if len(alike) == 1:
        return words
    nearest = sorted(alike, key=lambda item: distance(difference(item.cell, pose.cell)))
    left, near = _from_left(pose, alike).index(target) + 1, nearest.index(target) + 1
    rank = {1: "the nearest", len(alike): "the farthest"}.get(near, f"number {near} by nearness")
    return f"{words} (of the {len(alike)} there: number {left} from the left, {rank})"
