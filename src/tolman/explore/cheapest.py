"""The cheapest exploration that determines every position of a known world: a proven bound, and one that costs it.

Which positions are determined depends on the set of looks and queries only, not on their order, and more of them never
determine less. So a set is enough if and only if it has a member of every *core*: of what remains outside each largest
set that is not enough. Cores are found as they are needed: the cheapest set that hits all cores so far is found by
integer programming; its cost is a lower bound. If it is enough, and can be carried out in some order, it is a cheapest
exploration; else it shows a new core, or a look that has to show something new first (docs/design/003).

A known world has all its positions given, true or supposed; it tells what every look and query would tell, and how an
exploration that knows it would go on. A step is a `ViewPose` to observe from, or a name to query. Moves are free, and
everything seen can be reached, so a set of steps costs the same in every possible order. There is no way back to the
start.
"""

import math
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from tolman.belief import Belief, ExactPosition, statements
from tolman.belief.possible_positions import Statement
from tolman.core.geometry import Cell, Heading
from tolman.core.seeds import rng
from tolman.explore.actions import COST, Observe, Query
from tolman.explore.belief_tracker import SampledWorld
from tolman.explore.episode import Episode
from tolman.explore.topological_map import ViewPose
from tolman.sense import Observation, observe
from tolman.world import START, Scene

ExploreStep = ViewPose | str
"""Where to observe from, and in which heading; or the name to query."""

_GAIN_ROUNDING = 1e-9
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
    before, best, most = belief.bits, None, _GAIN_ROUNDING
    newest: tuple[int, ExploreStep | None] = (0, None)
    for step in progress.steps():
        told = world.outcome(step)
        if told.statements and _may_tell(step, told, uncertain):
            gain = (belief.with_statements(told.statements).bits - before) / step_cost(step)
            if gain > most + _GAIN_ROUNDING:
                best, most = step, gain
            new = len(told.names - progress.seen)
            if new > newest[0]:
                newest = new, step
    return best or newest[1]


def _may_tell(step: ExploreStep, told: Outcome, uncertain: Collection[str]) -> bool:
    """Whether a step mentions anything that is not certain."""
    return isinstance(step, str) or step[0] in uncertain or not told.names.isdisjoint(uncertain)


MOST_ROOMS = 16
"""Rooms of a scene up to which bounds are computed: within seconds."""
MOST_CORES = 600
"""Cores after which the search ends without proof."""
CORES_PER_ROUND = 3
_MOST_NODES = 20_000
"""Of the search tree of one integer program."""
_ROUNDING, _HALF = 1e-6, 0.5


@dataclass(frozen=True)
class CheapestExploration:
    """Bounds on the action cost of determining every position, and steps that do it.

    Where queries are not answered some positions may never be certain: then, of learning all that can be learned.
    """

    lower: int
    """No exploration costs less: proven."""
    steps: tuple[ExploreStep, ...]
    """In an order in which they can be taken; they cost `upper`."""

    @property
    def upper(self) -> int:
        return sum(map(step_cost, self.steps))

    @property
    def exact(self) -> bool:
        """Whether the two bounds meet."""
        return self.lower == self.upper


@dataclass(frozen=True)
class Regret:
    """How much an exploration has cost more than it had to, the truth being known.

    `cost + left - best`: `left` is the least cost of going on until every position is certain (0 where it is), and
    `best` that of a cheapest exploration from the start. Never negative; 0 for one that made no detour, even if it
    ended early.
    """

    cost: int
    left: CheapestExploration
    best: CheapestExploration

    @property
    def value(self) -> int:
        """The regret; where a bound is not exact, the largest that it can be."""
        return self.cost + self.left.upper - self.best.lower

    @property
    def exact(self) -> bool:
        return self.left.exact and self.best.exact


def regret(episode: Episode) -> Regret | None:
    """The regret of the exploration phase of an episode; None in a scene of more than `MOST_ROOMS` rooms."""
    scene = episode.before or episode.scene
    if len(scene.rooms) > MOST_ROOMS:
        return None
    best = cheapest_exploration(scene, episode.settings.answer_queries)
    return Regret(episode.cost("explore"), cheapest_completion(Progress.of(episode), KnownWorld(scene)), best)


@lru_cache(maxsize=256)
def cheapest_exploration(scene: Scene, queries: bool = True) -> CheapestExploration:
    """The cheapest exploration from the start of a scene."""
    start = Progress(Belief.start(scene.names, scene.extent), frozenset(), frozenset(), True, queries)
    return cheapest_completion(start, KnownWorld(scene))


def cheapest_completion(progress: Progress, world: KnownWorld) -> CheapestExploration:
    """The cheapest way to go on from an exploration until every position is certain, in a world that is known."""
    if not progress.uncertain:
        return CheapestExploration(0, ())
    return _Search(progress, world).run()


Row = NDArray[np.float64]


