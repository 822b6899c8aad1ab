"""The first tab: what was run, the main numbers, and where points were lost."""

from collections.abc import Sequence

from tolman.report.site import Figure, Tab, Text
from tolman.report.site.attempt import attempted
from tolman.report.site.blocks import Block
from tolman.report.theory_of_space.site.attribution_bars import attributed, attribution_figure, kinds_figure
from tolman.report.theory_of_space.site.gap_bars import gap_figure, gap_sentences
from tolman.report.theory_of_space.site.headline import headline_table
from tolman.report.theory_of_space.site.listed import Listed

_ABOUT = (
    "A model explores rooms that it has never seen, states a map of them along the way, answers questions about them, "
    "and explores once more after things have been moved. An active model chooses where to look; a passive one reads "
    "the log of a scripted explorer."
)
_NOTES = (
    "Means over scenes in percent (cost: one for a look, two for a query), below them 95 % intervals over scenes. "
    "Information gain is 100 when every position follows from what was seen.",
    "strict: corrected scoring, without the defects of the released code. published: as the authors' code scores the "
    "same replies. ceiling: the strict score to expect of the best answers that what was seen allows.",
)
_FEW = 10
_ROUGH = f"Intervals of fewer than {_FEW} scenes are too short: of 4 scenes, about one in five misses the truth."


def overview_tab(runs: Sequence[Listed]) -> Tab:
    """What a reader sees first."""
    notes = (*_NOTES, *[_ROUGH] * any(0 < len(one.run.cases) < _FEW for one in runs))
    blocks: list[Block] = [
        Text((_ABOUT, counted(runs))),
        *attempted("Main results", lambda of: headline_table(attributed(of), of, notes), runs),
        *attempted("Where points were lost", lambda of: attribution_figure(attributed(of)), runs),
        *attempted("What a better explorer would add", lambda of: [gap_figure(of), Text(gap_sentences(of))], runs),
        *attempted("Where points were lost, by kind of question", lambda of: kinds_figure(attributed(of)), runs),
    ]
    return Tab(
        "overview", "Overview", tuple(block for block in blocks if not isinstance(block, Figure) or block.panels)
    )


def counted(runs: Sequence[Listed]) -> str:
    """What was run, in a sentence."""
    models = len({one.run.model for one in runs})
    scenes = len({case.logged.case.scene.digest for one in runs for case in one.run.cases})
    episodes = sum(len(one.run.cases) for one in runs)
    replies = sum(one.shown.figures.reliability.replies for one in runs)
    lost = sum(len(one.run.failed) + one.run.not_done for one in runs)
    missing = f" {_count(lost, 'episode')} failed or {'was' if lost == 1 else 'were'} not done." if lost else ""
    return (
        f"This report is on {_count(models, 'model')} in {_count(len(runs), 'run')} and {_count(scenes, 'scene')}: "
        f"{_count(episodes, 'episode')} with {_count(replies, 'reply', 'replies')}, all read from logs.{missing}"
    )


def _count(number: int, one: str, many: str = "") -> str:
    return f"{number:,} {one if number == 1 else many or one + 's'}"
