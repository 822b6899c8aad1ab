"""All tables of Theory of Space, computed from logs, in the order in which they are printed."""

from collections.abc import Iterator, Sequence
from itertools import chain

from rich.text import Text

from tolman.benchmarks.theory_of_space.runs import TheoryOfSpaceRun, read_runs
from tolman.benchmarks.theory_of_space.tables.comparison_tables import comparison_tables
from tolman.benchmarks.theory_of_space.tables.export import as_dict
from tolman.benchmarks.theory_of_space.tables.layout import ReferenceRow, name_runs
from tolman.benchmarks.theory_of_space.tables.run_summary import RunSummary, summarise_run
from tolman.benchmarks.theory_of_space.tables.run_tables import (
    correlation_tables,
    cost_tables,
    curve_tables,
    reliability_tables,
    replies_of,
)
from tolman.benchmarks.theory_of_space.tables.score_tables import (
    answer_tables,
    belief_tables,
    pattern_tables,
    revision_tables,
)
from tolman.benchmarks.theory_of_space.tables.setting_tables import gap_tables, rooms_tables
from tolman.core.rules import RULE_SETS, RuleSetNames
from tolman.report.replies import truncation_tables
from tolman.report.statistics import few_scenes_notes
from tolman.report.table import Table

_MEANING = {
    "strict": "strict: corrected scoring, without the defects of the released code (docs/rules.md)",
    "published": "published: as the authors' released code scores them, to the digit",
}
_READING = (
    "Below each mean: its 95 % interval, from a bootstrap over scenes (BCa); none if all scenes agree or "
    "there are fewer than three. –: not asked, or nothing to score.",
)


def tables(
    runs: Sequence[RunSummary], rules: RuleSetNames = RULE_SETS, references: Sequence[ReferenceRow] = ()
) -> Iterator[Text | Table]:
    """All tables: scores of answers, maps and revision, comparisons of models, worlds and numbers of rooms,
    correlations, curves, exploration patterns, reliability and price.

    Reference rows stand below the runs of the same world and mode.
    """
    named = name_runs(runs)
    yield Text.assemble(("Theory of Space", "bold"), f": {_count(runs)}")
    few = few_scenes_notes(summary.run.distinct for summary in runs)
    for line in (*(_MEANING[name] for name in rules), *_READING, *few):
        yield Text(line, "dim")
    yield from chain(
        answer_tables(named, rules, references),
        belief_tables(named, rules, references),
        revision_tables(named, rules, references),
        comparison_tables(named, rules),
        gap_tables(named, rules[0]),
        rooms_tables(named, rules[0], references),
        correlation_tables(named, rules),
        curve_tables(named),
        pattern_tables(named),
        reliability_tables(named, rules),
        truncation_tables(replies_of(named)),
        cost_tables(named),
    )


def _count(runs: Sequence[RunSummary]) -> str:
    models = len({summary.run.model for summary in runs})
    scenes = sum(summary.run.distinct for summary in runs)
    counts = ((models, "model"), (len(runs), "run"), (scenes, "finished scene"))
    return ", ".join(f"{count} {name}{'s' * (count != 1)}" for count, name in counts)


__all__ = ["RunSummary", "TheoryOfSpaceRun", "as_dict", "read_runs", "summarise_run", "tables"]
