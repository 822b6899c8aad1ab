"""The other tabs: answers, maps and belief, cost, revision, episodes."""

from collections.abc import Iterable, Iterator, Sequence
from functools import partial

from tolman.report.sheet import Sheet
from tolman.report.site import Figure, Tab, Table, Text
from tolman.report.site.attempt import attempted
from tolman.report.site.blocks import Block
from tolman.report.site.from_sheet import from_sheet
from tolman.report.theory_of_space.comparison_tables import comparison_sheets
from tolman.report.theory_of_space.figures import RULES
from tolman.report.theory_of_space.measured_tables import ANSWERS
from tolman.report.theory_of_space.other_tables import correlation_sheets, price_sheets, reliability_sheets
from tolman.report.theory_of_space.reference_row import ReferenceRow
from tolman.report.theory_of_space.site.cost_scatter import cost_figure, dollar_figure
from tolman.report.theory_of_space.site.curves import gain_figure, map_figure
from tolman.report.theory_of_space.site.episode_pages import episode_table
from tolman.report.theory_of_space.site.evidence_bars import evidence_figure
from tolman.report.theory_of_space.site.listed import Listed
from tolman.report.theory_of_space.site.measured_table import measured_table
from tolman.report.theory_of_space.site.measures import BELIEF, REVISION, Measure, answers, kinds_asked
from tolman.report.theory_of_space.site.radar import radar_figure
from tolman.report.theory_of_space.site.scatter import MAP, SEEN, scatter_figure

_ANSWERS = "cost: one for a look, two for a query; of a passive run, that of the log that was read."
_REFERENCES = (
    "In italics, to compare with. chance: all valid answers alike; constant: one answer for each kind; blind: a guess "
    "from names and format. Rows of the paper are of other scenes, scored as published, without intervals."
)
_BELIEF_TITLE = "Belief quality, %"
_BELIEF = (
    "Correctness is that of the last map; all else is a mean over turns. Local and global: whether the two maps that "
    "were stated agree. Unexplored points: F1 of the points chosen as not yet looked at."
)
_REVISION = (
    "After two things have been turned and two moved. Redundant cost: after all that changed had been in view. "
    "Inertia: how far the old belief pulls the new one; 0 is best."
)


def answers_tab(runs: Sequence[Listed], references: Sequence[ReferenceRow]) -> Tab:
    """The nine kinds of question, and which model is better."""
    blocks: list[Block] = []
    for mode, title in ANSWERS.items():
        asked = [one for one in runs if mode in one.run.options.maps]
        rows = references if mode == "none" else ()
        notes = (_ANSWERS, *[_REFERENCES] * bool(rows)) if mode == "none" else ()
        measures = answers(mode, sorted({answer for one in asked for answer in kinds_asked(one, mode)}))
        blocks += attempted(title, partial(_measured, f"answers-{mode}", title, measures, rows, notes), asked)
    blocks += attempted("Which model is better", _better, runs)
    return _tab("answers", "Answers", blocks, "No questions were asked.")


def maps_tab(runs: Sequence[Listed], references: Sequence[ReferenceRow]) -> Tab:
    """How good the stated maps are, turn by turn, and against the evidence."""
    blocks: list[Block] = [
        *attempted(_BELIEF_TITLE, partial(_measured, "belief", _BELIEF_TITLE, BELIEF, references, (_BELIEF,)), runs),
        *attempted("Dimensions of belief", radar_figure, runs),
        *attempted("Map accuracy by turn", map_figure, runs),
        *attempted("Information gain by turn", gain_figure, runs),
        *attempted("Belief against evidence", evidence_figure, runs),
        *attempted(MAP.title, partial(scatter_figure, against=MAP), runs),
        *attempted(SEEN.title, partial(scatter_figure, against=SEEN), runs),
        *attempted("Correlations", _correlations, runs),
    ]
    return _tab("maps", "Maps and belief", blocks, "No maps were asked for.")


def cost_tab(runs: Sequence[Listed]) -> Tab:
    """What the runs took, and how smoothly they went."""
    blocks: list[Block] = [
        *attempted("Cost against accuracy", cost_figure, runs),
        *attempted("Price against accuracy", dollar_figure, runs),
        *attempted("Price", _prices, runs),
        *attempted("Reliability", _reliability, runs),
    ]
    return _tab("cost", "Cost", blocks, "Nothing is known of costs.")


def revision_tab(runs: Sequence[Listed], references: Sequence[ReferenceRow]) -> Tab:
    """What models made of a world that had changed."""
    title = "Revision after the world has changed, %"
    table = attempted(title, partial(_measured, "revision", title, REVISION, references, (_REVISION,)), runs)
    return _tab("revision", "Revision", table, "No run revised its belief.")


def episodes_tab(runs: Sequence[Listed]) -> Tab:
    """Every scene of every run, each with a page of its own."""
    return _tab("episodes", "Episodes", attempted("All episodes", episode_table, runs), "No scene was finished.")


def _measured(
    name: str,
    title: str,
    measures: Sequence[Measure],
    references: Sequence[ReferenceRow],
    notes: tuple[str, ...],
    runs: Sequence[Listed],
) -> Table:
    return measured_table(name, title, measures, runs, references, notes)


def _better(runs: Sequence[Listed]) -> Iterator[Table]:
    return _sheets("better", comparison_sheets([one.shown for one in runs], ("strict",)), "first against second")


def _correlations(runs: Sequence[Listed]) -> Iterator[Table]:
    return _sheets("correlation", correlation_sheets([one.shown for one in runs], RULES))


def _prices(runs: Sequence[Listed]) -> Iterator[Table]:
    return _sheets("price", price_sheets([one.shown for one in runs]))


def _reliability(runs: Sequence[Listed]) -> Iterator[Table]:
    return _sheets("reliability", reliability_sheets([one.shown for one in runs], ("strict",)))


def _sheets(name: str, sheets: Iterable[Sheet], first: str = "run") -> Iterator[Table]:
    for number, sheet in enumerate(sheets, start=1):
        yield from_sheet(name if number == 1 else f"{name}-{number}", sheet, first)


def _tab(name: str, title: str, blocks: Iterable[Block], otherwise: str) -> Tab:
    """A tab with what has anything to show, or a sentence that says why there is nothing."""
    return Tab(name, title, tuple(filter(_shows, blocks)) or (Text((otherwise,)),))


def _shows(block: Block) -> bool:
    if isinstance(block, Figure):
        return bool(block.panels)
    return not isinstance(block, Table) or any(not entry.reference for entry in block.entries)
