"""Whether SpaRRTa's samples keep their rules: `python benchmarks/sparrta_check.py --samples 1000 [--made DIR]`.

Fresh samples are staged without light, which shows exactly the same pixels of everybody and is many times quicker;
with `--made` the files of a set are read instead. Violations are counted from masks and metadata. None may be left.
"""

import argparse
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image
from tests.benchmarks.sparrta.placement_violations import KINDS, violations

from tolman.benchmarks.sparrta.dataset.files import read_set
from tolman.benchmarks.sparrta.dataset.make import read_truth, truth_of
from tolman.benchmarks.sparrta.sample import ENVIRONMENTS, VIEWPOINTS, triples_in
from tolman.benchmarks.sparrta.scenes.placement import PlacementRules
from tolman.benchmarks.sparrta.scenes.staging import VARIANTS, environment_stage, pixels_of, variant_of

Found = tuple[Any, NDArray[Any]]


def fresh(environment: str, samples: int, variants: int, rules: PlacementRules) -> Iterator[Found]:
    """Metadata and masks of new samples, a third of them of each triple."""
    for number, triple in enumerate(triples_in(environment)):
        indices = range(samples // 3 + (number < samples % 3))
        for index in sorted(indices, key=lambda i: (variant_of(environment, i, variants), i)):
            stage = environment_stage(triple, variant_of(environment, index, variants), "auto", 224, rules)
            staged = next(stage.samples(index))
            ids = stage.ids(staged)
            yield truth_of(stage, staged, pixels_of(ids)), ids


def made(folder: Path) -> Iterator[Found]:
    """Metadata and masks of a set on disk."""
    for picture in read_set(folder):
        if picture.truth is not None and picture.ids is not None:
            with Image.open(picture.ids) as ids:
                yield read_truth(picture.truth), np.asarray(ids)


def tell(name: str, found: Iterator[Found], rules: PlacementRules) -> int:
    """Count what is wrong and print a line; how many samples break a rule."""
    begin, counted, labels, tries, broken, total = time.perf_counter(), Counter[str](), Counter[str](), 0, 0, 0
    for truth, ids in found:
        wrong = violations(truth, ids, rules)
        counted.update(wrong)
        labels.update(f"{view} {truth['labels'][view]['relation']}" for view in VIEWPOINTS)
        tries, broken, total = tries + truth["attempt"] + 1, broken + bool(wrong), total + 1
    kinds = ", ".join(f"{kind} {counted[kind]}" for kind in KINDS)
    took, each = time.perf_counter() - begin, tries / max(total, 1)
    print(f"{name}: {total} samples in {took:.0f} s, {each:.1f} draws each; {kinds}", flush=True)
    print("  " + ", ".join(f"{label} {number}" for label, number in sorted(labels.items())), flush=True)
    return broken


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--samples", type=int, default=1000, help="of each environment")
    arguments.add_argument("--environments", nargs="*", default=list(ENVIRONMENTS))
    arguments.add_argument("--variants", type=int, default=VARIANTS)
    arguments.add_argument("--balanced", action="store_true")
    arguments.add_argument("--made", type=Path, default=None, help="a folder of `tolman make sparrta`")
    asked = arguments.parse_args()
    rules = PlacementRules(balanced=asked.balanced)
    if asked.made is not None:
        sys.exit(bool(tell(str(asked.made), made(asked.made), rules)))
    broken = [tell(name, fresh(name, asked.samples, asked.variants, rules), rules) for name in asked.environments]
    sys.exit(bool(sum(broken)))


if __name__ == "__main__":
    main()