class _Search:
    """The integer program over all steps, and the cores found so far."""

    def __init__(self, progress: Progress, world: KnownWorld) -> None:
        self._progress, self._world = progress, world
        places = (START, *world.names) if progress.at_start else world.names
        looks = [(place, heading) for place in places for heading in Heading]
        self._steps: list[ExploreStep] = [
            look for look in looks if look not in progress.looked and world.outcome(look).names
        ]
        self._steps += [name for name in world.names if progress.queries and name in progress.uncertain]
        self._steps = self._in_order(self._steps)[0]
        self._index = {step: number for number, step in enumerate(self._steps)}
        self._costs = np.array([step_cost(step) for step in self._steps], np.float64)
        self._most_bits = self._after(progress.belief, self._steps).bits
        self._rows: list[Row] = []
        self._stream = rng(0, "cheapest exploration")

    def run(self) -> CheapestExploration:
        if self._enough(self._progress.belief):
            return CheapestExploration(0, ())
        self._require(self._steps)
        for name in self._world.names:
            if name not in self._progress.seen:
                self._require([step for step in self._steps if name in self._world.outcome(step).names])
        lower = 0
        chosen: list[ExploreStep] = []
        while len(self._rows) < MOST_CORES:
            bound, found = self._cheapest_hitting_set()
            lower = max(lower, bound)
            if found is None:
                break
            chosen = found
            order, seen = self._in_order(chosen)
            if len(order) < len(chosen):
                self._require([step for step in self._steps if self._reveals(step, seen)])
                continue
            belief = self._after(self._progress.belief, chosen)
            if self._enough(belief):
                return CheapestExploration(lower, tuple(order))
            for _ in range(CORES_PER_ROUND):
                self._require(self._core(belief, chosen))
        return CheapestExploration(lower, self._shortened(self._completed(chosen)))

    def _enough(self, belief: Belief) -> bool:
        """Whether nothing is left to be learned: every position is certain, unless queries are not answered."""
        return belief.bits > self._most_bits - _ROUNDING

    def _require(self, core: list[ExploreStep]) -> None:
        """At least one of these steps is taken, if there are any."""
        if not core:
            return
        row = np.zeros(len(self._steps))
        row[[self._index[step] for step in core]] = 1.0
        self._rows.append(row)

    def _cheapest_hitting_set(self) -> tuple[int, list[ExploreStep] | None]:
        """A lower bound on the cost of steps that meet all requirements so far, and such steps if they were found."""
        import scipy.optimize  # noqa: PLC0415 slow to import, and rarely needed

        optimize = cast("Any", scipy.optimize)
        found = optimize.milp(
            self._costs,
            constraints=optimize.LinearConstraint(np.array(self._rows), 1.0, math.inf),
            integrality=np.ones(len(self._steps)),
            bounds=optimize.Bounds(0, 1),
            options={"node_limit": _MOST_NODES, "presolve": False},
        )
        bound = math.ceil(float(found.mip_dual_bound) - _ROUNDING)
        if found.x is None or found.status != 0:
            return bound, None
        taken: list[float] = found.x.tolist()
        return bound, [step for step, share in zip(self._steps, taken, strict=True) if share > _HALF]

    def _in_order(self, chosen: list[ExploreStep]) -> tuple[list[ExploreStep], set[str]]:
        """Steps in an order in which each stands on, or asks for, something seen before; and what is seen then."""
        seen = {START, *self._progress.seen} if self._progress.at_start else set(self._progress.seen)
        order: list[ExploreStep] = []
        left = sorted(chosen, key=lambda step: (isinstance(step, str), step[0] != START))
        while ready := [step for step in left if _place(step) in seen]:
            order += ready
            seen.update(name for step in ready for name in self._world.outcome(step).names)
            left = [step for step in left if step not in ready]
        return order, seen

    def _reveals(self, step: ExploreStep, seen: set[str]) -> bool:
        return _place(step) in seen and not self._world.outcome(step).names <= seen

    def _after(self, belief: Belief, steps: list[ExploreStep]) -> Belief:
        return belief.with_statements(tuple(s for step in steps for s in self._world.outcome(step).statements))

    def _core(self, belief: Belief, chosen: list[ExploreStep]) -> list[ExploreStep]:
        """What is outside a largest set that holds the chosen steps and is not enough."""
        core: list[ExploreStep] = []
        rest = [step for step in self._steps if step not in chosen]
        for number in self._stream.permutation(len(rest)):
            after = self._after(belief, [rest[int(number)]])
            if self._enough(after):
                core.append(rest[int(number)])
            else:
                belief = after
        return core

    def _completed(self, chosen: list[ExploreStep]) -> tuple[ExploreStep, ...]:
        """Steps that are enough: those that can be taken, and then greedy ones."""
        progress, taken = self._progress, list[ExploreStep]()
        for step in self._in_order(chosen)[0]:
            progress = progress.after(step, self._world)
            taken.append(step)
        return (*taken, *greedy_steps(progress, self._world))

    def _shortened(self, steps: tuple[ExploreStep, ...]) -> tuple[ExploreStep, ...]:
        """The same without steps that are not needed."""
        kept = list(steps)
        for step in reversed(steps):
            fewer = [other for other in kept if other != step]
            order, _ = self._in_order(fewer)
            if len(order) == len(fewer) and self._enough(self._after(self._progress.belief, fewer)):
                kept = order
        return tuple(kept)


def _place(step: ExploreStep) -> str:
    """Where a step is taken from, or what it asks for: it must have been seen."""
    return step if isinstance(step, str) else step[0]
