"""Recompute every score of an entry from its replies, and refuse it where a single one is not as claimed."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import cast

from tolman import __version__
from tolman.belief.map_dimensions import TurnScores
from tolman.belief.map_scores import MapScore
from tolman.belief.revision import RevisionScores, Tally
from tolman.benchmarks.theory_of_space.case import Case, case_to_dict, question_calls
from tolman.benchmarks.theory_of_space.columns import PARTS
from tolman.benchmarks.theory_of_space.leaderboard.entry import (
    ClaimedMean,
    EntryRefused,
    EntryScene,
    LeaderboardEntry,
    score_differences,
)
from tolman.benchmarks.theory_of_space.leaderboard.protocol_checks import CaseMaker, Splits, read_options, record_faults
from tolman.benchmarks.theory_of_space.options import Options
from tolman.benchmarks.theory_of_space.record import ScoredCase
from tolman.benchmarks.theory_of_space.revision import RevisionOutcome
from tolman.benchmarks.theory_of_space.runs import ScoredScene, TheoryOfSpaceRun, score_record
from tolman.benchmarks.theory_of_space.scores import ExplorationOutcome, MapOutcome, SceneScores
from tolman.benchmarks.theory_of_space.tables.run_summary import RULES, MeasuredColumns, RunSummary, summarise_run
from tolman.core.errors import TolmanError
from tolman.core.rules import RuleSetName
from tolman.core.seeds import digest
from tolman.harness.names import printable
from tolman.harness.runs import Track, untracked
from tolman.world import Scene

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


@dataclass(frozen=True)
class VerifiedEntry:
    """An entry whose numbers are its own, without its replies."""

    entry: LeaderboardEntry
    """What it says about itself; it has no scenes any more."""
    options: Options
    cases: Mapping[str, str]
    """Digests of its cases, by id: of the scene, its questions with their truths, and what changes in it."""
    seeds: tuple[int, ...]
    """Where they are public."""
    size: str
    """How large the scenes are, in words."""
    measured: Mapping[RuleSetName, MeasuredColumns]
    """Recomputed."""

    @property
    def from_seeds(self) -> bool:
        """Whether anyone can make its scenes again; if not, they are only what the entry says they are."""
        return self.entry.split.kind != "files"


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
    _refuse(entry, [*faults, *_summary_faults(entry, known)])
    return VerifiedEntry(
        entry=entry.model_copy(update={"scenes": []}),
        options=options,
        cases={done.id: case_digest(done.logged.case) for done in finished},
        seeds=tuple(scene.seed for scene in entry.scenes if scene.seed is not None),
        size=_scene_size([done.logged.case.scene for done in finished]),
        measured=known.measured,
    )


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
        for rules in RULES
    )
    return done, [*broken, *chain.from_iterable(found)]


def case_digest(case: Case) -> str:
    """Of all that a model is asked in a scene, and of what is right: two cases that differ in a truth differ here."""
    return digest(case_to_dict(case))


def _scene_size(scenes: Sequence[Scene]) -> str:
    counts = ([len(scene.rooms) for scene in scenes], "rooms"), ([len(scene.things) for scene in scenes], "things")
    return ", ".join(f"{min(n)}{f'–{max(n)}' if max(n) > min(n) else ''} {what}" for n, what in counts)


def claimed_summary(known: RunSummary) -> dict[RuleSetName, dict[str, ClaimedMean]]:
    """The means and intervals of a run, as an entry claims them."""
    return {rules: _claims(known.measured[rules]) for rules in RULES}


def _claims(measured: MeasuredColumns) -> dict[str, ClaimedMean]:
    return {
        column: ClaimedMean(mean=found.mean, low=_or_none(found.low), high=_or_none(found.high))
        for column, found in measured.intervals.items()
    }


def _or_none(value: float) -> float | None:
    return value if value == value else None  # noqa: PLR0124 it is not, if it is NaN


def _summary_faults(entry: LeaderboardEntry, known: RunSummary) -> Iterator[str]:
    found = claimed_summary(known)
    for rules in RULES:
        yield from score_differences("summary", _flat(entry.summary.get(rules, {})), _flat(found[rules]), rules)


def _flat(claims: Mapping[str, ClaimedMean]) -> dict[str, float]:
    ends = {
        (column, part): getattr(claim, part) for column, claim in claims.items() for part in ClaimedMean.model_fields
    }
    return {f"{part} of {column}": value for (column, part), value in ends.items() if value is not None}


def _refuse(entry: LeaderboardEntry, faults: list[str]) -> None:
    if not faults:
        return
    others = f" ({len(faults)} items differ)" if len(faults) > 1 else ""
    version = "" if entry.tolman == __version__ else f"; it was written by Tolman {entry.tolman}, this is {__version__}"
    raise EntryRefused(f"{printable(faults[0])[:300]}{others}{version}")
