"""The same world under other names, or seen in a mirror: a demonstration made once serves several times.

What an exploration can tell and what it costs are the same in all variations, so the expert's actions stay right.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from tolman.core.geometry import Cell, Heading
from tolman.core.seeds import rng
from tolman.env.exploration import Exploration
from tolman.explore.actions import Actions, Goto, Move, Query, Rotate
from tolman.world import Scene
from tolman.world.scene import Door, Room, Thing
from tolman.world.vocabulary import COLOURS, VOCABULARY_V1

INVENTED = 0.25
"""Share of the readings in which things have invented names."""
FIRST, SECOND = "bdfghklmnprstvwz", "aeiou"
"""Letters of a syllable."""


def varied(acting: Exploration, turns: Sequence[Actions], reading: int) -> tuple[Exploration, list[Actions]]:
    """An exploration of a variation of the same world, and what the turns are in it."""
    seed, scene = acting.seed, acting.case.scene
    names = other_names(scene, seed, "names", reading)
    mirror = bool(rng(seed, "mirror", reading).random() < 0.5)
    other = renamed(mirrored(scene) if mirror else scene, names)
    return Exploration(seed, acting.options, other), [carried_over(each, names, mirror=mirror) for each in turns]


def renamed(scene: Scene, names: Mapping[str, str]) -> Scene:
    """The scene with other names for its things and doors."""
    return replace(
        scene,
        things=tuple(replace(thing, name=names[thing.name]) for thing in scene.things),
        doors=tuple(replace(door, name=names[door.name]) for door in scene.doors),
    )


def other_names(scene: Scene, seed: int, *stream: int | str) -> dict[str, str]:
    """For each name another one of the vocabulary, with a front if the thing has one; for doors other colours.

    Sometimes the names of things are invented, so that names are learnt to be copied, not to be chosen among a few.
    """
    draws = rng(seed, *stream)
    fronted, frontless = ([kind.name for kind in VOCABULARY_V1 if kind.fronted is part] for part in (True, False))
    if rng(seed, "invented", *stream).random() < INVENTED:
        count = len(scene.things)
        names = invented_names(2 * count, rng(seed, "syllables", *stream))
        fronted, frontless = names[:count], names[count:]
    pools = [
        ([thing.name for thing in scene.things if thing.front is not None], fronted),
        ([thing.name for thing in scene.things if thing.front is None], frontless),
        ([door.name for door in scene.doors], [f"{colour} door" for colour in COLOURS]),
    ]
    found: dict[str, str] = {}
    for own, pool in pools:
        found |= {name: pool[place] for name, place in zip(own, draws.permutation(len(pool)).tolist(), strict=False)}
    return found


def invented_names(count: int, draws: np.random.Generator) -> list[str]:
    """Different words of two or three syllables."""
    found: dict[str, None] = {}
    while len(found) < count:
        letters = [str(draws.choice(list(part))) for _ in range(int(draws.integers(2, 4))) for part in (FIRST, SECOND)]
        found["".join(letters)] = None
    return list(found)


def mirrored(scene: Scene) -> Scene:
    """The scene with east and west exchanged."""
    return replace(
        scene,
        rooms=tuple(map(_mirrored_room, scene.rooms)),
        doors=tuple(map(_mirrored_door, scene.doors)),
        things=tuple(map(_mirrored_thing, scene.things)),
        start=_across(scene.start),
    )


def _across(cell: Cell) -> Cell:
    return -cell[0], cell[1]


def _mirrored_room(room: Room) -> Room:
    return replace(room, low=(-room.high[0], room.low[1]), high=(-room.low[0], room.high[1]))


def _mirrored_door(door: Door) -> Door:
    low, high = door.rooms
    return replace(door, cell=_across(door.cell), rooms=(high, low) if door.axis == "x" else (low, high))


def _mirrored_thing(thing: Thing) -> Thing:
    front = thing.front
    if front in (Heading.EAST, Heading.WEST):
        front = front.opposite
    return replace(thing, cell=_across(thing.cell), front=front)


def carried_over(actions: Actions, names: Mapping[str, str], *, mirror: bool) -> Actions:
    """What the actions are in a scene with other names, or in the mirror."""
    final = actions.final
    if isinstance(final, Query):
        final = Query(names[final.name])
    return Actions(tuple(_move(move, names, mirror) for move in actions.moves), final)


def _move(move: Move, names: Mapping[str, str], mirror: bool) -> Move:
    if isinstance(move, Goto):
        return Goto(names[move.name])
    return Rotate(-move.degrees) if mirror else move
