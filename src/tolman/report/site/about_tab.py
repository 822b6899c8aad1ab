"""The last tab of a page: the glossary, tables of runs, their settings (shared, and differing), and how to reproduce
it.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files

from tolman import __version__
from tolman.harness.names import setting_words
from tolman.harness.run_origins import RunOrigin
from tolman.report.site.blocks import Block, Code, Terms
from tolman.report.site.page import Tab, shown_tab
from tolman.report.table import Cell, Table, heading, one_row

_HIDDEN = {"model_path", "base_url"}
"""Settings that hold paths or addresses of a machine."""
_LONGEST = 80


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
    yield f"# this report: Tolman {__version__}"
    yield command


def settings_tables(runs: Sequence[RunSettings]) -> list[Table]:
    """A table of settings that differ and one of those that do not; empty tables are left out."""
    names = [name for name in dict.fromkeys(name for one in runs for name in one.settings) if name not in _HIDDEN]
    shared = [name for name in names if len({_setting(one, name) for one in runs}) == 1]
    differing = [name for name in names if name not in shared]
    return [table for table in (_differing(runs, differing), _shared(runs, shared)) if table.entries and table.columns]


def _differing(runs: Sequence[RunSettings], names: Sequence[str]) -> Table:
    entries = tuple(one_row(one.name, (Cell(_setting(one, name)) for name in names), one.where) for one in runs)
    heads = tuple(
        heading(name.replace("_", " "), definition=f"The option --{name.replace('_', '-')}.") for name in names
    )
    return Table("settings", "Settings that differ", "run", heads, entries)


def _shared(runs: Sequence[RunSettings], names: Sequence[str]) -> Table:
    entries = tuple(one_row(name.replace("_", " "), (Cell(_setting(runs[0], name)),)) for name in names)
    heads = (heading("all runs", words=True),)
    return Table("shared-settings", "Settings of all runs", "setting", heads, entries)


def _setting(one: RunSettings, name: str) -> str:
    return setting_words(one.settings.get(name), ", ")[:_LONGEST]
