"""Pictures of a triple with their labels, as probes take them: from a folder in the authors' layout."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from tolman.benchmarks.sparrta.params_files import read_params
from tolman.benchmarks.sparrta.relations import AMBIGUITY, RELATIONS, VIEWPOINTS, Viewpoint
from tolman.benchmarks.sparrta.sample import Sample
from tolman.errors import SceneFileError

EGO_PICTURES = 5000
"""Egocentric labels are of the first so many pictures only, as released; allocentric ones of all."""
UNSAID = -1
"""The label of a picture whose relation is ambiguous."""
_INNER = "mid-objects"
_KINDS = {".jpg", ".jpeg", ".png"}


@dataclass(frozen=True, eq=False)
class PictureSet:
    """Pictures of one triple in order, and for each viewpoint the number of the relation that each shows."""

    name: str
    environment: str
    paths: tuple[Path, ...]
    labels: Mapping[Viewpoint, NDArray[np.int64]]


def read_picture_sets(data: Path, ambiguity: float = AMBIGUITY) -> list[PictureSet]:
    """All triples below a folder: `TRIPLE/mid-objects/img_####.jpg` (or png) beside `params_####.json`."""
    if not data.is_dir():
        raise SceneFileError(f"--data {data} is no folder")
    inner = [data / _INNER, *sorted(data.glob(f"*/{_INNER}"))]
    found = [_read_set(folder, ambiguity) for folder in inner if folder.is_dir()]
    if not found:
        raise SceneFileError(f"{data} has no TRIPLE/{_INNER} folders: make some with tolman make sparrta")
    return found


def _read_set(folder: Path, ambiguity: float) -> PictureSet:
    pictures = sorted(path for path in folder.glob("img_*") if path.suffix.lower() in _KINDS)
    if not pictures:
        raise SceneFileError(f"{folder} holds no pictures img_####.jpg or .png")
    samples = [read_params(_params(path)) for path in pictures]
    labels: dict[Viewpoint, NDArray[np.int64]] = {
        viewpoint: _labels(samples, viewpoint, ambiguity) for viewpoint in VIEWPOINTS
    }
    labels["ego"][EGO_PICTURES:] = UNSAID
    return PictureSet(folder.resolve().parent.name, samples[0].triple.environment, tuple(pictures), labels)


def _params(picture: Path) -> Path:
    number = re.sub(r"^img_", "", picture.stem)
    return picture.with_name(f"params_{number}.json")


def _labels(samples: list[Sample], viewpoint: Viewpoint, ambiguity: float) -> NDArray[np.int64]:
    said = (sample.relation(viewpoint, ambiguity) for sample in samples)
    return np.array([UNSAID if relation is None else RELATIONS.index(relation) for relation in said], dtype=np.int64)
