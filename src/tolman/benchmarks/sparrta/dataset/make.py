"""Make a set of pictures on disk, or in the cache for an evaluation. A repeated call resumes.

A picture is determined by the settings and its number.
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
from tolman.benchmarks.sparrta.dataset.files import TRUTH_FOLDER, is_complete, picture_paths
from tolman.benchmarks.sparrta.dataset.writing import write_sample, write_set_index
from tolman.benchmarks.sparrta.sample import ENVIRONMENTS, TRIPLES, Triple, triple_of, triples_in
from tolman.benchmarks.sparrta.scenes.placement import PlacementRules
from tolman.benchmarks.sparrta.scenes.staging import PRESETS, VARIANTS, environment_stage, find_assets, variant_of
from tolman.core.errors import SettingsError, UnknownNameError
from tolman.core.files import cache_folder, check_made_with, clear_unfinished, lock_folder
from tolman.core.parallel import parallel_map
from tolman.core.seeds import digest
from tolman.render.engine.variant import drjit, variant
from tolman.world.select import seeds_in

_AT_ONCE = 40
"""Pictures of one variant per batch of a worker."""
PictureProgress = Callable[[int, int], object]
"""Called with the number of finished pictures and the total."""
Batch = tuple[Triple, int, tuple[int, ...]]


@dataclass(frozen=True)
class PicturePlan:
    """The specification of a set: triples, and numbers of the pictures of each."""

    triples: tuple[Triple, ...]
    indices: tuple[int, ...]
    size: int = 224
    rules: PlacementRules = field(default_factory=PlacementRules)
    preset: str = "standard"
    assets: str = "auto"
    variants: int = VARIANTS

    def __post_init__(self) -> None:
        if not self.triples or not self.indices or len(set(self.indices)) != len(self.indices):
            raise SettingsError("a set needs a triple and distinct numbers of pictures, such as 0-4999")
        if not 32 <= self.size <= 2048:
            raise SettingsError(f"a picture has 32 to 2048 pixels per side, not {self.size}")
        if not 0 <= self.rules.ambiguity < 45:
            raise SettingsError(f"--ambiguity is from 0 to below 45 degrees, not {self.rules.ambiguity}")
        if self.preset not in PRESETS:
            raise UnknownNameError(f"there is no preset {self.preset!r}; choose one of {', '.join(PRESETS)}")

    def as_dict(self) -> dict[str, object]:
        """Everything that a picture depends on, except its triple and number."""
        made: dict[str, object] = {
            "tolman": __version__,
            "engine": variant(),
            "models": find_assets(self.assets).digest,
        }
        return made | {"size": self.size, "preset": self.preset, "variants": self.variants, "rules": asdict(self.rules)}


def make_pictures(
    plan: PicturePlan, out: Path, progress: PictureProgress, *, workers: int = 1, force: bool = False
) -> Path:
    """Make a set in a folder with `workers` processes, -1 for all cores; returns the path of its index.

    The folder may hold pictures of earlier calls with the same settings; with `force`, any other files too.
    """
    with lock_folder(out):
        clear_unfinished(out)
        check_made_with(out, plan.as_dict(), force=force)
        total, batches = len(plan.triples) * len(plan.indices), _batches(plan, out)
        done = total - sum(len(indices) for _, _, indices in batches)
        progress(done, total)
        processes: int = cast("Any", joblib).effective_n_jobs(workers)
        threads = max(1, cast("Any", joblib).cpu_count() // processes) if processes > 1 else None
        for made in parallel_map(partial(_make, plan, out.absolute(), threads), batches, workers):
            done += made
            progress(done, total)
        return write_set_index(out, all_files(out))


def all_files(out: Path) -> list[dict[str, Path]]:
    """The files of every picture in a folder, by kind."""
    return [
        picture_paths(out, triple, int(truth.stem.rpartition("_")[2]))
        for triple in TRIPLES
        for truth in sorted((out / triple.name / TRUTH_FOLDER).glob("truth_*.json"))
    ]


def _batches(plan: PicturePlan, out: Path) -> list[Batch]:
    """The missing pictures, grouped by variant, as building an environment takes longest."""
    missing = [
        (triple, variant_of(triple.environment, index, plan.variants), index)
        for triple in plan.triples
        for index in plan.indices
        if not is_complete(picture_paths(out, triple, index))
    ]
    missing.sort(key=lambda one: (one[0].name, one[1], one[2]))
    batches: list[Batch] = []
    for (triple, number), group in groupby(missing, key=lambda one: (one[0], one[1])):
        indices = [index for _, _, index in group]
        batches += [(triple, number, tuple(indices[i : i + _AT_ONCE])) for i in range(0, len(indices), _AT_ONCE)]
    return batches


def _make(plan: PicturePlan, out: Path, threads: int | None, batch: Batch) -> int:
    """Make the pictures of one batch; returns their number."""
    triple, number, indices = batch
    if threads is not None:
        os.environ["OIDN_NUM_THREADS"] = str(threads)
        drjit().set_thread_count(threads)
    stage = environment_stage(triple, number, plan.assets, plan.size, plan.rules)
    for index in indices:
        write_sample(picture_paths(out, triple, index), stage, *stage.take(index, PRESETS[plan.preset]))
    return len(indices)


ALL = "all"


@dataclass(frozen=True)
class GeneratedPictures:
    """The pictures that options select."""

    environment: str = ""
    """Empty for all."""
    triple: str = ""
    """Empty for the first."""
    images: str = ""
    """Empty for the first hundred."""
    size: int = 224
    ambiguity: float = 15.0
    balanced: bool = False
    preset: str = "standard"
    assets: str = "auto"

    @property
    def plan(self) -> PicturePlan:
        """The specification. Relations are unambiguous from both viewpoints, whichever are asked for."""
        indices, triples = numbers_in(self.images or "0-99"), named_triples(self.environment, self.triple or "1")
        rules = PlacementRules(ambiguity=self.ambiguity, balanced=self.balanced)
        return PicturePlan(triples, indices, self.size, rules, self.preset, self.assets)


def named_triples(environment: str, triple: str) -> tuple[Triple, ...]:
    """Triples by comma-separated environments and numbers; empty means all."""
    environments = ENVIRONMENTS if environment in {"", ALL} else _listed(environment)
    numbers = ("1", "2", "3") if triple in {"", ALL} else _listed(triple)
    for number in numbers:
        if not number.isdecimal():
            raise SettingsError(f"--triple is 1, 2, 3, several of them, or all, not {triple!r}")
    for name in environments:
        triples_in(name)
    return tuple(triple_of(name, int(number)) for name in environments for number in numbers)


def numbers_in(images: str) -> tuple[int, ...]:
    """The numbers of pictures in an option such as `0-99`."""
    indices = seeds_in(images)
    if indices is None:
        raise SettingsError(f"--images {images!r} is not a list of numbers such as 0-99")
    return tuple(indices)


def _listed(text: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(part.strip() for part in text.split(",")))


def picture_folder(plan: PicturePlan) -> Path:
    """The cache folder for pictures with these settings."""
    return cache_folder() / "sparrta" / digest(plan.as_dict())[:20]


def prepare_pictures(plan: PicturePlan, progress: PictureProgress, workers: int = 1) -> Path:
    """The folder with all pictures of a plan; missing ones are rendered, which is slow."""
    folder = picture_folder(plan)
    if not all(is_complete(picture_paths(folder, triple, index)) for triple in plan.triples for index in plan.indices):
        make_pictures(plan, folder, progress, workers=workers)
    return folder
