"""What encoders hold beyond a network that never learnt: differences to `random` under the same probes, paired by
triple and seed. Attentive probes find a lot in random tokens, so accuracy alone says little."""

from collections.abc import Sequence
from dataclasses import dataclass

from tolman.benchmarks.sparrta.probe_cells import Cell
from tolman.report.intervals import Interval
from tolman.report.sparrta.columns import BOTH, ProbeColumn, columns
from tolman.report.sparrta.subjects import Subject
from tolman.report.sparrta.verdicts import State, difference, state_of

RANDOM = "random"


@dataclass(frozen=True)
class Beyond:
    """One probe of an encoder against the same one of a random network."""

    subject: str
    column: ProbeColumn
    difference: Interval
    triples: int

    @property
    def state(self) -> State:
        return state_of(self.difference, self.triples)


def beyond_random(subjects: Sequence[Subject]) -> list[Beyond]:
    """All comparisons that there are cells for, over all environments, at the layers of the tables; a random network
    is a measure once its last layer was probed."""
    found: list[Beyond] = []
    measures = [one for one in subjects if one.encoder == RANDOM and one.layer == one.layers]
    for one in subjects:
        for column in columns(subjects) if one.encoder != RANDOM else ():
            cells = column.cells(one)
            others = [cell for two in measures for cell in column.cells(two)]
            others = [cell for cell in others if any(_alike(cell, mine) for mine in cells)]
            if column.group != BOTH and others:
                found.append(Beyond(one.name, column, *difference(cells, others)))
    return [one for one in found if one.triples]


def _alike(one: Cell, other: Cell) -> bool:
    return (one.key.protocol, one.key.ambiguity) == (other.key.protocol, other.key.ambiguity)
