"""What a report costs: seconds to write one of 100 scenes and three scripted models, and how large it is.

The first line is that of scenes never reported on before; the second finds what guesses are worth on their questions
in the cache. Run it alone on the machine.
"""

import argparse
import os
import resource
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from joblib.externals import loky

from tolman.benchmarks.theory_of_space.task import theory_of_space
from tolman.core.parallel import untracked
from tolman.harness.evaluation import RunPlan, evaluate
from tolman.report.whole_report import write_whole_report

MODELS = ("random", "scout", "strategist")


def main() -> None:
    """Print one line for each measurement."""
    parser = argparse.ArgumentParser()
    parser.add_argument("logs", nargs="*", type=Path, help="folders of logs; made where none is named")
    parser.add_argument("--scenes", type=int, default=100)
    parser.add_argument("--jobs", type=int, default=-1)
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        os.environ["TOLMAN_CACHE"] = str(Path(folder) / "cache")
        logs = chosen.logs or [_logs(Path(folder), model, chosen.scenes) for model in MODELS]
        for what in ("scenes that are new", "scenes reported on before"):
            _measure(logs, Path(folder) / "report", chosen.jobs, what)


def _logs(folder: Path, model: str, scenes: int) -> Path:
    """Logs of a whole evaluation. It takes some minutes."""
    begin = time.perf_counter()
    evaluate([theory_of_space(scenes=f"0-{scenes - 1}")], RunPlan(f"tolman/{model}", folder / model, display="none"))
    print(f"logs of tolman/{model}: {time.perf_counter() - begin:.0f} s", file=sys.stderr)
    return folder / model


def _measure(logs: Sequence[Path], out: Path, jobs: int, what: str) -> None:
    cpu, begin = _cpu(), time.perf_counter()
    index = write_whole_report(logs, out, print, untracked, jobs)
    wall = time.perf_counter() - begin
    pages = list((out / "episodes").rglob("*.html"))
    largest, whole = (f(path.stat().st_size for path in pages) for f in (max, sum))
    loky_executor: Any = loky
    loky_executor.get_reusable_executor().shutdown(wait=True)
    print(
        f"{len(pages)} {what}: {wall:.0f} s, {_cpu() - cpu:.0f} CPU s; index {index.stat().st_size / 1e6:.2f} MB, "
        f"episodes {whole / 1e6:.0f} MB, the largest {largest / 1e6:.2f} MB"
    )
    sys.stdout.flush()


def _cpu() -> float:
    """CPU seconds of this process and of workers that have ended."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)


if __name__ == "__main__":
    main()
