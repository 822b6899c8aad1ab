"""The leaderboard of Theory of Space, as the board of all benchmarks takes it, and an entry from a run in logs."""

import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar, cast

from tolman.benchmarks.theory_of_space.case import Case, case_of, case_to_dict
from tolman.benchmarks.theory_of_space.columns import BEST_WITHOUT_KNOWLEDGE
from tolman.benchmarks.theory_of_space.leaderboard.entry import (
    EntryScene,
    EntrySplit,
    EntryWorlds,
    LeaderboardEntry,
    entry_from_values,
    world_settings,
    worlds_of,
)
from tolman.benchmarks.theory_of_space.leaderboard.verify import score_items, verify
from tolman.benchmarks.theory_of_space.options import Options
from tolman.benchmarks.theory_of_space.record import SceneRecord
from tolman.benchmarks.theory_of_space.runs import ScoredScene, TheoryOfSpaceRun, read_runs
from tolman.benchmarks.theory_of_space.tables.run_summary import summarise_run
from tolman.core.errors import GenerationError, SettingsError, TolmanError
from tolman.core.parallel import Tell, Track, untracked
from tolman.core.rules import RULE_SETS
from tolman.core.seeds import canonical_json
from tolman.harness.names import counted
from tolman.report.leaderboard.benchmark import (
    BenchmarkLeaderboard,
    BoardColumn,
    EntryAbout,
    VerifiedEntry,
    check_complete,
    claimed_summary,
    entry_header,
    generation_of,
)
from tolman.report.leaderboard.entry_file import EntryRefused
from tolman.report.table import number
from tolman.world.select import SceneChoice, SealedSplit, is_sealed, sealed_choices, sealed_from_dict

_SEALED = re.compile(r"sealed-[0-9a-f]{8}-\d{3,}")


def entry_of(run: TheoryOfSpaceRun, about: EntryAbout, sealed: Sequence[SealedSplit] = ()) -> LeaderboardEntry:
    """The entry of a run. A `SettingsError` says what to do about one that can't be submitted."""
    check_complete(run)
    if run.options.captions:
        raise SettingsError(f"{run.name} was run with captions, which are for tests; run it without to submit it")
    if run.options.choices:
        raise SettingsError(f"{run.name} chose its answers; run it with `tolman eval` to submit it")
    if run.options.condition:
        raise SettingsError(
            f"{run.name} was run with --{run.options.condition}, a task condition with tables of its own; "
            "run it without to submit it"
        )
    try:
        return _entry(run, about, sealed)
    except ValueError as error:
        raise SettingsError(f"this can't be an entry: {' '.join(str(error).split())[:300]}") from None


def _entry(run: TheoryOfSpaceRun, about: EntryAbout, sealed: Sequence[SealedSplit]) -> LeaderboardEntry:
    opened = _sealed_split(run, sealed)
    worlds = EntryWorlds(rooms=_count(run, "rooms", 3), things=_count(run, "things", 4))
    worlds = worlds if opened is None else worlds_of(opened.settings)
    split = _split(run, worlds) if opened is None else EntrySplit(kind="sealed", commitment=opened.commitment)
    return LeaderboardEntry(
        **entry_header("theory-of-space", run, about),
        options=cast("Any", _options(run)),
        worlds=worlds,
        generation=cast("Any", generation_of(run)),
        split=split,
        scenes=[_scene(scene, split) for scene in run.cases],
        summary=claimed_summary(summarise_run(run).measured),
    )


def _options(run: TheoryOfSpaceRun) -> dict[str, object]:
    """What it was run with; of a folder of models, its name only."""
    return {**run.options.as_dict(), "assets": Path(run.options.assets).name or "folder"}


def _count(run: TheoryOfSpaceRun, name: str, usual: int) -> int:
    return int(str(run.settings.get(name, usual)))


def _scene(scene: ScoredScene, split: EntrySplit) -> EntryScene:
    case = scene.logged.case
    return EntryScene(
        id=case.id,
        seed=case.seed if split.kind == "seeds" else None,
        digest=case.scene.digest,
        case=json.loads(canonical_json(case_to_dict(case))) if split.kind == "files" else None,
        record=_without_reasoning(scene.logged.record),
        scores={rules: score_items(scene.logged, scene.scores[rules]) for rules in RULE_SETS},
    )


def _without_reasoning(record: SceneRecord) -> SceneRecord:
    """Nobody grades it, and it is most of what a reasoning model writes."""
    return record.model_copy(update={"calls": [call.model_copy(update={"reasoning": ""}) for call in record.calls]})


# ---- where the scenes come from ----


def _split(run: TheoryOfSpaceRun, worlds: EntryWorlds) -> EntrySplit:
    cases = [scene.logged.case for scene in run.cases]
    choices = {case.id: SceneChoice(case.seed, world_settings(worlds)) for case in cases}
    return EntrySplit(kind="seeds" if _are_made_by(choices, cases, run.options) else "files")


def _sealed_split(run: TheoryOfSpaceRun, sealed: Sequence[SealedSplit]) -> SealedSplit | None:
    """The split that the scenes are of, if they have the names of sealed ones."""
    cases = [scene.logged.case for scene in run.cases]
    if not all(_SEALED.fullmatch(case.id) for case in cases):
        return None
    for split in sealed:
        choices = {choice.name: choice for choice in sealed_choices(split)}
        if choices.keys() == {case.id for case in cases} and _are_made_by(choices, cases, run.options):
            return split
    raise SettingsError("these are scenes of a sealed split; name its file with --sealed, and submit all of its scenes")


def _are_made_by(choices: Mapping[str, SceneChoice], cases: Sequence[Case], options: Options) -> bool:
    """Whether the cases come out as they are logged when they are made anew."""
    try:
        return all(case_to_dict(case_of(choices[case.id], options)) == case_to_dict(case) for case in cases)
    except GenerationError:
        return False


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
