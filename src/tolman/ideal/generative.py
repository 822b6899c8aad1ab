"""The posterior over whole scenes under the generator, given all that an agent was told.

`posterior(history, prior)` returns `WeightedScenes`: rows of positions (`cells`), facings (`fronts`) and rooms of every
name, with `weights` that add up to 1. `scenes.probability(event)` is the probability of an event, given as a flag (or a
number from 0 to 1) for each row; `scenes.marginal(name)` are the probabilities of a position; `scenes.ess` is the
number of independent draws behind them (infinite where every possible scene is a row: `exact`), and
`scenes.expectation(values)` a mean with its standard error. The result is None where the generator's settings are not
supported (`ScenePrior.supported`), where no scene that it makes fits what was told, and where the sample would be too
small (`LEAST_ESS`). `prior_of(scene)` of `scene_prior` gives the prior for a scene's settings.

How: walls, doors and start are listed (`scene_prior`), the contents of every room given them are listed and summed out
exactly (`room_contents`, `listed_rooms`), and scenes are drawn from the product (`scene_draws`);
docs/design/010-generative-observer.md. Cells are east and north of the start.
"""

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from tolman.core.geometry import Cell
from tolman.core.seeds import rng
from tolman.explore.episode import AgentHistory, Brief
from tolman.ideal.listed_rooms import anchors_of, beyond_door, main_rooms, told_cell, with_contents
from tolman.ideal.scene_draws import DrawnScenes, draw_scenes
from tolman.ideal.scene_prior import Bools, Floats, Layouts, ScenePrior, free_starts, room_grid, room_starts, with_door
from tolman.ideal.told import MAIN, REACH, Told, what_was_told
from tolman.world import START

DRAWS = 2048
"""Scenes drawn where there are too many to list."""
MOST_ROOMS = 1500
"""Most hypotheses of room 1 (start, doors, parity) whose contents are listed; of more, a weighted sample."""
ENLARGED = 8
"""Factor on rooms and draws where a sample is worth less than `GOOD_ESS` draws, or a mean needs more precision."""
GOOD_ESS, LEAST_ESS = 200, 50
MOST_LAYOUTS = 400_000


@dataclass(frozen=True, eq=False)
class WeightedScenes(DrawnScenes):
    """The scenes, what was told of them, and the generator."""

    told: Told
    prior: ScenePrior
    seed: int = 0

    def __len__(self) -> int:
        return len(self.weights)

    @property
    def brief(self) -> Brief:
        return self.told.brief

    def probability(self, event: Bools | Floats) -> float:
        """The probability of an event, given by a flag for each row."""
        return float(self.weights @ event)

    def expectation(self, values: Bools | Floats) -> tuple[float, float]:
        """Mean of a value given for each row, and its standard error."""
        mean = self.probability(values)
        spread = float(self.weights @ (np.asarray(values, np.float64) - mean) ** 2)
        return mean, 0.0 if self.exact else math.sqrt(spread / self.ess)

    def marginal(self, name: str) -> dict[Cell, float]:
        """Probabilities of the positions of a thing or door that have any."""
        found, which = np.unique(self.cells[name], axis=0, return_inverse=True)
        sums: list[float] = np.bincount(which.ravel(), self.weights).tolist()
        return {(int(x), int(y)): chance for (x, y), chance in zip(found.tolist(), sums, strict=True)}

    @cached_property
    def finer(self) -> "WeightedScenes":
        """Other draws from the same posterior, `ENLARGED` times as many; itself where exact."""
        if self.exact:
            return self
        return scenes_given(self.told, self.prior, self.seed + 1, ENLARGED * len(self), ENLARGED * MOST_ROOMS) or self

    @cached_property
    def joint_entropy(self) -> float:
        """Entropy of all positions in bits where exact; else that of the rows, which is a lower bound."""
        rows = np.concatenate([self.cells[name] for name in self.brief.names], axis=1)
        _, which = np.unique(rows, axis=0, return_inverse=True)
        chances = np.bincount(which.ravel(), self.weights)
        return abs(float(chances @ np.log2(np.maximum(chances, 1e-300))))


def posterior(history: AgentHistory, prior: ScenePrior, seed: int = 0, draws: int = DRAWS) -> WeightedScenes | None:
    """The scenes that are possible after the exploration phase of a history."""
    told = what_was_told(history.brief, (turn for turn in history.turns if turn.phase == "explore"))
    return None if told is None else scenes_given(told, prior, seed, draws)


def scenes_given(
    told: Told, prior: ScenePrior, seed: int = 0, draws: int = DRAWS, most_rooms: int = MOST_ROOMS
) -> WeightedScenes | None:
    """The scenes that are possible given what was told."""
    settings, brief = prior.settings, told.brief
    fits = len(brief.doors) == settings.rooms - 1 and len(brief.things) == settings.rooms * settings.things_per_room
    if not prior.supported or not fits:
        return None
    layouts = _layouts(told, prior, seed)
    beyond = [beyond_door(told, prior, number) for number in range(1, settings.rooms)]
    for number, contents in enumerate(beyond):
        layouts = with_contents(layouts, number, contents)
    layouts = _may_hold(layouts, told)
    main = main_rooms(told, prior, layouts, seed, most_rooms) if len(layouts) else None
    if main is not None and main.ess < GOOD_ESS:
        main = main_rooms(told, prior, layouts, seed, ENLARGED * most_rooms)
    found = None if main is None else draw_scenes(told, prior, main, beyond, rng(seed, "generative"), draws)
    if found is None or found.ess < LEAST_ESS:
        return None
    return WeightedScenes(**vars(found), told=told, prior=prior, seed=seed)


def _layouts(told: Told, prior: ScenePrior, seed: int) -> Layouts:
    """The layouts that agree with what was told of doors and start."""
    layouts, doors = room_starts(prior.side), told.brief.doors
    for number, door in enumerate(doors):
        layouts = with_door(layouts)
        keep = np.ones(len(layouts), np.bool_)
        if door in told.walls:
            keep &= layouts.walls[:, number] == int(told.walls[door])
        cells = layouts.doors
        for other, at in ((START, layouts.start), *((doors[i], cells[:, i]) for i in range(number))):
            if (other, door) in told.allowed:
                apart = cells[:, number] - at + REACH
                keep &= told.allowed[other, door][apart[:, 0], apart[:, 1]]
        if door in told.exact:
            keep &= (cells[:, number] - layouts.start == told.exact[door]).all(axis=1)
        layouts = layouts.take(keep)
        if len(layouts) > MOST_LAYOUTS:
            chosen = rng(seed, "layouts").choice(len(layouts), MOST_LAYOUTS, replace=False)
            layouts = layouts.take(np.sort(chosen))
    return layouts.weighted(layouts.weights / free_starts(layouts))


def _may_hold(layouts: Layouts, told: Told) -> Layouts:
    """The layouts whose doors and start leave a cell for everything seen in room 1."""
    grid = room_grid(layouts.side)
    anchors = anchors_of(layouts, told)
    for name in told.seen_in(MAIN):
        allowed = told_cell(told, name, layouts)
        for anchor, points in anchors.items():
            if (anchor, name) in told.allowed:
                allowed &= grid.masks(told.allowed[anchor, name])[points]
        keep = allowed != 0
        layouts = layouts.take(keep)
        anchors = {anchor: points[keep] for anchor, points in anchors.items()}
    return layouts.take(layouts.weights > 0)
