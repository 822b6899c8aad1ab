"""What of each entry stands on the board."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tolman.report.leaderboard.leagues import League
from tolman.report.leaderboard.ranking import Standing
from tolman.report.leaderboard.verify import Verified
from tolman.report.names import differences
from tolman.report.table import MISSING, Cell, Column, Entry, Interval, Row, Style, heading, number, percent
from tolman.report.theory_of_space.layout import USUAL
from tolman.report.theory_of_space.score_columns import STATED
from tolman.rules import RuleSetName


@dataclass(frozen=True, slots=True)
class BoardColumn:
    """A column of scores: its name in `columns`, its place, the rule set, and how its numbers are written."""

    name: str
    group: str
    title: str
    rules: RuleSetName = "strict"
    style: Style = percent

    @property
    def heading(self) -> Column:
        return heading(self.title.replace(" ", "\n"), self.group)

    def known(self, values: Mapping[str, float]) -> Cell:
        """A number without an interval, of this rule set."""
        value = values.get(self.name) if self.rules == "strict" else None
        return Cell() if value is None else self.style(Interval(value, value, value))

    def cell(self, standing: Standing) -> Cell:
        return self.style(standing.verified.measured[self.rules].interval(self.name))


BOARD_COLUMNS = (
    BoardColumn("ask/none", "Answers", "strict"),
    BoardColumn("ask/none", "Answers", "published", "published"),
    BoardColumn("map/correctness/overall", "Belief", "last map"),
    BoardColumn("map/uncertainty", "Belief", "uncertainty"),
    BoardColumn("revise/f1", "Belief", "changes found"),
    BoardColumn("explore/cost", "Exploration", "cost", style=number(1)),
    BoardColumn("explore/gain", "Exploration", "information gain"),
)


def known_columns(league: League) -> list[BoardColumn]:
    """The columns of which any entry of a league knows something."""
    return [column for column in BOARD_COLUMNS if any(column.cell(one).text != MISSING for one in league.standings)]


def rank_of(standing: Standing, league: League) -> str:
    """A rank as it is written: `2`, or `2=` where several share it."""
    if standing.rank is None:
        return MISSING
    shared = sum(other.rank == standing.rank for other in league.standings) > 1
    return f"{standing.rank}{'=' * shared}"


_BLIND = {"all, none or random points": {"map/uncertainty": 0.0}, "best without knowledge": STATED}


def without_knowledge(columns: Sequence[BoardColumn], before: tuple[Cell, ...] = (), section: str = "") -> list[Entry]:
    """Rows to hold a league against: what is had for nothing; the best of it is known of worlds of three rooms."""
    return [
        Entry(
            name,
            (Row((*before, *(column.known(values) for column in columns))),),
            section=section,
            reference=True,
        )
        for name, values in _BLIND.items()
    ]


NOTES = (
    "Percent, but for the cost. Answers by both rule sets, all else by the strict one. 95 % intervals over scenes.",
    "Every number is recomputed from the replies in the entry. Best without knowledge: as stated for worlds of three "
    "rooms by `tolman baselines`.",
    "2=: these scenes do not tell the entry from the best of its rank (permutation tests by scene, p > .05 corrected).",
)
APART = "Nobody can make these scenes and questions again: they are what the entries say they are."


def unusual(verified: Verified) -> str:
    """How an entry was run otherwise than the paper did it, such as `budget 40`; empty where it was not."""
    told = {name: value for name, value in verified.options.as_dict().items() if name in USUAL}
    settings: dict[str, object] = {**told, **verified.entry.generation}
    usual = {name: value for name, value in USUAL.items() if name in settings}
    return differences([usual, settings])[1]
