"""Theory of Space: can an agent explore on purpose, state its map, revise it when the world changes, and use it?"""

from tolman.benchmarks.theory_of_space.released.cases import scene_of
from tolman.benchmarks.theory_of_space.released.log_schema import LoggedAnswer, LoggedTurn, RunHistory
from tolman.benchmarks.theory_of_space.released.replies import replay
from tolman.benchmarks.theory_of_space.released.run_files import ReleasedRun, ReleasedRunError, find_runs

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
