"""The two ideal observers by name, behind one interface: best answers, best maps and probabilities of positions.

`relations` knows the relations that were told, and nothing else: it is the observer that information gain speaks of.
`generative` also knows what was not in view, walls, and how the generator makes scenes (`tolman.ideal.generative`).
Where the generator's posterior can't be computed, `relations` takes its place, and `Observer.name` says so.
"""

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from typing import ClassVar, Literal

import numpy as np

from tolman.belief.posterior import Posterior, posterior
from tolman.core.geometry import Cell
from tolman.explore.episode import Brief, Turn
from tolman.ideal.best_answer import best_answer
from tolman.ideal.best_map import BestMap, ScoredNames, best_map, known_facings
from tolman.ideal.best_points import PositionScore, best_points
from tolman.ideal.generative import DRAWS, WeightedScenes, scenes_given
from tolman.ideal.knowledge import Knowledge
from tolman.ideal.question_content import BestAnswer, QuestionContent
from tolman.ideal.scene_answers import best_answer_in_scenes
from tolman.ideal.scene_prior import ScenePrior
from tolman.ideal.scene_views import SceneViews, picked, score_of
from tolman.ideal.told import what_was_told
from tolman.ideal.worlds import ConsistentWorlds, consistent_worlds
from tolman.world import AGENT, START, WorldSettings

ObserverName = Literal["relations", "generative"]
DEFAULT_OBSERVER: ObserverName = "generative"
"""Whose ceilings and attribution are shown unless another is asked for."""


class Observer(ABC):
    """What an ideal observer makes of some evidence."""

    name: ClassVar[ObserverName]

    @property
    @abstractmethod
    def exact(self) -> bool:
        """Whether nothing is sampled."""

    @abstractmethod
    def best_answer(self, content: QuestionContent) -> BestAnswer | None:
        """The reply of highest expected score; None for a kind of question without a ceiling."""

    @abstractmethod
    def best_map(self, standing_on: str, seen: Sequence[str], scored: ScoredNames) -> BestMap:
        """The map of highest expected score for an agent that stands on `standing_on`; only names seen are stated."""

    @abstractmethod
    def chance(self, name: str, cell: Cell) -> float:
        """Probability of the position of a thing or door; 0 where the evidence rules it out."""


@dataclass(eq=False)
class RelationsObserver(Observer):
    """All joint positions that agree with the relations told are equally likely."""

    knowledge: Knowledge
    seed: int = 0
    name: ClassVar[ObserverName] = "relations"

    @cached_property
    def worlds(self) -> ConsistentWorlds:
        return consistent_worlds(self.knowledge, self.seed)

    @cached_property
    def posterior(self) -> Posterior:
        return posterior(self.knowledge.belief)

    @property
    def exact(self) -> bool:
        return self.worlds.exact

    def best_answer(self, content: QuestionContent) -> BestAnswer | None:
        return best_answer(content, self.worlds)

    def best_map(self, standing_on: str, seen: Sequence[str], scored: ScoredNames) -> BestMap:
        return best_map(self.posterior, standing_on, seen, scored)

    def chance(self, name: str, cell: Cell) -> float:
        if not self.knowledge.belief.is_constrained(name):
            return 1 / self.knowledge.belief.extent**2
        return self.posterior.marginal(name).get(cell, 0.0)


@dataclass(eq=False)
class GenerativeObserver(Observer):
    """Scenes are as likely as the generator makes them."""

    scenes: WeightedScenes
    name: ClassVar[ObserverName] = "generative"

    @property
    def exact(self) -> bool:
        return self.scenes.exact

    @cached_property
    def _marginal(self) -> Callable[[str], dict[Cell, float]]:
        return cache(self.scenes.marginal)

    def best_answer(self, content: QuestionContent) -> BestAnswer | None:
        return best_answer_in_scenes(content, self.scenes)

    def chance(self, name: str, cell: Cell) -> float:
        """As above; by draws, a position in none of them, so below 0.2 % with 95 % confidence, counts as ruled out."""
        return self._marginal(name).get(cell, 0.0)

    def best_map(self, standing_on: str, seen: Sequence[str], scored: ScoredNames) -> BestMap:
        views = SceneViews.of(self.scenes)
        agent = views.at(standing_on if standing_on in self.scenes.cells else START)
        stated = tuple(name for name in scored.names if name == AGENT or name in seen)
        if not stated:
            return BestMap({}, 0.0)
        true = np.stack([agent if name == AGENT else views.at(name) for name in stated], axis=1)
        facing = known_facings(stated, scored)
        parts = 2 if facing is None else 3
        share, pairs = len(stated) / len(scored.names), math.comb(len(scored.names) + 1, 2)
        scale = np.sqrt((views.cells[:, : views.things] ** 2).sum(axis=2).mean(axis=1))
        best = best_points(
            true, picked(views, views.weights), PositionScore(1 / parts, share / parts, pairs, scale, True)
        )
        found = score_of(views, "", views.weights, best.scores + (facing or 0.0) / 3)
        cells = {name: (int(x), int(y)) for name, (x, y) in zip(stated, best.points.tolist(), strict=True)}
        return BestMap(cells, found.expected, found.error, best.lost)


def observer_of(
    name: ObserverName,
    knowledge: Knowledge,
    turns: Iterable[Turn],
    prior: ScenePrior | None,
    seed: int = 0,
    draws: int = DRAWS,
) -> Observer:
    """The observer of that name after the turns of an exploration; `knowledge` is what follows from the same turns."""
    if name == "generative" and prior is not None:
        told = what_was_told(knowledge.brief, turns)
        scenes = None if told is None else scenes_given(told, prior, seed, draws)
        if scenes is not None:
            return GenerativeObserver(scenes)
    return RelationsObserver(knowledge, seed)


def prior_for(brief: Brief) -> ScenePrior | None:
    """The prior of an agent that is told names and the number of rooms: the generator's settings, else its defaults."""
    per_room, left = divmod(len(brief.things), max(brief.rooms, 1))
    if left or not per_room or len(brief.doors) != brief.rooms - 1:
        return None
    prior = ScenePrior(WorldSettings(rooms=brief.rooms, things_per_room=per_room))
    return prior if prior.supported else None
