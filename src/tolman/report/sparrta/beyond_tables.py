"""What encoders hold beyond a random network, as a table and in words."""

from collections.abc import Sequence

from tolman.report.sparrta.beyond_random import Beyond
from tolman.report.sparrta.spread import SETTLES_NOTHING
from tolman.report.sparrta.verdict_tables import signed
from tolman.report.sparrta.words import counted, listed
from tolman.report.table import Entry, Row, Table, heading

_NOTE = (
    "Percentage points above a ViT with random weights, probed in the same way, paired by triple and "
    "seed; below, the 95 % interval. ✓ more: the interval lies above 0. ✗ less: below. ○ open: it holds 0, or there is "
    f"none, or triples are few: {SETTLES_NOTHING}."
)


def beyond_table(found: Sequence[Beyond]) -> Table:
    """Encoders by probe and viewpoint."""
    shown = list(dict.fromkeys(one.column for one in found))
    heads = tuple(heading(column.title, column.group) for column in shown)
    by_key = {(one.subject, one.column): one for one in found}
    entries = tuple(
        Entry(name, (Row(tuple(signed(by_key.get((name, column))) for column in shown)),))
        for name in dict.fromkeys(one.subject for one in found)
    )
    return Table("beyond-random", "Encoder less random: is there more in it?", "encoder", heads, entries, (_NOTE,))


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
