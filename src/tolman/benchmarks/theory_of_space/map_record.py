"""The exploration of a released run, replayed, with the replies in which the model stated its maps."""

from dataclasses import dataclass
from functools import cached_property

from tolman.belief.map_dimensions import MapTurn
from tolman.belief.unexplored import Points, released_points
from tolman.benchmarks.theory_of_space.explored import ExploredTurn, explored_turns
from tolman.benchmarks.theory_of_space.released_logs import LoggedTurn
from tolman.benchmarks.theory_of_space.released_runs import ReleasedRun
from tolman.benchmarks.theory_of_space.replay import replay
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
    explored = explored_turns(episode)
    logs = tuple(logged[turn.number - 1] for turn in explored)
    return MapRecord(
        scene=episode.before or episode.scene,
        seed=run.seed,
        turns=tuple(map(_map_turn, explored, logs)),
        logs=logs,
        looked=tuple(turn.looked for turn in explored),
        gains=tuple(turn.gain for turn in explored),
    )


def _map_turn(turn: ExploredTurn, log: LoggedTurn) -> MapTurn:
    return MapTurn(
        pose=turn.pose,
        seen=turn.seen,
        seen_before=turn.seen_before,
        possible=turn.possible,
        global_reply=log.cogmap_log.get("global", {}).get("original_response"),
        local_reply=log.cogmap_log.get("local", {}).get("original_response"),
    )
