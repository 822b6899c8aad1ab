"""Write the files of a generated picture, and the Parquet index of the whole set."""

import hashlib
import importlib
import io
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, cast

import numpy as np
from PIL import Image

from tolman.benchmarks.sparrta.dataset.files import params_json
from tolman.benchmarks.sparrta.relations import VIEWPOINTS, bearing
from tolman.benchmarks.sparrta.sample import ROLES, Role, Sample
from tolman.benchmarks.sparrta.scenes.placement import PlacementRules
from tolman.benchmarks.sparrta.scenes.staging import EnvironmentStage, StagedSample, pixels_of
from tolman.core.errors import RenderError, SceneFileError, SettingsError
from tolman.core.files import atomic_write, encoded, read_json
from tolman.render.renderer import Picture

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
    arrow, parquet = _library("pyarrow"), _library("pyarrow.parquet")
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


def _library(name: str) -> Any:
    try:
        return importlib.import_module(name)
    except ImportError:
        raise RenderError("an index of pictures needs pyarrow: pip install 'tolman[render]'") from None
