"""Scenes put together from listed rooms: all of them where they are few, else draws."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np

from tolman.core.bins import NEAR
from tolman.ideal.labels import FRONTLESS
from tolman.ideal.listed_rooms import BeyondDoor, MainRooms
from tolman.ideal.room_contents import RoomContents, spread
from tolman.ideal.scene_prior import Bools, Floats, Ints, Layouts, ScenePrior, room_grid
from tolman.ideal.told import Told
from tolman.world import START
from tolman.world.vocabulary import COLOURS, KIND_BY_NAME, VOCABULARY_V1

MOST_LISTED = 4096


@dataclass(frozen=True, eq=False)
class DrawnScenes:
    """Possible scenes, a row each, with their probabilities."""

    cells: Mapping[str, Ints]
    """By name of every thing and door, and the start: an array of shape (scenes, 2)."""
    fronts: Mapping[str, Ints]
    """By thing: the index of the heading of its front, or `FRONTLESS`."""
    rooms: Mapping[str, Ints]
    """By thing: the index of its room, 0 for the start's. By door: of the room beyond, as every door joins room 0."""
    lows: Ints
    """South-west corners of all rooms, of shape (scenes, rooms, 2)."""
    weights: Floats
    exact: bool
    """Whether the rows are all possible scenes; else they are draws."""
    ess: float
    """Number of independent draws that give means of the same precision."""


def draw_scenes(
    told: Told,
    prior: ScenePrior,
    main: MainRooms,
    beyond: Sequence[BeyondDoor],
    stream: np.random.Generator,
    draws: int,
) -> DrawnScenes | None:
    """Scenes of room 1, a layout around it, and what is in the other rooms: all of them if few, else draws."""
    unseen = any(name not in told.rooms for name in told.brief.things)
    listed = _all_scenes(main, beyond) if not unseen and main.ess == math.inf else None
    rows, layout, others, weights = listed or _sampled_scenes(main, beyond, stream, draws)
    layouts = main.layouts.take(layout)
    tables = _assembled(
        told, prior, [main.contents, *(each.contents for each in beyond)], [rows, *others], layouts, stream
    )
    keep = _across_walls(told, tables[0]) & (weights > 0)
    if not keep.any():
        return None
    cells, fronts, rooms = ({name: found[keep] for name, found in table.items()} for table in tables)
    lows = layouts.lows[keep] - layouts.start[keep][:, None]
    size = math.inf if listed else 1 / (1 / float(keep.sum()) + 1 / main.ess)
    weights = weights[keep] / weights[keep].sum()
    return DrawnScenes(cells, fronts, rooms, lows, weights, listed is not None, size)


_Rows = tuple[Ints, Ints, list[Ints], Floats]
"""Row of room 1, layout, row of each other room, and weight."""


def _all_scenes(main: MainRooms, beyond: Sequence[BeyondDoor]) -> _Rows | None:
    """Every scene; None where there are more than `MOST_LISTED`."""
    sizes = main.sizes[main.contents.room]
    if sizes.sum() > MOST_LISTED:
        return None
    which, layout = spread(main.starts[main.contents.room], sizes)
    sums: Floats = np.add.reduceat(main.layouts.weights[layout], np.cumsum(sizes) - sizes)
    weights = main.weights[which] * main.layouts.weights[layout] / sums[which]
    others: list[Ints] = []
    for number, contents in enumerate(beyond):
        group = contents.group(main.layouts.take(layout), number)
        if contents.sizes[group].sum() > MOST_LISTED:
            return None
        kept, row = spread(contents.starts[group], contents.sizes[group])
        weights = weights[kept] * contents.contents.chance[row] / contents.sums[group][kept]
        which, layout = which[kept], layout[kept]
        others = [*(other[kept] for other in others), row]
    return which, layout, others, weights


def _sampled_scenes(main: MainRooms, beyond: Sequence[BeyondDoor], stream: np.random.Generator, draws: int) -> _Rows:
    marks = (np.arange(draws) + stream.random()) / draws
    cumulative: Floats = np.cumsum(main.weights)
    whole = np.array([0]), np.array([len(main.weights)])
    which = _placed(cumulative, marks * float(cumulative[-1]), *whole)
    room = main.contents.room[which]
    layout = _inverse(main.cumulative, main.starts[room], main.sizes[room], stream)
    layouts, others = main.layouts.take(layout), list[Ints]()
    for number, contents in enumerate(beyond):
        group = contents.group(layouts, number)
        others.append(_inverse(contents.cumulative, contents.starts[group], contents.sizes[group], stream))
    return which, layout, others, np.full(draws, 1.0 / draws)


def _inverse(cumulative: Floats, starts: Ints, sizes: Ints, stream: np.random.Generator) -> Ints:
    """A member of each of some groups, drawn by weight."""
    before = np.where(starts > 0, cumulative[np.maximum(starts - 1, 0)], 0.0)
    total = cumulative[starts + sizes - 1] - before
    return _placed(cumulative, before + stream.random(len(starts)) * total, starts, sizes)


def _placed(cumulative: Floats, marks: Floats, starts: Ints, sizes: Ints) -> Ints:
    """The members of groups that some marks of the cumulative weights fall on."""
    found = np.asarray(np.searchsorted(cumulative, marks, side="right"), np.int64)
    return np.clip(found, starts, starts + sizes - 1)


_Tables = tuple[dict[str, Ints], dict[str, Ints], dict[str, Ints]]
"""Cells, fronts and rooms, by name."""


