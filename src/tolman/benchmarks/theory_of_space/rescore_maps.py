"""Set our scores of the maps of a released run beside the stored ones."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain

from tolman.belief.cognitive_map import true_local_map
from tolman.belief.map_dimensions import TurnScores, score_turns
from tolman.belief.map_scores import MapScore, mean
from tolman.belief.map_summary import MapSummary, mean_score, summarise
from tolman.belief.read_points import PointScore
from tolman.benchmarks.compared import Compared, Value
from tolman.benchmarks.theory_of_space.explored import ExploredTurn, explored_turns
from tolman.benchmarks.theory_of_space.order_of_work import OUT_OF_ORDER, Worked, order_of_work
from tolman.benchmarks.theory_of_space.rebuild import rebuild
from tolman.benchmarks.theory_of_space.record import ScoredCase
from tolman.benchmarks.theory_of_space.released_logs import Json
from tolman.benchmarks.theory_of_space.released_runs import ReleasedRun
from tolman.benchmarks.theory_of_space.scores import ExplorationOutcome, MapOutcome, map_turns
from tolman.rules import PUBLISHED

_PARTS = ("dir", "facing", "pos", "overall")


def rescore_maps(run: ReleasedRun, record: ScoredCase, maps: MapOutcome) -> Iterator[Compared]:
    """Every stored map score of an exploration, turn by turn and averaged, beside ours; what is not there is passed."""
    explored = explored_turns(rebuild(record.case, record.options, record.record.replies, ()))
    logged, (turns,), (points,) = run.exploration_turns, maps.turns, maps.point_scores
    logs = [logged[turn.number - 1].cogmap_log if turn.number <= len(logged) else {} for turn in explored]
    numbers = [turn.number for turn in explored]
    metrics: Json = run.metrics.get("cogmap", {})
    values = [
        *chain.from_iterable(map(_of_turn, turns, logs, numbers)),
        *_points(numbers, points, logs, metrics.get("exploration", {}).get("fog_probe", {})),
        *_stability(numbers, turns, metrics.get("per_turn_metrics", {})),
        *_averages(summarise(turns), metrics.get("exploration", {})),
    ]
    if all(value.identical for value in values if value.metric == "perception"):
        yield from values
    else:
        in_order = _perception_in_order(record, explored, logs)
        for value in values:
            fits = value.metric == "perception" and _fits(value, in_order)
            yield replace(value, explained=OUT_OF_ORDER) if fits else value


def rescore_information_gain(explored: ExplorationOutcome, metrics: Json) -> Iterator[Compared]:
    """The stored information gain after each turn, beside ours."""
    stored_as = metrics.get("exploration", {})
    stored: list[float] = stored_as.get("infogain_per_turn") or stored_as.get("information_gain_per_turn") or []
    gains = explored.gains
    for number, (ours, theirs) in enumerate(zip(gains, stored, strict=False), start=1):
        yield Compared("per turn", f"turn {number}", ours, theirs, turn=number)
    if stored:
        yield Compared("turns", "metrics", float(len(gains)), float(len(stored)))
        yield Compared("final", "metrics", gains[-1], stored_as.get("final_information_gain"))


# ---- the order in which the authors went through the turns ----


def _perception_in_order(
    record: ScoredCase, explored: Sequence[ExploredTurn], logs: Sequence[Json]
) -> Mapping[int | None, Value]:
    """Perception by number of turn, and its mean under None, for an order of work that the log allows; else nothing."""
    scene, turns = record.case.scene, map_turns(record.record.replies, explored)
    views = [frozenset(true_local_map(scene, turn.pose, PUBLISHED).places) for turn in turns]
    scored = [at for at, log in enumerate(logs) if log]
    order = order_of_work([Worked(views[at], frozenset(turns[at].seen), _named_new(logs[at])) for at in scored])
    if order is None:
        return {}
    before = {scored[at]: () if place == 0 else turns[scored[order[place - 1]]].seen for place, at in enumerate(order)}
    moved = [replace(turn, seen_before=before.get(at, turn.seen_before)) for at, turn in enumerate(turns)]
    found = [turn.perception for turn in score_turns(scene, moved, PUBLISHED)]
    by_turn: dict[int | None, Value] = {turn.number: _parts(score) for turn, score in zip(explored, found, strict=True)}
    return {**by_turn, None: _parts(mean_score(found))}


def _named_new(log: Json) -> frozenset[str] | None:
    return frozenset(log["local_newly"].get("gt_json", {})) if "local_newly" in log else None


def _fits(value: Compared, in_order: Mapping[int | None, Value]) -> bool:
    return value.turn in in_order and replace(value, ours=in_order[value.turn]).identical


# ---- turns ----


def _of_turn(scores: TurnScores, maps: Json, turn: int) -> Iterator[Compared]:
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
            yield Compared(metric, f"turn {turn}", _parts(ours), _score(stored), turn=turn)


def _points(
    numbers: Sequence[int], points: Sequence[PointScore | None], logs: Sequence[Json], averages: Json
) -> Iterator[Compared]:
    for number, score, log in zip(numbers, points, logs, strict=True):
        if log.get("fog_probe"):
            stored = log["fog_probe"].get("metrics") or None
            theirs = stored and (stored["precision"], stored["recall"], stored["overall"])
            yield Compared("unexplored points", f"turn {number}", _point(score), theirs, turn=number)
    if averages:
        columns = zip(*(_point(score) for score in points if score is not None), strict=True)
        ours = tuple(mean(column) for column in columns) or (None, None, None)
        theirs = tuple(averages.get(f"{part}_avg") for part in ("precision", "recall", "f1"))
        yield Compared("unexplored points", "average", ours, theirs)


def _stability(numbers: Sequence[int], turns: Sequence[TurnScores], stored: Json) -> Iterator[Compared]:
    """The stored series have one entry for each reply, unreadable ones too."""
    series = (
        ("stability of position", [t.position_stability for t in turns], "position_stability_per_turn"),
        ("stability of facing", [t.facing_stability for t in turns], "facing_stability_per_turn"),
    )
    for metric, ours, key in series:
        listed: list[float | None] = stored.get(key, [])
        theirs = dict(enumerate(listed, start=1))
        for number, value in zip(numbers, ours, strict=True):
            if number in theirs and (value, theirs[number]) != (None, None):
                yield Compared(metric, f"turn {number}", value, theirs[number], turn=number)


# ---- averages ----


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


def _point(score: PointScore | None) -> tuple[float, float, float] | None:
    return None if score is None else (score.precision, score.recall, score.f1)


def _score(stored: Json | None) -> Value:
    """Stored parts in our order; an empty log stands for not scored."""
    if not stored or stored.get("dir") is None:
        return None
    return tuple(stored[part] for part in _PARTS)
