"""The tabs of the report: which tables and figures stand on which, and how the numbers are made."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import partial

from tolman import __version__
from tolman.benchmarks.theory_of_space.columns import CHANGES_FOUND_COLUMN, COST_COLUMN, GAIN_COLUMN
from tolman.benchmarks.theory_of_space.pages.belief_radar import radar_figure
from tolman.benchmarks.theory_of_space.pages.ideal_observer_figures import (
    AttributedRuns,
    attributed,
    attribution_figure,
    evidence_figure,
    gap_figure,
    gap_sentences,
    kinds_figure,
)
from tolman.benchmarks.theory_of_space.pages.reported_runs import ReportedRun, episode_table
from tolman.benchmarks.theory_of_space.pages.scatter_figures import (
    GAIN_AXIS,
    MAP_AXIS,
    cost_figure,
    dollar_figure,
    scatter_figure,
)
from tolman.benchmarks.theory_of_space.pages.turn_curves import gain_figure, map_figure
from tolman.benchmarks.theory_of_space.tables.attribution import ALL_QUESTIONS
from tolman.benchmarks.theory_of_space.tables.comparison_tables import comparison_tables
from tolman.benchmarks.theory_of_space.tables.reference_row import ReferenceRow
from tolman.benchmarks.theory_of_space.tables.run_summary import ANSWERS, CORRECTNESS, RULES
from tolman.benchmarks.theory_of_space.tables.run_tables import correlation_tables, cost_tables, reliability_tables
from tolman.benchmarks.theory_of_space.tables.score_tables import answer_tables, belief_tables, revision_tables
from tolman.core.rules import RuleSetName
from tolman.report.site import Code, Figure, Tab, Terms, Text
from tolman.report.site.blocks import Block
from tolman.report.site.page import attempted
from tolman.report.site.settings_tables import RunSettings, settings_tables
from tolman.report.statistics import UNKNOWN
from tolman.report.table import Column, Row, RowGroup, Table, percent

_HEADLINE_COLUMNS: tuple[tuple[Column, RuleSetName], ...] = (
    (COST_COLUMN, "strict"),
    (GAIN_COLUMN, "strict"),
    (Column(ANSWERS, "strict", "Answers"), "strict"),
    (Column(ANSWERS, "published", "Answers"), "published"),
    (Column(CORRECTNESS, "strict", "Last map"), "strict"),
    (Column(CORRECTNESS, "published", "Last map"), "published"),
    (replace(CHANGES_FOUND_COLUMN, title="F1", group="Changes found"), "strict"),
)
_CEILING_PLACE = 3
"""Where the ceiling stands: after the strict answers."""
_CEILING_COLUMN = Column(
    "ceiling",
    "ceiling",
    "Answers",
    definition="Strict score to expect of the best answers that what was seen allows (ideal observer).",
)


def headline_table(attributed: AttributedRuns, runs: Sequence[ReportedRun], notes: tuple[str, ...]) -> Table:
    """The main numbers of each run."""
    ceilings = {one.label: known.shares[ALL_QUESTIONS].ceiling for one, known in attributed}
    entries: list[RowGroup] = []
    for one in runs:
        measured = one.shown.figures.measured
        cells = [column.style(measured[rules].interval(column.key)) for column, rules in _HEADLINE_COLUMNS]
        cells.insert(_CEILING_PLACE, percent(ceilings.get(one.label, UNKNOWN)))
        entries.append(
            RowGroup(one.name, (Row(tuple(cells)),), one.shown.done, section=one.shown.part, where=one.where)
        )
    columns = [column for column, _ in _HEADLINE_COLUMNS]
    columns.insert(_CEILING_PLACE, _CEILING_COLUMN)
    return Table("headline", "Main results", "run", tuple(columns), tuple(entries), notes)


_INTRODUCTION = (
    "A model explores rooms that it has never seen, states a map of them along the way, answers questions about them, "
    "and explores once more after things have been moved. An active model chooses where to look; a passive one reads "
    "the log of a scripted explorer."
)
_HEADLINE_NOTES = (
    "Means over scenes in percent (cost: one for a look, two for a query), below them 95 % intervals over scenes. "
    "Information gain is 100 when every position follows from what was seen.",
    "strict: corrected scoring, without the defects of the released code. published: as the authors' code scores the "
    "same replies. ceiling: the strict score to expect of the best answers that what was seen allows.",
)
_FEW = 10
_ROUGH = f"Intervals of fewer than {_FEW} scenes are too short: of 4 scenes, about one in five misses the truth."


def overview_tab(runs: Sequence[ReportedRun]) -> Tab:
    """What a reader sees first."""
    notes = (*_HEADLINE_NOTES, *[_ROUGH] * any(0 < len(one.run.cases) < _FEW for one in runs))
    blocks: list[Block] = [
        Text((_INTRODUCTION, run_counts(runs))),
        *attempted("Main results", lambda of: headline_table(attributed(of), of, notes), runs),
        *attempted("Where points were lost", lambda of: attribution_figure(attributed(of)), runs),
        *attempted("What a better explorer would add", lambda of: [gap_figure(of), Text(gap_sentences(of))], runs),
        *attempted("Where points were lost, by kind of question", lambda of: kinds_figure(attributed(of)), runs),
    ]
    return Tab(
        "overview", "Overview", tuple(block for block in blocks if not isinstance(block, Figure) or block.panels)
    )


def run_counts(runs: Sequence[ReportedRun]) -> str:
    """What was run, in a sentence."""
    models = len({one.run.model for one in runs})
    scenes = len({case.logged.case.scene.digest for one in runs for case in one.run.cases})
    episodes = sum(len(one.run.cases) for one in runs)
    replies = sum(one.shown.figures.reliability.replies for one in runs)
    lost = sum(len(one.run.failed) + one.run.not_done for one in runs)
    missing = f" {_plural(lost, 'episode')} failed or {'was' if lost == 1 else 'were'} not done." if lost else ""
    return (
        f"This report is on {_plural(models, 'model')} in {_plural(len(runs), 'run')} and {_plural(scenes, 'scene')}: "
        f"{_plural(episodes, 'episode')} with {_plural(replies, 'reply', 'replies')}, all read from logs.{missing}"
    )


def _plural(number: int, one: str, many: str = "") -> str:
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def answers_tab(runs: Sequence[ReportedRun], references: Sequence[ReferenceRow]) -> Tab:
    """The nine kinds of question, and which model is better."""
    shown = [one.shown for one in runs]
    blocks: list[Block] = [
        *attempted("Answers", partial(answer_tables, rules=RULES, references=references), shown),
        *attempted("Which model is better", partial(comparison_tables, rules=("strict",)), shown),
    ]
    return _tab("answers", "Answers", blocks, "No questions were asked.")


def maps_tab(runs: Sequence[ReportedRun], references: Sequence[ReferenceRow]) -> Tab:
    """How good the stated maps are, turn by turn, and against the evidence."""
    shown = [one.shown for one in runs]
    blocks: list[Block] = [
        *attempted("Belief quality", partial(belief_tables, rules=RULES, references=references), shown),
        *attempted("Dimensions of belief", radar_figure, runs),
        *attempted("Map accuracy by turn", map_figure, runs),
        *attempted("Information gain by turn", gain_figure, runs),
        *attempted("Belief against evidence", evidence_figure, runs),
        *attempted(MAP_AXIS.title, partial(scatter_figure, against=MAP_AXIS), runs),
        *attempted(GAIN_AXIS.title, partial(scatter_figure, against=GAIN_AXIS), runs),
        *attempted("Correlations", partial(correlation_tables, rules=RULES), shown),
    ]
    return _tab("maps", "Maps and belief", blocks, "No maps were asked for.")


def cost_tab(runs: Sequence[ReportedRun]) -> Tab:
    """What the runs took, and how smoothly they went."""
    shown = [one.shown for one in runs]
    blocks: list[Block] = [
        *attempted("Cost against accuracy", cost_figure, runs),
        *attempted("Price against accuracy", dollar_figure, runs),
        *attempted("Price", cost_tables, shown),
        *attempted("Reliability", partial(reliability_tables, rules=("strict",)), shown),
    ]
    return _tab("cost", "Cost", blocks, "Nothing is known of costs.")


def revision_tab(runs: Sequence[ReportedRun], references: Sequence[ReferenceRow]) -> Tab:
    """What models made of a world that had changed."""
    build = partial(revision_tables, rules=RULES, references=references)
    tables = attempted("Revision after the world has changed", build, [one.shown for one in runs])
    return _tab("revision", "Revision", tables, "No run revised its belief.")


def episodes_tab(runs: Sequence[ReportedRun]) -> Tab:
    """Every scene of every run, each with a page of its own."""
    return _tab("episodes", "Episodes", attempted("All episodes", episode_table, runs), "No scene was finished.")


def _tab(name: str, title: str, blocks: Iterable[Block], otherwise: str) -> Tab:
    """A tab with what has anything to show, or a sentence that says why there is nothing."""
    return Tab(name, title, tuple(filter(_shows, blocks)) or (Text((otherwise,)),))


def _shows(block: Block) -> bool:
    if isinstance(block, Figure):
        return bool(block.panels)
    return not isinstance(block, Table) or block.measured


_GLOSSARY = (
    ("strict", "Corrected scoring, without the defects of the authors' released code; one named switch for each."),
    ("published", "The same replies, scored as the authors' released code does, to the digit."),
    (
        "interval",
        "95 %, from a bootstrap over scenes, bias-corrected and accelerated (BCa): whole scenes are drawn again, since "
        "questions about one scene rise and fall together. Left out where all scenes agree or there are fewer than "
        "three.",
    ),
    (
        "better, tie",
        "Runs are compared scene by scene on the scenes they share, by a permutation test of signs, corrected for all "
        "pairs (Holm). A tie says that these scenes do not tell the two apart, not that they are equal.",
    ),
    (
        "information gain",
        "What all evidence so far allows to know about all positions: 0 when nothing, 100 when every one is certain.",
    ),
    (
        "ceiling",
        "The score that the best possible reply would be expected to get from someone who was told just as much: an "
        "ideal observer with the exact probabilities of all positions. What lies above was never observed.",
    ),
    (
        "lost to exploration, reasoning, form",
        "One less the ceiling; the ceiling less the score; and the ceiling of replies in which no "
        "answer was found. Together with the score they make 100. A lucky guess counts against reasoning.",
    ),
    (
        "right, unlucky, impossible",
        "A stated position is in the right cell; wrong, but nothing that had been told rules it out; or contradicts "
        "what had been told.",
    ),
)


def about_tab(runs: Sequence[ReportedRun], command: str, numbers: str) -> Tab:
    """What a careful reader asks for; `numbers` is the file that holds every number."""
    tables = settings_tables([RunSettings(one.name, one.where, one.run.settings) for one in runs])
    again = f"pip install tolman=={__version__}\n{command}"
    files = ((numbers, "every number of this report, by scene. Each figure has a link that saves it as SVG."),)
    return Tab("about", "About", (Terms("How numbers are made", _GLOSSARY), *tables, Code("Reproduce", again, files)))
