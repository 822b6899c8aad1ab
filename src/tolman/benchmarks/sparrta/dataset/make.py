"""Make a set of pictures on disk, or in the cache for an evaluation: the files of each picture, and the Parquet index
of the whole set. A picture is determined by the settings and its number. A repeated call resumes.
"""

import hashlib
import io
import json
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import partial
from itertools import groupby
from pathlib import Path
from typing import Any, cast

import joblib
import numpy as np
from PIL import Image

from tolman import __version__
from tolman.benchmarks.sparrta.dataset.files import TRUTH_FOLDER, is_complete, params_json, picture_paths
from tolman.benchmarks.sparrta.options import Options, Selection
from tolman.benchmarks.sparrta.sample import (
    ENVIRONMENTS,
    ROLES,
    TRIPLES,
    VIEWPOINTS,
    Role,
    Sample,
    Triple,
    bearing,
    triple_of,
    triples_in,
)
from tolman.benchmarks.sparrta.scenes.placement import PlacementRules
from tolman.benchmarks.sparrta.scenes.staging import (
    PRESETS,
    VARIANTS,
    EnvironmentStage,
    StagedSample,
    environment_stage,
    find_assets,
    pixels_of,
    variant_of,
)
from tolman.core.errors import RenderError, SceneFileError, SettingsError, UnknownNameError, optional_library
from tolman.core.files import (
    atomic_write,
    cache_folder,
    check_made_with,
    clear_unfinished,
    encoded,
    lock_folder,
    read_json,
)
from tolman.core.parallel import parallel_map
from tolman.core.seeds import digest
from tolman.render.engine.variant import drjit, variant
from tolman.render.renderer import Picture
from tolman.world.select import seeds_in

_QUALITY = 95
_CENTIMETRES, _FARTHEST = 100.0, 65_535


def write_sample(files: Mapping[str, Path], stage: EnvironmentStage, staged: StagedSample, picture: Picture) -> None:
    """Write all files of a picture; SettingsError on failure."""
    depth = np.minimum(np.nan_to_num(picture.depth, posinf=1e9) * _CENTIMETRES, _FARTHEST)
    data = {
        "image": encoded(Image.fromarray(picture.rgb), "JPEG", quality=_QUALITY, subsampling=0),
        "params": params_json(staged.sample),
        "ids": encoded(Image.fromarray(np.maximum(picture.ids, 0).astype(np.uint8)), "PNG"),
        "depth": encoded(Image.fromarray(np.round(depth).astype(np.uint16)), "PNG"),
        "truth": json.dumps(truth_of(stage, staged, pixels_of(picture.ids)), indent=1).encode(),
    }
    for name, path in files.items():
        try:
            atomic_write(path, data[name], durable=False)
        except OSError as error:
            raise SettingsError(f"{path} can't be written: {error.strerror}") from None


def truth_of(stage: EnvironmentStage, staged: StagedSample, pixels: Mapping[Role, int]) -> dict[str, object]:
    """The metadata of a picture; `pixels` are the visible pixels of each actor.

    World frame: x east, y north, z up, metres; degrees clockwise from north.
    """
    sample, camera = staged.sample, staged.sample.camera
    return {
        "triple": sample.triple.name,
        "index": sample.index,
        "variant": staged.variant,
        "attempt": staged.attempt,
        "size": stage.size,
        "camera": {"at": [camera.x, camera.y, camera.z], "looks_at": list(camera.looks_at), "field": camera.field},
        "labels": {view: _label(sample, view, stage.rules) for view in VIEWPOINTS},
        "light": asdict(staged.sky),
        "actors": {
            actor.role: {**_actor(stage, staged, number), "pixels": pixels[actor.role]}
            for number, actor in enumerate(sample.actors)
        },
    }


def _label(sample: Sample, viewpoint: Any, rules: PlacementRules) -> dict[str, object]:
    seen_from = sample.camera.ground if viewpoint == "ego" else sample.human.ground
    turned = bearing(seen_from, sample.source.ground, sample.target.ground)
    return {"relation": sample.relation(viewpoint, rules.ambiguity), "bearing": turned}


def _actor(stage: EnvironmentStage, staged: StagedSample, number: int) -> dict[str, object]:
    role = ROLES[number]
    actor, pose = staged.sample.actors[number], staged.poses[role]
    footing = stage.actor_assets[role, staged.choices[role]].footing
    corners = footing.corners @ pose[:, :3].T + pose[:, 3]
    columns, rows, _ = staged.camera.pixels(corners).T
    return {
        "id": number + 1,
        "kind": actor.kind,
        "model": stage.seeds[role][staged.choices[role]],
        "at": pose[:, 3].tolist(),
        "heading": actor.heading,
        "rotation": pose[:, :3].tolist(),
        "box": {"low": corners.min(axis=0).tolist(), "high": corners.max(axis=0).tolist()},
        "box_in_picture": [float(v) for v in (columns.min(), rows.min(), columns.max(), rows.max())],
        "pixels_alone": staged.alone[role],
    }


def read_truth(path: Path) -> Mapping[str, Any]:
    """Read the metadata of a generated picture."""
    found = read_json(path)
    if not isinstance(found, dict) or "actors" not in found:
        raise SceneFileError(f"{path} does not describe a picture of `tolman make sparrta`")
    return cast("Mapping[str, Any]", found)


INDEX = "index.parquet"


def write_set_index(out: Path, rows: Sequence[Mapping[str, Path]]) -> Path:
    """Write the index of a set from the files of each picture, by kind. The same pictures give the same bytes."""
    missing = "an index of pictures needs pyarrow: pip install 'tolman[render]'"
    arrow, parquet = (optional_library(name, missing, RenderError) for name in ("pyarrow", "pyarrow.parquet"))
    buffer = io.BytesIO()
    parquet.write_table(arrow.Table.from_pylist([_row(out, files) for files in rows]), buffer, compression="zstd")
    atomic_write(out / INDEX, buffer.getvalue())
    return out / INDEX


def _row(out: Path, files: Mapping[str, Path]) -> dict[str, Any]:
    truth = read_truth(files["truth"])
    row: dict[str, Any] = {"triple": truth["triple"], "index": truth["index"], "variant": truth["variant"]}
    row |= {name: path.relative_to(out).as_posix() for name, path in files.items()}
    row["sha256"] = hashlib.sha256(files["image"].read_bytes()).hexdigest()
    for view in VIEWPOINTS:
        row |= {view: truth["labels"][view]["relation"], f"{view}_bearing": truth["labels"][view]["bearing"]}
    row |= dict(zip(("camera_x", "camera_y", "camera_z"), truth["camera"]["at"], strict=True))
    for role in ROLES:
        actor = truth["actors"][role]
        row |= dict(zip((f"{role}_x", f"{role}_y", f"{role}_z"), actor["at"], strict=True))
        row |= {f"{role}_{name}": actor[name] for name in ("kind", "heading", "pixels", "pixels_alone")}
    return row | {f"sun_{name}": truth["light"][name] for name in ("bearing", "height", "cover", "haze")}


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


def generated_plan(selection: Selection, options: Options) -> PicturePlan:
    """The pictures that options select, by default the first hundred of the first triples. Relations are unambiguous
    from both viewpoints, whichever are asked for."""
    triples = named_triples(selection.environment, selection.triple or "1")
    rules = PlacementRules(ambiguity=options.ambiguity, balanced=selection.balanced)
    indices = numbers_in(selection.images or "0-99")
    return PicturePlan(triples, indices, options.size, rules, selection.preset, selection.assets)


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
