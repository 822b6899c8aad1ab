"""The board: every entry in a folder is checked; those that hold are ranked, all others refused with a reason."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from tolman.core.errors import SettingsError, TolmanError
from tolman.core.limits import TooLargeError, board_seconds, cpu_limit
from tolman.core.parallel import parallel_map
from tolman.harness.names import printable
from tolman.harness.tracking import Track, untracked
from tolman.report.leaderboard.benchmark import StillSealed, VerifiedEntry, all_leaderboards, leaderboard_of
from tolman.report.leaderboard.entry_file import (
    SUFFIXES,
    EntryRefused,
    check_format,
    is_entry,
    parse_json,
    read_entry_bytes,
    read_json,
)
from tolman.report.leaderboard.ranking import League, leagues

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
    companions: dict[str, list[object]] = {}
    for benchmark, companion in found.values():
        companions.setdefault(benchmark, []).append(companion)
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
    found = parallel_map(partial(_check, companions), files)
    yield from (outcome for _, outcome in zip(track(files, "entries"), found, strict=True))


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
