"""The leaderboard of Theory of Space, as the board of all benchmarks takes it."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import ClassVar

from tolman.benchmarks.theory_of_space.columns import BEST_WITHOUT_KNOWLEDGE
from tolman.benchmarks.theory_of_space.leaderboard.entry import LeaderboardEntry, entry_from_values
from tolman.benchmarks.theory_of_space.leaderboard.submit import entry_of
from tolman.benchmarks.theory_of_space.leaderboard.verify import verify
from tolman.benchmarks.theory_of_space.runs import TheoryOfSpaceRun, read_runs
from tolman.core.errors import TolmanError
from tolman.harness.names import counted
from tolman.harness.tracking import Tell, Track, untracked
from tolman.report.leaderboard.benchmark import BenchmarkLeaderboard, BoardColumn, EntryAbout, VerifiedEntry
from tolman.report.leaderboard.entry_file import EntryRefused
from tolman.report.table import number
from tolman.world.sealed import SealedSplit, is_sealed, sealed_from_dict

BOARD_COLUMNS = (
    BoardColumn("ask/none", "Answers", "strict"),
    BoardColumn("ask/none", "Answers", "published", "published"),
    BoardColumn("map/correctness/overall", "Belief", "last map"),
    BoardColumn("map/uncertainty", "Belief", "uncertainty"),
    BoardColumn("revise/f1", "Belief", "changes found"),
    BoardColumn("explore/cost", "Exploration", "cost", style=number(1)),
    BoardColumn("explore/gain", "Exploration", "information gain"),
)


class SpaceLeaderboard(BenchmarkLeaderboard[TheoryOfSpaceRun, LeaderboardEntry]):
    """Entries of whole conversations; their scenes come from seeds, from sealed splits, or along with the entry."""

    name = "theory-of-space"
    title = "Theory of Space"
    columns = BOARD_COLUMNS
    notes = (
        "Percent, but for the cost. Answers by both rule sets, all else by the strict one. 95 % intervals over scenes.",
        "Every number is recomputed from the replies in the entry. Best without knowledge: as stated for worlds of "
        "three rooms by `tolman baselines`.",
        "2=: these scenes do not tell the entry from the best of its rank (permutation tests by scene, p > .05 "
        "corrected).",
    )
    checked = (
        "An entry holds every reply of a run. For this page each scene was made anew from its seed, its questions were "
        "drawn anew, the replies were carried out and graded again, under both rule sets, and every single score was "
        "held against the one that is claimed. An entry in which one differs is refused.",
        "On a sealed split nobody could have prepared for the scenes.",
    )
    references: ClassVar[Mapping[str, Mapping[str, float]]] = {
        "all, none or random points": {"map/uncertainty": 0.0},
        "best without knowledge": BEST_WITHOUT_KNOWLEDGE,
    }

    def read_runs(self, paths: Sequence[Path], tell: Tell, track: Track) -> Sequence[TheoryOfSpaceRun]:
        return read_runs(paths, tell, track)

    def label(self, run: TheoryOfSpaceRun) -> str:
        return f"{run.world}-{run.mode}"

    def summary(self, run: TheoryOfSpaceRun) -> str:
        return f"{counted(len(run.cases), 'scene')}, {run.world} world, {run.mode}"

    def entry(self, run: TheoryOfSpaceRun, about: EntryAbout, companions: Sequence[object] = ()) -> LeaderboardEntry:
        return entry_of(run, about, _splits(companions))

    def parse(self, values: object) -> LeaderboardEntry:
        return entry_from_values(values)

    def verify(
        self, entry: LeaderboardEntry, companions: Sequence[object] = (), track: Track = untracked
    ) -> VerifiedEntry:
        """Carry the replies out again in scenes made anew."""
        return verify(entry, {split.commitment: split for split in _splits(companions)}, track)

    def companion(self, values: object) -> SealedSplit | None:
        """A sealed split that was opened."""
        if not is_sealed(values):
            return None
        try:
            return sealed_from_dict(values)
        except TolmanError as error:
            raise EntryRefused(str(error)) from None


def _splits(companions: Sequence[object]) -> list[SealedSplit]:
    return [one for one in companions if isinstance(one, SealedSplit)]


LEADERBOARD = SpaceLeaderboard()
