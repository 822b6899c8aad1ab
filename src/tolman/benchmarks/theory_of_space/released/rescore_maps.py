"""Comparison of our map scores of a released run with the stored ones, and what its revision log reveals about the
old map.

The authors' code treats names as new that had not been seen at the turn it scored before. As replies arrived in any
order, the order of scoring is inferred from the logged names.

In the vision runs the maps of the exploration were elicited again after the revision had been scored, and the first
ones were overwritten. The revision log quotes old positions of moved things, and its scores imply distances between
old and new positions. If these contradict the last map in the files, the original map is missing.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, combinations

from tolman.belief.cognitive_map import true_local_map
from tolman.belief.map_dimensions import MapSummary, TurnScores, mean_score, score_turns, summarise
from tolman.belief.map_scores import MapScore, mean
from tolman.belief.revision import MapPosition, PoseMap
from tolman.belief.unexplored import PointScore
from tolman.benchmarks.theory_of_space.explored_turns import ExploredTurn, explored_turns
from tolman.benchmarks.theory_of_space.protocol.run_scene import rebuild
from tolman.benchmarks.theory_of_space.record import ScoredCase
from tolman.benchmarks.theory_of_space.released.run_files import Json, LoggedTurn, ReleasedRun
from tolman.benchmarks.theory_of_space.scores import ExplorationOutcome, MapOutcome, map_turns, old_map, plain_map
from tolman.core.rules import PUBLISHED
from tolman.report.rescored import TOLERANCE, ComparedValue, Reason, Value
from tolman.world import Change, Scene

OLD_MAP_IS_LOST = Reason(
    "the old map is not in the files",
    "the revision was scored against a last map of the exploration that was overwritten later: its log quotes "
    "positions that the map in the files does not have; some old map on the grid would give the stored value",
    "tests/benchmarks/theory_of_space/released/test_old_map.py",
)
FEWEST_CONTRADICTIONS = 2
"""Minimum number of unquoted things whose stored scores contradict the map; a single one could be our error."""
_GRID = 20
"""Stated positions are assumed to be multiples of 1 / `_GRID` cells."""


@dataclass(frozen=True)
class OldBelief:
    """Quoted old positions of moved things (None: not on the map), and whether the old map is missing."""

    positions: dict[str, MapPosition | None]
    is_lost: bool


def old_belief(
    scene: Scene, changes: Sequence[Change], last_map: str | None, logs: Sequence[LoggedTurn], length: float
) -> OldBelief:
    """What a revision log reveals about the old map. `length` is the scale of position scores, in cells."""
    believed = old_map(last_map, scene, PUBLISHED)
    moved = {change.name for change in changes if change.kind == "position"}
    quoted: dict[str, MapPosition | None] = {}
    for scores_of_turn in map(stored_map_scores, logs):
        for name in moved & set(scores_of_turn.get("retention_per_object", {})):
            data = scores_of_turn.get("inertia_data_per_object", {}).get(name)
            if data is not None:
                quoted[name] = float(data["old_pos"][0]), float(data["old_pos"][1])
            elif scores_of_turn["retention_per_object"][name]["pos"] is None:
                quoted[name] = None
    contradicted = any((believed[name][0] if name in believed else None) != at for name, at in quoted.items())
    return OldBelief(quoted, contradicted or sum(_contradicts(scene, believed, logs, length)) >= FEWEST_CONTRADICTIONS)


def stored_map_scores(log: LoggedTurn) -> Json:
    """The authors' scores of the map stated after a turn; empty if there was none."""
    return log.false_belief_log.get("cogmap_log") or {}


def stored_map(log: LoggedTurn) -> Json:
    """The map stated after a turn of the revision, as logged; empty if there was none."""
    return stored_map_scores(log).get("unchanged_objects", {}).get("global", {})


def _contradicts(scene: Scene, believed: PoseMap, logs: Sequence[LoggedTurn], length: float) -> Iterator[bool]:
    """For each unchanged thing with a stored score, whether the old map in the files gives a different one."""
    for log in logs:
        new = plain_map(stored_map(log).get("original_response"), scene, PUBLISHED) or {}
        for name, stored in stored_map_scores(log).get("unchanged_retention_per_object", {}).items():
            both = name in believed and name in new
            ours = math.exp(-math.dist(believed[name][0], new[name][0]) / length) if both else None
            retained: float | None = stored["pos"]
            yield (ours is None) != (retained is None) or (
                ours is not None and retained is not None and abs(ours - retained) > TOLERANCE
            )


# ---- scores that some old map would give ----


def is_possible_retention(position: float | None, facing: float | None, length: float) -> bool:
    """Whether some old map gives these scores of a thing: both None, or a grid position and facing 0 or 1."""
    if position is None or facing is None:
        return position is facing is None
    return facing in (0.0, 1.0) and is_grid_similarity(position, length)


