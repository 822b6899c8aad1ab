"""The board: every entry in a folder is checked; those that hold are ranked, all others refused with a reason."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from tolman.benchmarks.theory_of_space.leaderboard.entry import (
    SUFFIXES,
    EntryRefused,
    LeaderboardEntry,
    entry_from_values,
    parse_json,
    read_entry_bytes,
    read_json,
)
from tolman.benchmarks.theory_of_space.leaderboard.protocol_checks import Splits, StillSealed
from tolman.benchmarks.theory_of_space.leaderboard.ranking import League, leagues
from tolman.benchmarks.theory_of_space.leaderboard.verify import VerifiedEntry, verify
from tolman.core.errors import SettingsError, TolmanError
from tolman.core.limits import TooLargeError, board_seconds, cpu_limit
from tolman.core.parallel import parallel_map
from tolman.harness.names import printable
from tolman.harness.runs import Track, untracked
from tolman.world.sealed import SealedSplit, is_sealed, sealed_from_dict

_LARGEST_SPLIT = 2 * 2**20
"""Bytes; a larger file is no sealed split."""


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


def read_board(folder: Path, track: Track = untracked) -> Leaderboard:
    """Check all entries in a folder (`*.json`, `*.json.gz`), with the sealed splits that were opened and put there."""
    files = _files(folder)
    opened = {file: split for file in files if (split := _sealed_split(file)) is not None}
    splits = {split.commitment: split for split in opened.values()}
    checked: list[VerifiedEntry] = []
    asides: dict[bool, list[UnrankedFile]] = {True: [], False: []}
    entries = [file for file in files if file not in opened]
    for file, outcome in zip(entries, _outcomes(entries, splits, track), strict=True):
        if isinstance(outcome, VerifiedEntry):
            checked.append(outcome)
        else:
            asides[isinstance(outcome, StillSealed)].append(UnrankedFile(printable(file.name), str(outcome)))
    return Leaderboard(leagues(checked), sealed=tuple(asides[True]), refused=tuple(asides[False]))


Outcome = VerifiedEntry | EntryRefused


def _outcomes(files: Sequence[Path], splits: Splits, track: Track) -> Iterator[Outcome]:
    """What comes of each file, in order; several are spread over all cores where that pays."""
    if len(files) == 1:
        yield _check(splits, files[0], track)
        return
    found = parallel_map(partial(_check, splits), files)
    yield from (outcome for _, outcome in zip(track(files, "entries"), found, strict=True))


def _files(folder: Path) -> list[Path]:
    if not folder.is_dir():
        raise SettingsError(f"there is no folder {folder}; name one that holds entries (`tolman submit` writes them)")
    found = sorted(file for file in folder.iterdir() if file.name.endswith(SUFFIXES) and file.is_file())
    if not found:
        raise SettingsError(f"{folder} holds no entries (*.json, *.json.gz); `tolman submit` writes them")
    return found


def _sealed_split(file: Path) -> SealedSplit | None:
    if file.stat().st_size > _LARGEST_SPLIT:
        return None
    try:
        values = read_json(file)
        return sealed_from_dict(values) if is_sealed(values) else None
    except TolmanError:
        return None


def _parsed_entry(data: bytes) -> LeaderboardEntry:
    values = parse_json(data)
    if is_sealed(values):
        try:
            sealed_from_dict(values)
        except TolmanError as error:
            raise EntryRefused(str(error)) from None
    return entry_from_values(values)


def _check(splits: Splits, file: Path, track: Track = untracked) -> Outcome:
    try:
        data = read_entry_bytes(file)
        with cpu_limit(board_seconds(len(data))):
            return verify(_parsed_entry(data), splits, track)
    except EntryRefused as refusal:
        return refusal
    except TooLargeError as error:
        return EntryRefused(f"it can't be checked: {error}")
    except Exception as error:  # whatever a hostile entry makes its readers raise
        return EntryRefused(f"it can't be checked: {printable(' '.join(str(error).split()))[:200]}")
