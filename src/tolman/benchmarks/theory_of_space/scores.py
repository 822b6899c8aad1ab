"""Scores of one scene under one rule set: a pure function of the record.

After the world has changed, the stated maps and the reported changes are scored as belief revision.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from tolman.ask import Grade, Question, grade
from tolman.belief import coverage
from tolman.belief.cognitive_map import CognitiveMap, Placement, true_global_map
from tolman.belief.map_dimensions import MapSummary, MapTurn, TurnScores, score_turns, summarise
from tolman.belief.map_parsing import NoMap, read_global_map, read_old_map
from tolman.belief.map_scores import MapScale, MapScore, mean, score_map
from tolman.belief.revision import (
    Identification,
    PoseMap,
    RevisionScores,
    Revisited,
    Tally,
    facing_inertia,
    identification,
    position_retention,
    redundant_cost,
    revision_scores,
    revisited,
)
from tolman.belief.unexplored import PointScore, point_score, read_unexplored_points, score_points
from tolman.belief.visible_facings import AlikeViews
from tolman.benchmarks.theory_of_space.case import Case, elicit_call, question_calls
from tolman.benchmarks.theory_of_space.exploration_patterns import ExplorationPatterns, exploration_patterns
from tolman.benchmarks.theory_of_space.explored_turns import ExploredTurn, explored_turns, points_of
from tolman.benchmarks.theory_of_space.options import MapMode, Options
from tolman.benchmarks.theory_of_space.protocol.run_scene import Replies, rebuild
from tolman.core.geometry import Heading
from tolman.core.rules import STRICT, Rules
from tolman.explore.actions import Actions, Term
from tolman.explore.episode import Episode, Turn
from tolman.explore.summary import observations
from tolman.sense import Observation
from tolman.world import AGENT, START, Change, Scene


def true_places(scene: Scene) -> PoseMap:
    """Positions, in cells east and north of the start, and facings of all things and doors; doors have no facing."""
    fronts = {thing.name: thing.front for thing in scene.things}
    return {name: (scene.from_start(name), fronts.get(name)) for name in scene.names}


def plain_map(reply: str | None, scene: Scene, rules: Rules) -> PoseMap | None:
    """Positions and facings in the global map of a reply; None for no map or no reply."""
    return _plain_map_of(read_global_map(reply or "", (*scene.names, AGENT), rules))


def old_map(reply: str | None, scene: Scene, rules: Rules) -> PoseMap:
    """The last map of an exploration as the baseline of a revision; empty for no map or no reply."""
    return _plain_map_of(read_old_map(reply or "", (*scene.names, AGENT), rules)) or {}


def _plain_map_of(found: CognitiveMap | NoMap) -> PoseMap | None:
    return None if isinstance(found, NoMap) else {n: (at.position, at.facing) for n, at in found.places.items()}


def views_of(turns: Iterable[Turn]) -> list[tuple[str, ...]]:
    """Names in view after each turn."""
    return [turn.feedback.names if isinstance(turn.feedback, Observation) else () for turn in turns]


def reported_changes(turn: Turn) -> tuple[Change, ...]:
    """The changes reported in the last turn of a revision; empty where the budget ended it."""
    final = turn.asked.final if isinstance(turn.asked, Actions) and not turn.forced else None
    return (final.changes or ()) if isinstance(final, Term) else ()


@dataclass(frozen=True)
class RetentionScores:
    """How far beliefs about unchanged things and doors were retained."""

    position: Tally
    """How close the stated position is to the old one when the thing first comes into view."""
    facing: Tally
    """Whether the old facing is still stated; doors have none and count as retained."""
    before: MapScore | None
    """Score of the last map of the exploration, over unchanged things that had been seen."""
    after: tuple[MapScore | None, ...]
    """Score of the map after each turn, over the agent and everything unchanged."""


@dataclass(frozen=True)
class RevisionOutcome:
    """Outcome of one revision phase. Position scores are of moved things, facing scores of turned ones."""

    cost: int
    redundant: int | None
    """Action cost after every changed thing had been in view; None if that never happened."""
    identification: Identification
    scores: RevisionScores | None
    """Scores of the maps stated during the phase; None if none were elicited."""
    replies: int
    unparseable: int
    forced: bool
    """Whether the turn budget was exhausted, so that there is no report."""
    views: tuple[tuple[str, ...], ...] = ()
    """Names in view after each turn."""
    retention: RetentionScores | None = None


def revision_outcome(
    case: Case, options: Options, replies: Replies, episode: Episode, rules: Rules
) -> RevisionOutcome | None:
    """The outcome of the revision phase of an episode; None if it was not run."""
    turns = [turn for turn in episode.turns if turn.phase == "revise"]
    if not turns or case.changed is None:
        return None
    views = views_of(turns)
    costs = [(turn.cost, view) for turn, view in zip(turns, views, strict=True)]
    forced = turns[-1].forced
    calls = [elicit_call("revise", number, "global") for number in range(1, len(turns) + 1)]
    elicited = options.probe_turns == "every" and any(call in replies for call in calls)
    maps = _RevisionMaps.from_replies(case, case.changed, replies, episode, rules) if elicited else None
    return RevisionOutcome(
        cost=episode.cost("revise"),
        redundant=redundant_cost(costs, [change.name for change in case.changes]),
        identification=identification(reported_changes(turns[-1]), case.changes, rules),
        scores=None if maps is None else revision_scores(maps.seen, case.changes, maps.scale.length, rules),
        replies=len(turns) - forced,
        unparseable=sum(not turn.parsed for turn in turns),
        forced=forced,
        views=tuple(views),
        retention=None if maps is None else maps.retention(),
    )


@dataclass(frozen=True)
class _RevisionMaps:
    """The maps stated before and during a revision, parsed under one rule set."""

    case: Case
    changed: Scene
    rules: Rules
    scale: MapScale
    """Of the scene before the change, as published."""
    turns: Sequence[Turn]
    seen_before: frozenset[str]
    """Names that had been in view before the change."""
    last: PoseMap | None
    """The last map of the exploration."""
    maps: Sequence[PoseMap | None]
    """The map after each turn."""
    seen: Mapping[str, Revisited]

    @classmethod
    def from_replies(
        cls, case: Case, changed: Scene, replies: Replies, episode: Episode, rules: Rules
    ) -> "_RevisionMaps":
        turns = [turn for turn in episode.turns if turn.phase == "revise"]
        calls = [elicit_call("revise", number, "global") for number in range(1, len(turns) + 1)]
        maps = [plain_map(replies.get(call), case.scene, rules) for call in calls]
        explored = explored_turns(episode)
        numbers = range(sum(turn.phase == "explore" for turn in episode.turns), 0, -1)
        map_replies = (replies.get(elicit_call("explore", number, "global")) for number in numbers)
        last = next((reply for reply in map_replies if reply is not None), None)
        old = with_quoted_positions(old_map(last, case.scene, rules), case)
        return cls(
            case=case,
            changed=changed,
            rules=rules,
            scale=MapScale.of(case.scene),
            turns=turns,
            seen_before=frozenset(explored[-1].seen if explored else ()),
            last=plain_map(last, case.scene, rules),
            maps=maps,
            seen=revisited(views_of(turns), maps, old, true_places(changed)),
        )

    def retention(self) -> RetentionScores:
        changes = {change.name for change in self.case.changes}
        unchanged = [name for name in self.changed.names if name not in changes]
        mapped = [(n, thing) for n, thing in self.seen.items() if n not in changes and thing.new is not None]
        length, rules = self.scale.length, self.rules
        return RetentionScores(
            position=Tally.of((name, position_retention(thing, length, rules)) for name, thing in mapped),
            facing=Tally.of((name, self._facing_kept(name, thing)) for name, thing in mapped),
            before=self._before(unchanged),
            after=tuple(
                self._after(turn, stated, unchanged) for turn, stated in zip(self.turns, self.maps, strict=True)
            ),
        )

    def _facing_kept(self, name: str, thing: Revisited) -> float | None:
        if name in {door.name for door in self.changed.doors}:
            return None if thing.old is None else 1.0
        return facing_inertia(thing, self.rules)

    def _before(self, unchanged: Sequence[str]) -> MapScore | None:
        if not self.last:
            return None
        start = self.case.scene.pose_at(START, Heading.NORTH)
        names = [name for name in unchanged if name in self.seen_before] if self.seen_before else unchanged
        truth = true_global_map(self.case.scene, start, names, self.rules).only(names)
        return score_map(_cognitive_map(self.last), truth, self.scale, self.rules)

    def _after(self, turn: Turn, stated: PoseMap | None, unchanged: Sequence[str]) -> MapScore | None:
        if stated is None:
            return None
        pose = self.changed.pose_at(turn.standing_on, turn.heading)
        truth = true_global_map(self.changed, pose, unchanged, self.rules).only((*unchanged, AGENT))
        return score_map(_cognitive_map(stated), truth, self.scale, self.rules)


def with_quoted_positions(old: PoseMap, case: Case) -> PoseMap:
    """The last map of an exploration, with positions that a released log quotes replaced by the quoted ones.

    If the map that the log was scored with is missing from the files, only the quoted positions are used.
    """
    remaining: PoseMap = {} if case.old_is_lost else old
    quoted = {
        name: (at, remaining[name][1] if name in remaining else None) for name, at in case.old_positions.items() if at
    }
    return {name: place for name, place in remaining.items() if name not in case.old_positions} | quoted


def _cognitive_map(plain: PoseMap) -> CognitiveMap:
    return CognitiveMap({name: Placement(position, facing) for name, (position, facing) in plain.items()})


@dataclass(frozen=True)
class ExplorationOutcome:
    """Outcome of the exploration, by the model or by the agent whose log it read."""

    cost: int
    """Action cost: one per observation, two per query."""
    gains: tuple[float, ...]
    """Information gain after each parsed turn."""
    covered: tuple[float, ...]
    """Node coverage after each parsed turn: share of things and doors that have been in view."""
    nodes: float
    edges: float
    replies: int
    unparseable: int
    """Replies that could not be parsed as a turn."""
    failed: int
    """Turns with an action that could not be executed."""
    forced: bool
    """Whether the turn budget was exhausted."""
    patterns: ExplorationPatterns


@dataclass(frozen=True)
class AnswerOutcome:
    """The answer to one question."""

    kind: str
    mode: MapMode
    score: float
    unparseable: bool
    call: str = ""
    """Name of the call that asked the question."""


@dataclass(frozen=True)
class MapOutcome:
    """Scores of the maps stated while exploring; one entry per repeat of the elicitation."""

    turns: tuple[tuple[TurnScores, ...], ...]
    points: tuple[tuple[float | None, ...], ...]
    """Score of the unexplored points after each turn; None if not elicited or, as published, unparseable."""
    point_scores: tuple[tuple[PointScore | None, ...], ...]
    """Precision, recall and F1 of the same."""
    points_unparseable: int

    @property
    def summaries(self) -> tuple[MapSummary, ...]:
        return tuple(map(summarise, self.turns))

    @property
    def uncertainty(self) -> float | None:
        """Mean score of the points over turns and repeats: F1 as published, Youden's J under `strict`."""
        return mean(mean(repeat) for repeat in self.points)


