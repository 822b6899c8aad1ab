"""Scores of a scene as columns of plain numbers: for each name the values that a table averages.

A column holds one value a scene, or several that are pooled over scenes: answers and, as published, the inertia of
positions. A value that is not there was not scored.
"""

from collections.abc import Iterable, Iterator

from tolman.ask import find_kind
from tolman.belief.map_scores import MapScore, mean
from tolman.belief.map_summary import MapSummary
from tolman.belief.revision import Tally
from tolman.benchmarks.theory_of_space.scores import SceneScores

Columns = dict[str, tuple[float, ...]]

PARTS = ("facing", "position", "direction", "overall")


def columns(scores: SceneScores) -> Columns:
    """All columns of one scene that hold anything, by name."""
    found: Columns = {}
    for name, values in _all(scores):
        if values:
            found[name] = found.get(name, ()) + tuple(map(float, values))
    return found


Named = Iterator[tuple[str, tuple[float, ...]]]


def _all(scores: SceneScores) -> Named:
    explored = scores.exploration
    yield "explore/cost", (explored.cost,)
    yield "explore/gain", explored.gains[-1:]
    yield "explore/nodes", (explored.nodes,)
    yield "explore/edges", (explored.edges,)
    for answer in scores.answers:
        yield f"ask/{answer.mode}/{answer.kind}", (answer.score,)
        if not find_kind(answer.kind).in_pictures:
            yield f"ask/{answer.mode}", (answer.score,)
    if scores.maps is not None:
        yield from _maps(scores.maps.summaries)
        yield "map/uncertainty", _one(scores.maps.uncertainty)
    yield from _revision(scores)


def _maps(summaries: Iterable[MapSummary]) -> Named:
    known = list(summaries)
    dimensions = ("correctness", "update", "perception", "self_tracking", "consistency")
    for dimension in dimensions:
        values: list[MapScore | None] = [getattr(summary, dimension) for summary in known]
        for part in PARTS:
            yield f"map/{dimension}/{part}", _one(mean(getattr(v, part) for v in values if v is not None))
    yield "map/consistency/coverage", _one(mean(summary.consistency_coverage for summary in known))
    yield "map/stability/coverage", _one(mean(summary.stability_coverage for summary in known))
    yield "map/stability/facing", _one(mean(summary.facing_stability for summary in known))
    yield "map/stability/position", _one(mean(summary.position_stability for summary in known))


def _revision(scores: SceneScores) -> Named:
    revision = scores.revision
    if revision is None:
        return
    yield "revise/cost", (revision.cost,)
    yield "revise/redundant", _one(revision.redundant)
    yield "revise/f1", _one(revision.identification.overall)
    yield "revise/f1/facing", _one(revision.identification.orientation)
    yield "revise/f1/position", _one(revision.identification.position)
    if revision.scores is not None:
        yield "revise/correctness/facing", _one(revision.scores.facing_correctness.mean)
        yield "revise/correctness/position", _one(revision.scores.position_correctness.mean)
        yield "revise/inertia/facing", _one(revision.scores.facing_inertia.mean)
        yield "revise/inertia/position", _things(revision.scores.position_inertia)


def _things(tally: Tally) -> tuple[float, ...]:
    return tuple(value for _, value in tally.scores)


def _one(value: float | None) -> tuple[float, ...]:
    return () if value is None else (value,)
