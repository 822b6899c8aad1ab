"""Sets of pictures on disk: ours, and the authors', which have the same layout and less beside it."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from tolman.benchmarks.sparrta.params_files import read_params
from tolman.benchmarks.sparrta.picture_files import inner_folders, params_of_picture, picture_number, pictures_in
from tolman.benchmarks.sparrta.sample import ROLES, Role, Sample
from tolman.benchmarks.sparrta.set_layout import TRUTH
from tolman.errors import SceneFileError
from tolman.limits import check_pixels


@dataclass(frozen=True)
class StoredPicture:
    """One picture of a set, with whatever lies beside it."""

    image: Path
    sample: Sample
    ids: Path | None
    """Numbers of actors by pixel; in the authors' layout there are none."""
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
        """Where an actor is to be seen; None where that is not known."""
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
    for inner in inner_folders(folder):
        for image in pictures_in(inner):
            if params_of_picture(image) is not None:
                yield stored_picture(image)


def stored_picture(image: Path) -> StoredPicture:
    """One picture of a set by its path."""
    number, params = picture_number(image), params_of_picture(image)
    if params is None:
        raise SceneFileError(f"{image} has no params_{number}.json beside it")
    beside = image.parent.parent / TRUTH
    ids, depth, truth = (
        path if path.is_file() else None
        for path in (beside / f"ids_{number}.png", beside / f"depth_{number}.png", beside / f"truth_{number}.json")
    )
    return StoredPicture(image, read_params(params), ids, depth, truth)
