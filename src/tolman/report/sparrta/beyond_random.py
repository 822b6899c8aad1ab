"""What encoders hold beyond a network that never learnt: differences to `random` under the same probes, paired by
triple and seed. Attentive probes find a lot in random tokens, so accuracy alone says little."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from tolman.benchmarks.sparrta.probe_cells import Cell as ProbeCell
from tolman.report.cells import points
from tolman.report.intervals import Interval
from tolman.report.site.from_sheet import cell
from tolman.report.site.table import Cell, Entry, Head, Row, Table
from tolman.report.sparrta.columns import BOTH, Column, columns
from tolman.report.sparrta.spread import SETTLES_NOTHING
from tolman.report.sparrta.subjects import Subject
from tolman.report.sparrta.verdicts import SIGNS, State, difference, state_of
from tolman.report.sparrta.words import counted, listed

RANDOM = "random"
_NOTE = (
    "Percent points above a ViT with random weights, probed in the same way on the same triples, paired by triple and "
    "seed; below, the 95 % interval. ✓ more: the interval lies above 0. ✗ less: below. ○ open: it holds 0, or there is "
    f"none, or triples are few: {SETTLES_NOTHING}."
)


@dataclass(frozen=True)
class Beyond:
    """One probe of an encoder against the same one of a random network."""

    subject: str
    column: Column
    difference: Interval
    triples: int

    @property
    def state(self) -> State:
        return state_of(self.difference, self.triples)


def beyond_random(subjects: Sequence[Subject]) -> list[Beyond]:
    """All comparisons that there are cells for, over all environments, at the layers of the tables."""
    found: list[Beyond] = []
    for one in subjects:
        for column in columns(subjects) if one.encoder != RANDOM else ():
            cells = column.cells(one)
            others = [cell for two in subjects if two.encoder == RANDOM for cell in column.cells(two)]
            others = [cell for cell in others if any(_alike(cell, mine) for mine in cells)]
            if column.group != BOTH and others:
                found.append(Beyond(one.name, column, *difference(cells, others)))
    return found


def _alike(one: ProbeCell, other: ProbeCell) -> bool:
    return (one.key.protocol, one.key.ambiguity) == (other.key.protocol, other.key.ambiguity)


def beyond_table(found: Sequence[Beyond]) -> Table:
    """Encoders by probe and viewpoint."""
    shown = list(dict.fromkeys(one.column for one in found))
    heads = tuple(Head(column.title, column.group) for column in shown)
    by_key = {(one.subject, one.column): one for one in found}
    entries = tuple(
        Entry(name, (Row(tuple(_cell(by_key.get((name, column))) for column in shown)),))
        for name in dict.fromkeys(one.subject for one in found)
    )
    return Table("beyond-random", "Encoder less random: is there more in it?", "encoder", heads, entries, (_NOTE,))


def _cell(one: Beyond | None) -> Cell:
    if one is None:
        return Cell()
    shown = cell(points(one.difference))
    return replace(shown, text=f"{shown.text} {SIGNS[one.state]}")


def beyond_sentence(found: Sequence[Beyond]) -> str:
    """For each encoder, in how many probes it is above and below a random network."""
    said: list[str] = []
    for name in dict.fromkeys(one.subject for one in found):
        states = [one.state for one in found if one.subject == name]
        less = states.count("reversed")
        said.append(
            f"{name} in {states.count('holds')} of {counted(len(states), 'comparison')}"
            + (f" (and below it in {less})" if less else "")
        )
    return f"Above a random network: {listed(said)}."
