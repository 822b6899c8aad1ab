"""The exploration of a released run, replayed, with the replies in which the model stated its maps."""

from dataclasses import dataclass
from functools import cached_property

from tolman.belief import Belief
from tolman.belief.map_dimensions import MapTurn
from tolman.belief.unexplored import Points, released_points
from tolman.benchmarks.theory_of_space.released_logs import LoggedTurn
from tolman.benchmarks.theory_of_space.released_runs import ReleasedRun
from tolman.benchmarks.theory_of_space.replay import replay
from tolman.explore.episode import Turn
from tolman.sense import Observation
from tolman.world import Scene


@dataclass(frozen=True)
class MapRecord:
    """All that map scores need. `turns`, `logs` and `gains` have one entry for each turn that could be read."""

    scene: Scene
    seed: int
    turns: tuple[MapTurn, ...]
    logs: tuple[LoggedTurn, ...]
    looked: tuple[bool, ...]
    """Whether the turn was a look."""
    gains: tuple[float, ...]
    """Information gain after the turn."""

    @cached_property
    def points(self) -> tuple[Points, ...]:
        """The points that the authors' probe of unexplored space showed after each turn."""
        poses = [(turn.pose, looked) for turn, looked in zip(self.turns, self.looked, strict=True)]
        return released_points(self.scene, poses, self.seed)


def map_record(run: ReleasedRun) -> MapRecord | None:
    """Replay an exploration; None where the model was handed the log of another agent."""
    logged = run.exploration_turns
    if not logged:
        return None
    episode = replay(run)
    scene = episode.before or episode.scene
    belief = Belief.start(scene.names, scene.extent)
    seen: tuple[str, ...] = ()
    turns: list[MapTurn] = []
    gains: list[float] = []
    read = [(turn, log) for turn, log in zip(episode.turns, logged, strict=False) if turn.parsed]
    for turn, log in read:
        belief = belief if turn.told is None else belief.after(turn.told)
        before, seen = seen, _seen_after(seen, turn)
        turns.append(_map_turn(scene, turn, log, (before, seen), belief))
        gains.append(belief.information_gain)
    looked = tuple(isinstance(turn.told, Observation) for turn, _ in read)
    return MapRecord(scene, run.seed, tuple(turns), tuple(log for _, log in read), looked, tuple(gains))


def _seen_after(seen: tuple[str, ...], turn: Turn) -> tuple[str, ...]:
    names = turn.told.names if isinstance(turn.told, Observation) else ()
    return (*seen, *(name for name in names if name not in seen))


def _map_turn(
    scene: Scene, turn: Turn, log: LoggedTurn, seen: tuple[tuple[str, ...], tuple[str, ...]], belief: Belief
) -> MapTurn:
    return MapTurn(
        pose=scene.pose_at(turn.standing_on, turn.heading),
        seen=seen[1],
        seen_before=seen[0],
        possible={name: belief.count(name) for name in belief.names if belief.is_constrained(name)},
        global_reply=log.cogmap_log.get("global", {}).get("original_response"),
        local_reply=log.cogmap_log.get("local", {}).get("original_response"),
    )
