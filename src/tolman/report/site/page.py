"""A page with tabs and its place in a report. A part that fails is replaced by a note; the rest is built."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol, TypeVar

from tolman.harness.tracking import Track, untracked
from tolman.report.site.blocks import Block, Failed
from tolman.report.site.environment import environment, script_json
from tolman.report.site.figures import CONFIG, Figure, svg
from tolman.report.table.formats import json_text


@dataclass(frozen=True)
class Place:
    """Names of files at the top of a report's folder."""

    page: str = "index.html"
    numbers: str = "numbers.json"
    cover: str = ""
    """The page that leads to this one and to others, if there is one."""


FRONT = Place()


def beside(name: str) -> Place:
    """The place of one of several pages behind a cover."""
    return Place(f"{name}.html", f"{name}.json", FRONT.page)


R = TypeVar("R")
V = TypeVar("V")
_LONGEST = 300
"""Characters of a reason; an error may quote a reply."""


class Named(Protocol):
    """A run, a model or an encoder, with its name on a page."""

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


def attempted(title: str, build: Callable[[Sequence[N]], Block | Iterable[Block]], runs: Sequence[N]) -> list[Block]:
    """Blocks made of all runs, or of those on which `build` does not fail; a note says what is missing, and why."""
    made, missing = _build_from_most(lambda some: _blocks(build(some)), runs, lambda one: one.name)
    if made is None:
        return [Failed(title, f"This part could not be made: {missing[0].reason}")]
    if not missing:
        return made
    return [*made, Failed(title, f"This part could not be made of {', '.join(map(str, missing))}.")]


def _build_from_most(
    build: Callable[[Sequence[R]], V], items: Sequence[R], name: Callable[[R], str]
) -> tuple[V | None, list[LeftOut]]:
    """What `build` makes of all items, or of those on which it succeeds, and the others; None if there are none."""
    made = attempt("all", lambda: build(items))
    if not isinstance(made, LeftOut):
        return made, []
    alone = [(one, attempt(name(one), lambda one=one: build([one]))) for one in items]
    missing = [found for _, found in alone if isinstance(found, LeftOut)]
    kept = [one for one, found in alone if not isinstance(found, LeftOut)]
    made = attempt("all", lambda: build(kept)) if kept and missing else made
    return (None, [made]) if isinstance(made, LeftOut) else (made, missing)


def attempt_each(make: Callable[[R], V], items: Iterable[R], name: Callable[[R], str]) -> tuple[list[V], list[LeftOut]]:
    """What is made of each item, and the items on which `make` fails."""
    found = [attempt(name(one), lambda one=one: make(one)) for one in items]
    return [one for one in found if not isinstance(one, LeftOut)], [one for one in found if isinstance(one, LeftOut)]


def attempt(name: str, make: Callable[[], V]) -> V | LeftOut:
    """What is made, or why it is not. Input, output and memory errors are not due to the data, and are raised."""
    try:
        return make()
    except (OSError, MemoryError):
        raise
    except Exception as error:  # whatever strange data makes a figure raise
        return LeftOut(name, f"{type(error).__name__}: {' '.join(str(error).split())}"[:_LONGEST])


def _blocks(made: Block | Iterable[Block]) -> list[Block]:
    return list(made) if isinstance(made, Iterable) else [made]


@dataclass(frozen=True)
class Tab:
    """One part of a page, reached by its name behind a `#`."""

    name: str
    title: str
    blocks: tuple[Block, ...]


def shown_tab(name: str, title: str, blocks: Iterable[Block]) -> Tab:
    """A tab with the figures that have anything to show."""
    return Tab(name, title, tuple(block for block in blocks if not isinstance(block, Figure) or block.panels))


@dataclass(frozen=True)
class Page:
    """A whole page."""

    title: str
    about: str
    """One line below the title."""
    tabs: Sequence[Tab]
    cover: str = ""
    """Address of the page that leads to this one and to others, if there is one."""
    left_out: Sequence[LeftOut] = ()
    """Runs of which nothing is on the page, since nothing could be made of their data."""

    def with_tabs(self, more: Sequence[Tab]) -> "Page":
        """The page with further tabs before its last one."""
        return replace(self, tabs=(*self.tabs[:-1], *more, *self.tabs[-1:]))

    @property
    def figures(self) -> Iterator[Figure]:
        return (block for tab in self.tabs for block in tab.blocks if isinstance(block, Figure))

    @property
    def failures(self) -> Iterator[str]:
        """What is missing on the page, a line each."""
        yield from (f"{self.title}: nothing could be made of {one}" for one in self.left_out)
        failed = (block for tab in self.tabs for block in tab.blocks if isinstance(block, Failed))
        yield from (f"{self.title}, {block.title}: {block.reason}" for block in failed)


def write_numbers(
    file: Path,
    numbers: Callable[[Sequence[R]], Mapping[str, object]],
    runs: Sequence[R],
    name: Callable[[R], str],
    tell: Callable[[str], None],
) -> None:
    """Write all numbers of some runs as JSON, with null for NaN.

    Runs whose numbers can't be computed are reported, and listed there as `left_out`.
    """
    found, left_out = _build_from_most(numbers, runs, name)
    for one in left_out:
        tell(f"{file.name}: {one}")
    missing = {"left_out": [str(one) for one in left_out]} if left_out else {}
    file.write_text(json_text({**(found or {}), **missing}) + "\n", encoding="utf-8")


def write_page(
    page: Page,
    out: Path,
    place: Place = FRONT,
    tell: Callable[[str], None] = lambda line: None,  # noqa: ARG005
    track: Track = untracked,
) -> Path:
    """Write a page as HTML at its place, and each of its figures as SVG, into a folder that `whole_folder` gave.

    A figure that can't be drawn is replaced by a note and reported. Returns the page's file.
    """
    saved = {figure.name: _saved(figure, out) for figure in track(list(page.figures), "figures")}
    page = _noted(page, {name: found for name, found in saved.items() if isinstance(found, LeftOut)})
    for line in page.failures:
        tell(line)
    file = out / place.page
    text = environment().get_template("page.html").render(page=page, config=CONFIG)
    file.write_bytes(text.encode("utf-8", "replace"))
    return file


def write_note(file: Path, title: str, reason: str, back: str, assets: str) -> None:
    """Write a page that says why another could not be made; `back` and `assets` are addresses as seen from it."""
    page = environment().get_template("note.html").render(title=title, reason=reason, back=back, assets=assets)
    file.write_bytes(page.encode("utf-8", "replace"))


def _saved(figure: Figure, out: Path) -> LeftOut | None:
    drawn = attempt(figure.title, lambda: (svg(figure), [script_json(panel.spec) for panel in figure.panels]))
    if isinstance(drawn, LeftOut):
        return drawn
    (out / figure.file).write_text(drawn[0], encoding="utf-8")
    return None


def _noted(page: Page, broken: Mapping[str, LeftOut]) -> Page:
    def noted(block: Block) -> Block:
        if isinstance(block, Figure) and block.name in broken:
            return Failed(block.title, f"This figure could not be drawn: {broken[block.name].reason}")
        return block

    return replace(page, tabs=[replace(tab, blocks=tuple(map(noted, tab.blocks))) for tab in page.tabs])
