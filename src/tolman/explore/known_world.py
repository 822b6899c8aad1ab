"""A world whose positions are all given, true or supposed: what every look and query would tell, and how an
exploration that knows it would go on.

A step of an exploration is a `ViewPose` to observe from, or a name to query. Moves are free, and everything seen can be
reached, so a set of steps costs the same in every possible order. The start can't be returned to.
"""

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from functools import cached_property

from tolman.belief import Belief, ExactPosition, statements
from tolman.belief.possible_positions import Statement
from tolman.core.geometry import Cell, Heading
from tolman.explore.actions import COST, Observe, Query
from tolman.explore.belief_tracker import SampledWorld
from tolman.explore.episode import Episode
from tolman.explore.topological_map import ViewPose
from tolman.sense import Observation, observe
from tolman.world import START, Scene

ExploreStep = ViewPose | str
"""Where to observe from, and in which heading; or the name to query."""

_ROUNDING = 1e-9
"""Bits below which a gain is a rounding error."""


def step_cost(step: ExploreStep) -> int:
    """Action cost."""
    return COST[Query] if isinstance(step, str) else COST[Observe]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a step would tell."""

    statements: tuple[Statement, ...]
    names: frozenset[str]
    """Names in view; none for a query."""


@dataclass(frozen=True)
class KnownWorld:
    """What every step would tell in one world; computed when first asked for, and kept."""

    source: Scene | SampledWorld
    _outcomes: dict[ExploreStep, Outcome] = field(default_factory=dict[ExploreStep, Outcome])

    @cached_property
    def names(self) -> tuple[str, ...]:
        """All things and doors that have a position."""
        source = self.source
        return source.names if isinstance(source, Scene) else tuple(name for name in source.cells if name != START)

    def outcome(self, step: ExploreStep) -> Outcome:
        """What a step would tell."""
        found = self._outcomes.get(step)
        if found is None:
            found = self._outcomes[step] = self._query(step) if isinstance(step, str) else self._look(step)
        return found

    def _query(self, name: str) -> Outcome:
        return Outcome((ExactPosition(name, START, self._cell(name)),), frozenset())

    def _cell(self, name: str) -> Cell:
        return self.source.from_start(name) if isinstance(self.source, Scene) else self.source.cells[name]

    def _look(self, view: ViewPose) -> Outcome:
        if isinstance(self.source, Scene):
            seen = observe(self.source, *view)
            return Outcome(statements(seen), frozenset(seen.names))
        told = self.source.predict(view)
        return Outcome(told, frozenset(relation.subject for relation in told if relation.anchor == view[0]))


@dataclass(frozen=True)
class Progress:
    """An exploration so far: what it determines, what it has seen, and from where it has looked."""

    belief: Belief
    seen: frozenset[str]
    looked: frozenset[ViewPose]
    at_start: bool
    queries: bool = True
    """Whether queries are answered."""

    @classmethod
    def of(cls, episode: Episode) -> "Progress":
        """The exploration phase of an episode, measured as information gain is."""
        scene = episode.before or episode.scene
        turns = [turn for turn in episode.turns if turn.phase == "explore"]
        feedback = [turn.feedback for turn in turns if turn.feedback is not None]
        views = [piece for piece in feedback if isinstance(piece, Observation)]
        return cls(
            Belief.start(scene.names, scene.extent).after_all(feedback),
            frozenset(name for view in views for name in view.names),
            frozenset((view.standing_on, view.heading) for view in views),
            not turns or turns[-1].standing_on == START,
            episode.settings.answer_queries,
        )

    @cached_property
    def uncertain(self) -> frozenset[str]:
        """Names with more than one possible position."""
        belief = self.belief
        return frozenset(name for name in belief.names if not belief.is_constrained(name) or belief.count(name) > 1)

    def steps(self) -> Iterable[ExploreStep]:
        """All that may be done next."""
        places = sorted(self.seen)
        for place in (START, *places) if self.at_start else places:
            for heading in Heading:
                if (place, heading) not in self.looked:
                    yield place, heading
        if self.queries:
            yield from (name for name in places if name in self.uncertain)

    def after(self, step: ExploreStep, world: KnownWorld) -> "Progress":
        """The exploration after one more step in a world."""
        told = world.outcome(step)
        belief = self.belief.with_statements(told.statements)
        if isinstance(step, str):
            return Progress(belief, self.seen, self.looked, self.at_start, self.queries)
        here = self.at_start and step[0] == START
        return Progress(belief, self.seen | told.names, self.looked | {step}, here, self.queries)


def greedy_steps(progress: Progress, world: KnownWorld, most_cost: int | None = None) -> tuple[ExploreStep, ...]:
    """Steps by the largest true gain per cost until all positions are certain, no step has a gain, or the cost is
    reached; where none has a gain, the look that shows most new names."""
    taken: list[ExploreStep] = []
    cost = 0
    while progress.uncertain and (most_cost is None or cost < most_cost):
        step = _best_step(progress, world)
        if step is None:
            break
        progress, cost = progress.after(step, world), cost + step_cost(step)
        taken.append(step)
    return tuple(taken)


def _best_step(progress: Progress, world: KnownWorld) -> ExploreStep | None:
    belief, uncertain = progress.belief, progress.uncertain
    before, best, most = belief.bits, None, _ROUNDING
    newest: tuple[int, ExploreStep | None] = (0, None)
    for step in progress.steps():
        told = world.outcome(step)
        if told.statements and _may_tell(step, told, uncertain):
            gain = (belief.with_statements(told.statements).bits - before) / step_cost(step)
            if gain > most + _ROUNDING:
                best, most = step, gain
            new = len(told.names - progress.seen)
            if new > newest[0]:
                newest = new, step
    return best or newest[1]


def _may_tell(step: ExploreStep, told: Outcome, uncertain: Collection[str]) -> bool:
    """Whether a step mentions anything that is not certain."""
    return isinstance(step, str) or step[0] in uncertain or not told.names.isdisjoint(uncertain)