@dataclass(frozen=True)
class SceneScores:
    """All scores of one scene."""

    exploration: ExplorationOutcome
    answers: tuple[AnswerOutcome, ...]
    maps: MapOutcome | None
    revision: RevisionOutcome | None


def score_scene(
    case: Case,
    options: Options,
    replies: Replies,
    log: Sequence[str],
    rules: Rules,
    alike: AlikeViews | None = None,
) -> SceneScores:
    """Score a record. `log` holds the actions in the log that a passive model read; `alike` the views of things that
    look the same, None without pictures."""
    episode = rebuild(case, options, replies, log)
    turns = explored_turns(episode)
    return SceneScores(
        exploration=_exploration(case, episode, turns, _stated(case, options, replies, turns, rules)),
        answers=_answers(case, options, replies, rules),
        maps=_maps(case, options, replies, turns, rules, alike),
        revision=revision_outcome(case, options, replies, episode, rules),
    )


def _exploration(
    case: Case, episode: Episode, explored: Sequence[ExploredTurn], stated: Collection[str] | None
) -> ExplorationOutcome:
    turns = [turn for turn in episode.turns if turn.phase == "explore"]
    covered = coverage(case.scene, observations(episode))
    forced = bool(turns) and turns[-1].forced
    return ExplorationOutcome(
        cost=episode.cost(),
        gains=tuple(turn.gain for turn in explored),
        covered=tuple(len(turn.seen) / len(case.scene.names) for turn in explored if case.scene.names),
        nodes=covered.node,
        edges=covered.edge,
        replies=len(turns) - forced,
        unparseable=sum(not turn.parsed for turn in turns),
        failed=sum(turn.failure is not None for turn in turns),
        forced=forced,
        patterns=exploration_patterns(case.scene, explored, stated),
    )