def is_grid_similarity(score: float, length: float) -> bool:
    """Whether a score fits two grid positions: their squared distance in grid units is a sum of two squares."""
    if not 0.0 < score <= 1.0:
        return False
    squared = (math.log(score) * length * _GRID) ** 2
    whole = round(squared)
    if abs(squared - whole) > max(1e-6, squared * 1e-9):
        return False
    return any(math.isqrt(rest) ** 2 == rest for rest in (whole - a * a for a in range(math.isqrt(whole) + 1)))


MOST_OUT_OF_ORDER = 2
"""Maximum number of turns out of place; with more, almost any logged names could be explained."""

OUT_OF_ORDER = Reason(
    "turns were scored out of order",
    "the authors' code treats names as new that had not been seen at the turn scored before, and replies arrived in "
    f"another order; an order with at most {MOST_OUT_OF_ORDER} turns out of place gives all stored names and numbers",
    "tests/benchmarks/theory_of_space/released/test_scoring_order.py",
)


@dataclass(frozen=True)
class ScoredTurn:
    """One turn that the authors' code scored."""

    in_view: frozenset[str]
    seen: frozenset[str]
    """Names that have been in view up to and including this turn."""
    new: frozenset[str] | None
    """Names that the log lists as new; None if there is no list."""

    def may_follow(self, last: "ScoredTurn | None") -> bool:
        """Whether the logged new names fit if `last` was scored right before this turn (None: this was the first)."""
        return self.new is None or self.new == self.in_view - (last.seen if last else frozenset())


def scoring_order(turns: Sequence[ScoredTurn]) -> list[int] | None:
    """An order of turns, by index, that gives the logged new names, with the fewest out of place; or None."""
    for count in range(min(MOST_OUT_OF_ORDER, len(turns)) + 1):
        for moved in combinations(range(len(turns)), count):
            order = _order_with_moved(turns, frozenset(moved))
            if order is not None:
                return order
    return None


def _order_with_moved(turns: Sequence[ScoredTurn], moved: frozenset[int]) -> list[int] | None:
    """Such an order in which the `moved` turns may come at any time and all others come in order."""
    ordered = [turn for turn in range(len(turns)) if turn not in moved]
    dead_ends: set[tuple[int, frozenset[int], int | None]] = set()

    def rest(done: int, left: frozenset[int], last: int | None) -> list[int] | None:
        if done == len(ordered) and not left:
            return []
        if (done, left, last) in dead_ends:
            return None
        for turn in (*ordered[done : done + 1], *sorted(left)):
            if turns[turn].may_follow(None if last is None else turns[last]):
                found = rest(done + (turn not in left), left - {turn}, turn)
                if found is not None:
                    return [turn, *found]
        dead_ends.add((done, left, last))
        return None

    return rest(0, moved, None)


_PARTS = ("dir", "facing", "pos", "overall")


