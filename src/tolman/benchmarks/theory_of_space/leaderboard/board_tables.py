"""The leaderboard as tables for a terminal and as plain values for other programs."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from rich.text import Text

from tolman.benchmarks.theory_of_space.columns import BEST_WITHOUT_KNOWLEDGE
from tolman.benchmarks.theory_of_space.leaderboard.board import Leaderboard, UnrankedFile
from tolman.benchmarks.theory_of_space.leaderboard.ranking import League, RankedEntry
from tolman.benchmarks.theory_of_space.leaderboard.verify import VerifiedEntry
from tolman.benchmarks.theory_of_space.tables.layout import PAPER_SETTINGS
from tolman.benchmarks.theory_of_space.tables.run_summary import RULES
from tolman.core.rules import RuleSetName
from tolman.harness.names import differences
from tolman.report.table import MISSING, Cell, Column, Interval, Row, RowGroup, Style, Table, heading, number, percent


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

    def cell(self, standing: RankedEntry) -> Cell:
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


def rank_of(standing: RankedEntry, league: League) -> str:
    """A rank as it is written: `2`, or `2=` where several share it."""
    if standing.rank is None:
        return MISSING
    shared = sum(other.rank == standing.rank for other in league.standings) > 1
    return f"{standing.rank}{'=' * shared}"


_BLIND_ROWS = {"all, none or random points": {"map/uncertainty": 0.0}, "best without knowledge": BEST_WITHOUT_KNOWLEDGE}


def blind_entries(columns: Sequence[BoardColumn], before: tuple[Cell, ...] = (), section: str = "") -> list[RowGroup]:
    """Rows to hold a league against: what is had for nothing; the best of it is known of worlds of three rooms."""
    return [
        RowGroup(
            name,
            (Row((*before, *(column.known(values) for column in columns))),),
            section=section,
            reference=True,
        )
        for name, values in _BLIND_ROWS.items()
    ]


BOARD_NOTES = (
    "Percent, but for the cost. Answers by both rule sets, all else by the strict one. 95 % intervals over scenes.",
    "Every number is recomputed from the replies in the entry. Best without knowledge: as stated for worlds of three "
    "rooms by `tolman baselines`.",
    "2=: these scenes do not tell the entry from the best of its rank (permutation tests by scene, p > .05 corrected).",
)
NOT_FROM_SEEDS_NOTE = "Nobody can make these scenes and questions again: they are what the entries say they are."


def unusual_settings(verified: VerifiedEntry) -> str:
    """How an entry was run otherwise than the paper did it, such as `budget 40`; empty where it was not."""
    told = {name: value for name, value in verified.options.as_dict().items() if name in PAPER_SETTINGS}
    settings: dict[str, object] = {**told, **verified.entry.generation}
    usual = {name: value for name, value in PAPER_SETTINGS.items() if name in settings}
    return differences([usual, settings])[1]


def board_tables(board: Leaderboard) -> Iterator[Text | Table]:
    """What to print: those that anyone can check, those that come from files, and what could not be ranked."""
    ranked = [league for league in board.leagues if league.from_seeds]
    apart = [league for league in board.leagues if not league.from_seeds]
    yield from _league_table("board", "Leaderboard: Theory of Space", ranked, BOARD_NOTES)
    yield from _league_table("apart", "Not from seeds", apart, (NOT_FROM_SEEDS_NOTE,))
    yield from _unranked_lines("Sealed: can't be checked yet", board.sealed, "yellow")
    yield from _unranked_lines("Refused", board.refused, "red")


def _league_table(name: str, title: str, leagues: Sequence[League], notes: tuple[str, ...]) -> Iterator[Text | Table]:
    if leagues:
        entries = tuple(entry for one in leagues for entry in _league_entries(one))
        yield Table(name, title, "entry", tuple(column.heading for column in BOARD_COLUMNS), entries, notes)


def _league_entries(league: League) -> Iterator[RowGroup]:
    yield from (_ranked_entry(standing, league) for standing in league.standings)
    yield from blind_entries(BOARD_COLUMNS, section=league.title)


def _ranked_entry(standing: RankedEntry, league: League) -> RowGroup:
    entry, apart = standing.verified.entry, unusual_settings(standing.verified)
    title = f"{rank_of(standing, league):3} {entry.name}{f', {apart}' if apart else ''}"
    return RowGroup(title, (Row(tuple(column.cell(standing) for column in BOARD_COLUMNS)),), section=league.title)


def _unranked_lines(title: str, asides: Sequence[UnrankedFile], style: str) -> Iterator[Text | Table]:
    if asides:
        yield Text()
        yield Text(title, f"bold {style}")
        yield from (Text(f"{aside.file}: {aside.reason}") for aside in asides)


FORMAT = "tolman.board/1"
JsonObject = dict[str, object]
_SHOWN = tuple(dict.fromkeys(column.name for column in BOARD_COLUMNS))


def board_as_dict(board: Leaderboard) -> JsonObject:
    """Leagues with their entries in order, and what could not be ranked. Scores are shares from 0 to 1."""
    return {
        "format": FORMAT,
        "leagues": [_league_as_dict(league) for league in board.leagues],
        "sealed": [_unranked_as_dict(aside) for aside in board.sealed],
        "refused": [_unranked_as_dict(aside) for aside in board.refused],
    }


def _league_as_dict(league: League) -> JsonObject:
    return {
        "title": league.title,
        "from_seeds": league.from_seeds,
        "entries": [_entry_as_dict(standing) for standing in league.standings],
    }


def _entry_as_dict(standing: RankedEntry) -> JsonObject:
    verified = standing.verified
    told = verified.entry.model_dump(mode="json", exclude={"scenes", "summary", "format"})
    behind = standing.behind
    return {
        "rank": standing.rank,
        **told,
        "scenes": len(verified.cases),
        "behind": None if behind is None else {"difference": behind.difference.mean, "p": _or_none(standing.p)},
        "scores": {rules: {name: _score_as_dict(standing, rules, name) for name in _SHOWN} for rules in RULES},
    }


def _score_as_dict(standing: RankedEntry, rules: str, name: str) -> JsonObject:
    found = standing.verified.measured["strict" if rules == "strict" else "published"].interval(name)
    return {"mean": _or_none(found.mean), "low": _or_none(found.low), "high": _or_none(found.high)}


def _unranked_as_dict(aside: UnrankedFile) -> JsonObject:
    return {"file": aside.file, "reason": aside.reason}


def _or_none(value: float) -> float | None:
    return None if math.isnan(value) else value
