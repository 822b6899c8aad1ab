"""The other tabs: answers, maps and belief, cost, revision, episodes."""

from collections.abc import Iterable, Iterator, Sequence

from tolman.report.sheet import Sheet
from tolman.report.site import Figure, Tab, Table, Text
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
from tolman.report.theory_of_space.site.measures import BELIEF, REVISION, answers, kinds_asked
from tolman.report.theory_of_space.site.radar import radar_figure
from tolman.report.theory_of_space.site.scatter import MAP, SEEN, scatter_figure

_ANSWERS = "cost: one for a look, two for a query; of a passive run, that of the log that was read."
_REFERENCES = (
    "In italics, to compare with. chance: all valid answers alike; constant: one answer for each kind; blind: a guess "
    "from names and format. Rows of the paper are of other scenes, scored as published, without intervals."
)
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
        blocks.append(measured_table(f"answers-{mode}", title, measures, asked, rows, notes))
    blocks += _sheets("better", comparison_sheets([one.shown for one in runs], ("strict",)), "first against second")
    return _tab("answers", "Answers", blocks, "No questions were asked.")


def maps_tab(runs: Sequence[Listed], references: Sequence[ReferenceRow]) -> Tab:
    """How good the stated maps are, turn by turn, and against the evidence."""
    blocks: list[Block] = [
        measured_table("belief", "Belief quality, %", BELIEF, runs, references, (_BELIEF,)),
        radar_figure(runs),
        map_figure(runs),
        gain_figure(runs),
        evidence_figure(runs),
        scatter_figure(runs, MAP),
        scatter_figure(runs, SEEN),
        *_sheets("correlation", correlation_sheets([one.shown for one in runs], RULES)),
    ]
    return _tab("maps", "Maps and belief", blocks, "No maps were asked for.")


def cost_tab(runs: Sequence[Listed]) -> Tab:
    """What the runs took, and how smoothly they went."""
    shown = [one.shown for one in runs]
    blocks: list[Block] = [
        cost_figure(runs),
        dollar_figure(runs),
        *_sheets("price", price_sheets(shown)),
        *_sheets("reliability", reliability_sheets(shown, ("strict",))),
    ]
    return _tab("cost", "Cost", blocks, "Nothing is known of costs.")


def revision_tab(runs: Sequence[Listed], references: Sequence[ReferenceRow]) -> Tab:
    """What models made of a world that had changed."""
    title = "Revision after the world has changed, %"
    table = measured_table("revision", title, REVISION, runs, references, (_REVISION,))
    return _tab("revision", "Revision", [table], "No run revised its belief.")


def episodes_tab(runs: Sequence[Listed]) -> Tab:
    """Every scene of every run, each with a page of its own."""
    return _tab("episodes", "Episodes", [episode_table(runs)], "No scene was finished.")


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
