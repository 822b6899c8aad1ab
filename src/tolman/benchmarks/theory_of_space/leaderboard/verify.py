"""Recompute every score of an entry from its replies, and refuse it where a single one is not as claimed."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import cast

from tolman.belief.map_dimensions import TurnScores
from tolman.belief.map_scores import MapScore
from tolman.belief.revision import RevisionScores, Tally
from tolman.benchmarks.theory_of_space.case import Case, case_to_dict, question_calls
from tolman.benchmarks.theory_of_space.columns import PARTS
from tolman.benchmarks.theory_of_space.leaderboard.entry import (
    CaseMaker,
    EntryScene,
    LeaderboardEntry,
    Splits,
    read_options,
    record_faults,
)
from tolman.benchmarks.theory_of_space.options import Options
from tolman.benchmarks.theory_of_space.record import ScoredCase
from tolman.benchmarks.theory_of_space.revision import RevisionOutcome
from tolman.benchmarks.theory_of_space.runs import ScoredScene, TheoryOfSpaceRun, score_record
from tolman.benchmarks.theory_of_space.scores import ExplorationOutcome, MapOutcome, SceneScores
from tolman.benchmarks.theory_of_space.tables.layout import PAPER_SETTINGS
from tolman.benchmarks.theory_of_space.tables.run_summary import ANSWERS, summarise_run
from tolman.core.errors import TolmanError
from tolman.core.parallel import Track, untracked
from tolman.core.rules import RULE_SETS
from tolman.core.seeds import digest
from tolman.explore.episode import PUBLISHED_TURNS
from tolman.harness.names import printable
from tolman.report.leaderboard.benchmark import VerifiedEntry, claimed_summary, unusual_settings
from tolman.report.leaderboard.entry_file import EntryRefused, refuse_faults, score_differences, summary_differences
from tolman.report.leaderboard.ranking import seed_ranges
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
    asked = f", {options.questions} questions a kind" if options.questions != 3 else ""
    kinds = f", only {' and '.join(options.kinds)}".replace("_", " ") if options.kinds else ""
    budget = f", {turns} turns" if options.mode == "active" and turns != PUBLISHED_TURNS["explore"] else ""
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