def _stated(
    case: Case, options: Options, replies: Replies, turns: Sequence[ExploredTurn], rules: Rules
) -> Collection[str] | None:
    """Names on the last map of the exploration; None if it was not elicited."""
    reply = replies.get(elicit_call("explore", turns[-1].number, "global")) if turns else None
    if reply is None or options.probe_turns == "off":
        return None
    return plain_map(reply, case.scene, rules) or ()


def _answers(case: Case, options: Options, replies: Replies, rules: Rules) -> tuple[AnswerOutcome, ...]:
    """The answers of the published task; those of a task condition are scored in `uncertainty`."""
    if options.condition:
        return ()
    outcomes: list[AnswerOutcome] = []
    for mode in options.maps:
        for call, question in question_calls(mode, case.questions):
            reply = replies.get(call)
            if reply is not None:
                graded = grade_reply(question, reply, options, rules)
                outcomes.append(AnswerOutcome(question.kind, mode, graded.score, graded.format_failure, call))
    return tuple(outcomes)


def grade_reply(question: Question, reply: str, options: Options, rules: Rules) -> Grade:
    """The grade of a reply; one that was chosen among several is right or wrong, under either rule set."""
    if not options.choices:
        return grade(question, reply, rules)
    graded = grade(question, reply, STRICT)
    return replace(graded, score=float(graded.score == 1))


