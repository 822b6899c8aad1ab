"""The authors' pictures with masks (SpaRRTa-Attention): `ENVIRONMENT/params_####/img_####.jpg` and
`metadata/mask_LABEL.png`, with more than half of white where the thing is."""

from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from tolman.benchmarks.sparrta.params_files import kind_of
from tolman.benchmarks.sparrta.sample import Role
from tolman.benchmarks.sparrta.triples import HUMAN, TRIPLES
from tolman.errors import SceneFileError
from tolman.limits import check_pixels
from tolman.probing.masked_picture import MaskedPicture

_HALF = 127


def released_sets(data: Path, most: int) -> dict[str, list[MaskedPicture]]:
    """The first pictures of each environment below a folder, at the most so many of each, by its folder's name."""
    places = (path for depth in ("", "*/") for path in sorted(data.glob(f"{depth}params_*/metadata")))
    environments = dict.fromkeys(path.parents[1] for path in places)
    found = {folder.resolve().name: list(islice(_pictures(folder), most)) for folder in environments}
    return {name: pictures for name, pictures in found.items() if pictures}


def _pictures(folder: Path) -> Iterator[MaskedPicture]:
    for place in sorted(folder.glob("params_*")):
        images = sorted(path for path in place.glob("img_*") if path.is_file())
        masks = {path.stem.removeprefix("mask_"): path for path in sorted(place.glob("metadata/mask_*.png"))}
        if images and masks:
            kinds = {kind_of(label): path for label, path in masks.items()}
            roles = _roles(kinds, place)
            yield MaskedPicture(images[0], folder.resolve().name, {roles[kind]: _mask(kinds[kind]) for kind in kinds})


def _roles(kinds: dict[str, Path], place: Path) -> dict[str, Role]:
    """What each kind of thing is to the others, by the first triple that has them all."""
    for triple in TRIPLES:
        roles: dict[str, Role] = {triple.source: "source", triple.target: "target", HUMAN: "human"}
        if kinds.keys() <= roles.keys():
            return roles
    raise SceneFileError(f"{place} has masks of {', '.join(kinds)}, which are no triple of SpaRRTa")


def _mask(path: Path) -> NDArray[np.bool_]:
    try:
        with Image.open(path) as picture:
            check_pixels(picture.size, str(path))
            return np.asarray(picture.convert("L")) > _HALF
    except (OSError, ValueError, Image.DecompressionBombError):
        raise SceneFileError(f"{path} is damaged") from None
