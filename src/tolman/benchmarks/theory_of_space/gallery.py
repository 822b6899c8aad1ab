"""The pictures of a case for those who wait, in the format that they are sent in."""

import base64
import io
from functools import partial

from PIL import Image

from tolman.benchmarks.one_by_one import one_by_one
from tolman.benchmarks.theory_of_space.captions import caption
from tolman.benchmarks.theory_of_space.case import Case
from tolman.benchmarks.theory_of_space.darkroom import Darkroom
from tolman.benchmarks.theory_of_space.options import Options
from tolman.benchmarks.theory_of_space.picture_marks import Key
from tolman.render.picture_files import with_caption


class Gallery:
    """The pictures of one case, each made once, in the format that its options ask for."""

    def __init__(self, case: Case, options: Options) -> None:
        self._case, self._options = case, options
        self._darkroom = Darkroom(case, options)
        self._made: dict[Key, bytes] = {}

    async def get(self, key: Key) -> bytes:
        """The bytes of a PNG or JPEG file."""
        if key not in self._made:
            self._made[key] = await one_by_one(partial(self._make, key))
        return self._made[key]

    async def data_url(self, key: Key) -> str:
        """The same, as it goes into a message."""
        kind = self._options.image_format
        return f"data:image/{kind};base64,{base64.b64encode(await self.get(key)).decode('ascii')}"

    async def made_with(self) -> dict[str, str]:
        """What pictures are made with here, for the log."""
        return await one_by_one(self._darkroom.made_with)

    def _make(self, key: Key) -> bytes:
        if key in self._made:  # someone else waited for it too
            return self._made[key]
        png = self._darkroom.png(key)
        if self._options.captions:
            return with_caption(png, caption(self._case, key))
        return png if self._options.image_format == "png" else _jpeg(png, self._options.image_quality)


def _jpeg(png: bytes, quality: int) -> bytes:
    buffer = io.BytesIO()
    with Image.open(io.BytesIO(png)) as picture:
        picture.convert("RGB").save(buffer, "JPEG", quality=quality)
    return buffer.getvalue()
