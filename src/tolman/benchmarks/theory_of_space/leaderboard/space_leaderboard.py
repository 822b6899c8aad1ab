"""The leaderboard of Theory of Space, as the board of all benchmarks takes it, and an entry from a run in logs.

Every score of an entry is recomputed from its replies; the entry is refused where a single one is not as claimed.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import Any, ClassVar, cast

from tolman.belief.map_dimensions import TurnScores
from tolman.belief.map_scores import MapScore
from tolman.belief.revision import RevisionScores, Tally
from tolman.benchmarks.theory_of_space.case import Case, case_of, case_to_dict, question_calls
from tolman.benchmarks.theory_of_space.columns import BEST_WITHOUT_KNOWLEDGE, PARTS
from tolman.benchmarks.theory_of_space.leaderboard.entry import (
    CaseMaker,
    EntryScene,
    EntrySplit,
    EntryWorlds,
    LeaderboardEntry,
    Splits,
    entry_from_values,
    read_options,
    record_faults,
    world_settings,
    worlds_of,
)
from tolman.benchmarks.theory_of_space.options import Options
from tolman.benchmarks.theory_of_space.record import SceneRecord, ScoredCase
from tolman.benchmarks.theory_of_space.runs import ScoredScene, TheoryOfSpaceRun, read_runs, score_record
from tolman.benchmarks.theory_of_space.scores import ExplorationOutcome, MapOutcome, RevisionOutcome, SceneScores
from tolman.benchmarks.theory_of_space.tables.layout import PAPER_SETTINGS
from tolman.benchmarks.theory_of_space.tables.run_summary import ANSWERS, summarise_run
from tolman.core.errors import GenerationError, SettingsError, TolmanError
from tolman.core.parallel import Tell, Track, untracked
from tolman.core.rules import RULE_SETS
from tolman.core.seeds import canonical_json, digest
from tolman.explore.episode import PUBLISHED_TURNS
from tolman.harness.names import counted, printable
from tolman.report.leaderboard.benchmark import (
    BenchmarkLeaderboard,
    BoardColumn,
    EntryAbout,
    VerifiedEntry,
    check_complete,
    claimed_summary,
    entry_header,
    generation_of,
    unusual_settings,
)
from tolman.report.leaderboard.entry_file import EntryRefused, refuse_faults, score_differences, summary_differences
from tolman.report.leaderboard.ranking import seed_ranges
from tolman.report.table import number
from tolman.world import Scene
from tolman.world.select import SceneChoice, SealedSplit, is_sealed, sealed_choices, sealed_from_dict

_MAPS = ("update", "complete", "self_tracking", "local", "perception", "consistency")
_STABILITIES = ("position_stability", "facing_stability")
_TALLIES = ("position_correctness", "facing_correctness", "position_retention", "position_inertia", "facing_inertia")
NamedScores = Iterator[tuple[str, float | None]]


def score_items(logged: ScoredCase, scores: SceneScores) -> dict[str, float]:
    """The scores of a scene that are known. A question is named by its call, such as `ask/none/direction/2`.

    Maps are named by turn, counting those that could be read, and by how often they were asked for: the second map
    after turn 3 is `map/3/2/...`.
    """
    answered = logged.record.replies
    calls = [call for mode in logged.options.maps for call, _ in question_calls(mode, logged.case.questions)]
    asked = [call for call in calls if call in answered]
    found = {call: answer.score for call, answer in zip(asked, scores.answers, strict=True)}
    for name, value in _other_items(scores):
        if value is not None:
            found[name] = float(value)
    return found


def _other_items(scores: SceneScores) -> NamedScores:
    yield from _exploration_items(scores.exploration)
    if scores.maps is not None:
        yield from _map_items(scores.maps)
    if scores.revision is not None:
        yield from _revision_items(scores.revision)


def _exploration_items(explored: ExplorationOutcome) -> NamedScores:
    yield "explore/cost", explored.cost
    yield "explore/nodes", explored.nodes
    yield "explore/edges", explored.edges
    for turn, gain in enumerate(explored.gains, start=1):
        yield f"explore/gain/{turn}", gain


def _map_items(stated: MapOutcome) -> NamedScores:
    for repeat, (turns, points) in enumerate(zip(stated.turns, stated.points, strict=True), start=1):
        for turn, (scores, point) in enumerate(zip(turns, points, strict=True), start=1):
            for name, value in (*_turn_items(scores), ("points", point)):
                yield f"map/{turn}/{repeat}/{name}", value


def _turn_items(scores: TurnScores) -> NamedScores:
    for name in _MAPS:
        score: MapScore | None = getattr(scores, name)
        for part in PARTS if score is not None else ():
            yield f"{name}/{part}", getattr(score, part)
    for name in _STABILITIES:
        yield name, getattr(scores, name)


def _revision_items(revised: RevisionOutcome) -> NamedScores:
    yield "revise/cost", revised.cost
    yield "revise/redundant", revised.redundant
    yield "revise/f1", revised.identification.overall
    yield "revise/f1/position", revised.identification.position
    yield "revise/f1/facing", revised.identification.orientation
    if revised.scores is not None:
        yield from _tally_items(revised.scores)


def _tally_items(scores: RevisionScores) -> NamedScores:
    yield "revise/sigma", scores.sigma
    for name in _TALLIES:
        tally: Tally = getattr(scores, name)
        for thing, value in tally.scores:
            yield f"revise/{name}/{thing}", value


def verify(entry: LeaderboardEntry, splits: Splits, track: Track = untracked) -> VerifiedEntry:
    """Check an entry; `EntryRefused` names the first item that differs, and how many do."""
    options = read_options(cast("Mapping[str, object]", entry.options))
    maker = CaseMaker.of(entry, options, splits)
    finished: list[ScoredScene] = []
    faults: list[str] = []
    for scene in track(entry.scenes, printable(entry.name)):
        logged = ScoredCase(maker.case(scene), options, scene.record)
        done, found = _scored_scene(scene, logged, whole=entry.split.kind != "files")
        finished.append(done)
        faults += found
    settings: dict[str, object] = {**options.as_dict(), **entry.worlds.model_dump(), **entry.generation}
    known = summarise_run(TheoryOfSpaceRun(entry.model, options, finished, [], len(finished), settings))
    measured = known.measured
    refuse_faults(entry, [*faults, *summary_differences(entry.summary, claimed_summary(measured))])
    cases = {done.id: case_digest(done.logged.case) for done in finished}
    size = _scene_size([done.logged.case.scene for done in finished])
    return VerifiedEntry(
        entry=entry.model_copy(update={"scenes": []}),
        options=options,
        cases=cases,
        measured=measured,
        league=_league_key(entry, options, cases),
        title=_league_title(entry, options, size),
        order=(options.world, options.mode),
        ranked_by=ANSWERS,
        from_seeds=entry.split.kind != "files",
        apart=_apart(entry, options),
    )


def _league_key(entry: LeaderboardEntry, options: Options, cases: Mapping[str, str]) -> str:
    asked = [options.world, options.mode, options.questions, list(options.kinds), options.passive_explorer]
    budgets = [options.turns("explore"), options.turns("revise") if options.revises else 0]
    return digest([entry.split.kind, asked, budgets, sorted(cases.items())])


def _league_title(entry: LeaderboardEntry, options: Options, size: str) -> str:
    turns = options.turns("explore")
    asked = f", {counted(options.questions, 'question')} a kind" if options.questions != 3 else ""
    kinds = f", only {' and '.join(options.kinds)}".replace("_", " ") if options.kinds else ""
    budget = f", {counted(turns, 'turn')}" if options.mode == "active" and turns != PUBLISHED_TURNS["explore"] else ""
    return f"{options.world.capitalize()} world, {options.mode}: {_scenes(entry)}, {size}{asked}{kinds}{budget}"


def _scenes(entry: LeaderboardEntry) -> str:
    count = f"{len(entry.scenes)} scene{'s' * (len(entry.scenes) != 1)}"
    match entry.split.kind:
        case "seeds":
            return f"{count} from seeds {seed_ranges([scene.seed for scene in entry.scenes if scene.seed is not None])}"
        case "sealed":
            return f"{count} of the sealed split {entry.split.commitment[:16]}…"
        case "files":
            return f"{count} from files"


def _apart(entry: LeaderboardEntry, options: Options) -> str:
    """How an entry was run otherwise than the paper did it."""
    told = {name: value for name, value in options.as_dict().items() if name in PAPER_SETTINGS}
    return unusual_settings({**told, **entry.generation}, PAPER_SETTINGS)


def _scored_scene(scene: EntryScene, logged: ScoredCase, *, whole: bool) -> tuple[ScoredScene, list[str]]:
    """A scene scored again, and what is not as claimed."""
    place = f"scene {scene.id}"
    try:
        broken = [f"{place}, {fault}" for fault in record_faults(logged, whole=whole)]
        done = score_record(logged)
    except TolmanError as error:
        raise EntryRefused(f"{place}: {printable(str(error))}") from None
    found = (
        score_differences(place, scene.scores.get(rules, {}), score_items(logged, done.scores[rules]), rules)
        for rules in RULE_SETS
    )
    return done, [*broken, *chain.from_iterable(found)]


def case_digest(case: Case) -> str:
    """Of all that a model is asked in a scene, and of what is right: two cases that differ in a truth differ here."""
    return digest(case_to_dict(case))


def _scene_size(scenes: Sequence[Scene]) -> str:
    counts = ([len(scene.rooms) for scene in scenes], "rooms"), ([len(scene.things) for scene in scenes], "things")
    return ", ".join(f"{min(n)}{f'–{max(n)}' if max(n) > min(n) else ''} {what}" for n, what in counts)


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
