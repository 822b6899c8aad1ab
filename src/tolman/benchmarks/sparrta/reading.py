"""Sets of pictures on disk: ours, and the authors', which have the same layout and less beside it."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from tolman.benchmarks.sparrta.params_files import read_params
from tolman.benchmarks.sparrta.sample import ROLES, Role, Sample
from tolman.benchmarks.sparrta.set_files import INNER, TRUTH
from tolman.errors import SceneFileError

_KINDS = {".jpg", ".jpeg", ".png"}


@dataclass(frozen=True)
class StoredPicture:
    """One picture of a set, with whatever lies beside it."""

    image: Path
    sample: Sample
    ids: Path | None
    """Numbers of actors by pixel; the authors have none."""
    depth: Path | None
    truth: Path | None

    @cached_property
    def rgb(self) -> NDArray[np.uint8]:
        """Red, green and blue, eight bits."""
        try:
            with Image.open(self.image) as picture:
                return np.asarray(picture.convert("RGB"))
        except (OSError, ValueError):
            raise SceneFileError(f"{self.image} is damaged; make it again") from None

    def mask(self, role: Role) -> NDArray[np.bool_] | None:
        """Where an actor is to be seen; None where that is not known."""
        if self.ids is None:
            return None
        with Image.open(self.ids) as picture:
            return np.asarray(picture) == ROLES.index(role) + 1


def read_set(folder: Path) -> Iterator[StoredPicture]:
    """All pictures below a folder in order: `TRIPLE/mid-objects/img_####.jpg` (or png) with `params_####.json`."""
    inner = [path for path in (folder / INNER, *sorted(folder.glob(f"*/{INNER}"))) if path.is_dir()]
    if not inner:
        raise SceneFileError(f"{folder} holds no TRIPLE/{INNER}; make a set with `tolman make sparrta`")
    for place in inner:
        for image in sorted(path for path in place.glob("img_*") if path.suffix.lower() in _KINDS):
            yield stored_picture(image)


def stored_picture(image: Path) -> StoredPicture:
    """One picture of a set by its path."""
    number = re.sub(r"^img_", "", image.stem)
    beside = image.parent.parent / TRUTH
    ids, depth, truth = (
        path if path.is_file() else None
        for path in (beside / f"ids_{number}.png", beside / f"depth_{number}.png", beside / f"truth_{number}.json")
    )
    return StoredPicture(image, read_params(image.with_name(f"params_{number}.json")), ids, depth, truth)
