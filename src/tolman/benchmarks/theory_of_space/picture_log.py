"""Which picture in a log is of what: a note beside each when it is first sent. The picture itself is kept once."""

from collections.abc import Iterable, Mapping

from inspect_ai.event import Event, InfoEvent
from pydantic import JsonValue

from tolman.benchmarks.data_urls import picture_bytes
from tolman.benchmarks.theory_of_space.picture_marks import Key, mark, split

SOURCE = "picture"


def note(key: Key, url: str) -> dict[str, JsonValue]:
    """What goes into the log: the mark, and the picture as it was sent (a data URL)."""
    return {"mark": mark(key), "picture": url}


def pictures_in(events: Iterable[Event], attachments: Mapping[str, str]) -> dict[Key, bytes]:
    """The files of the pictures that a log has notes of. What is not as we wrote it is passed over."""
    found: dict[Key, bytes] = {}
    for event in events:
        if isinstance(event, InfoEvent) and event.source == SOURCE and isinstance(event.data, dict):
            key, data = _key(event.data.get("mark")), picture_bytes(event.data.get("picture"), attachments)
            if key is not None and data is not None:
                found[key] = data
    return found


def _key(text: object) -> Key | None:
    pieces = split(text) if isinstance(text, str) else []
    return pieces[0] if len(pieces) == 1 and not isinstance(pieces[0], str) else None
