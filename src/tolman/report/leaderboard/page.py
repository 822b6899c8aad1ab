"""The board as a page that opens from disk."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from tolman.report.leaderboard.benchmark import AnyLeaderboard, BoardColumn, find_leaderboard
from tolman.report.leaderboard.board import Leaderboard, UnrankedFile
from tolman.report.leaderboard.ranking import League, RankedEntry
from tolman.report.leaderboard.tables import NOT_FROM_SEEDS_NOTE, known_columns, leagues_of, rank_of, reference_rows
from tolman.report.site.blocks import Block, Code, Text
from tolman.report.site.folder import whole_folder
from tolman.report.site.page import Page, Tab, write_page
from tolman.report.table import Cell, RowGroup, Table, heading, one_row

_WHO_REPLIED = (
    "What can't be checked is who gave the replies: that a name stands for a model is the word of its submitter."
)


def write_board(board: Leaderboard, out: Path, *, force: bool = False) -> None:
    """Write the page and all that it needs into a folder; an earlier page there is replaced."""
    with whole_folder(out, force=force) as folder:
        write_page(_page(board), folder)


def _page(board: Leaderboard) -> Page:
    counts = f"{board.entries} entr{'y' if board.entries == 1 else 'ies'}, every score recomputed from the replies"
    others = f"; {len(board.refused)} refused" if board.refused else ""
    titles = [find_leaderboard(name).title for name in board.benchmarks]
    return Page(f"Leaderboard: {', '.join(titles)}" if titles else "Leaderboard", counts + others, tuple(_tabs(board)))


def _tabs(board: Leaderboard) -> Iterator[Tab]:
    parts = [find_leaderboard(name) for name in board.benchmarks]
    if not parts:
        yield Tab("board", "Board", (Text(("No entry stands here yet.",)),))
    for number, part in enumerate(parts):
        title = part.title if len(parts) > 1 else "Board"
        yield from _benchmark_tabs(board, part, "" if number == 0 else f"-{part.name}", title)
    if board.sealed:
        yield Tab("sealed", "Sealed", tuple(_unranked_texts(board.sealed)))
    if board.refused:
        yield Tab("refused", "Refused", tuple(_unranked_texts(board.refused)))
    yield Tab("checked", "How it is checked", tuple(_checked(parts)))


def _benchmark_tabs(board: Leaderboard, part: AnyLeaderboard, mark: str, title: str) -> Iterator[Tab]:
    """`mark` ends the addresses of tabs of all benchmarks but the first."""
    ranked, apart = (leagues_of(board, part.name, from_seeds=made) for made in (True, False))
    none = Text(("No entry stands here yet.",))
    yield Tab(f"board{mark}", title, tuple(_tables(part, ranked, f"league{mark}")) or (none,))
    if apart:
        shown = (Text((NOT_FROM_SEEDS_NOTE,)), *_tables(part, apart, f"apart{mark}"))
        yield Tab(f"apart{mark}", "Not from seeds" if title == "Board" else f"{title}, not from seeds", shown)


def _checked(parts: Sequence[AnyLeaderboard]) -> Iterator[Block]:
    several = len(parts) > 1
    for part in parts:
        yield Text(part.checked, part.title if several else "")
    yield Text((_WHO_REPLIED,))
    for part in parts:
        yield Text(part.notes, f"Reading the tables: {part.title}" if several else "Reading the tables")
    yield Code("Check it yourself", "tolman board FOLDER_OF_ENTRIES")


def _tables(part: AnyLeaderboard, leagues: Sequence[League], name: str) -> Iterator[Block]:
    for number, league in enumerate(leagues, start=1):
        columns = known_columns(league)
        yield Table(
            name=f"{name}-{number}",
            title=league.title,
            first="entry",
            columns=(heading("rank"), *(column.heading for column in columns)),
            entries=(
                *(_entry(standing, league, columns) for standing in league.standings),
                *reference_rows(part, columns, (Cell(),)),
            ),
            notes=part.notes if number == len(leagues) else (),
        )


def _entry(standing: RankedEntry, league: League, columns: Sequence[BoardColumn]) -> RowGroup:
    verified, entry = standing.verified, standing.verified.entry
    told = (entry.model if entry.model != entry.name else "", verified.apart, entry.note)
    cells = (Cell(rank_of(standing, league)), *(column.cell(verified) for column in columns))
    return one_row(entry.name, cells, below=" · ".join(filter(None, told)), href=entry.link)


def _unranked_texts(asides: Sequence[UnrankedFile]) -> Iterator[Text]:
    return (Text((aside.reason,), aside.file) for aside in asides)
