"""Every scene that the generator can make for small settings, with its probability, by running its own code on every
sequence of draws."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cache
from itertools import permutations
from math import prod
from typing import Any, TypeVar

import numpy as np
import pytest

from tests.ideal.explored_worlds import PossibleScene
from tolman.core.geometry import Heading
from tolman.world import Door, Scene, Thing, WorldSettings, generate
from tolman.world import files as masks

generator: Any = __import__("tolman.world.generate", fromlist=["generate"])
T = TypeVar("T")


class _Draws:
    """Draws as told, the first of the rest, with the number of choices that there were."""

    def __init__(self, told: tuple[int, ...]) -> None:
        self.told, self.choices = told, list[int]()

    def integers(self, low: int, high: int | None = None) -> int:
        first, count = (0, low) if high is None else (low, high - low)
        place = len(self.choices)
        self.choices.append(count)
        return first + (self.told[place] if place < len(self.told) else 0)


def every_outcome(work: Callable[[Any], T]) -> Iterator[tuple[T, float]]:
    """The result of some work for every sequence of draws, with its probability."""
    told: tuple[int, ...] | None = ()
    while told is not None:
        draws = _Draws(told)
        result = work(draws)
        taken = (*told, *(0,) * (len(draws.choices) - len(told)))
        yield result, 1 / prod(draws.choices)
        place = next((i for i in reversed(range(len(taken))) if taken[i] + 1 < draws.choices[i]), None)
        told = None if place is None else (*taken[:place], taken[place] + 1)


@dataclass(frozen=True)
class Likely:
    """A scene without names of its own, and its probability."""

    scene: Scene
    chance: float


@cache
def every_scene(settings: WorldSettings) -> tuple[Likely, ...]:
    """All scenes of one or two rooms, with names in every order; fronts are to the north."""
    found: list[Likely] = []
    example = generate(0, settings)
    names, doors = [thing.name for thing in example.things], [door.name for door in example.doors]
    for (rooms, spots), layout_chance in _layouts(settings):

        def furnished(draws: Any, rooms: Any = rooms, spots: Any = spots) -> Any:
            start = generator._place_agent(draws, rooms[0], spots)
            return start, generator._place_things(draws, settings, rooms, spots, start, off_lines=True)

        outcomes = [(start, cells, chance) for (start, cells), chance in every_outcome(furnished) if cells]
        success = sum(chance for _, _, chance in outcomes)
        orders = list(permutations(names))
        for start, cells, chance in outcomes:
            places = [(cell, room) for room, taken in cells.items() for cell in taken]
            share = layout_chance * chance / success / len(orders)
            for order in orders:
                things = [Thing(n, "", c, Heading.NORTH, r) for n, (c, r) in zip(order, places, strict=True)]
                things.sort(key=lambda thing: names.index(thing.name))
                made = [Door(name, *spot) for name, spot in zip(doors, spots, strict=True)]
                found.append(Likely(PossibleScene(tuple(rooms), tuple(made), tuple(things), start), share))
    return tuple(found)


def _in_the_middle(draws: Any, frame: Any) -> tuple[int, int]:
    del draws, frame
    return 14, 14


def _layouts(settings: WorldSettings) -> Iterator[tuple[Any, float]]:
    if settings.rooms == 1:
        yield generator.tree_layout(0, 1, settings.room_size), 1.0
        return
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(generator, "_main_room", _in_the_middle)
        for mask, chance in every_outcome(lambda draws: generator._attempt(draws, settings.rooms, settings.room_size)):
            listed = np.asarray(mask).tolist()
            yield (masks.rooms_of(listed), masks.door_spots(listed)), chance


def plain_scene(seed: int, settings: WorldSettings) -> Scene:
    """A generated scene with the names that `every_scene` uses, in its order, and all fronts to the north."""
    scene, example = generate(seed, settings), generate(0, settings)
    names = [thing.name for thing in example.things]
    things = [replace(t, name=n, front=Heading.NORTH) for t, n in zip(scene.things, names, strict=True)]
    doors = [replace(d, name=e.name) for d, e in zip(scene.doors, example.doors, strict=True)]
    return replace(scene, things=tuple(things), doors=tuple(doors))
