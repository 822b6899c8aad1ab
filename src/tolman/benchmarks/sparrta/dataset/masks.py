"""Pictures with object masks by triple: from `tolman make sparrta`, or the authors' SpaRRTa-Attention
(`ENVIRONMENT/params_####/img_####.jpg` and `metadata/mask_LABEL.png`).
"""

from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from tolman.benchmarks.sparrta.dataset.files import kind_of_label, snapshot_in, triple_folders, whole_path
from tolman.benchmarks.sparrta.dataset.reading import StoredPicture, read_set
from tolman.benchmarks.sparrta.sample import HUMAN, ROLES, TRIPLES, Role
from tolman.core.errors import SceneFileError
from tolman.core.limits import check_pixels
from tolman.probing.masked_picture import MaskedPicture

_HALF = 127


def released_sets(data: Path, most: int) -> dict[str, list[MaskedPicture]]:
    """The first `most` pictures of each environment below a folder, by name of its folder."""
    data = snapshot_in(data)
    places = (path for depth in ("", "*/") for path in sorted(data.glob(f"{depth}params_*/metadata")))
    environments = dict.fromkeys(path.parents[1] for path in places)
    found = {whole_path(folder).name: list(islice(_pictures(folder), most)) for folder in environments}
    return {name: pictures for name, pictures in found.items() if pictures}


def _pictures(folder: Path) -> Iterator[MaskedPicture]:
    for place in sorted(folder.glob("params_*")):
        images = sorted(path for path in place.glob("img_*") if path.is_file())
        masks = {path.stem.removeprefix("mask_"): path for path in sorted(place.glob("metadata/mask_*.png"))}
        if images and masks:
            kinds = {kind_of_label(label): path for label, path in masks.items()}
            roles = _roles(kinds, place)
            yield MaskedPicture(images[0], whole_path(folder).name, {roles[kind]: _mask(kinds[kind]) for kind in kinds})


def _roles(kinds: dict[str, Path], place: Path) -> dict[str, Role]:
    """The role of each kind of object, by the first triple that has all kinds."""
    for triple in TRIPLES:
        roles: dict[str, Role] = {triple.source: "source", triple.target: "target", HUMAN: "human"}
        if kinds.keys() <= roles.keys():
            return roles
    raise SceneFileError(f"{place} has masks of {', '.join(kinds)}, which is not a triple of SpaRRTa")


def _mask(path: Path) -> NDArray[np.bool_]:
    try:
        with Image.open(path) as picture:
            check_pixels(picture.size, str(path))
            return np.asarray(picture.convert("L")) > _HALF
    except (OSError, ValueError, Image.DecompressionBombError):
        raise SceneFileError(f"{path} is damaged") from None


def masked_sets(data: Path, most: int) -> dict[str, list[MaskedPicture]]:
    """The first `most` pictures of each triple below a folder, with the masks of their actors.

    The authors' data has one triple per environment, named after it.
    """
    if released := released_sets(data, most):
        return released
    found = {inner.parent.name: _masked(inner.parent, most) for inner in triple_folders(data)}
    if not any(found.values()):
        raise SceneFileError(f"{data} has no masks: make pictures with tolman make sparrta")
    return {triple: pictures for triple, pictures in found.items() if pictures}


def masked_pictures(data: Path, most: int) -> list[MaskedPicture]:
    """The pictures of `masked_sets` as one list."""
    return [picture for pictures in masked_sets(data, most).values() for picture in pictures]


def _masked(folder: Path, most: int) -> list[MaskedPicture]:
    return [masked for picture in islice(read_set(folder), most) if (masked := _with_masks(picture)) is not None]


def _with_masks(picture: StoredPicture) -> MaskedPicture | None:
    masks = {role: mask for role in ROLES if (mask := picture.mask(role)) is not None}
    if not masks:
        return None
    return MaskedPicture(picture.image, picture.sample.triple.environment, masks)
