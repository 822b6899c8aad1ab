"""Theory of Space: can an agent explore on purpose, state its map, revise it when the world changes, and use it?"""

from tolman.benchmarks.theory_of_space.released_logs import LoggedAnswer, LoggedTurn, RunHistory
from tolman.benchmarks.theory_of_space.released_record import replay
from tolman.benchmarks.theory_of_space.released_runs import ReleasedRun, find_runs
from tolman.benchmarks.theory_of_space.released_scenes import scene_of
from tolman.benchmarks.theory_of_space.stored_files import ReleasedRunError

__all__ = [
    "LoggedAnswer",
    "LoggedTurn",
    "ReleasedRun",
    "ReleasedRunError",
    "RunHistory",
    "find_runs",
    "replay",
    "scene_of",
]
