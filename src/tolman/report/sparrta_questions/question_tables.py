"""All tables of some runs, in the order in which they are read."""

from collections.abc import Iterator, Sequence
from itertools import chain

from rich.text import Text

from tolman.report.reply_tables import truncation_tables
from tolman.report.sparrta_questions.accuracy_tables import accuracy_tables
from tolman.report.sparrta_questions.confusion_tables import confusion_tables
from tolman.report.sparrta_questions.question_figures import QuestionFigures
from tolman.report.sparrta_questions.run_tables import cost_tables, reliability_tables, replies_of
from tolman.report.table import Table

_READING = (
    "Where is the target to the source? front is beyond it, back on the viewer's side. Below a share stands",
    "its 95 % interval over pictures: Wilson's, or from drawing pictures again. –: not asked for.",
)


def question_tables(runs: Sequence[QuestionFigures], *, references: bool = True) -> Iterator[Text | Table]:
    """What to print: right answers, confusions, and how the runs went."""
    yield Text.assemble(("SpaRRTa", "bold"), f": {counted(runs)}")
    for line in _READING:
        yield Text(line, "dim")
    yield from chain(
        accuracy_tables(runs, references=references),
        confusion_tables(runs),
        reliability_tables(runs),
        truncation_tables(replies_of(runs)),
        cost_tables(runs),
    )


def counted(runs: Sequence[QuestionFigures]) -> str:
    """How much there is, in a few words."""
    models = len({known.run.model for known in runs})
    pictures = len({case.id for known in runs for case in known.run.cases})
    counts = ((models, "model"), (len(runs), "run"), (pictures, "picture"))
    return ", ".join(f"{count} {name}{'s' * (count != 1)}" for count, name in counts)
