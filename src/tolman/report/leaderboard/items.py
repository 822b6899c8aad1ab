"""Every score of a scene by a name of its own: each answer, each map of each turn, each changed thing."""

from collections.abc import Iterator

from tolman.belief.map_dimensions import TurnScores
from tolman.belief.map_scores import MapScore
from tolman.belief.revision import RevisionScores, Tally
from tolman.benchmarks.theory_of_space.calls import question_calls
from tolman.benchmarks.theory_of_space.columns import PARTS
from tolman.benchmarks.theory_of_space.record import ScoredCase
from tolman.benchmarks.theory_of_space.revised import RevisionOutcome
from tolman.benchmarks.theory_of_space.scores import ExplorationOutcome, MapOutcome, SceneScores

_MAPS = ("update", "complete", "self_tracking", "local", "perception", "consistency")
_STABILITIES = ("position_stability", "facing_stability")
_TALLIES = ("position_correctness", "facing_correctness", "position_retention", "position_inertia", "facing_inertia")
Named = Iterator[tuple[str, float | None]]


def items(logged: ScoredCase, scores: SceneScores) -> dict[str, float]:
    """The scores of a scene that are known. A question is named by its call, such as `ask/none/direction/2`.

    Maps are named by turn, counting those that could be read, and by how often they were asked for: the second map
    after turn 3 is `map/3/2/...`.
    """
    answered = logged.record.replies
    calls = [call for mode in logged.options.maps for call, _ in question_calls(mode, logged.case.questions)]
    asked = [call for call in calls if call in answered]
    found = {call: answer.score for call, answer in zip(asked, scores.answers, strict=True)}
    for name, value in _others(scores):
        if value is not None:
            found[name] = float(value)
    return found


def _others(scores: SceneScores) -> Named:
    yield from _exploration(scores.exploration)
    if scores.maps is not None:
        yield from _maps(scores.maps)
    if scores.revision is not None:
        yield from _revision(scores.revision)


def _exploration(explored: ExplorationOutcome) -> Named:
    yield "explore/cost", explored.cost
    yield "explore/nodes", explored.nodes
    yield "explore/edges", explored.edges
    for turn, gain in enumerate(explored.gains, start=1):
        yield f"explore/gain/{turn}", gain


def _maps(stated: MapOutcome) -> Named:
    for repeat, (turns, points) in enumerate(zip(stated.turns, stated.points, strict=True), start=1):
        for turn, (scores, point) in enumerate(zip(turns, points, strict=True), start=1):
            for name, value in (*_turn(scores), ("points", point)):
                yield f"map/{turn}/{repeat}/{name}", value


def _turn(scores: TurnScores) -> Named:
    for name in _MAPS:
        score: MapScore | None = getattr(scores, name)
        for part in PARTS if score is not None else ():
            yield f"{name}/{part}", getattr(score, part)
    for name in _STABILITIES:
        yield name, getattr(scores, name)


def _revision(revised: RevisionOutcome) -> Named:
    yield "revise/cost", revised.cost
    yield "revise/redundant", revised.redundant
    yield "revise/f1", revised.identification.overall
    yield "revise/f1/position", revised.identification.position
    yield "revise/f1/facing", revised.identification.orientation
    if revised.scores is not None:
        yield from _things(revised.scores)


def _things(scores: RevisionScores) -> Named:
    yield "revise/sigma", scores.sigma
    for name in _TALLIES:
        tally: Tally = getattr(scores, name)
        for thing, value in tally.scores:
            yield f"revise/{name}/{thing}", value
