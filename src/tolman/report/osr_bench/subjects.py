"""Who is compared: a model in one setting, with all the ways in which it was asked."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from tolman.benchmarks.osr_bench.osr_options import UNTOLD, OsrOptions
from tolman.benchmarks.osr_bench.question import AskedSet
from tolman.report.names import differences
from tolman.report.osr_bench.osr_figures import OsrFigures
from tolman.report.osr_bench.osr_logs import MODES, Run, Way
from tolman.seeds import digest

_WAY = ("asked", "mode", "think")
_BY_DATA = ("turns", "rules", "class_list")
USUAL = {name: value for name, value in OsrOptions().as_dict().items() if name not in (*_WAY, *_BY_DATA)}
"""Settings of the paper's main experiments; a model that was run otherwise says so in its name."""


@dataclass(frozen=True)
class Subject:
    """One model in one setting."""

    name: str
    settings: Mapping[str, object]
    """All but the ways in which it was asked."""
    ways: Mapping[Way, OsrFigures]

    @property
    def runs(self) -> Iterable[OsrFigures]:
        return self.ways.values()

    def modes(self, asked: AskedSet, *, think: bool) -> dict[str, OsrFigures]:
        """The runs with one set of questions, by the map that the model had in hand."""
        return {mode: self.ways[way] for mode in MODES if (way := Way(asked, mode, think)) in self.ways}


def subjects(runs: Sequence[OsrFigures]) -> list[Subject]:
    """The runs by who was asked, as they were begun.

    Turns of the camera beyond the first do not tell two runs apart, as they change no score, unless there would be two
    for one place in a table.
    """
    groups: dict[str, list[OsrFigures]] = {}
    for known in runs:
        groups.setdefault(_key(known.run, turns=False), []).append(known)
    apart = [part for group in groups.values() for part in _apart(group)]
    names = _names([group[0].run for group in apart])
    return [
        Subject(name, _setting(group[0].run, turns=False), {known.run.way: known for known in group})
        for group, name in zip(apart, names, strict=True)
    ]


def _apart(group: Sequence[OsrFigures]) -> Iterator[list[OsrFigures]]:
    if len({known.run.way for known in group}) == len(group):
        yield list(group)
        return
    parts: dict[str, list[OsrFigures]] = {}
    for known in group:
        parts.setdefault(_key(known.run, turns=True), []).append(known)
    yield from parts.values()


def _key(run: Run, *, turns: bool) -> str:
    return digest([run.model, {name: str(value) for name, value in _setting(run, turns=turns).items()}])


def _setting(run: Run, *, turns: bool) -> dict[str, object]:
    settings = {**UNTOLD, **run.settings} if run.settings else run.options.as_dict()
    seen = run.options.turns if turns else run.options.turns[:1]
    return {**{name: value for name, value in settings.items() if name not in _WAY}, "turns": list(seen)}


def _names(runs: Sequence[Run]) -> list[str]:
    """The model, and what sets it apart from other subjects of its name and from the way the paper did it."""
    named: dict[str, list[int]] = {}
    for place, run in enumerate(runs):
        named.setdefault(run.name, []).append(place)
    found = [""] * len(runs)
    for name, places in named.items():
        settings = [{"model": runs[place].model, **_setting(runs[place], turns=True)} for place in places]
        usual = {key: value for key, value in USUAL.items() if key in settings[0]}
        for place, apart in zip(places, differences([{**settings[0], **usual}, *settings])[1:], strict=True):
            found[place] = f"{name}, {apart}" if apart else name
    return found
