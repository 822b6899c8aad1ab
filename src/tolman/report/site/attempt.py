"""Parts of a report that may fail: a note stands in the place of one that does, and all the rest is built.

Where a part fails on the data of one run, it is made of the others, and the note says what was left out.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeVar

from tolman.report.site.blocks import Block, Failed

R = TypeVar("R")
V = TypeVar("V")
_LONGEST = 300
"""Characters of a reason; an error may quote a reply."""


class Named(Protocol):
    """A run, a model or an encoder, as a page calls it."""

    @property
    def name(self) -> str: ...


N = TypeVar("N", bound=Named)


@dataclass(frozen=True)
class LeftOut:
    """Something of which a part could not be made, and why."""

    name: str
    reason: str

    def __str__(self) -> str:
        return f"{self.name} ({self.reason})"


def attempted(title: str, build: Callable[[Sequence[N]], Block | Iterable[Block]], of: Sequence[N]) -> list[Block]:
    """Blocks made of some runs, or of those on which `build` does not fail; a note says what is missing, and why."""
    made, missing = of_most(lambda runs: _blocks(build(runs)), of, lambda one: one.name)
    if made is None:
        return [Failed(title, f"This part could not be made: {missing[0].reason}")]
    if not missing:
        return made
    return [*made, Failed(title, f"This part could not be made of {', '.join(map(str, missing))}.")]


def of_most(
    build: Callable[[Sequence[R]], V], of: Sequence[R], name: Callable[[R], str]
) -> tuple[V | None, list[LeftOut]]:
    """What comes of all things, else of all but those on which `build` fails, and these; None where nothing does."""
    made = tried("all", lambda: build(of))
    if not isinstance(made, LeftOut):
        return made, []
    alone = [(one, tried(name(one), lambda one=one: build([one]))) for one in of]
    missing = [found for _, found in alone if isinstance(found, LeftOut)]
    kept = [one for one, found in alone if not isinstance(found, LeftOut)]
    made = tried("all", lambda: build(kept)) if kept and missing else made
    return (None, [made]) if isinstance(made, LeftOut) else (made, missing)


def each(make: Callable[[R], V], of: Iterable[R], name: Callable[[R], str]) -> tuple[list[V], list[LeftOut]]:
    """What comes of each thing, and the things of which nothing does."""
    found = [tried(name(one), lambda one=one: make(one)) for one in of]
    return [one for one in found if not isinstance(one, LeftOut)], [one for one in found if isinstance(one, LeftOut)]


def tried(name: str, make: Callable[[], V]) -> V | LeftOut:
    """What is made, or why it is not. A full disk or too little memory is no fault of the data, and is raised."""
    try:
        return make()
    except (OSError, MemoryError):
        raise
    except Exception as error:  # whatever strange data makes a figure raise
        return LeftOut(name, f"{type(error).__name__}: {' '.join(str(error).split())}"[:_LONGEST])


def _blocks(made: Block | Iterable[Block]) -> list[Block]:
    return list(made) if isinstance(made, Iterable) else [made]
