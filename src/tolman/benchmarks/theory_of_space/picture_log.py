"""Which picture in a log is of what: a note beside each when it is first sent. The picture itself is kept once."""

import base64
import binascii
from collections.abc import Iterable, Mapping

from inspect_ai.event import Event, InfoEvent
from pydantic import JsonValue

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
            key, data = _key(event.data.get("mark")), _bytes(event.data.get("picture"), attachments)
            if key is not None and data is not None:
                found[key] = data
    return found


def _key(text: object) -> Key | None:
    pieces = split(text) if isinstance(text, str) else []
    return pieces[0] if len(pieces) == 1 and not isinstance(pieces[0], str) else None


def _bytes(text: object, attachments: Mapping[str, str]) -> bytes | None:
    """The data of a URL, which the log may hold apart and name by its hash."""
    url = str(text)
    url = attachments.get(url.removeprefix("attachment://"), "") if url.startswith("attachment://") else url
    head, comma, data = url.partition(";base64,")
    if not comma or not head.startswith("data:image/"):
        return None
    try:
        return base64.b64decode(data, validate=True)
    except binascii.Error:
        return None
