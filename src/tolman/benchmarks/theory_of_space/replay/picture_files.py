"""Pictures that a model was sent, as small files shared by all pages of a report."""

from collections.abc import Mapping
from pathlib import Path

from tolman.benchmarks.theory_of_space.protocol.picture_log import read_pictures
from tolman.benchmarks.theory_of_space.protocol.picture_marks import (
    DistanceCalibration,
    NameCalibration,
    PictureKey,
    ViewPicture,
    picture_mark,
    split_at_marks,
)
from tolman.benchmarks.theory_of_space.protocol.prompts import in_pictures
from tolman.benchmarks.theory_of_space.runs import ScoredScene
from tolman.benchmarks.theory_of_space.tables.export import JsonObject
from tolman.core.files import encoded, write_by_digest
from tolman.harness.images import thumbnail

PICTURES_FOLDER = "pictures"
CALIBRATION_MARKS = f"{picture_mark(DistanceCalibration())}\n{picture_mark(NameCalibration())}"
_QUALITY = 88


class PictureFolder:
    """Writes the pictures that pages show into one folder, each picture once."""

    def __init__(self, files: Mapping[PictureKey, bytes], folder: Path) -> None:
        self._files, self._folder = files, folder
        self._written: dict[PictureKey, JsonObject | None] = {}

    def marked_in(self, text: str) -> list[JsonObject]:
        """The pictures marked in a text that the log holds: address relative to the page, and size in pixels."""
        keys = [piece for piece in split_at_marks(text) if not isinstance(piece, str)] if self._files else []
        return [picture for key in keys if (picture := self._picture(key)) is not None]

    def _picture(self, key: PictureKey) -> JsonObject | None:
        if key not in self._written:
            self._written[key] = self._write(key) if key in self._files else None
        return self._written[key]

    def _write(self, key: PictureKey) -> JsonObject | None:
        small = shrink_picture(self._files[key], 384 if isinstance(key, ViewPicture | DistanceCalibration) else 768)
        if small is None:
            return None
        data, (width, height) = small
        name = write_by_digest(self._folder, data, ".webp")
        return {"file": f"../{self._folder.name}/{name}", "width": width, "height": height}


NO_PICTURES = PictureFolder({}, Path())


def picture_folder(scene: ScoredScene, page_folder: Path) -> PictureFolder:
    """The picture folder of a scene, beside the folder of its page; without pictures if its log has none."""
    logged = scene.logged
    wanted = scene.address is not None and in_pictures(logged.case, logged.options)
    files = read_pictures(scene.address) if wanted and scene.address else {}
    return PictureFolder(files, page_folder.parent / PICTURES_FOLDER)


def shrink_picture(data: bytes, side: int) -> tuple[bytes, tuple[int, int]] | None:
    """A picture as WebP without metadata, scaled so that no side is longer than `side` pixels; None if invalid."""
    plain = thumbnail(data, side)
    return None if plain is None else (encoded(plain, "WEBP", quality=_QUALITY), plain.size)
