"""How fast pictures of SpaRRTa are made, with masks, depth and files: in one variant of each environment.

CPU time is of all threads; on a GPU look at pictures a second.
"""

import argparse
import tempfile
import time
from pathlib import Path

from rich.console import Console
from rich.table import Table

from tolman.benchmarks.sparrta.dataset.files import picture_paths
from tolman.benchmarks.sparrta.dataset.make import write_sample
from tolman.benchmarks.sparrta.sample import ENVIRONMENTS, triple_of
from tolman.benchmarks.sparrta.scenes.placement import PlacementRules
from tolman.benchmarks.sparrta.scenes.staging import PRESETS, VARIANTS, environment_stage, variant_of
from tolman.render.engine.variant import variant


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pictures", type=int, default=20, help="of each environment")
    parser.add_argument("--environments", nargs="+", default=list(ENVIRONMENTS))
    parser.add_argument("--preset", default="standard", choices=list(PRESETS))
    parser.add_argument("--assets", default="auto")
    chosen = parser.parse_args()
    rows = {name: measure(name, chosen) for name in chosen.environments}
    table = Table(title=f"Pictures of SpaRRTa, {variant()}, {chosen.preset}", title_justify="left", box=None)
    for heading in ("environment", "a variant, CPU s", "staging, CPU ms", "a picture, CPU s", "pictures/s"):
        table.add_column(heading, justify="left" if heading == "environment" else "right")
    for name, (build, stage, each, rate) in rows.items():
        table.add_row(name, f"{build:.1f}", f"{1e3 * stage:.0f}", f"{each:.2f}", f"{rate:.2f}")
    Console(width=120).print(table)


def measure(environment: str, chosen: argparse.Namespace) -> tuple[float, float, float, float]:
    """CPU seconds to build a variant, to stage a picture, to make one; and pictures a second."""
    triple, rules, preset = triple_of(environment, 1), PlacementRules(), PRESETS[chosen.preset]
    of_first = (index for index in range(100_000) if variant_of(environment, index, VARIANTS) == 0)
    first, *indices = (index for index, _ in zip(of_first, range(chosen.pictures + 1), strict=False))
    begin = time.process_time()
    stage = environment_stage(triple, 0, chosen.assets, 224, rules)
    built = time.process_time() - begin
    with tempfile.TemporaryDirectory() as folder:
        write_sample(picture_paths(Path(folder), triple, first), stage, *stage.take(first, preset))
        begin = time.process_time()
        for index in indices:
            next(stage.samples(index))
        staged = time.process_time() - begin
        begin, clock = time.process_time(), time.perf_counter()
        for index in indices:
            write_sample(picture_paths(Path(folder), triple, index), stage, *stage.take(index, preset))
        made, wall = time.process_time() - begin, time.perf_counter() - clock
    return built, staged / len(indices), made / len(indices), len(indices) / wall


if __name__ == "__main__":
    main()
