"""Log entries that say what each picture shows: written when a picture is first sent, read back for replays."""

from collections.abc import Iterable, Mapping

from inspect_ai.event import Event, InfoEvent
from inspect_ai.log import EvalSample, read_eval_log_sample
from pydantic import JsonValue

from tolman.benchmarks.theory_of_space.protocol.picture_marks import PictureKey, picture_mark, split_at_marks
from tolman.harness.images import picture_bytes
from tolman.harness.logs import SampleAddress

PICTURE_SOURCE = "picture"


def picture_note(key: PictureKey, url: str) -> dict[str, JsonValue]:
    """The log entry: the picture's mark, and the picture as sent (a data URL)."""
    return {"mark": picture_mark(key), "picture": url}


def pictures_in(events: Iterable[Event], attachments: Mapping[str, str]) -> dict[PictureKey, bytes]:
    """The picture files in the entries of a log. Malformed entries are skipped."""
    found: dict[PictureKey, bytes] = {}
    for event in events:
        if isinstance(event, InfoEvent) and event.source == PICTURE_SOURCE and isinstance(event.data, dict):
            key, data = _logged_key(event.data.get("mark")), picture_bytes(event.data.get("picture"), attachments)
            if key is not None and data is not None:
                found[key] = data
    return found


def _logged_key(text: object) -> PictureKey | None:
    pieces = split_at_marks(text) if isinstance(text, str) else []
    return pieces[0] if len(pieces) == 1 and not isinstance(pieces[0], str) else None


_READ_FIELDS = {"id", "epoch", "input", "target", "events", "attachments"}
_EXCLUDED_FIELDS = set(EvalSample.model_fields) - _READ_FIELDS


def read_pictures(at: SampleAddress) -> dict[PictureKey, bytes]:
    """The files of all pictures that were sent; empty if the log is missing, damaged or of an older version."""
    try:
        sample = read_eval_log_sample(str(at.log), at.sample, at.epoch, exclude_fields=_EXCLUDED_FIELDS)
        return pictures_in(sample.events, sample.attachments)
    except Exception:  # whatever a damaged file makes its readers raise
        return {}
