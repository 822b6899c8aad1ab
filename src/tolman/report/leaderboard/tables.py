"""The leaderboard as tables for a terminal and as plain values for other programs."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict

from rich.text import Text

from tolman.core.rules import RULE_SETS
from tolman.report.leaderboard.benchmark import AnyLeaderboard, BoardColumn, find_leaderboard
from tolman.report.leaderboard.board import Leaderboard, UnrankedFile
from tolman.report.leaderboard.entry_file import FORMAT
from tolman.report.leaderboard.ranking import League, RankedEntry
from tolman.report.table import MISSING, Cell, RowGroup, Table, interval_as_dict, known_or_none, one_row

NOT_FROM_SEEDS_NOTE = "Nobody can make these scenes and questions again: they are what the entries say they are."


def known_columns(league: League) -> list[BoardColumn]:
    """The columns of which any entry of a league knows something."""
    columns = find_leaderboard(league.benchmark).columns
    return [column for column in columns if any(column.cell(one.verified).known for one in league.standings)]


def rank_of(standing: RankedEntry, league: League) -> str:
    """A rank as it is written: `2`, or `2=` where several share it."""
    if standing.rank is None:
        return MISSING
    shared = sum(other.rank == standing.rank for other in league.standings) > 1
    return f"{standing.rank}{'=' * shared}"


def reference_rows(
    board: AnyLeaderboard, columns: Sequence[BoardColumn], before: tuple[Cell, ...] = (), section: str = ""
) -> list[RowGroup]:
    """Rows to hold a league against: what is had for nothing."""
    return [
        one_row(name, (*before, *(column.known(values) for column in columns)), section=section, reference=True)
        for name, values in board.references.items()
    ]


def leagues_of(board: Leaderboard, benchmark: str, *, from_seeds: bool) -> list[League]:
    """The leagues of one benchmark that anyone can make the cases of again, or the others."""
    return [one for one in board.leagues if one.benchmark == benchmark and one.from_seeds == from_seeds]


def board_tables(board: Leaderboard) -> Iterator[Text | Table]:
    """What to print: those that anyone can check, those that come from files, and what could not be ranked."""
    for name in board.benchmarks:
        part = find_leaderboard(name)
        ranked, apart = (leagues_of(board, name, from_seeds=made) for made in (True, False))
        yield from _league_table("board", f"Leaderboard: {part.title}", part, ranked, part.notes)
        yield from _league_table("apart", "Not from seeds", part, apart, (NOT_FROM_SEEDS_NOTE,))
    yield from _unranked_lines("Sealed: can't be checked yet", board.sealed, "yellow")
    yield from _unranked_lines("Refused", board.refused, "red")


def _league_table(
    name: str, title: str, part: AnyLeaderboard, leagues: Sequence[League], notes: tuple[str, ...]
) -> Iterator[Text | Table]:
    if leagues:
        entries = tuple(entry for one in leagues for entry in _league_entries(one, part))
        yield Table(name, title, "entry", tuple(column.heading for column in part.columns), entries, notes)


def _league_entries(league: League, part: AnyLeaderboard) -> Iterator[RowGroup]:
    yield from (_ranked_entry(standing, league, part) for standing in league.standings)
    yield from reference_rows(part, part.columns, section=league.title)


def _ranked_entry(standing: RankedEntry, league: League, part: AnyLeaderboard) -> RowGroup:
    verified = standing.verified
    title = f"{rank_of(standing, league):3} {verified.entry.name}{f', {verified.apart}' if verified.apart else ''}"
    return one_row(title, (column.cell(verified) for column in part.columns), section=league.title)


def _unranked_lines(title: str, asides: Sequence[UnrankedFile], style: str) -> Iterator[Text | Table]:
    if asides:
        yield Text()
        yield Text(title, f"bold {style}")
        yield from (Text(f"{aside.file}: {aside.reason}") for aside in asides)


JsonObject = dict[str, object]


def board_as_dict(board: Leaderboard) -> JsonObject:
    """Leagues with their entries in order, and what could not be ranked. Scores are shares from 0 to 1."""
    return {
        "format": FORMAT,
        "leagues": [_league_as_dict(league) for league in board.leagues],
        "sealed": [asdict(aside) for aside in board.sealed],
        "refused": [asdict(aside) for aside in board.refused],
    }


def _league_as_dict(league: League) -> JsonObject:
    shown = tuple(dict.fromkeys(column.name for column in find_leaderboard(league.benchmark).columns))
    return {
        "title": league.title,
        "from_seeds": league.from_seeds,
        "entries": [_entry_as_dict(standing, shown) for standing in league.standings],
    }


def _entry_as_dict(standing: RankedEntry, shown: Sequence[str]) -> JsonObject:
    verified, behind = standing.verified, standing.behind
    told = verified.entry.model_dump(mode="json", exclude={"scenes", "cases", "summary", "format"})
    return {
        "rank": standing.rank,
        **told,
        "scenes": len(verified.cases),
        "behind": None if behind is None else {"difference": behind.difference.mean, "p": known_or_none(standing.p)},
        "scores": {
            rules: {name: interval_as_dict(verified.measured[rules].interval(name)) for name in shown}
            for rules in RULE_SETS
        },
    }
