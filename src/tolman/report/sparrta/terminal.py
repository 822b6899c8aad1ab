"""Tables of probes for the terminal: the same as on the page, and what holds in words."""

from collections.abc import Iterator, Sequence

from rich.console import RenderableType
from rich.text import Text

from tolman.report import sheet
from tolman.report.site.table import Entry, Table
from tolman.report.sparrta.accuracy_tables import BOLD, environment_table, main_table
from tolman.report.sparrta.beyond_random import beyond_random
from tolman.report.sparrta.beyond_tables import beyond_sentence, beyond_table
from tolman.report.sparrta.columns import BOTH
from tolman.report.sparrta.control_tables import control_sentence
from tolman.report.sparrta.probe_folders import Probes
from tolman.report.sparrta.subjects import environments_of
from tolman.report.sparrta.thing_tables import thing_table
from tolman.report.sparrta.things import told_encoders
from tolman.report.sparrta.verdict_tables import verdict_sentences, verdict_tables
from tolman.report.sparrta.verdicts import verdicts


def probe_tables(probes: Probes, *, references: bool = True, paper: bool = False) -> Iterator[RenderableType]:
    """Accuracy, by environment, what holds, and the control."""
    yield Text("SpaRRTa: probes", "bold")
    subjects = probes.subjects
    if subjects:
        tables = [main_table(subjects, references=references, paper=paper)]
        if len(environments_of(subjects)) > 1:
            tables.append(environment_table(subjects, references=references))
        found, beyond = verdicts(subjects), beyond_random(subjects)
        for table in (*tables, *verdict_tables(found), *([beyond_table(beyond)] if beyond else [])):
            yield Text()
            yield as_sheet(table)
        yield Text()
        for sentence in (*verdict_sentences(found), *([beyond_sentence(beyond)] if beyond else [])):
            yield Text(sentence)
    if probes.things:
        yield Text()
        yield as_sheet(thing_table(told_encoders(probes.things, probes.subjects)))
    if probes.controls:
        yield Text()
        yield Text(control_sentence(probes.controls))


def as_sheet(table: Table) -> sheet.Sheet:
    """A table of a page, as the terminal prints it: first what was measured, then what to compare with. The mean of
    both viewpoints, which figures need, is left out."""
    kept = [i for i, head in enumerate(table.heads) if head.group != BOTH]
    heads = tuple(sheet.Head(table.heads[i].title, table.heads[i].group) for i in kept)
    parts = [
        sheet.Part(title, tuple(_entry(entry, kept) for entry in found), quiet=quiet)
        for title, quiet in (("Measured", False), ("To compare with", True))
        if (found := [entry for entry in table.entries if entry.reference == quiet])
    ]
    return sheet.Sheet(table.title, heads, tuple(parts), tuple(note.removesuffix(BOLD) for note in table.notes))


def _entry(entry: Entry, kept: Sequence[int]) -> sheet.Entry:
    rows = tuple(
        sheet.Row("", tuple(sheet.Cell(row.cells[i].text, row.cells[i].below) for i in kept)) for row in entry.rows
    )
    return sheet.Entry(f"{entry.name} · {entry.below}" if entry.below else entry.name, rows)
