"""How well things are told from tokens, as a table."""

from collections.abc import Sequence

from tolman.report.sparrta.things import ToldEncoder, things_of
from tolman.report.table import Cell, Entry, Row, Table, heading, number

_NOTE = (
    "Average precision of patches that show the thing (a tenth of the patch or more), among all patches of pictures "
    "that the map was not fitted to; a linear map of single tokens, fitted for each triple; below, 95 % intervals over "
    "triples where there are three, or the layer. Guesses get the share of such patches. A small patch shows more of a "
    "small thing."
)


def thing_table(encoders: Sequence[ToldEncoder]) -> Table:
    """Encoders by thing, in the last layer that was tried and in the best."""
    things = things_of(encoders)
    deep = any(len(one.tried) > 1 for one in encoders)
    heads = [heading(thing, "last layer") for thing in things] + [
        heading(thing, "best layer") for thing in things
    ] * deep
    entries = [
        Entry(one.name, (Row((*_last(one, things), *(_best(one, things) if deep else ()))),)) for one in encoders
    ]
    return Table(
        "things",
        "Are the things in the tokens?",
        "encoder",
        tuple(heads),
        (*entries, *_guesses(encoders, things, deep)),
        (_NOTE,),
    )


def _last(one: ToldEncoder, things: Sequence[str]) -> list[Cell]:
    return [number(2)(one.at(one.tried[-1], thing)) for thing in things]


def _best(one: ToldEncoder, things: Sequence[str]) -> list[Cell]:
    best = [(one.best(thing), thing) for thing in things]
    return [Cell(f"{one.at(layer, thing).mean:.2f}", f"layer {layer}") for layer, thing in best]


def _guesses(encoders: Sequence[ToldEncoder], things: Sequence[str], deep: bool) -> list[Entry]:
    """Encoders with smaller patches have smaller shares; the largest is what all must beat."""
    most = [max(one.guesses(thing) for one in encoders) for thing in things]
    cells = tuple(Cell(f"{share:.2f}") for share in most)
    return [Entry("guesses", (Row(cells * (1 + deep)),), reference=True)]
