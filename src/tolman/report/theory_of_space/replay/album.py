"""Pictures of a replay: what a model saw, as small files that all pages of a report share."""

import hashlib
import io
from collections.abc import Mapping
from pathlib import Path

from tolman.benchmarks.theory_of_space.picture_marks import Distances, Key, Look, Names, mark, split
from tolman.benchmarks.theory_of_space.telling import in_pictures
from tolman.report.theory_of_space.log_pictures import read_pictures
from tolman.report.theory_of_space.logs import FinishedScene
from tolman.report.theory_of_space.plain import Plain
from tolman.report.thumbnail import thumbnail
from tolman.whole_file import write_whole

FOLDER = "pictures"
TO_GO_BY = f"{mark(Distances())}\n{mark(Names())}"
_QUALITY = 88


class Album:
    """Puts pictures into a folder when a page needs them. One that two pages show is there once."""

    def __init__(self, files: Mapping[Key, bytes], folder: Path) -> None:
        self._files, self._folder = files, folder
        self._shown: dict[Key, Plain | None] = {}

    def of(self, text: str) -> list[Plain]:
        """The pictures whose marks a text has, where the log holds them: address as seen from the page, and size."""
        keys = [piece for piece in split(text) if not isinstance(piece, str)] if self._files else []
        return [shown for key in keys if (shown := self._picture(key)) is not None]

    def _picture(self, key: Key) -> Plain | None:
        if key not in self._shown:
            self._shown[key] = self._kept(key) if key in self._files else None
        return self._shown[key]

    def _kept(self, key: Key) -> Plain | None:
        small = shrunk(self._files[key], 384 if isinstance(key, Look | Distances) else 768)
        if small is None:
            return None
        data, (width, height) = small
        name = f"{hashlib.sha256(data).hexdigest()[:20]}.webp"
        if not (self._folder / name).exists():
            write_whole(self._folder / name, data)
        return {"file": f"../{self._folder.name}/{name}", "width": width, "height": height}


NO_PICTURES = Album({}, Path())


def album(scene: FinishedScene, page_folder: Path) -> Album:
    """The album of a scene, beside the folder of its page; without pictures unless its log has any."""
    logged = scene.logged
    wanted = scene.address is not None and in_pictures(logged.case, logged.options)
    files = read_pictures(scene.address) if wanted and scene.address else {}
    return Album(files, page_folder.parent / FOLDER)


def shrunk(data: bytes, side: int) -> tuple[bytes, tuple[int, int]] | None:
    """A picture drawn anew as WebP, no side longer than told, and nothing else of its file; None for no picture."""
    plain = thumbnail(data, side)
    if plain is None:
        return None
    buffer = io.BytesIO()
    plain.save(buffer, "WEBP", quality=_QUALITY)
    return buffer.getvalue(), plain.size
