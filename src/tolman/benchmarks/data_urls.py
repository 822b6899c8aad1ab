"""Pictures as logs hold them: data URLs, some of which a log keeps apart and names by their hash."""

import base64
import binascii
from collections.abc import Mapping


def picture_bytes(text: object, attachments: Mapping[str, str]) -> bytes | None:
    """The file of a picture in a log; None for anything that is not as we wrote it."""
    url = str(text)
    url = attachments.get(url.removeprefix("attachment://"), "") if url.startswith("attachment://") else url
    head, comma, data = url.partition(";base64,")
    if not comma or not head.startswith("data:image/"):
        return None
    try:
        return base64.b64decode(data, validate=True)
    except (binascii.Error, ValueError):
        return None
