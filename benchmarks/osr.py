"""How fast OSR-Bench is: maps and all questions of many rooms from seeds, and the matching of stated maps.

`--workers` processes share the rooms. Matching is CPU time of this process, the mean over rooms; stated maps have every
object moved a little, some forgotten and some invented.
"""

import argparse
import time
from collections.abc import Sequence
from functools import partial
from itertools import chain
from statistics import fmean

from rich.console import Console
from rich.table import Table

from tolman.benchmarks.osr_bench.dataset.files import batches, generated_maps, generated_room
from tolman.benchmarks.osr_bench.maps.grid import GridMap, StatedMap
from tolman.benchmarks.osr_bench.maps.scores import score_map
from tolman.benchmarks.osr_bench.options import Options
from tolman.benchmarks.osr_bench.questions.generate import CoOccurrence
from tolman.benchmarks.osr_bench.rules import PUBLISHED, STRICT, Rules
from tolman.core.parallel import parallel_map
from tolman.core.rules import RuleSetName
from tolman.core.seeds import rng


def main() -> None:
    parser = argparse.ArgumentParser(description="Speed of OSR-Bench")
    parser.add_argument("--scenes", type=int, default=10_000, help="rooms")
    parser.add_argument("--workers", type=int, default=2, help="processes")
    chosen = parser.parse_args()
    table = Table(title="OSR-Bench", box=None, padding=(0, 2, 0, 0), title_justify="left")
    for heading in ("what", "seconds", "each"):
        table.add_column(heading, justify="left" if heading == "what" else "right")
    console = Console(width=110)
    options = Options()
    begin = time.perf_counter()
    maps = list(generated_maps(range(chosen.scenes), options, chosen.workers))
    made = time.perf_counter()
    company = CoOccurrence.of(truth.classes for truth in maps)
    questions = _ask_all(maps, company, options, chosen.workers)
    done = time.perf_counter()
    _row(table, f"maps of {chosen.scenes:,} rooms, {chosen.workers} processes", made - begin, chosen.scenes)
    _row(table, f"their {questions:,} questions, strict", done - made, chosen.scenes)
    _row(table, "[bold]both[/bold]", done - begin, chosen.scenes)
    few = maps[:1000]
    for rules in ("strict", "published"):
        cpu = _cpu_to_ask(few, company, rules)
        _row(table, f"questions of {len(few):,} rooms, {rules}, CPU of one process", cpu, len(few))
    for rules in (STRICT, PUBLISHED):
        times = [_cpu_to_match(seed, truth, rules) for seed, truth in enumerate(few)]
        each = f"{1e3 * fmean(times):.2f} ms"
        table.add_row(f"matching a map, {rules.name}, CPU (worst {1e3 * max(times):.2f} ms)", "", each)
    console.print(table)


def _row(table: Table, what: str, seconds: float, count: int) -> None:
    table.add_row(what, f"{seconds:.1f}", f"{1e3 * seconds / count:.2f} ms")


def _ask_all(maps: Sequence[GridMap], company: CoOccurrence, options: Options, workers: int) -> int:
    work = partial(_ask, company=company, options=options)
    return sum(parallel_map(work, batches(list(enumerate(maps))), workers))


def _ask(rooms: Sequence[tuple[int, GridMap]], company: CoOccurrence, options: Options) -> int:
    cases = (generated_room(seed, truth, company, options).cases.values() for seed, truth in rooms)
    return sum(len(case.questions) for case in chain.from_iterable(cases))


def _cpu_to_ask(maps: Sequence[GridMap], company: CoOccurrence, rules: RuleSetName) -> float:
    begin = time.process_time()
    _ask(list(enumerate(maps)), company, Options(rules=rules))
    return time.process_time() - begin


def _cpu_to_match(seed: int, truth: GridMap, rules: Rules) -> float:
    moved = _moved(truth.instances, seed)
    score_map(truth, {}, rules)
    begin = time.process_time()
    score_map(truth, moved, rules)
    return time.process_time() - begin


def _moved(stated: StatedMap, seed: int) -> StatedMap:
    stream = rng(seed, "moved")
    moved: StatedMap = {"unicorn": [(3, 3)]}
    for name, places in stated.items():
        steps = stream.integers(-1, 2, size=(len(places), 2)).tolist()
        kept = [(row + a, column + b) for (row, column), (a, b) in zip(places, steps, strict=True)]
        moved[name] = [(min(max(row, 0), 9), min(max(column, 0), 9)) for row, column in kept[: 1 + len(kept) * 4 // 5]]
    return moved


if __name__ == "__main__":
    main()