def _assembled(
    told: Told,
    prior: ScenePrior,
    contents: Sequence[RoomContents],
    rows: Sequence[Ints],
    layouts: Layouts,
    stream: np.random.Generator,
) -> _Tables:
    """Cells, fronts and rooms of all names, given the row of each room's contents."""
    grid, count = room_grid(prior.side), len(layouts)
    lows = layouts.lows - layouts.start[:, None]
    cells: dict[str, Ints] = {START: np.zeros((count, 2), np.int64)}
    rooms: dict[str, Ints] = {}
    unnamed: list[tuple[int, Ints]] = []
    for number, (inside, row) in enumerate(zip(contents, rows, strict=True)):
        places = grid.cells[inside.cells[row]] + lows[:, number][:, None]
        for i, name in enumerate(inside.names):
            cells[name], rooms[name] = places[:, i], np.full(count, number)
        unnamed += [(number, places[:, i]) for i in range(len(inside.names), places.shape[1])]
    for i, door in enumerate(told.brief.doors):
        cells[door], rooms[door] = layouts.doors[:, i] - layouts.start, np.full(count, i + 1)
    at = np.array([number for number, _ in unnamed], np.int64)
    for name, slot in _unseen(told, prior, at, stream, count).items():
        cells[name] = np.stack([place for _, place in unnamed], axis=1)[np.arange(count), slot]
        rooms[name] = at[slot]
    return cells, _fronts(told, stream, count), rooms


def _fronts(told: Told, stream: np.random.Generator, count: int) -> dict[str, Ints]:
    """The fronts of all things: as told, else in a random direction, if such a thing has one."""
    fronts = {name: np.full(count, FRONTLESS if front is None else int(front)) for name, front in told.fronts.items()}
    for name in told.brief.things:
        if name not in fronts:
            known = has_front(name)
            share = SHARE_FRONTED if known is None else float(known)
            fronts[name] = np.where(stream.random(count) < share, stream.integers(4, size=count), FRONTLESS)
    return fronts


SHARE_FRONTED: float = sum(kind.fronted for kind in VOCABULARY_V1) / len(VOCABULARY_V1)


def has_front(name: str) -> bool | None:
    """Whether a thing of this name has a front; None for a kind that generated scenes do not hold."""
    colour, _, rest = name.partition(" ")
    kind = KIND_BY_NAME.get(name) or (KIND_BY_NAME.get(rest) if colour in COLOURS else None)
    return None if kind is None else kind.fronted


def _unseen(told: Told, prior: ScenePrior, at: Ints, stream: np.random.Generator, count: int) -> dict[str, Ints]:
    """By name never seen the slot that it takes in each scene; `at` is the room of each slot, ascending."""
    names = [name for name in told.brief.things if name not in told.rooms]
    known = {name: has_front(name) for name in told.brief.things}
    if not names or None in known.values():
        order = stream.permuted(np.tile(np.arange(len(names)), (count, 1)), axis=1)
        return {name: order[:, i] for i, name in enumerate(names)}
    fronted = [name for name in names if known[name]]
    splits, chances = _splits(told, prior, np.bincount(at, minlength=prior.settings.rooms), len(fronted))
    split = splits[stream.choice(len(splits), count, p=chances)]
    shuffled = np.argsort(stream.random((count, len(at))) + at * 2.0, axis=1)
    rank = np.arange(len(at)) - np.searchsorted(at, at)
    first = rank[None] < split[:, at]
    slots: dict[str, Ints] = {}
    for group, mine in ((fronted, first), ([name for name in names if not known[name]], ~first)):
        if group:
            taken = np.nonzero(mine)[1].reshape(count, len(group))
            mixed = stream.permuted(np.take_along_axis(shuffled, taken, axis=1), axis=1)
            slots |= {name: mixed[:, i] for i, name in enumerate(group)}
    return slots


def _splits(told: Told, prior: ScenePrior, free: Ints, fronted: int) -> tuple[Ints, Floats]:
    """How the unseen things with a front may be split between rooms, and the probability of each split."""
    settings = prior.settings
    size = settings.things_per_room
    seen = [sum(has_front(name) is True for name in told.seen_in(room)) for room in range(settings.rooms)]
    splits: list[tuple[int, ...]] = []
    weights: list[float] = []
    for split in product(*(range(int(slots) + 1) for slots in free)):
        if sum(split) == fronted:
            weight = 1.0
            for room, (new, slots) in enumerate(zip(split, free.tolist(), strict=True)):
                all_of, least = seen[room] + new, settings.fronted(room + 1)
                ways = math.comb(size - least, all_of - least) if all_of >= least else 0
                weight *= ways * math.factorial(all_of) * math.factorial(size - all_of)
                weight /= math.factorial(new) * math.factorial(slots - new)
            splits.append(split)
            weights.append(weight)
    total = sum(weights)
    chances = np.array(weights) / total if total else np.full(len(splits), 1 / len(splits))
    return np.array(splits), chances


def _across_walls(told: Told, cells: Mapping[str, Ints]) -> Bools:
    """Whether pairs seen from a doorway on both sides of its wall are as close, or as far, as was told."""
    keep = np.ones(len(cells[START]), np.bool_)
    for look in told.looks:
        close = {frozenset((pair.name, pair.other)) for pair in look.near_pairs}
        names = [seen.name for seen in look.sightings]
        for i, a in enumerate(names):
            for b in names[:i]:
                if set(told.rooms[a]).isdisjoint(told.rooms[b]):
                    apart: Ints = cells[a] - cells[b]
                    near = (apart**2).sum(axis=1) <= NEAR**2
                    keep &= near == (frozenset((a, b)) in close)
    return keep
