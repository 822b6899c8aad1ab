"""Pictures whose masks are known, by triple: of `tolman make sparrta`, or the authors' SpaRRTa-Attention."""

from itertools import islice
from pathlib import Path

from tolman.benchmarks.sparrta.picture_files import inner_folders
from tolman.benchmarks.sparrta.reading import StoredPicture, read_set
from tolman.benchmarks.sparrta.released_masks import released_sets
from tolman.benchmarks.sparrta.sample import ROLES
from tolman.errors import SceneFileError
from tolman.probing.masked_picture import MaskedPicture


def masked_sets(data: Path, most: int) -> dict[str, list[MaskedPicture]]:
    """The first pictures of each triple below a folder, at the most so many of each, with the masks of their actors.

    The authors' have one triple of each environment, which it is named after.
    """
    if released := released_sets(data, most):
        return released
    found = {inner.parent.name: _masked(inner.parent, most) for inner in inner_folders(data)}
    if not any(found.values()):
        raise SceneFileError(f"{data} has no masks: make pictures with tolman make sparrta")
    return {triple: pictures for triple, pictures in found.items() if pictures}


def masked_pictures(data: Path, most: int) -> list[MaskedPicture]:
    """The same, all triples together."""
    return [picture for pictures in masked_sets(data, most).values() for picture in pictures]


def _masked(folder: Path, most: int) -> list[MaskedPicture]:
    return [masked for picture in islice(read_set(folder), most) if (masked := _with_masks(picture)) is not None]


def _with_masks(picture: StoredPicture) -> MaskedPicture | None:
    masks = {role: mask for role in ROLES if (mask := picture.mask(role)) is not None}
    if not masks:
        return None
    return MaskedPicture(picture.image, picture.sample.triple.environment, masks)
