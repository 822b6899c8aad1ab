"""Tables of probes for the terminal: the same as on the page, and what holds in words."""

from collections.abc import Iterator
from dataclasses import replace

from rich.text import Text

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
from tolman.report.table import Table


def probe_tables(probes: Probes, *, references: bool = True, paper: bool = False) -> Iterator[Text | Table]:
    """Accuracy, by environment, what holds, and the control."""
    yield Text("SpaRRTa: probes", "bold")
    subjects = probes.subjects
    if subjects:
        tables = [main_table(subjects, references=references, paper=paper)]
        if len(environments_of(subjects)) > 1:
            tables.append(environment_table(subjects, references=references))
        found, beyond = verdicts(subjects), beyond_random(subjects)
        for table in (*tables, *verdict_tables(found), *([beyond_table(beyond)] if beyond else [])):
            yield narrow(table)
        yield Text()
        for sentence in (*verdict_sentences(found), *([beyond_sentence(beyond)] if beyond else [])):
            yield Text(sentence)
    if probes.things:
        yield narrow(thing_table(told_encoders(probes.things, probes.subjects)))
    if probes.controls:
        yield Text()
        yield Text(control_sentence(probes.controls))


def narrow(table: Table) -> Table:
    """A table of a page, as the terminal prints it: the mean of both viewpoints, which figures need, is left out."""
    kept = [i for i, column in enumerate(table.columns) if column.group != BOTH]
    entries = tuple(
        replace(entry, rows=tuple(replace(row, cells=tuple(row.cells[i] for i in kept)) for row in entry.rows))
        for entry in sorted(table.entries, key=lambda entry: entry.reference)
    )
    notes = tuple(note.removesuffix(BOLD) for note in table.notes)
    return replace(table, columns=tuple(table.columns[i] for i in kept), entries=entries, notes=notes)
