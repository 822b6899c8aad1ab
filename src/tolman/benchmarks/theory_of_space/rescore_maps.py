"""Set our scores of the maps of a released run beside the stored ones.

The stored `perception` depends on the order in which the authors' code happened to go through the turns: it calls new
whatever the turn it scored last had not seen. Ours goes through them in order, so a few differ.
"""

from collections.abc import Iterator

from tolman.belief.map_dimensions import TurnScores, score_turns
from tolman.belief.map_scores import MapScore, mean
from tolman.belief.map_summary import MapSummary, summarise
from tolman.belief.read_map import NoMap
from tolman.belief.read_points import PointScore, point_score, read_points, score_points
from tolman.belief.unexplored import Points
from tolman.benchmarks.compared import Compared, Value
from tolman.benchmarks.theory_of_space.map_record import MapRecord
from tolman.benchmarks.theory_of_space.released_logs import Json
from tolman.geometry import Cell
from tolman.rules import PUBLISHED, Rules

_PARTS = ("dir", "facing", "pos", "overall")


def rescore_maps(record: MapRecord, metrics: Json) -> Iterator[Compared]:
    """Every stored map score of an exploration, turn by turn and averaged, beside ours; what is not there is passed."""
    turns = score_turns(record.scene, record.turns, PUBLISHED)
    for scores, log in zip(turns, record.logs, strict=True):
        yield from _of_turn(scores, log.cogmap_log, f"turn {log.turn_number}")
    stored = metrics.get("cogmap", {})
    yield from _stability(turns, stored.get("per_turn_metrics", {}))
    yield from _averages(summarise(turns), stored.get("exploration", {}))
    points = point_scores(record, PUBLISHED)
    for score, log in zip(points, record.logs, strict=True):
        probe = log.cogmap_log.get("fog_probe")
        if probe:
            ours = None if score is None else (score.precision, score.recall, score.f1)
            yield Compared("unexplored points", f"turn {log.turn_number}", ours, _points(probe.get("metrics")))


def rescore_information_gain(record: MapRecord, metrics: Json) -> Iterator[Compared]:
    """The stored information gain after each turn, beside ours."""
    explored = metrics.get("exploration", {})
    stored: list[float] = explored.get("infogain_per_turn") or explored.get("information_gain_per_turn") or []
    for number, (ours, theirs) in enumerate(zip(record.gains, stored, strict=False), start=1):
        yield Compared("per turn", f"turn {number}", ours, theirs)
    if stored:
        yield Compared("turns", "metrics", float(len(record.gains)), float(len(stored)))
        yield Compared("final", "metrics", record.gains[-1], explored.get("final_information_gain"))


def point_scores(record: MapRecord, rules: Rules) -> list[PointScore | None]:
    """Scores of the probe of unexplored space; None where it was not made or, as published, could not be read."""
    return [None if chosen is None else score_points(chosen, points) for chosen, points in _chosen(record, rules)]


def mean_point_score(record: MapRecord, rules: Rules) -> float | None:
    """Mean over the turns in which the probe was made: F1 as published, Youden's J under `strict`."""
    return mean(
        None if chosen is None else point_score(chosen, points, rules) for chosen, points in _chosen(record, rules)
    )


def _chosen(record: MapRecord, rules: Rules) -> Iterator[tuple[frozenset[Cell] | NoMap | None, Points]]:
    """The points that each reply names beside those it was asked about; None where nothing is to be scored."""
    for log, points in zip(record.logs, record.points, strict=True):
        probe = log.cogmap_log.get("fog_probe")
        chosen = read_points(probe["original_response"], points, rules) if probe else None
        lost = isinstance(chosen, NoMap) and not rules.missing_map_scores_zero
        yield None if lost else chosen, points


def _of_turn(scores: TurnScores, maps: Json, place: str) -> Iterator[Compared]:
    whole = maps.get("global", {})
    pairs = (
        ("map of what was seen", scores.update, whole.get("metrics")),
        ("map of the whole scene", scores.complete, whole.get("metrics_full")),
        ("self-tracking", scores.self_tracking, whole.get("metric_agent")),
        ("local map", scores.local, maps.get("local", {}).get("metrics")),
        ("perception", scores.perception, maps.get("local_newly", {}).get("metrics")),
        ("local against global", scores.consistency, maps.get("consistency", {}).get("local_vs_global")),
    )
    for metric, ours, stored in pairs:
        if ours is not None or _score(stored) is not None:
            yield Compared(metric, place, _parts(ours), _score(stored))


def _stability(turns: tuple[TurnScores, ...], stored: Json) -> Iterator[Compared]:
    series = (
        ("stability of position", [t.position_stability for t in turns], "position_stability_per_turn"),
        ("stability of facing", [t.facing_stability for t in turns], "facing_stability_per_turn"),
    )
    for metric, ours, key in series:
        for number, pair in enumerate(zip(ours, stored.get(key, []), strict=False), start=1):
            if pair != (None, None):
                yield Compared(metric, f"turn {number}", *pair)


def _averages(summary: MapSummary, stored: Json) -> Iterator[Compared]:
    error, steady = stored.get("error", {}), stored.get("consistency", {})
    last = stored.get("correctness", {}).get("last_global_vs_gt_full")
    if last is not None:
        yield Compared("correctness", "average", _parts(summary.correctness), _score(last))
    pairs = (
        ("map of what was seen", summary.update, error.get("global_vs_gt_global_avg")),
        ("self-tracking", summary.self_tracking, error.get("agent_vs_gt_agent_avg")),
        ("local map", summary.local, error.get("local_vs_gt_local_avg")),
        ("perception", summary.perception, error.get("newly_observed_vs_gt_local_avg")),
        ("local against global", summary.consistency, steady.get("local_vs_global_avg")),
    )
    for metric, ours, theirs in pairs:
        if theirs is not None:
            yield Compared(metric, "average", _parts(ours), _score(theirs))
    for part, ours in (("position", summary.position_stability), ("facing", summary.facing_stability)):
        if f"{part}_stability_avg" in steady:
            yield Compared(f"stability of {part}", "average", ours, steady[f"{part}_stability_avg"])


def _parts(score: MapScore | None) -> Value:
    return None if score is None else (score.direction, score.facing, score.position, score.overall)


def _score(stored: Json | None) -> Value:
    """Stored parts in our order; an empty log stands for not scored."""
    if not stored or stored.get("dir") is None:
        return None
    return tuple(stored[part] for part in _PARTS)


def _points(stored: Json | None) -> Value:
    return None if not stored else (stored["precision"], stored["recall"], stored["overall"])
