"""The control: probes on labels that were dealt out anew. They must guess; if they do not, something leaks."""

from collections.abc import Sequence

from tolman.report.intervals import Interval
from tolman.report.sparrta.accuracy_tables import CHANCE, majority
from tolman.report.sparrta.columns import columns
from tolman.report.sparrta.spread import spread
from tolman.report.sparrta.subjects import Subject, share, views_of
from tolman.report.table import Entry, Row, Table, heading, percent


def control_table(controls: Sequence[Subject]) -> Table:
    """Accuracy of the control by probe and viewpoint."""
    shown = columns(controls)
    heads = tuple(heading(column.title, column.group) for column in shown)
    entries = tuple(Entry(one.name, (Row(tuple(percent(share(c.cells(one))) for c in shown)),)) for one in controls)
    over = spread(c.cells(one) for one in controls for c in shown)
    note = f"Right in the test, %, with {over}, where labels were dealt out anew."
    return Table("control", "Shuffled labels", "encoder", heads, entries, (note,))


def control_interval(controls: Sequence[Subject]) -> Interval:
    """All control cells together."""
    return share([cell for one in controls for cell in one.cells])


def control_sentence(controls: Sequence[Subject]) -> str:
    """Whether the pipeline can fail, in plain words."""
    found = control_interval(controls)
    commonest = majority(controls, views_of(controls))
    text = f"With shuffled labels {100 * found.mean:.1f} % are right"
    if found.low != found.low:
        return f"{text}; chance is 25 %. One cell alone has no interval."
    text += f" (95 % interval {100 * found.low:.1f} to {100 * found.high:.1f}; chance is 25 %"
    text += f", the commonest label {100 * commonest:.1f} %)." if commonest is not None else ")."
    if found.high < CHANCE:
        return f"{text} That is below chance, as may happen with few test pictures."
    upper = max(CHANCE, commonest or 0)
    if found.low <= upper:
        return f"{text} That is what guesses give, as it must be."
    return f"{text} That is above chance: labels leak, and no number here can be trusted."
