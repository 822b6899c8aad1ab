"""Explorations by scripted agents as rows of numbers (action cost, information gain, coverage), one scene or many in
parallel.
"""

import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import partial

from tolman.belief import Belief, coverage
from tolman.core.parallel import parallel_map
from tolman.core.rules import STRICT
from tolman.explore.actions import Actions
from tolman.explore.agents.registry import SCRIPTED_BUDGET, run_explorer
from tolman.explore.cheapest import regret
from tolman.explore.episode import Episode, step
from tolman.explore.grammar import read_actions
from tolman.sense import Observation
from tolman.world import Scene
from tolman.world.select import SceneChoice


@dataclass(frozen=True)
class ExplorationRow:
    """One agent in one scene. `info_gain` has one value per parsed turn, the last (Term) turn included."""

    scene: int | str
    agent: str
    steps: int
    """Turns without the last one, which ends the exploration."""
    cost: int
    """One for each Observe, two for each Query: what the paper's tables call steps."""
    info_gain: tuple[float, ...]
    node_coverage: float
    edge_coverage: float
    seconds: float
    digest: str
    actions: tuple[str, ...]
    cheapest: int | None = None
    """Least cost of any exploration that determines every position; None in scenes of many rooms."""
    left: int | None = None
    """Least cost of going on until every position is certain; 0 where it is."""
    regret: int | None = None
    """`cost + left - cheapest`."""

    def as_dict(self) -> dict[str, object]:
        """Plain values, ready for one line of JSON."""
        return asdict(self)


def episode_of(row: ExplorationRow, scene: Scene) -> Episode:
    """The episode of a row, replayed from its actions."""
    episode = Episode(scene, SCRIPTED_BUDGET)
    for asked in row.actions:
        episode = step(episode, read_actions(asked, STRICT))
    return episode


def gain_per_turn(episode: Episode) -> list[float]:
    """Information gain after each parsed turn of the exploration."""
    scene = episode.before or episode.scene
    belief = Belief.start(scene.names, scene.extent)
    gains: list[float] = []
    for turn in episode.turns:
        if turn.phase == "explore" and turn.parsed:
            if turn.feedback is not None:
                belief = belief.after(turn.feedback)
            gains.append(belief.information_gain)
    return gains


def observations(episode: Episode) -> list[Observation]:
    """All observations of the exploration, in order."""
    explored = (turn.feedback for turn in episode.turns if turn.phase == "explore")
    return [feedback for feedback in explored if isinstance(feedback, Observation)]


def explore_scene(agent: str, scene: Scene, seed: int = 0, horizon: int | None = None) -> ExplorationRow:
    """Run a scripted explorer in a scene and summarise the episode; `seconds` is the run time of the exploration."""
    begin = time.perf_counter()
    episode = run_explorer(agent, scene, seed, horizon=horizon)
    seconds = time.perf_counter() - begin
    lost = regret(episode)
    covered = coverage(scene, observations(episode))
    return ExplorationRow(
        scene=int(scene.label) if scene.label.isdecimal() else scene.label,
        agent=agent,
        steps=episode.steps(),
        cost=episode.cost(),
        info_gain=tuple(gain_per_turn(episode)),
        node_coverage=covered.node,
        edge_coverage=covered.edge,
        seconds=round(seconds, 6),
        digest=scene.digest,
        actions=tuple(str(turn.asked) for turn in episode.turns if isinstance(turn.asked, Actions)),
        cheapest=None if lost is None else lost.best.lower,
        left=None if lost is None else lost.left.upper,
        regret=None if lost is None else lost.value,
    )


def explore_many(
    agent: str, choices: Sequence[SceneChoice], workers: int = -1, horizon: int | None = None
) -> Iterator[ExplorationRow]:
    """A row for each scene, in order, as they are done. `workers` is the number of processes, -1 for all cores."""
    return parallel_map(partial(_explore, agent, horizon), choices, workers)


def _explore(agent: str, horizon: int | None, choice: SceneChoice) -> ExplorationRow:
    return explore_scene(agent, choice.load(), choice.seed, horizon)
