"""Pictures that a person is shown in the vision world: those that a model would be sent, and no others.

A page names a picture by a digest that tells nothing of where it was taken.
"""

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from tolman.benchmarks.theory_of_space.case import Case
from tolman.benchmarks.theory_of_space.picture_marks import Distances, Key, Look, Names, PointPlan, mark
from tolman.play.playroom import Playroom
from tolman.play.view import Block, Page
from tolman.play.view_parts import Parts, TurnParts
from tolman.seeds import digest

if TYPE_CHECKING:
    from tolman.benchmarks.theory_of_space.gallery import Gallery

_ALTS = {Look: "Your view", PointPlan: "Plan of the place", Distances: "Distances", Names: "Names of all objects"}


class Showing:
    """The pictures of a playroom. They are made in another thread, so that nobody else waits."""

    def __init__(self, playroom: Playroom) -> None:
        self._playroom = playroom
        self._galleries: dict[str, Gallery] = {}

    async def get(self, scene: str, key: Key) -> bytes:
        """The bytes of a picture, as the options of the playroom want it."""
        from tolman.benchmarks.theory_of_space.gallery import Gallery  # noqa: PLC0415 loads all that renders

        if scene not in self._galleries:
            self._galleries[scene] = Gallery(self._playroom.cases[scene], self._playroom.options)
        return await self._galleries[scene].get(key)


def picture_name(case: Case, key: Key) -> str:
    """The name of a picture in its address."""
    return digest(["picture", case.scene.digest, mark(key)])[:20]


def picture_alt(key: Key) -> str:
    """What a picture is, without telling what is in it."""
    return _ALTS[type(key)]


def pictures_on(page: Page, parts: Parts) -> Iterator[Key]:
    """All pictures that a page shows: whoever asks for another is not given it."""
    shown: list[Iterable[Block]] = [page.request, *(turn.told for turn in page.past)]
    shown += (section.blocks for section in page.rules)
    shown += [parts.told] if isinstance(parts, TurnParts) else []
    for block in (block for blocks in shown for block in blocks):
        if block.picture is not None:
            yield block.picture
