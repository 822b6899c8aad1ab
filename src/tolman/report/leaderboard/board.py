"""The board: every entry in a folder is checked; those that hold are ranked, all others refused with a reason. It is
shown as tables, as plain values for other programs, and as a page that opens from disk.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path

from rich.text import Text as Line

from tolman.core.errors import SettingsError, TolmanError
from tolman.core.grouping import gathered
from tolman.core.limits import TooLargeError, board_seconds, cpu_limit
from tolman.core.parallel import Track, tracked_map, untracked
from tolman.core.rules import RULE_SETS
from tolman.harness.names import printable
from tolman.report.leaderboard.benchmark import (
    AnyLeaderboard,
    BoardColumn,
    StillSealed,
    VerifiedEntry,
    all_leaderboards,
    find_leaderboard,
    leaderboard_of,
)
from tolman.report.leaderboard.entry_file import (
    FORMAT,
    SUFFIXES,
    EntryRefused,
    check_format,
    is_entry,
    parse_json,
    read_entry_bytes,
    read_json,
)
from tolman.report.leaderboard.ranking import League, RankedEntry, leagues
from tolman.report.site.blocks import Block, Code, Text
from tolman.report.site.folder import whole_folder
from tolman.report.site.page import Page, Tab, write_page
from tolman.report.table import MISSING, Cell, RowGroup, Table, heading, interval_as_dict, known_or_none, one_row

_LARGEST_COMPANION = 2 * 2**20
"""Bytes; a larger file is no companion of entries, such as a sealed split."""


@dataclass(frozen=True)
class UnrankedFile:
    """A file that is not ranked, and why."""

    file: str
    reason: str


@dataclass(frozen=True)
class Leaderboard:
    """All files of a folder, each in one of these places."""

    leagues: tuple[League, ...]
    sealed: tuple[UnrankedFile, ...]
    """Entries that can't be checked before their split is opened."""
    refused: tuple[UnrankedFile, ...]

    @property
    def entries(self) -> int:
        return sum(len(league.standings) for league in self.leagues)

    @property
    def benchmarks(self) -> tuple[str, ...]:
        """Names of the benchmarks that have a league."""
        return tuple(dict.fromkeys(league.benchmark for league in self.leagues))


Companions = Mapping[str, Sequence[object]]
"""What files beside the entries hold, such as sealed splits that were opened; by benchmark."""
Outcome = VerifiedEntry | EntryRefused


def read_board(folder: Path, track: Track = untracked) -> Leaderboard:
    """Check all entries in a folder (`*.json`, `*.json.gz`), with what else was put there that their check needs."""
    files = _files(folder)
    found = {file: companion for file in files if (companion := _companion(file)) is not None}
    companions = gathered((benchmark, companion) for benchmark, companion in found.values())
    checked: list[VerifiedEntry] = []
    asides: dict[bool, list[UnrankedFile]] = {True: [], False: []}
    entries = [file for file in files if file not in found]
    for file, outcome in zip(entries, _outcomes(entries, companions, track), strict=True):
        if isinstance(outcome, VerifiedEntry):
            checked.append(outcome)
        else:
            asides[isinstance(outcome, StillSealed)].append(UnrankedFile(printable(file.name), str(outcome)))
    return Leaderboard(leagues(checked), sealed=tuple(asides[True]), refused=tuple(asides[False]))


def _outcomes(files: Sequence[Path], companions: Companions, track: Track) -> Iterator[Outcome]:
    """What comes of each file, in order; several are spread over all cores where that pays."""
    if len(files) == 1:
        yield _check(companions, files[0], track)
        return
    yield from tracked_map(partial(_check, companions), files, track, "entries")


def _files(folder: Path) -> list[Path]:
    if not folder.is_dir():
        raise SettingsError(f"there is no folder {folder}; name one that holds entries (`tolman submit` writes them)")
    found = sorted(file for file in folder.iterdir() if file.name.endswith(SUFFIXES) and file.is_file())
    if not found:
        raise SettingsError(f"{folder} holds no entries (*.json, *.json.gz); `tolman submit` writes them")
    return found


def _companion(file: Path) -> tuple[str, object] | None:
    if file.stat().st_size > _LARGEST_COMPANION:
        return None
    try:
        return _companion_in(read_json(file))
    except TolmanError:
        return None


def _companion_in(values: object) -> tuple[str, object] | None:
    if is_entry(values):
        return None
    for board in all_leaderboards():
        if (found := board.companion(values)) is not None:
            return board.name, found
    return None


def _check(companions: Companions, file: Path, track: Track = untracked) -> Outcome:
    try:
        data = read_entry_bytes(file)
        with cpu_limit(board_seconds(len(data))):
            values = parse_json(data)
        if not is_entry(values):
            _companion_in(values)  # a damaged one is refused for what is wrong with it
        check_format(values)
        board = leaderboard_of(values)
        with cpu_limit(board_seconds(len(data))):
            entry = board.parse(values)
        board.prepare()
        with cpu_limit(board.seconds(len(data), entry)):
            return board.verify(entry, companions.get(board.name, ()), track)
    except EntryRefused as refusal:
        return refusal
    except TooLargeError as error:
        return EntryRefused(f"it can't be checked: {error}")
    except Exception as error:  # whatever a hostile entry makes its readers raise
        return EntryRefused(f"it can't be checked: {printable(' '.join(str(error).split()))[:200]}")


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


def board_tables(board: Leaderboard) -> Iterator[Line | Table]:
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
) -> Iterator[Line | Table]:
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


def _unranked_lines(title: str, asides: Sequence[UnrankedFile], style: str) -> Iterator[Line | Table]:
    if asides:
        yield Line()
        yield Line(title, f"bold {style}")
        yield from (Line(f"{aside.file}: {aside.reason}") for aside in asides)


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
