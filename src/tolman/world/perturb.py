"""The unobserved change of the world before the false-belief phase."""

from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from tolman.core.errors import GenerationError
from tolman.core.geometry import Cell, Heading
from tolman.core.seeds import check_seed, is_secret, rng
from tolman.world.footprints import fits
from tolman.world.scene import Scene, Thing
from tolman.world.settings import ChangeSettings

ChangeKind = Literal["position", "orientation"]


@dataclass(frozen=True)
class Change:
    """One thing that was moved (`position`) or rotated (`orientation`)."""

    name: str
    kind: ChangeKind


@dataclass(frozen=True)
class ChangedWorld:
    """A scene after the change, with the list of changes."""

    scene: Scene
    changes: tuple[Change, ...]


def perturb(scene: Scene, seed: int, settings: ChangeSettings | None = None) -> ChangedWorld:
    """Rotate some things and move others, with the random draws of the released code for published scene k and seed k.

    A rotated thing gets one of its three other headings; a moved one any free floor cell of any room at least
    `least_move` cells away.
    """
    check_seed(seed)
    settings = settings or ChangeSettings()
    draws = rng(seed, "change") if is_secret(seed) else np.random.default_rng(seed)
    things = list(scene.things)
    changes = _rotate(draws, scene, things, settings.rotated) + _move(draws, scene, things, settings)
    return ChangedWorld(replace(scene, things=tuple(things)), tuple(changes))


def changes_between(before: Scene, after: Scene) -> tuple[Change, ...]:
    """Things that were moved or rotated between two scenes, in the order of the things."""
    changes: list[Change] = []
    for old, new in zip(before.things, after.things, strict=True):
        if old.cell != new.cell:
            changes.append(Change(old.name, "position"))
        elif old.front != new.front:
            changes.append(Change(old.name, "orientation"))
    return tuple(changes)


def _rotate(draws: np.random.Generator, scene: Scene, things: list[Thing], count: int) -> list[Change]:
    fronted = [i for i, thing in enumerate(things) if thing.front is not None]
    if len(fronted) < count:
        raise GenerationError(f"only {len(fronted)} things have a front, so {count} can't be rotated")
    changes: list[Change] = []
    for i in (fronted[int(k)] for k in draws.choice(len(fronted), size=count, replace=False)):
        others = [
            heading
            for heading in Heading
            if heading != things[i].front and _fits(scene, things, replace(things[i], front=heading))
        ]
        things[i] = replace(things[i], front=others[int(draws.integers(len(others)))])
        changes.append(Change(things[i].name, "orientation"))
    return changes


def _move(draws: np.random.Generator, scene: Scene, things: list[Thing], settings: ChangeSettings) -> list[Change]:
    rotated = {i for i, (old, new) in enumerate(zip(scene.things, things, strict=True)) if old != new}
    rest = [i for i in range(len(things)) if i not in rotated]
    order = [rest[int(k)] for k in draws.permutation(len(rest))]
    changes: list[Change] = []
    while order and len(changes) < settings.moved:
        i = order.pop()
        free = [
            (cell, room)
            for cell, room in _free_cells(scene, things, things[i].cell, settings.least_move)
            if _fits(scene, things, replace(things[i], cell=cell, room=room))
        ]
        if free:
            cell, room = free[int(draws.integers(len(free)))]
            things[i] = replace(things[i], cell=cell, room=room)
            changes.append(Change(things[i].name, "position"))
    if len(changes) < settings.moved:
        raise GenerationError(f"no free cell is {settings.least_move} cells from any thing; ask for a shorter move")
    return changes


def _fits(scene: Scene, things: list[Thing], thing: Thing) -> bool:
    """Whether a thing has room where it would stand; always so in version 1, where none is larger than its cell."""
    if scene.version == 1:
        return True
    taken = [scene.start, *(door.cell for door in scene.doors)]
    return fits(thing, scene.room(thing.room), things, taken, scene.version)


def _free_cells(scene: Scene, things: list[Thing], origin: Cell, least: int) -> list[tuple[Cell, int]]:
    """Free floor cells at least `least` cells from `origin`, with their rooms, sorted by x, then y."""
    taken = {thing.cell for thing in things} | {door.cell for door in scene.doors} | {scene.start}
    return sorted(
        (cell, room.id)
        for room in scene.rooms
        for cell in room.cells
        if cell not in taken and (cell[0] - origin[0]) ** 2 + (cell[1] - origin[1]) ** 2 >= least**2
    )
