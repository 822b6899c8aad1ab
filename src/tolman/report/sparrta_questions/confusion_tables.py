"""Tables of what is said for what: confusions of the four relations, and of the two viewpoints."""

from collections.abc import Iterator, Sequence

from tolman.benchmarks.sparrta.relations import RELATIONS
from tolman.report.sparrta_questions.accuracy_tables import FROM, RUNS
from tolman.report.sparrta_questions.question_figures import UNREAD, QuestionFigures, confusion, viewpoints_of
from tolman.report.sparrta_questions.viewpoint_change import viewpoint_change
from tolman.report.table import Cell, Entry, Row, Table, heading, percent

_SAID = tuple(heading(said.replace(" ", "\n"), "" if said == UNREAD else "Said") for said in (*RELATIONS, UNREAD))
_CHANGE = (heading("pictures"), heading("both\nright"), heading("said", "Same answer"), heading("true", "Same answer"))
_AS_CAMERA = heading("as from\ncamera")


def confusion_tables(runs: Sequence[QuestionFigures]) -> Iterator[Table]:
    """What was said for each true answer, from each viewpoint; then what the viewpoint changed."""
    for view in viewpoints_of(runs):
        entries = tuple(
            Entry(run.name, _rows(run, view), section="True answer", apart=True) for run in runs if run.of(view)
        )
        notes = ("Rows: true answers; below a count its share of the row",)
        yield Table(f"confusion-{view}", f"Confusions, from the {FROM[view]}", "true", _SAID, entries, notes)
    changes = [(run.name, viewpoint_change(run.answers)) for run in runs]
    changed = [
        Entry(
            name,
            (
                Row(
                    (
                        Cell(str(known.pictures)),
                        *(percent(each) for each in (known.both_right, known.same_said, known.same_true)),
                        percent(known.as_camera),
                    )
                ),
            ),
            section=RUNS,
        )
        for name, known in changes
        if known.pictures
    ]
    if changed:
        notes = (
            "Pictures asked about from both viewpoints. Same answer: from camera and person, as said and in truth",
            "as from camera: of pictures where the answers differ, those where the camera's is given for the person",
        )
        yield Table("viewpoints", "Camera and person, %", "model", (*_CHANGE, _AS_CAMERA), tuple(changed), notes)


def _rows(run: QuestionFigures, view: str) -> tuple[Row, ...]:
    table = confusion([answer for answer in run.answers if answer.viewpoint == view])
    rows: list[Row] = []
    for true, said in table.items():
        total = sum(said.values())
        if total:
            rows.append(Row(tuple(_count(count, total) for count in said.values()), true))
    return tuple(rows)


def _count(count: int, total: int) -> Cell:
    return Cell(str(count), f"{100 * count / total:.0f} %" if count else "")