def _maps(
    case: Case,
    options: Options,
    replies: Replies,
    turns: Sequence[ExploredTurn],
    rules: Rules,
    alike: AlikeViews | None,
) -> MapOutcome | None:
    if options.probe_turns == "off" or not turns:
        return None
    repeats = range(1, options.repeats + 1)
    points = [_points(case, replies, turns, repeat, rules) for repeat in repeats]
    return MapOutcome(
        turns=tuple(score_turns(case.scene, map_turns(replies, turns, repeat), rules, alike) for repeat in repeats),
        points=tuple(tuple(score for score, _ in scores) for scores, _ in points),
        point_scores=tuple(tuple(parts for _, parts in scores) for scores, _ in points),
        points_unparseable=sum(unparseable for _, unparseable in points),
    )


def map_turns(replies: Replies, turns: Sequence[ExploredTurn], repeat: int = 1) -> list[MapTurn]:
    """The turns of an exploration with the maps stated after each, from the `repeat`-th elicitation."""
    numbers = [0, *(turn.number for turn in turns)]
    return [
        MapTurn(
            pose=turn.pose,
            seen=turn.seen,
            seen_before=turn.seen_before,
            possible=turn.possible,
            global_reply=replies.get(elicit_call("explore", turn.number, "global", repeat)),
            local_reply=replies.get(elicit_call("explore", turn.number, "local", repeat)),
            after_unparseable=turn.number - 1 != before,
        )
        for before, turn in zip(numbers, turns, strict=False)
    ]


def _points(
    case: Case, replies: Replies, turns: Sequence[ExploredTurn], repeat: int, rules: Rules
) -> tuple[list[tuple[float | None, PointScore | None]], int]:
    """The score after each turn and its parts, and the number of replies without parseable points."""
    scores: list[tuple[float | None, PointScore | None]] = []
    unparseable = 0
    for turn, points in zip(turns, points_of(case, turns), strict=True):
        reply = replies.get(elicit_call("explore", turn.number, "points", repeat))
        chosen = None if reply is None else read_unexplored_points(reply, points, rules)
        missing = isinstance(chosen, NoMap)
        unparseable += missing
        scored = chosen is not None and (not missing or rules.missing_map_scores_zero)
        if scored and chosen is not None:
            scores.append((point_score(chosen, points, rules), score_points(chosen, points)))
        else:
            scores.append((None, None))
    return scores, unparseable
