"""The board as a page that opens from disk."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from tolman.benchmarks.theory_of_space.leaderboard.board import Leaderboard, UnrankedFile
from tolman.benchmarks.theory_of_space.leaderboard.board_tables import (
    BOARD_NOTES,
    NOT_FROM_SEEDS_NOTE,
    BoardColumn,
    blind_entries,
    known_columns,
    rank_of,
    unusual_settings,
)
from tolman.benchmarks.theory_of_space.leaderboard.ranking import League, RankedEntry
from tolman.report.site.blocks import Block, Code, Text
from tolman.report.site.folder import whole_folder
from tolman.report.site.page import Page, Tab, write_page
from tolman.report.table import Cell, Row, RowGroup, Table, heading

_CHECKED = (
    "An entry holds every reply of a run. For this page each scene was made anew from its seed, its questions were "
    "drawn anew, the replies were carried out and graded again, under both rule sets, and every single score was held "
    "against the one that is claimed. An entry in which one differs is refused.",
    "What can't be checked is who gave the replies: that a name stands for a model is the word of its submitter. "
    "On a sealed split nobody could have prepared for the scenes.",
)


def write_board(board: Leaderboard, out: Path, *, force: bool = False) -> None:
    """Write the page and all that it needs into a folder; an earlier page there is replaced."""
    with whole_folder(out, force=force) as folder:
        write_page(_page(board), folder)


def _page(board: Leaderboard) -> Page:
    counts = f"{board.entries} entr{'y' if board.entries == 1 else 'ies'}, every score recomputed from the replies"
    others = f"; {len(board.refused)} refused" if board.refused else ""
    return Page("Leaderboard: Theory of Space", counts + others, tuple(_tabs(board)))


def _tabs(board: Leaderboard) -> Iterator[Tab]:
    ranked = [league for league in board.leagues if league.from_seeds]
    apart = [league for league in board.leagues if not league.from_seeds]
    none = Text(("No entry stands here yet.",))
    yield Tab("board", "Board", tuple(_tables(ranked, "league")) or (none,))
    if apart:
        yield Tab("apart", "Not from seeds", (Text((NOT_FROM_SEEDS_NOTE,)), *_tables(apart, "apart")))
    if board.sealed:
        yield Tab("sealed", "Sealed", tuple(_unranked_texts(board.sealed)))
    if board.refused:
        yield Tab("refused", "Refused", tuple(_unranked_texts(board.refused)))
    again = Code("Check it yourself", "tolman board FOLDER_OF_ENTRIES")
    yield Tab("checked", "How it is checked", (Text(_CHECKED), Text(BOARD_NOTES, "Reading the tables"), again))


def _tables(leagues: Sequence[League], name: str) -> Iterator[Block]:
    for number, league in enumerate(leagues, start=1):
        columns = known_columns(league)
        yield Table(
            name=f"{name}-{number}",
            title=league.title,
            first="entry",
            columns=(heading("rank"), *(column.heading for column in columns)),
            entries=(
                *(_entry(standing, league, columns) for standing in league.standings),
                *blind_entries(columns, (Cell(),)),
            ),
            notes=BOARD_NOTES if number == len(leagues) else (),
        )


def _entry(standing: RankedEntry, league: League, columns: Sequence[BoardColumn]) -> RowGroup:
    entry = standing.verified.entry
    told = (entry.model if entry.model != entry.name else "", unusual_settings(standing.verified), entry.note)
    cells = (Cell(rank_of(standing, league)), *(column.cell(standing) for column in columns))
    return RowGroup(entry.name, (Row(cells),), below=" · ".join(filter(None, told)), href=entry.link)


def _unranked_texts(asides: Sequence[UnrankedFile]) -> Iterator[Text]:
    return (Text((aside.reason,), aside.file) for aside in asides)
