"""A page with tabs and its place in a report. A part that fails is replaced by a note; the rest is built. The last
tab has the glossary, tables of runs, their settings (shared, and differing), and how to reproduce it.

In templates all values are escaped, and an undefined name is an error.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib.resources import files
from pathlib import Path
from typing import Protocol, TypeVar

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from tolman.core.parallel import Track, untracked
from tolman.harness.names import setting_words
from tolman.harness.origins import RunOrigin, release
from tolman.report.site.blocks import Block, Code, Failed, Terms
from tolman.report.site.figures import CONFIG, Figure, svg
from tolman.report.table import Cell, Table, heading, one_row
from tolman.report.table.formats import json_text

TEMPLATES = Path(__file__).parent / "templates"

_SCRIPT_ESCAPES = tuple((sign, f"\\u{ord(sign):04x}") for sign in "<>&\u2028\u2029")


def environment(*folders: Path) -> Environment:
    """Templates of these folders, then those of the site. `| data` writes a value as JSON inside a script element."""
    loader = FileSystemLoader([*folders, TEMPLATES])
    made = Environment(loader=loader, autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    made.filters["data"] = script_json
    return made


def script_json(value: object) -> Markup:
    """JSON for a script element: no text in it, from any source, can end that element or open another.

    NaN and infinity become null; JSON has neither.
    """
    text = json_text(value)
    for sign, escape in _SCRIPT_ESCAPES:
        text = text.replace(sign, escape)
    return Markup(text)  # noqa: S704 all that could be markup is escaped


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


_HIDDEN = {"model_path", "base_url"}
"""Settings that hold paths or addresses of a machine."""
_LONGEST_SETTING = 80


@dataclass(frozen=True)
class RunSettings:
    """One run in a table of settings."""

    name: str
    where: str
    settings: Mapping[str, object]
    origins: tuple[RunOrigin, ...] = ()
    """When and how its logs were made."""


def about_tab(
    terms: tuple[str, str], tables: Iterable[Block], runs: Sequence[RunSettings], command: str, numbers: tuple[str, str]
) -> Tab:
    """The tab. `terms` are the package and the name of a text in its folder `glossary`, whose paragraphs are
    `TERM: MEANING`; `command` makes the report from logs; `numbers` are the file with all numbers, and what is in it.
    """
    text = (files(terms[0]) / "glossary" / f"{terms[1]}.txt").read_text(encoding="utf-8")
    paragraphs = (" ".join(part.split()).partition(": ") for part in text.split("\n\n"))
    glossary = Terms("How numbers are made", tuple((term, meaning) for term, _, meaning in paragraphs))
    saved = ((numbers[0], f"{numbers[1]}. Each figure has a link that saves it as SVG."),)
    again = Code("Reproduce", "\n".join(_commands(runs, command)), saved)
    return shown_tab("about", "About", [glossary, *tables, *settings_tables(runs), again])


def _commands(runs: Sequence[RunSettings], command: str) -> Iterator[str]:
    """Lines for a shell: the evaluations, below the date, version and commit of each, then the report."""
    origins = dict.fromkeys(origin for one in runs for origin in one.origins)
    for about in dict.fromkeys(origin.about for origin in origins):
        yield f"# {about}"
        yield from (origin.command for origin in origins if origin.about == about)
    yield f"# this report: {release()}"
    yield command


def settings_tables(runs: Sequence[RunSettings]) -> list[Table]:
    """A table of settings that differ and one of those that do not; empty tables are left out."""
    names = [name for name in dict.fromkeys(name for one in runs for name in one.settings) if name not in _HIDDEN]
    shared = [name for name in names if len({_setting(one, name) for one in runs}) == 1]
    differing = [name for name in names if name not in shared]
    return [table for table in (_differing(runs, differing), _shared(runs, shared)) if table.entries and table.columns]


def _differing(runs: Sequence[RunSettings], names: Sequence[str]) -> Table:
    entries = tuple(one_row(one.name, (Cell(_setting(one, name)) for name in names), one.where) for one in runs)
    options = ((name.replace("_", " "), f"The option --{name.replace('_', '-')}.") for name in names)
    heads = tuple(heading(title, definition=meaning) for title, meaning in options)
    return Table("settings", "Settings that differ", "run", heads, entries)


def _shared(runs: Sequence[RunSettings], names: Sequence[str]) -> Table:
    entries = tuple(one_row(name.replace("_", " "), (Cell(_setting(runs[0], name)),)) for name in names)
    heads = (heading("all runs", words=True),)
    return Table("shared-settings", "Settings of all runs", "setting", heads, entries)


def _setting(one: RunSettings, name: str) -> str:
    return setting_words(one.settings.get(name), ", ")[:_LONGEST_SETTING]
