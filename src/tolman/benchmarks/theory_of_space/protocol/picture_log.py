"""Log entries that say what each picture shows: written when a picture is first sent, read back for replays."""

from collections.abc import Iterable, Mapping

from pydantic import JsonValue

from tolman.benchmarks.theory_of_space.protocol.picture_marks import PictureKey, picture_mark, split_at_marks
from tolman.harness.images import logged_pictures
from tolman.harness.logs import SampleAddress


def picture_note(key: PictureKey, url: str) -> dict[str, JsonValue]:
    """The log entry: the picture's mark, and the picture as sent (a data URL)."""
    return {"mark": picture_mark(key), "picture": url}


def pictures_in(noted: Iterable[tuple[Mapping[str, JsonValue], bytes]]) -> dict[PictureKey, bytes]:
    """The picture files in the entries of a log. Malformed entries are skipped."""
    return {key: data for entry, data in noted if (key := _logged_key(entry.get("mark"))) is not None}


def _logged_key(text: object) -> PictureKey | None:
    pieces = split_at_marks(text) if isinstance(text, str) else []
    return pieces[0] if len(pieces) == 1 and not isinstance(pieces[0], str) else None


def read_pictures(at: SampleAddress) -> dict[PictureKey, bytes]:
    """The files of all pictures that were sent; empty if the log is missing, damaged or of an older version."""
    return pictures_in(logged_pictures(at))
