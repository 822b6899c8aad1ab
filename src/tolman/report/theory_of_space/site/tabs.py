"""The other tabs: answers, maps and belief, cost, revision, episodes."""

from collections.abc import Iterable, Sequence
from functools import partial

from tolman.report.site import Figure, Tab, Text
from tolman.report.site.attempt import attempted
from tolman.report.site.blocks import Block
from tolman.report.table import Table
from tolman.report.theory_of_space.comparison_tables import comparison_tables
from tolman.report.theory_of_space.figures import RULES
from tolman.report.theory_of_space.other_tables import correlation_tables, cost_tables, reliability_tables
from tolman.report.theory_of_space.reference_row import ReferenceRow
from tolman.report.theory_of_space.score_tables import answer_tables, belief_tables, revision_tables
from tolman.report.theory_of_space.site.cost_scatter import cost_figure, dollar_figure
from tolman.report.theory_of_space.site.curves import gain_figure, map_figure
from tolman.report.theory_of_space.site.episode_pages import episode_table
from tolman.report.theory_of_space.site.evidence_bars import evidence_figure
from tolman.report.theory_of_space.site.listed import Listed
from tolman.report.theory_of_space.site.radar import radar_figure
from tolman.report.theory_of_space.site.scatter import MAP, SEEN, scatter_figure


def answers_tab(runs: Sequence[Listed], references: Sequence[ReferenceRow]) -> Tab:
    """The nine kinds of question, and which model is better."""
    shown = [one.shown for one in runs]
    blocks: list[Block] = [
        *attempted("Answers", partial(answer_tables, rules=RULES, references=references), shown),
        *attempted("Which model is better", partial(comparison_tables, rules=("strict",)), shown),
    ]
    return _tab("answers", "Answers", blocks, "No questions were asked.")


def maps_tab(runs: Sequence[Listed], references: Sequence[ReferenceRow]) -> Tab:
    """How good the stated maps are, turn by turn, and against the evidence."""
    shown = [one.shown for one in runs]
    blocks: list[Block] = [
        *attempted("Belief quality", partial(belief_tables, rules=RULES, references=references), shown),
        *attempted("Dimensions of belief", radar_figure, runs),
        *attempted("Map accuracy by turn", map_figure, runs),
        *attempted("Information gain by turn", gain_figure, runs),
        *attempted("Belief against evidence", evidence_figure, runs),
        *attempted(MAP.title, partial(scatter_figure, against=MAP), runs),
        *attempted(SEEN.title, partial(scatter_figure, against=SEEN), runs),
        *attempted("Correlations", partial(correlation_tables, rules=RULES), shown),
    ]
    return _tab("maps", "Maps and belief", blocks, "No maps were asked for.")


def cost_tab(runs: Sequence[Listed]) -> Tab:
    """What the runs took, and how smoothly they went."""
    shown = [one.shown for one in runs]
    blocks: list[Block] = [
        *attempted("Cost against accuracy", cost_figure, runs),
        *attempted("Price against accuracy", dollar_figure, runs),
        *attempted("Price", cost_tables, shown),
        *attempted("Reliability", partial(reliability_tables, rules=("strict",)), shown),
    ]
    return _tab("cost", "Cost", blocks, "Nothing is known of costs.")


def revision_tab(runs: Sequence[Listed], references: Sequence[ReferenceRow]) -> Tab:
    """What models made of a world that had changed."""
    build = partial(revision_tables, rules=RULES, references=references)
    tables = attempted("Revision after the world has changed", build, [one.shown for one in runs])
    return _tab("revision", "Revision", tables, "No run revised its belief.")


def episodes_tab(runs: Sequence[Listed]) -> Tab:
    """Every scene of every run, each with a page of its own."""
    return _tab("episodes", "Episodes", attempted("All episodes", episode_table, runs), "No scene was finished.")


def _tab(name: str, title: str, blocks: Iterable[Block], otherwise: str) -> Tab:
    """A tab with what has anything to show, or a sentence that says why there is nothing."""
    return Tab(name, title, tuple(filter(_shows, blocks)) or (Text((otherwise,)),))


def _shows(block: Block) -> bool:
    if isinstance(block, Figure):
        return bool(block.panels)
    return not isinstance(block, Table) or block.measured
