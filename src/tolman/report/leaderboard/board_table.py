"""The board for a terminal."""

from collections.abc import Iterator, Sequence

from rich.text import Text

from tolman.report.leaderboard.board import Aside, Board
from tolman.report.leaderboard.board_rows import APART, BOARD_COLUMNS, NOTES, rank_of, unusual, without_knowledge
from tolman.report.leaderboard.leagues import League
from tolman.report.leaderboard.ranking import Standing
from tolman.report.table import Entry, Row, Table


def board_tables(board: Board) -> Iterator[Text | Table]:
    """What to print: those that anyone can check, those that come from files, and what could not be ranked."""
    ranked = [league for league in board.leagues if league.from_seeds]
    apart = [league for league in board.leagues if not league.from_seeds]
    yield from _table("board", "Leaderboard: Theory of Space", ranked, NOTES)
    yield from _table("apart", "Not from seeds", apart, (APART,))
    yield from _asides("Sealed: can't be checked yet", board.sealed, "yellow")
    yield from _asides("Refused", board.refused, "red")


def _table(name: str, title: str, leagues: Sequence[League], notes: tuple[str, ...]) -> Iterator[Text | Table]:
    if leagues:
        entries = tuple(entry for one in leagues for entry in _entries(one))
        yield Table(name, title, "entry", tuple(column.heading for column in BOARD_COLUMNS), entries, notes)


def _entries(league: League) -> Iterator[Entry]:
    yield from (_entry(standing, league) for standing in league.standings)
    yield from without_knowledge(BOARD_COLUMNS, section=league.title)


def _entry(standing: Standing, league: League) -> Entry:
    entry, apart = standing.verified.entry, unusual(standing.verified)
    title = f"{rank_of(standing, league):3} {entry.name}{f', {apart}' if apart else ''}"
    return Entry(title, (Row(tuple(column.cell(standing) for column in BOARD_COLUMNS)),), section=league.title)


def _asides(title: str, asides: Sequence[Aside], style: str) -> Iterator[Text | Table]:
    if asides:
        yield Text()
        yield Text(title, f"bold {style}")
        yield from (Text(f"{aside.file}: {aside.reason}") for aside in asides)
