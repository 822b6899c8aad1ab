"""Which logs are of which benchmark: a folder may hold several."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from tolman.benchmarks.osr_bench.runs import TASK as OSR_BENCH
from tolman.benchmarks.sparrta.questions.runs import TASK as SPARRTA
from tolman.benchmarks.theory_of_space.runs import TASK as THEORY_OF_SPACE
from tolman.core.errors import SettingsError
from tolman.harness.logs import Tell, find_logs, log_paths


@dataclass(frozen=True)
class LogsByBenchmark:
    """Files of logs that can be opened."""

    theory_of_space: list[Path]
    osr_bench: list[Path]
    sparrta: list[Path]


NO_LOGS = LogsByBenchmark([], [], [])


def logs_by_benchmark(paths: Sequence[Path], tell: Tell) -> LogsByBenchmark:
    """The logs in files and folders; those of other tasks are passed over, and damaged ones told of."""
    opened = find_logs(paths, tell)
    found = LogsByBenchmark(
        *([log.path for log in opened if log.task.startswith(task)] for task in (THEORY_OF_SPACE, OSR_BENCH, SPARRTA))
    )
    if not (found.theory_of_space or found.osr_bench or found.sparrta):
        where, count = ", ".join(map(str, paths)), len(log_paths(paths))
        raise SettingsError(
            f"{where}: none of the {count} logs there is a readable one of Theory of Space, OSR-Bench or SpaRRTa"
        )
    return found
