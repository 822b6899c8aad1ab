"""All tables of some runs, in the order in which they are read."""

from collections.abc import Iterator, Sequence

from rich.console import RenderableType
from rich.text import Text

from tolman.report.theory_of_space.comparison_tables import comparison_sheets
from tolman.report.theory_of_space.figures import RULES, Figures
from tolman.report.theory_of_space.layout import Rules, named
from tolman.report.theory_of_space.measured_tables import answer_sheets, belief_sheets, revision_sheets
from tolman.report.theory_of_space.other_tables import (
    correlation_sheets,
    curve_sheets,
    price_sheets,
    reliability_sheets,
)
from tolman.report.theory_of_space.reference_row import ReferenceRow

_MEANING = {
    "strict": "strict: replies scored with the defects of the released code mended (docs/rules.md)",
    "published": "published: as the authors' released code scores them, to the digit",
}
_READING = (
    "Below a mean stands its 95 % interval, from a bootstrap over scenes (BCa). It is left out where all",
    "scenes agree or there are fewer than three. –: not asked for, or there was nothing to score.",
)
_FEW = 10
_ROUGH = f"Intervals of fewer than {_FEW} scenes are too short: of 4 scenes, about one in five misses the truth."


def tables(
    runs: Sequence[Figures], rules: Rules = RULES, references: Sequence[ReferenceRow] = ()
) -> Iterator[RenderableType]:
    """What to print: answers, maps and their revision, which model is better, and how the runs went.

    Reference rows stand below the runs of the same world and mode.
    """
    shown = named(runs)
    yield Text.assemble(("Theory of Space", "bold"), f": {_count(runs)}")
    few = any(0 < len(known.run.cases) < _FEW for known in runs)
    for line in (*(_MEANING[name] for name in rules), *_READING, *[_ROUGH] * few):
        yield Text(line, "dim")
    for sheets in (
        answer_sheets(shown, rules, references),
        belief_sheets(shown, rules, references),
        revision_sheets(shown, rules, references),
        comparison_sheets(shown, rules),
        correlation_sheets(shown, rules),
        curve_sheets(shown),
        reliability_sheets(shown, rules),
        price_sheets(shown),
    ):
        for sheet in sheets:
            yield Text()
            yield sheet


def _count(runs: Sequence[Figures]) -> str:
    models = len({known.run.model for known in runs})
    scenes = sum(len(known.run.cases) for known in runs)
    counts = ((models, "model"), (len(runs), "run"), (scenes, "finished scene"))
    return ", ".join(f"{count} {name}{'s' * (count != 1)}" for count, name in counts)