def rescore_maps(run: ReleasedRun, record: ScoredCase, maps: MapOutcome) -> Iterator[ComparedValue]:
    """Every stored map score of an exploration, per turn and averaged, with ours; missing ones are skipped."""
    explored = explored_turns(rebuild(record.case, record.options, record.record.replies, ()))
    logged, (turns,), (points,) = run.exploration_turns, maps.turns, maps.point_scores
    logs = [logged[turn.number - 1].cogmap_log if turn.number <= len(logged) else {} for turn in explored]
    numbers = [turn.number for turn in explored]
    metrics: Json = run.metrics.get("cogmap", {})
    values = [
        *chain.from_iterable(map(_turn_comparisons, turns, logs, numbers)),
        *_point_comparisons(numbers, points, logs, metrics.get("exploration", {}).get("fog_probe", {})),
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


def rescore_information_gain(explored: ExplorationOutcome, metrics: Json) -> Iterator[ComparedValue]:
    """The stored information gain after each turn, with ours."""
    stored_as = metrics.get("exploration", {})
    stored: list[float] = stored_as.get("infogain_per_turn") or stored_as.get("information_gain_per_turn") or []
    gains = explored.gains
    for number, (ours, theirs) in enumerate(zip(gains, stored, strict=False), start=1):
        yield ComparedValue("per turn", f"turn {number}", ours, theirs, turn=number)
    if stored:
        yield ComparedValue("turns", "metrics", float(len(gains)), float(len(stored)))
        yield ComparedValue("final", "metrics", gains[-1], stored_as.get("final_information_gain"))


# ---- the order in which turns were scored ----


def _perception_in_order(
    record: ScoredCase, explored: Sequence[ExploredTurn], logs: Sequence[Json]
) -> Mapping[int | None, Value]:
    """Perception by turn number, and its mean under None, for an order of scoring that fits the log; else empty."""
    scene, turns = record.case.scene, map_turns(record.record.replies, explored)
    views = [frozenset(true_local_map(scene, turn.pose, PUBLISHED).places) for turn in turns]
    scored = [at for at, log in enumerate(logs) if log]
    order = scoring_order([ScoredTurn(views[at], frozenset(turns[at].seen), _named_new(logs[at])) for at in scored])
    if order is None:
        return {}
    before = {scored[at]: () if place == 0 else turns[scored[order[place - 1]]].seen for place, at in enumerate(order)}
    moved = [replace(turn, seen_before=before.get(at, turn.seen_before)) for at, turn in enumerate(turns)]
    found = [turn.perception for turn in score_turns(scene, moved, PUBLISHED)]
    by_turn: dict[int | None, Value] = {
        turn.number: _score_parts(score) for turn, score in zip(explored, found, strict=True)
    }
    return {**by_turn, None: _score_parts(mean_score(found))}


def _named_new(log: Json) -> frozenset[str] | None:
    return frozenset(log["local_newly"].get("gt_json", {})) if "local_newly" in log else None


def _fits(value: ComparedValue, in_order: Mapping[int | None, Value]) -> bool:
    return value.turn in in_order and replace(value, ours=in_order[value.turn]).identical


# ---- turns ----


def _turn_comparisons(scores: TurnScores, maps: Json, turn: int) -> Iterator[ComparedValue]:
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
        if ours is not None or _stored_parts(stored) is not None:
            yield ComparedValue(metric, f"turn {turn}", _score_parts(ours), _stored_parts(stored), turn=turn)


def _point_comparisons(
    numbers: Sequence[int], points: Sequence[PointScore | None], logs: Sequence[Json], averages: Json
) -> Iterator[ComparedValue]:
    for number, score, log in zip(numbers, points, logs, strict=True):
        if log.get("fog_probe"):
            stored = log["fog_probe"].get("metrics") or None
            theirs = stored and (stored["precision"], stored["recall"], stored["overall"])
            yield ComparedValue("unexplored points", f"turn {number}", _point_parts(score), theirs, turn=number)
    if averages:
        columns = zip(*(_point_parts(score) for score in points if score is not None), strict=True)
        ours = tuple(mean(column) for column in columns) or (None, None, None)
        theirs = tuple(averages.get(f"{part}_avg") for part in ("precision", "recall", "f1"))
        yield ComparedValue("unexplored points", "average", ours, theirs)


def _stability(numbers: Sequence[int], turns: Sequence[TurnScores], stored: Json) -> Iterator[ComparedValue]:
    """The stored series have one entry per reply, including unparseable ones."""
    series = (
        ("stability of position", [t.position_stability for t in turns], "position_stability_per_turn"),
        ("stability of facing", [t.facing_stability for t in turns], "facing_stability_per_turn"),
    )
    for metric, ours, key in series:
        listed: list[float | None] = stored.get(key, [])
        theirs = dict(enumerate(listed, start=1))
        for number, value in zip(numbers, ours, strict=True):
            if number in theirs and (value, theirs[number]) != (None, None):
                yield ComparedValue(metric, f"turn {number}", value, theirs[number], turn=number)


# ---- averages ----


def _averages(summary: MapSummary, stored: Json) -> Iterator[ComparedValue]:
    error, steady = stored.get("error", {}), stored.get("consistency", {})
    last = stored.get("correctness", {}).get("last_global_vs_gt_full")
    if last is not None:
        yield ComparedValue("correctness", "average", _score_parts(summary.correctness), _stored_parts(last))
    pairs = (
        ("map of what was seen", summary.update, error.get("global_vs_gt_global_avg")),
        ("self-tracking", summary.self_tracking, error.get("agent_vs_gt_agent_avg")),
        ("local map", summary.local, error.get("local_vs_gt_local_avg")),
        ("perception", summary.perception, error.get("newly_observed_vs_gt_local_avg")),
        ("local against global", summary.consistency, steady.get("local_vs_global_avg")),
    )
    for metric, ours, theirs in pairs:
        if theirs is not None:
            yield ComparedValue(metric, "average", _score_parts(ours), _stored_parts(theirs))
    for part, ours in (("position", summary.position_stability), ("facing", summary.facing_stability)):
        if f"{part}_stability_avg" in steady:
            yield ComparedValue(f"stability of {part}", "average", ours, steady[f"{part}_stability_avg"])


def _score_parts(score: MapScore | None) -> Value:
    return None if score is None else (score.direction, score.facing, score.position, score.overall)


def _point_parts(score: PointScore | None) -> tuple[float, float, float] | None:
    return None if score is None else (score.precision, score.recall, score.f1)


def _stored_parts(stored: Json | None) -> Value:
    """Stored parts in our order; None if not scored."""
    if not stored or stored.get("dir") is None:
        return None
    return tuple(stored[part] for part in _PARTS)
