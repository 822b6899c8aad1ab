"""Where something is after a walk whose every step is told by how its target looks from where one stands."""

from collections.abc import Sequence

import numpy as np

from tolman.ask.step_words import Seen, hear_step
from tolman.explore.actions import Rotate
from tolman.geometry import Heading
from tolman.ideal.answers.relations import in_view
from tolman.ideal.best import Best
from tolman.ideal.labels import DISTANCE, EGO, Floats, Ints, to_ego
from tolman.ideal.told import Told
from tolman.ideal.worlds import Bools, Worlds
from tolman.world import START


def action_to_view(told: Told, worlds: Worlds) -> Best:
    """Worlds in which the walk can't be told so do not count. Where there is none, any place in view is as likely."""
    names = (START, *worlds.knowledge.brief.names)
    cells = np.stack([worlds.cells[name] for name in names], axis=1)
    shared = _shared(worlds, names)
    here, heading, weights = np.zeros(len(worlds), np.int64), Heading.NORTH, worlds.weights
    for step in map(hear_step, told.names("steps")):
        if isinstance(step, Rotate):
            heading = heading.turned(step.degrees)
        elif step is not None:
            here, known = _jump(worlds, cells, shared[here], here, heading, step)
            weights = np.where(known, weights, 0.0)
    of = names.index(told.name("of"))
    rows = np.arange(len(worlds))
    weights = np.where(shared[here, of], weights, 0.0)
    return in_view(worlds, cells[:, of] - cells[rows, here], int(heading), weights, worlds.exact)


def _shared(worlds: Worlds, names: Sequence[str]) -> Bools:
    """Which two may be in one room, by their numbers."""
    zones = [worlds.zones(name) for name in names]
    return np.array([[worlds.together(a, b) for b in zones] for a in zones])


def _jump(worlds: Worlds, cells: Ints, shared: Bools, here: Ints, heading: Heading, step: Seen) -> tuple[Ints, Bools]:
    """Where a jump leads in each world, and in which worlds it is plain what is meant."""
    apart = cells - cells[np.arange(len(worlds)), here][:, None]
    direction, distance = worlds.labels.seen(apart, int(heading))
    alike = (direction == EGO.index(step.direction)) & (distance == DISTANCE.index(step.distance)) & shared
    alike[:, 0] = False
    order = np.where(alike, _from_left(worlds, apart, heading), np.inf)
    wanted = (step.from_left or 1) - 1
    target = np.argsort(order, axis=1, kind="stable")[:, min(wanted, order.shape[1] - 1)]
    count = alike.sum(axis=1)
    known = count == 1 if step.from_left is None else count >= max(2, step.from_left)
    return target, known


def _from_left(worlds: Worlds, apart: Ints, heading: Heading) -> Floats:
    """A number that grows from left to right, and with the distance of those in one line."""
    bearings = worlds.labels.turned(to_ego(apart, int(heading)))
    return bearings * 1e6 + np.hypot(apart[..., 0], apart[..., 1])
