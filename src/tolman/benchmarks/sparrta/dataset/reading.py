"""Read sets of pictures, ours and the authors', with the labels on which probes are trained."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from tolman.benchmarks.sparrta.dataset.files import (
    TRUTH_FOLDER,
    params_of_picture,
    picture_number,
    pictures_in,
    read_params,
    triple_folders,
    whole_path,
)
from tolman.benchmarks.sparrta.sample import AMBIGUITY, RELATIONS, ROLES, VIEWPOINTS, Role, Sample, Viewpoint
from tolman.core.errors import SceneFileError, SettingsError
from tolman.core.limits import check_pixels


@dataclass(frozen=True)
class StoredPicture:
    """One picture of a set with its metadata files."""

    image: Path
    sample: Sample
    ids: Path | None
    """Actor ids per pixel; None in the authors' data."""
    depth: Path | None
    truth: Path | None

    @cached_property
    def rgb(self) -> NDArray[np.uint8]:
        """Red, green and blue, eight bits."""
        try:
            with Image.open(self.image) as picture:
                check_pixels(picture.size, str(self.image))
                return np.asarray(picture.convert("RGB"))
        except (OSError, ValueError, Image.DecompressionBombError):
            raise SceneFileError(f"{self.image} is damaged; make it again") from None

    def mask(self, role: Role) -> NDArray[np.bool_] | None:
        """The visible pixels of an actor; None if unknown."""
        if self.ids is None:
            return None
        try:
            with Image.open(self.ids) as picture:
                check_pixels(picture.size, str(self.ids))
                return np.asarray(picture) == ROLES.index(role) + 1
        except (OSError, ValueError, Image.DecompressionBombError):
            raise SceneFileError(f"{self.ids} is damaged; make it again") from None


def read_set(folder: Path) -> Iterator[StoredPicture]:
    """All pictures below a folder that have parameters, in order: `TRIPLE/mid-objects/img_####.jpg` (or png)."""
    for inner in triple_folders(folder):
        for image in pictures_in(inner):
            if params_of_picture(image) is not None:
                yield stored_picture(image)


def stored_picture(image: Path) -> StoredPicture:
    """One picture of a set by its path."""
    number, params = picture_number(image), params_of_picture(image)
    if params is None:
        raise SceneFileError(f"{image} has no params_{number}.json beside it")
    beside = image.parent.parent / TRUTH_FOLDER
    ids, depth, truth = (
        path if path.is_file() else None
        for path in (beside / f"ids_{number}.png", beside / f"depth_{number}.png", beside / f"truth_{number}.json")
    )
    return StoredPicture(image, read_params(params), ids, depth, truth)


EGO_PICTURES = 5000
"""Only the first pictures, up to this number, have egocentric labels, as released; all have allocentric ones."""
AMBIGUOUS_LABEL = -1
"""The label of a picture whose relation is ambiguous."""


@dataclass(frozen=True, eq=False)
class PictureSet:
    """Pictures of one triple in order, with the class index of the relation for each viewpoint."""

    name: str
    environment: str
    paths: tuple[Path, ...]
    labels: Mapping[Viewpoint, NDArray[np.int64]]
    ambiguity: float = AMBIGUITY
    """Half-width in degrees of the ambiguous zone around each diagonal."""
    left_out: int = 0
    """Number of pictures without a parameter file."""


def read_picture_sets(data: Path, ambiguity: float = AMBIGUITY) -> list[PictureSet]:
    """All triples below a folder: `TRIPLE/mid-objects/img_####.jpg` (or png) beside `params_####.json`.

    Relations within `ambiguity` degrees of a diagonal are labelled ambiguous.
    """
    if not 0 <= ambiguity < 45:
        raise SettingsError(f"--ambiguity is from 0 to below 45 degrees, not {ambiguity:g}")
    return [_read_set(folder, ambiguity) for folder in triple_folders(data)]


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
    labels["ego"][EGO_PICTURES:] = AMBIGUOUS_LABEL
    return PictureSet(
        whole_path(folder).parent.name,
        samples[0].triple.environment,
        tuple(path for path, _ in described),
        labels,
        ambiguity,
        len(pictures) - len(described),
    )


def _labels(samples: list[Sample], viewpoint: Viewpoint, ambiguity: float) -> NDArray[np.int64]:
    said = (sample.relation(viewpoint, ambiguity) for sample in samples)
    return np.array(
        [AMBIGUOUS_LABEL if relation is None else RELATIONS.index(relation) for relation in said], dtype=np.int64
    )
