"""Scores of one scene under one rule set: a pure function of the record."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from tolman.ask import Grade, Question, grade
from tolman.belief import coverage
from tolman.belief.map_dimensions import MapSummary, MapTurn, TurnScores, score_turns, summarise
from tolman.belief.map_parsing import NoMap
from tolman.belief.map_scores import mean
from tolman.belief.unexplored import PointScore, point_score, read_unexplored_points, score_points
from tolman.belief.visible_facings import AlikeViews
from tolman.benchmarks.theory_of_space.case import Case, elicit_call, question_calls
from tolman.benchmarks.theory_of_space.exploration_patterns import ExplorationPatterns, exploration_patterns
from tolman.benchmarks.theory_of_space.explored_turns import ExploredTurn, explored_turns, points_of
from tolman.benchmarks.theory_of_space.options import MapMode, Options
from tolman.benchmarks.theory_of_space.protocol.run_scene import Replies, rebuild
from tolman.benchmarks.theory_of_space.revision import RevisionOutcome, plain_map, revision_outcome
from tolman.core.rules import STRICT, Rules
from tolman.explore.episode import Episode
from tolman.explore.summary import observations


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
