"""The last tab: how the numbers are made, how every run was set up, and how to make this report again."""

from collections.abc import Sequence

from tolman import __version__
from tolman.report.site import Cell, Code, Entry, Head, Row, Tab, Table, Terms
from tolman.report.theory_of_space.names import printable
from tolman.report.theory_of_space.site.listed import Listed

_TERMS = (
    ("strict", "Replies are scored with the defects of the authors' released code mended, each by one named switch."),
    ("published", "The same replies, scored as the authors' released code does, to the digit."),
    (
        "interval",
        "95 %, from a bootstrap over scenes, bias-corrected and accelerated (BCa): whole scenes are drawn again, since "
        "questions about one scene rise and fall together. Left out where all scenes agree or there are fewer than "
        "three.",
    ),
    (
        "better, tie",
        "Runs are compared scene by scene on the scenes they share, by a permutation test of signs, corrected for all "
        "pairs (Holm). A tie says that these scenes do not tell the two apart, not that they are equal.",
    ),
    (
        "information gain",
        "What all evidence so far allows to know about all positions: 0 when nothing, 100 when every one is certain.",
    ),
    (
        "could be had",
        "The score that the best possible reply would be expected to get from someone who was told just as much: an "
        "ideal observer with the exact probabilities of all positions. What lies above was never observed.",
    ),
    (
        "lost to exploration, reasoning, form",
        "One less what could be had; what could be had less the score; and what could be had of replies in which no "
        "answer was found. Together with the score they make 100. A lucky guess counts against reasoning.",
    ),
    (
        "right, unlucky, impossible",
        "A stated position is in the right cell; wrong, but nothing that had been told rules it out; or contradicts "
        "what had been told.",
    ),
)
_HIDDEN = {"model_path", "base_url"}
"""Settings that name a place on somebody's machine."""
_LONGEST = 80


def about_tab(runs: Sequence[Listed], command: str) -> Tab:
    """What a careful reader asks for."""
    names = [name for name in dict.fromkeys(name for one in runs for name in one.run.settings) if name not in _HIDDEN]
    shared = [name for name in names if len({_setting(one, name) for one in runs}) == 1]
    apart = [name for name in names if name not in shared]
    tables = [table for table in (_apart(runs, apart), _shared(runs, shared)) if table.entries and table.heads]
    again = f"pip install tolman=={__version__}\n{command}"
    files = (("numbers.json", "every number of this report, by scene. Each figure has a link that saves it as SVG."),)
    return Tab("about", "About", (Terms("How numbers are made", _TERMS), *tables, Code("Make it again", again, files)))


def _apart(runs: Sequence[Listed], names: Sequence[str]) -> Table:
    entries = tuple(
        Entry(one.name, (Row(tuple(Cell(_setting(one, name)) for name in names)),), one.where) for one in runs
    )
    heads = tuple(Head(name.replace("_", " ")) for name in names)
    return Table("settings", "How runs were set up", "run", heads, entries)


def _shared(runs: Sequence[Listed], names: Sequence[str]) -> Table:
    entries = tuple(Entry(name.replace("_", " "), (Row((Cell(_setting(runs[0], name)),)),)) for name in names)
    heads = (Head("all runs", words=True),)
    return Table("shared-settings", "What all runs have in common", "setting", heads, entries)


def _setting(one: Listed, name: str) -> str:
    return _shown(one.run.settings.get(name))


def _shown(value: object) -> str:
    if value is None or value in ("", [], ()):
        return "default"
    if isinstance(value, bool):
        return "yes" if value else "no"
    words = ", ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)  # pyright: ignore[reportUnknownArgumentType, reportUnknownVariableType]
    return printable(words)[:_LONGEST]
