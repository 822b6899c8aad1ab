"""Pictures of a triple with their labels, as probes take them: from a folder in the authors' layout."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from tolman.benchmarks.sparrta.params_files import read_params
from tolman.benchmarks.sparrta.picture_files import inner_folders, params_of_picture, pictures_in
from tolman.benchmarks.sparrta.relations import AMBIGUITY, RELATIONS, VIEWPOINTS, Viewpoint
from tolman.benchmarks.sparrta.sample import Sample
from tolman.errors import SceneFileError, SettingsError

EGO_PICTURES = 5000
"""Egocentric labels are of the first so many pictures only, as released; allocentric ones of all."""
UNSAID = -1
"""The label of a picture whose relation is ambiguous."""


@dataclass(frozen=True, eq=False)
class PictureSet:
    """Pictures of one triple in order, and for each viewpoint the number of the relation that each shows."""

    name: str
    environment: str
    paths: tuple[Path, ...]
    labels: Mapping[Viewpoint, NDArray[np.int64]]
    ambiguity: float = AMBIGUITY
    """Degrees on each side of a diagonal in which no relation is said."""
    left_out: int = 0
    """Pictures that have no parameters beside them."""


def read_picture_sets(data: Path, ambiguity: float = AMBIGUITY) -> list[PictureSet]:
    """All triples below a folder: `TRIPLE/mid-objects/img_####.jpg` (or png) beside `params_####.json`.

    Relations within so many degrees of a diagonal are not said.
    """
    if not 0 <= ambiguity < 45:
        raise SettingsError(f"--ambiguity is from 0 to below 45 degrees, not {ambiguity:g}")
    return [_read_set(folder, ambiguity) for folder in inner_folders(data)]


def _read_set(folder: Path, ambiguity: float) -> PictureSet:
    pictures = pictures_in(folder)
    if not pictures:
        raise SceneFileError(f"{folder} holds no pictures img_####.jpg or .png")
    described = [(path, params) for path in pictures if (params := params_of_picture(path)) is not None]
    if not described:
        raise SceneFileError(f"{folder} holds no params_####.json beside its pictures")
    samples = [read_params(params) for _, params in described]
    labels: dict[Viewpoint, NDArray[np.int64]] = {
        viewpoint: _labels(samples, viewpoint, ambiguity) for viewpoint in VIEWPOINTS
    }
    labels["ego"][EGO_PICTURES:] = UNSAID
    return PictureSet(
        folder.resolve().parent.name,
        samples[0].triple.environment,
        tuple(path for path, _ in described),
        labels,
        ambiguity,
        len(pictures) - len(described),
    )


def _labels(samples: list[Sample], viewpoint: Viewpoint, ambiguity: float) -> NDArray[np.int64]:
    said = (sample.relation(viewpoint, ambiguity) for sample in samples)
    return np.array([UNSAID if relation is None else RELATIONS.index(relation) for relation in said], dtype=np.int64)
