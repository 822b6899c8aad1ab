"""All tables of Theory of Space, computed from logs, in the order in which they are read."""

from collections.abc import Iterator, Sequence
from itertools import chain

from rich.text import Text

from tolman.benchmarks.theory_of_space.runs import TheoryOfSpaceRun, read_runs
from tolman.benchmarks.theory_of_space.tables.comparison_tables import comparison_tables
from tolman.benchmarks.theory_of_space.tables.export import as_dict
from tolman.benchmarks.theory_of_space.tables.layout import RuleSetNames, name_runs
from tolman.benchmarks.theory_of_space.tables.reference_row import ReferenceRow
from tolman.benchmarks.theory_of_space.tables.run_summary import RULES, RunSummary, summarise_run
from tolman.benchmarks.theory_of_space.tables.run_tables import (
    correlation_tables,
    cost_tables,
    curve_tables,
    reliability_tables,
    replies_of,
)
from tolman.benchmarks.theory_of_space.tables.score_tables import answer_tables, belief_tables, revision_tables
from tolman.report.replies import truncation_tables
from tolman.report.table import Table

_MEANING = {
    "strict": "strict: corrected scoring, without the defects of the released code (docs/rules.md)",
    "published": "published: as the authors' released code scores them, to the digit",
}
_READING = (
    "Below a mean stands its 95 % interval, from a bootstrap over scenes (BCa). It is left out where all",
    "scenes agree or there are fewer than three. –: not asked for, or there was nothing to score.",
)
_FEW = 10
_ROUGH = f"Intervals of fewer than {_FEW} scenes are too short: of 4 scenes, about one in five misses the truth."


def tables(
    runs: Sequence[RunSummary], rules: RuleSetNames = RULES, references: Sequence[ReferenceRow] = ()
) -> Iterator[Text | Table]:
    """What to print: answers, maps and their revision, which model is better, and how the runs went.

    Reference rows stand below the runs of the same world and mode.
    """
    shown = name_runs(runs)
    yield Text.assemble(("Theory of Space", "bold"), f": {_count(runs)}")
    few = any(0 < len(known.run.cases) < _FEW for known in runs)
    for line in (*(_MEANING[name] for name in rules), *_READING, *[_ROUGH] * few):
        yield Text(line, "dim")
    yield from chain(
        answer_tables(shown, rules, references),
        belief_tables(shown, rules, references),
        revision_tables(shown, rules, references),
        comparison_tables(shown, rules),
        correlation_tables(shown, rules),
        curve_tables(shown),
        reliability_tables(shown, rules),
        truncation_tables(replies_of(shown)),
        cost_tables(shown),
    )


def _count(runs: Sequence[RunSummary]) -> str:
    models = len({known.run.model for known in runs})
    scenes = sum(len(known.run.cases) for known in runs)
    counts = ((models, "model"), (len(runs), "run"), (scenes, "finished scene"))
    return ", ".join(f"{count} {name}{'s' * (count != 1)}" for count, name in counts)


__all__ = ["RunSummary", "TheoryOfSpaceRun", "as_dict", "read_runs", "summarise_run", "tables"]
