"""Action plans: carry them out, sample them, find one to a pose, describe them step by step, and parse them from a
reply.
"""

import re
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import cast

import numpy as np

from tolman.ask.answer_extraction import published_answer, strict_answer
from tolman.ask.question import Json
from tolman.core.bins import DistanceBin, EgoBin, ego_relation
from tolman.core.geometry import Heading, bearing, closest_heading, difference, distance, to_ego
from tolman.core.reading import Mention, ParseFailure, Stance, latest_mentions, stance
from tolman.core.rules import Rules
from tolman.explore.actions import ROTATIONS, Goto, Move, Rotate
from tolman.explore.grammar import plain_name
from tolman.sense import in_view, visible
from tolman.world import START, Door, Item, Pose, Scene


def start_pose(scene: Scene) -> Pose:
    """The initial pose of the agent: on the start cell, facing north."""
    return scene.pose_at(START, Heading.NORTH)


def walk(scene: Scene, plan: Sequence[Move], rules: Rules) -> Pose | None:
    """The pose after a plan from the start, or None if a move is impossible.

    A move leads to a thing or door in the field of view; whether walls occlude it depends on the rules.
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
    """A feasible plan of `jumps` moves that ends with something in view, and its final pose; None if none was found."""
    pose, moves = start_pose(scene), list[Move]()
    previous_rooms: tuple[int, ...] = ()
    for _ in range(jumps):
        target = _next_target(scene, pose, previous_rooms, stream)
        if target is None:
            return None
        previous_rooms = pose.rooms if isinstance(target, Door) else ()
        facing = closest_heading(difference(target.cell, pose.cell))
        moves += [*_turn(pose.heading, facing), Goto(target.name)]
        pose = Pose(target.cell, facing, target.rooms)
    seeing = [h for h in Heading if visible(scene, Pose(pose.cell, h, pose.rooms))]
    if not seeing:
        return None
    last = seeing[int(stream.integers(len(seeing)))]
    return (*moves, *_turn(pose.heading, last)), Pose(pose.cell, last, pose.rooms)


def _turn(heading: Heading, target: Heading) -> list[Move]:
    return [] if heading == target else [Rotate(heading.turn_to(target))]


def _next_target(scene: Scene, pose: Pose, previous_rooms: tuple[int, ...], stream: np.random.Generator) -> Item | None:
    """In a doorway a thing in the next room; else a door with probability 0.6, or a thing."""
    here = [item for item in scene.items_in(pose.rooms) if item.cell != pose.cell]
    things = [item for item in here if not isinstance(item, Door)]
    doors = [item for item in here if isinstance(item, Door)]
    if previous_rooms:
        beyond = [thing for thing in things if thing.room not in previous_rooms]
        pool: Sequence[Item] = beyond or things or doors
    elif doors and (int(stream.integers(10)) < 6 or not things):
        pool = doors
    else:
        pool = things
    return pool[int(stream.integers(len(pool)))] if pool else None


def plan_to(scene: Scene, name: str, heading: Heading) -> tuple[Move, ...] | None:
    """A shortest plan from the start onto a thing or door, ending with `heading`; None if there is none."""
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
    """Moves as JSON values: degrees for a rotation, a name for a move."""
    return [move.degrees if isinstance(move, Rotate) else move.name for move in plan]


def moves_from_json(values: Json) -> tuple[Move, ...]:
    """The moves that `moves_to_json` wrote."""
    listed = cast("list[int | str]", values)
    return tuple(Rotate(value) if isinstance(value, int) else Goto(value) for value in listed)


_ROTATE_STEP = re.compile(r"Rotate\((-?\d{1,4})\)")
_SEEN_AT = re.compile(rf"\b({'|'.join(sorted(EgoBin, key=len, reverse=True))}), ({'|'.join(DistanceBin)})\b")
_RANK = re.compile(r"(\d{1,3})(?:st|nd|rd|th)? from (?:the )?left")


def describe_steps(scene: Scene, moves: Sequence[Move]) -> Iterator[str]:
    """One line for each move of a feasible plan from the start."""
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
class SeenTarget:
    """A move to the object seen in a bin; of several, to the one with this rank from the left."""

    direction: EgoBin
    distance: DistanceBin
    from_left: int | None


def parse_step(step: str) -> Rotate | SeenTarget | None:
    """One step of a plan, in our wording or the released one; None where it is neither a rotation nor a move."""
    if turn := _ROTATE_STEP.fullmatch(step):
        return Rotate(int(turn[1]))
    look, rank = _SEEN_AT.search(step), _RANK.search(step)
    return SeenTarget(EgoBin(look[1]), DistanceBin(look[2]), int(rank[1]) if rank else None) if look else None


def plan_of_steps(scene: Scene, steps: Sequence[str]) -> tuple[Move, ...] | None:
    """The plan that steps describe, in our wording or the released one; None where a target is ambiguous."""
    pose, moves = start_pose(scene), list[Move]()
    for step in map(parse_step, steps):
        if isinstance(step, Rotate):
            moves.append(step)
            pose = Pose(pose.cell, pose.heading.turned(step.degrees), pose.rooms)
        elif step and (target := _target_of(scene, pose, step)):
            moves.append(Goto(target.name))
            pose = Pose(target.cell, pose.heading, target.rooms)
        else:
            return None
    return tuple(moves)


def _target_of(scene: Scene, pose: Pose, step: SeenTarget) -> Item | None:
    """The target of a step, seen from the pose before it."""
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
    """`what you see at front-left, near`; of several, also the ranks from the left and by distance."""
    look = _bins(pose, target)
    alike = [item for item in visible(scene, pose) if _bins(pose, item) == look]
    words = f"what you see at {look[0]}, {look[1]}"
    if len(alike) == 1:
        return words
    nearest = sorted(alike, key=lambda item: distance(difference(item.cell, pose.cell)))
    left, near = _from_left(pose, alike).index(target) + 1, nearest.index(target) + 1
    rank = {1: "the nearest", len(alike): "the farthest"}.get(near, f"number {near} by nearness")
    return f"{words} (of the {len(alike)} there: number {left} from the left, {rank})"


Plan = tuple[Move, ...]


def format_plan(plan: Plan) -> str:
    """A plan in the published notation."""
    return ", ".join(map(str, plan))


# ---- published ----

_JUMP = re.compile(r"(?:jumpto|goto)\s*+\(([^()]++)\)", re.IGNORECASE)
_TURN = re.compile(r"rotate\s*+\(\s*+([-+]?\d{1,9}+)\s*+\)", re.IGNORECASE)


def published_plan(reply: str) -> Plan | None:
    """The answer split at commas, where every part is a move; else None."""
    parts = [part.strip() for part in published_answer(reply).split(",")]
    moves = [_published_move(part) for part in parts]
    return tuple(move for move in moves if move) if all(moves) else None


def _published_move(part: str) -> Move | None:
    if jump := _JUMP.fullmatch(part):
        return Goto(jump[1].strip().lower())
    turn = _TURN.fullmatch(part)
    return Rotate(int(turn[1])) if turn and int(turn[1]) % 90 == 0 else None


# ---- strict ----

_GO = r"(?:(?:jump|go|move|walk)[ _-]?to)"
_ROTATE = r"(?:rotate|turn)"
_LOOK = r"observe\s*+\(\s*+\)"
_CALL = re.compile(rf"\b(?:({_GO})\s*+\(([^()]*+)\)|({_ROTATE})\s*+\(([^()]*+)\)|({_LOOK}))", re.IGNORECASE)
_BARE = re.compile(
    rf"(?:({_GO})\s++([^(),;]++)|({_ROTATE})\s++([^(),;a-z]++(?:deg(?:rees?)?\s*+)?(?:(?:counter-?|anti-?)?clockwise|c?cw)?)|({_LOOK}))\.?",
    re.IGNORECASE,
)
_BETWEEN = re.compile(
    r"(?:[\s,;:.\[\](){}|>→\d-]|\b(?:actions?|plan|sequence|then|and|next|finally|first|the|answer|final)\b)*+",
    re.IGNORECASE,
)
_STEP = re.compile(r"[,;\n]|->|→|\bthen\b", re.IGNORECASE)
_DEGREES = re.compile(
    r"\s*+(?:\w++\s*+=\s*+)?([-+]?\d{1,9}+)(?:\.0*+)?\s*+(?:°|º|deg(?:rees?)?)?\s*+(\S*)\s*+", re.IGNORECASE
)
_AGAIN = re.compile(r"\s{0,9}(?:twice|thrice|again|\d{1,3} times|[x×] ?\d|\* ?\d)", re.IGNORECASE)
_BACKWARDS = re.compile(r"counter-?clockwise|anti-?clockwise|ccw", re.IGNORECASE)
_FORWARDS = re.compile(r"|clockwise|cw", re.IGNORECASE)


def find_plan(reply: str) -> Plan | ParseFailure:
    """The one list of moves in a reply, or why there is none. A final `Observe()` is ignored."""
    return strict_answer(reply, _read, _read_bare)


def _read(text: str) -> Plan | ParseFailure:
    """The calls of a text, if only punctuation and linking words are between them."""
    calls = list(_CALL.finditer(text))
    if not calls:
        return _read_words(text)
    kept = latest_mentions(text, [Mention(*call.span(), call) for call in calls])
    if isinstance(kept, ParseFailure):
        return kept
    calls = [mention.value for mention in kept]
    gaps = (text[a.end() : b.start()] for a, b in pairwise(calls))
    if not all(_BETWEEN.fullmatch(gap) for gap in gaps):
        return ParseFailure.SEVERAL
    stances = {stance(text, *calls[0].span()), stance(text, *calls[-1].span())}
    if stances != {Stance.ASSERTED}:
        return ParseFailure.NEGATED if Stance.DENIED in stances else ParseFailure.UNSURE
    return ParseFailure.INCOMPLETE if _AGAIN.match(text, calls[-1].end()) else _moves(calls)


def _read_bare(line: str) -> Plan | ParseFailure:
    return _read(line) if _BETWEEN.fullmatch(_CALL.sub("", line)) else ParseFailure.NO_ANSWER


def _read_words(text: str) -> Plan | ParseFailure:
    """Moves without brackets: `rotate 90, jump to the lamp`."""
    body = re.sub(r"^\s*+(?:actions?|plan)\s*+:", "", text, flags=re.IGNORECASE).strip(" []\n.")
    found = [_BARE.fullmatch(step.strip(" .")) for step in _STEP.split(body) if step.strip(" .")]
    return _moves([step for step in found if step]) if found and all(found) else ParseFailure.NO_ANSWER


def _moves(calls: list[re.Match[str]]) -> Plan | ParseFailure:
    if calls[-1][5]:
        calls = calls[:-1]
    moves = [_move(call) for call in calls]
    return tuple(move for move in moves if move) if moves and all(moves) else ParseFailure.INCOMPLETE


def _move(call: re.Match[str]) -> Move | None:
    go, name, turn, degrees = call.group(1, 2, 3, 4)
    if go:
        return Goto(plain_name(name)) if plain_name(name) else None
    said = _DEGREES.fullmatch(degrees) if turn else None
    if said is None:
        return None
    if _BACKWARDS.fullmatch(said[2]):
        return Rotate(-int(said[1]))
    return Rotate(int(said[1])) if _FORWARDS.fullmatch(said[2]) else None
