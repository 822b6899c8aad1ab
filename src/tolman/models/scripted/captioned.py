"""Messages with pictures, for those who can't see: the words that a picture's file holds stand in its place."""

import base64
import binascii
from functools import lru_cache

from inspect_ai.model import ChatMessage, ContentImage, ContentText

from tolman.render.picture_files import caption_of


def in_words(message: ChatMessage) -> str:
    """The text of a message, with the caption of each picture where the picture is; most pictures have none."""
    if isinstance(message.content, str):
        return message.content
    parts = (
        part.text if isinstance(part, ContentText) else _caption(part.image)
        for part in message.content
        if isinstance(part, ContentText | ContentImage)
    )
    return "\n".join(filter(None, parts))


@lru_cache(maxsize=256)
def _caption(url: str) -> str:
    head, comma, data = url.partition(",")
    if not comma or not head.startswith("data:image/png;base64"):
        return ""
    try:
        return caption_of(base64.b64decode(data, validate=True))
    except binascii.Error:
        return ""
