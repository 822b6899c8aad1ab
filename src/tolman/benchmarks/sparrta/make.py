"""Make a set of pictures on disk. The same call again goes on where the last one stopped.

With the settings, a picture's number alone decides its bytes.
"""

import os
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from functools import partial
from itertools import groupby
from pathlib import Path
from typing import Any, cast

import joblib

from tolman import __version__
from tolman.benchmarks.sparrta.environments import VARIANTS, variant_of
from tolman.benchmarks.sparrta.rules import Rules
from tolman.benchmarks.sparrta.set_files import write_sample
from tolman.benchmarks.sparrta.set_index import write_set_index
from tolman.benchmarks.sparrta.set_layout import TRUTH, is_made, set_files
from tolman.benchmarks.sparrta.staging import PRESETS, find_models, theatre
from tolman.benchmarks.sparrta.triples import TRIPLES, Triple
from tolman.errors import SettingsError, UnknownNameError
from tolman.render.engine.variant import drjit, variant
from tolman.render.folder_lock import only_one
from tolman.render.made_with import keep_to
from tolman.spread import spread
from tolman.whole_file import clear_unfinished

_AT_ONCE = 40
"""Pictures of one variant that a worker takes at a time."""
Told = Callable[[int, int], object]
"""Called with how many pictures are done, and of how many."""
Batch = tuple[Triple, int, tuple[int, ...]]


@dataclass(frozen=True)
class PicturePlan:
    """A set to be made: pictures by their numbers, of some triples."""

    triples: tuple[Triple, ...]
    indices: tuple[int, ...]
    size: int = 224
    rules: Rules = field(default_factory=Rules)
    preset: str = "standard"
    models: str = "auto"
    variants: int = VARIANTS

    def __post_init__(self) -> None:
        if not self.triples or not self.indices or len(set(self.indices)) != len(self.indices):
            raise SettingsError("a set needs a triple and numbers of pictures, each of them once, such as 0-4999")
        if not 32 <= self.size <= 2048:
            raise SettingsError(f"a picture has 32 to 2048 pixels a side, not {self.size}")
        if not 0 <= self.rules.ambiguity < 45:
            raise SettingsError(f"--ambiguity is from 0 to below 45 degrees, not {self.rules.ambiguity}")
        if self.preset not in PRESETS:
            raise UnknownNameError(f"there is no preset {self.preset!r}; choose one of {', '.join(PRESETS)}")

    def as_dict(self) -> dict[str, object]:
        """All that a picture of the set depends on, but for its number."""
        made: dict[str, object] = {
            "tolman": __version__,
            "engine": variant(),
            "models": find_models(self.models).digest,
        }
        return made | {"size": self.size, "preset": self.preset, "variants": self.variants, "rules": asdict(self.rules)}


def make_pictures(plan: PicturePlan, out: Path, told: Told, *, workers: int = 1, force: bool = False) -> Path:
    """Make a set in a folder with so many processes, -1 for all cores; returns its table.

    A folder may hold pictures of several calls, as long as all are made in the same way; with `force`, other files too.
    """
    with only_one(out):
        clear_unfinished(out)
        keep_to(out, plan.as_dict(), force=force)
        total, batches = len(plan.triples) * len(plan.indices), _batches(plan, out)
        done = total - sum(len(indices) for _, _, indices in batches)
        told(done, total)
        processes: int = cast("Any", joblib).effective_n_jobs(workers)
        threads = max(1, cast("Any", joblib).cpu_count() // processes) if processes > 1 else None
        for made in spread(partial(_make, plan, out.absolute(), threads), batches, workers):
            done += made
            told(done, total)
        return write_set_index(out, all_files(out))


def all_files(out: Path) -> list[dict[str, Path]]:
    """The files of every picture that a folder holds, by what they are."""
    return [
        set_files(out, triple, int(truth.stem.rpartition("_")[2]))
        for triple in TRIPLES
        for truth in sorted((out / triple.name / TRUTH).glob("truth_*.json"))
    ]


def _batches(plan: PicturePlan, out: Path) -> list[Batch]:
    """What is to be made yet, one variant after another, as building them takes longest."""
    missing = [
        (triple, variant_of(triple.environment, index, plan.variants), index)
        for triple in plan.triples
        for index in plan.indices
        if not is_made(set_files(out, triple, index))
    ]
    missing.sort(key=lambda one: (one[0].name, one[1], one[2]))
    batches: list[Batch] = []
    for (triple, number), group in groupby(missing, key=lambda one: (one[0], one[1])):
        indices = [index for _, _, index in group]
        batches += [(triple, number, tuple(indices[i : i + _AT_ONCE])) for i in range(0, len(indices), _AT_ONCE)]
    return batches


def _make(plan: PicturePlan, out: Path, threads: int | None, batch: Batch) -> int:
    """Make the pictures of one batch; how many."""
    triple, number, indices = batch
    if threads is not None:
        os.environ["OIDN_NUM_THREADS"] = str(threads)
        drjit().set_thread_count(threads)
    stage = theatre(triple, number, plan.models, plan.size, plan.rules)
    for index in indices:
        write_sample(set_files(out, triple, index), stage, *stage.take(index, PRESETS[plan.preset]))
    return len(indices)
