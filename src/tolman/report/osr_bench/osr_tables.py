"""All tables of some runs of OSR-Bench, in the order in which they are read."""

from collections.abc import Iterator, Sequence
from itertools import chain

from rich.text import Text

from tolman.report.osr_bench.answer_tables import answer_tables, gain_tables
from tolman.report.osr_bench.map_tables import map_tables
from tolman.report.osr_bench.osr_figures import RULES, OsrFigures
from tolman.report.osr_bench.osr_layout import Rules
from tolman.report.osr_bench.reference_row import ReferenceRow
from tolman.report.osr_bench.run_tables import cost_tables, reliability_tables, replies_of
from tolman.report.osr_bench.subjects import subjects
from tolman.report.osr_bench.turn_tables import judge_tables, turn_tables
from tolman.report.reply_tables import truncation_tables
from tolman.report.table import Table

_MEANING = {
    "strict": "strict: corrected scoring, without the defects of the released code (docs/rules.md)",
    "published": "published: as the authors' released code scores the same replies to the same questions",
}
_READING = (
    "Below a mean stands its 95 % interval, from a bootstrap over scenes (BCa). It is left out where all",
    "scenes agree or there are fewer than three. –: not asked for, or there was nothing to score.",
)
FEW = 10
ROUGH = f"Intervals of fewer than {FEW} scenes are too short: of 4 scenes, about one in five misses the truth."


def osr_tables(
    runs: Sequence[OsrFigures], rules: Rules = RULES, references: Sequence[ReferenceRow] = ()
) -> Iterator[Text | Table]:
    """What to print: answers, what a map adds, maps, what a turn of the camera changes, and how the runs went."""
    shown = subjects(runs)
    yield Text.assemble(("OSR-Bench", "bold"), f": {counted(runs)}")
    few = any(0 < len(known.run.cases) < FEW for known in runs)
    for line in (*(_MEANING[name] for name in rules), *_READING, *[ROUGH] * few):
        yield Text(line, "dim")
    yield from chain(
        answer_tables(shown, rules, references),
        gain_tables(shown, rules),
        map_tables(shown, rules, references),
        turn_tables(shown, rules),
        judge_tables(shown, rules),
        reliability_tables(shown, rules),
        truncation_tables(replies_of(shown)),
        cost_tables(shown),
    )


def counted(runs: Sequence[OsrFigures]) -> str:
    """How much there is, in a few words."""
    models = len({known.run.model for known in runs})
    scenes = len({case.id for known in runs for case in known.run.cases})
    counts = ((models, "model"), (len(runs), "run"), (scenes, "scene"))
    return ", ".join(f"{count} {name}{'s' * (count != 1)}" for count, name in counts)
