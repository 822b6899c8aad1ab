"""The maps that the authors' models stated score here as they did there, to the digit, turn by turn and on average."""

import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from typing import Any

import pytest

from tests.benchmarks.theory_of_space.released.run_archives import FOLDER, found_runs
from tolman.belief.cognitive_map import CognitiveMap, global_form, true_global_map, true_local_map
from tolman.belief.map_dimensions import MapTurn, TurnScores, score_turns, summarise
from tolman.belief.map_parsing import NoMap, read_global_map, read_local_map
from tolman.belief.map_scores import MapScale, MapScore, mean, score_map
from tolman.belief.unexplored import (
    CandidatePoints,
    PointScore,
    explored_cells,
    point_map,
    read_unexplored_points,
    score_points,
)
from tolman.benchmarks.theory_of_space.blind_baselines import blind_point_scores
from tolman.benchmarks.theory_of_space.explored_turns import explored_turns, points_of
from tolman.benchmarks.theory_of_space.released.replies import released_record, replay
from tolman.benchmarks.theory_of_space.released.rescore_maps import ScoredTurn, stored_map, stored_map_scores
from tolman.benchmarks.theory_of_space.released.rescore_maps import scoring_order as find_order
from tolman.benchmarks.theory_of_space.released.run_files import ReleasedRun
from tolman.benchmarks.theory_of_space.scores import map_turns
from tolman.core.geometry import Cell
from tolman.core.rules import PUBLISHED, STRICT
from tolman.world import AGENT, Pose, Scene

if not FOLDER.is_dir():
    pytest.skip("the released scenes and runs are not beside this checkout", allow_module_level=True)

ACTIVE = [run for run in found_runs() if run.exploration == "active"]
EACH_RUN = pytest.mark.parametrize("run", ACTIVE, ids=str)
PROBES = ("global", "local", "fog_probe")
PARTS = {"dir": "direction", "facing": "facing", "pos": "position", "overall": "overall"}
Parts = tuple[float | None, ...] | None


@dataclass(frozen=True)
class Probed:
    """One released turn: what the authors logged of it and of its maps, and what we need to score them."""

    log: dict[str, Any]
    maps: dict[str, Any]
    turn: MapTurn
    looked: bool


@dataclass(frozen=True)
class Explored:
    """One released exploration."""

    scene: Scene
    turns: tuple[Probed, ...]
    points: tuple[CandidatePoints, ...]
    stored: dict[str, Any]

    @cached_property
    def scores(self) -> tuple[TurnScores, ...]:
        return score_turns(self.scene, [probed.turn for probed in self.turns], PUBLISHED)


@cache
def explored(run: ReleasedRun) -> Explored:
    record, logged = released_record(run), run.exploration_turns
    turns = explored_turns(replay(run))
    rows = zip(turns, map_turns(record.record.replies, turns), strict=True)
    probed = [(logged[turn.number - 1], maps, turn.looked) for turn, maps in rows]
    return Explored(
        scene=record.case.scene,
        turns=tuple(Probed(log.exploration_log, log.cogmap_log, maps, looked) for log, maps, looked in probed),
        points=points_of(record.case, turns),
        stored=run.metrics["cogmap"],
    )


def ours(score: MapScore | None) -> Parts:
    return None if score is None else tuple(getattr(score, part) for part in PARTS.values())


def theirs(stored: dict[str, Any] | None) -> Parts:
    """Stored parts in our order; an empty log stands for not scored."""
    return None if not stored or stored["dir"] is None else tuple(stored[part] for part in PARTS)


def by_turn(stored: dict[str, Any]) -> list[Parts]:
    columns = zip(*(stored[part] for part in PARTS), strict=True)
    return [None if parts[0] is None else parts for parts in columns]


def assert_same(mine: Sequence[Parts | float], stored: Sequence[Parts | float]) -> None:
    assert len(mine) == len(stored)
    assert [i for i, (a, b) in enumerate(zip(mine, stored, strict=True)) if not same(a, b)] == []


def same(a: Parts | float, b: Parts | float) -> bool:
    return a is b is None or (a is not None and b is not None and a == pytest.approx(b, abs=1e-9))


def test_there_are_maps_to_compare_with():
    assert sum(len(explored(run).turns) for run in ACTIVE) > 100


# ---- global maps ----


@EACH_RUN
def test_true_maps(run: ReleasedRun):
    known = explored(run)
    for probed in known.turns:
        pose, seen = probed.turn.pose, probed.turn.seen
        if "global" in probed.maps:
            stored = probed.maps["global"]
            assert written(true_global_map(known.scene, pose, seen, PUBLISHED)) == stored["gt_json"]
            assert written(true_global_map(known.scene, pose, known.scene.names, PUBLISHED)) == stored["gt_json_full"]
        if "local" in probed.maps:
            assert written(true_local_map(known.scene, pose, PUBLISHED)) == probed.maps["local"]["gt_json"]


def written(cognitive_map: CognitiveMap) -> Any:
    return global_form(cognitive_map).model_dump(mode="json")


@EACH_RUN
def test_maps_against_what_was_seen(run: ReleasedRun):
    known = explored(run)
    mine = [ours(scores.update) for scores in known.scores]
    assert_same(mine, [theirs(probed.maps.get("global", {}).get("metrics")) for probed in known.turns])
    assert_same(mine, by_turn(known.stored["per_turn_metrics"]["cogmap_update_per_turn"]))


@EACH_RUN
def test_maps_against_the_whole_scene(run: ReleasedRun):
    known = explored(run)
    mine = [ours(scores.complete) for scores in known.scores]
    assert_same(mine, [theirs(probed.maps.get("global", {}).get("metrics_full")) for probed in known.turns])
    assert_same(mine, by_turn(known.stored["per_turn_metrics"]["cogmap_full_per_turn"]))


@EACH_RUN
def test_self_tracking(run: ReleasedRun):
    known = explored(run)
    mine = [ours(scores.self_tracking) for scores in known.scores]
    assert_same(mine, [theirs(probed.maps.get("global", {}).get("metric_agent")) for probed in known.turns])
    assert_same(mine, by_turn(known.stored["per_turn_metrics"]["self_tracking_per_turn"]))


@EACH_RUN
def test_stability(run: ReleasedRun):
    known = explored(run)
    stored = known.stored["per_turn_metrics"]
    assert_same([s.position_stability for s in known.scores], stored["position_stability_per_turn"])
    assert_same([s.facing_stability for s in known.scores], stored["facing_stability_per_turn"])


# ---- local maps ----


@EACH_RUN
def test_local_maps(run: ReleasedRun):
    known = explored(run)
    stored = [theirs(probed.maps.get("local", {}).get("metrics")) for probed in known.turns]
    assert_same([ours(scores.local) for scores in known.scores], stored)


@EACH_RUN
def test_local_against_global(run: ReleasedRun):
    known = explored(run)
    stored = [theirs(probed.maps.get("consistency", {}).get("local_vs_global")) for probed in known.turns]
    assert_same([ours(scores.consistency) for scores in known.scores], stored)


@EACH_RUN
def test_perception_of_what_the_authors_took_for_new(run: ReleasedRun):
    """Given the names that their log calls new, the score is theirs in every case."""
    known = explored(run)
    for probed in known.turns:
        if "local_newly" in probed.maps:
            pose, reply = probed.turn.pose, probed.turn.local_reply or ""
            view = true_local_map(known.scene, pose, PUBLISHED)
            said = read_local_map(reply, view.places, pose.heading, PUBLISHED)
            assert isinstance(said, CognitiveMap)
            score = score_map(said, view.only(named_new(probed)), MapScale.of(known.scene), PUBLISHED)
            assert same(ours(score), theirs(probed.maps["local_newly"]["metrics"]))


@EACH_RUN
def test_perception(run: ReleasedRun):
    """Identical where the authors went through the turns in order; where they did not, some order explains it all."""
    known = explored(run)
    stored = [theirs(probed.maps.get("local_newly", {}).get("metrics")) for probed in known.turns]
    order = order_of_work(known)
    assert order is not None
    if order == sorted(order):
        assert_same([ours(scores.perception) for scores in known.scores], stored)
        assert same(ours(summarise(known.scores).perception), theirs(averages(known)["newly_observed_vs_gt_local_avg"]))


def test_few_released_runs_were_worked_on_out_of_order():
    pairs = [
        (ours(scores.perception), theirs(probed.maps["local_newly"]["metrics"]))
        for known in map(explored, ACTIVE)
        for probed, scores in zip(known.turns, known.scores, strict=True)
        if "local_newly" in probed.maps
    ]
    assert sum(same(*pair) for pair in pairs) > 0.9 * len(pairs)


def named_new(probed: Probed) -> set[str]:
    return set(probed.maps["local_newly"]["gt_json"])


def order_of_work(known: Explored) -> list[int] | None:
    """The order in which the authors may have gone through the turns."""
    views = [frozenset(true_local_map(known.scene, probed.turn.pose, PUBLISHED).places) for probed in known.turns]
    named = [frozenset(named_new(probed)) if "local_newly" in probed.maps else None for probed in known.turns]
    rows = zip(views, known.turns, named, strict=True)
    return find_order([ScoredTurn(view, frozenset(probed.turn.seen), new) for view, probed, new in rows])


# ---- averages ----


def averages(known: Explored) -> dict[str, Any]:
    return known.stored["exploration"]["error"]


@EACH_RUN
def test_averages(run: ReleasedRun):
    known, summary = explored(run), summarise(explored(run).scores)
    steady = known.stored["exploration"]["consistency"]
    last = known.stored["exploration"]["correctness"]["last_global_vs_gt_full"]
    assert same(ours(summary.correctness), theirs(last))
    assert same(ours(summary.update), theirs(averages(known)["global_vs_gt_global_avg"]))
    assert same(ours(summary.self_tracking), theirs(averages(known)["agent_vs_gt_agent_avg"]))
    assert same(ours(summary.local), theirs(averages(known)["local_vs_gt_local_avg"]))
    assert same(ours(summary.consistency), theirs(steady["local_vs_global_avg"]))
    assert same(summary.position_stability, steady["position_stability_avg"])
    assert same(summary.facing_stability, steady["facing_stability_avg"])


@EACH_RUN
def test_strict_scores_of_real_maps_are_in_range(run: ReleasedRun):
    known = explored(run)
    for scores in score_turns(known.scene, [probed.turn for probed in known.turns], STRICT):
        assert not scores.failures
        assert scores.update is not None
        assert all(part is None or 0.0 <= part <= 1.0 for part in ours(scores.update) or ())


# ---- real replies, damaged ----

MARKS = '{}[]",:`\\n'


def damaged(reply: str, rng: random.Random) -> str:
    """A reply with a few stretches cut out, repeated or overwritten."""
    for _ in range(rng.randint(1, 4)):
        i, j = sorted(rng.randrange(len(reply) + 1) for _ in range(2))
        j = min(j, i + rng.choice((1, 10, 1000)))
        reply = reply[:i] + rng.choice(("", reply[i:j] * 2, rng.choice(MARKS))) + reply[j:]
    return reply


def check_damaged_replies(count: int) -> None:
    turns = [(known.scene, probed) for known in map(explored, ACTIVE) for probed in known.turns]
    probes = [(s, p, k, p.maps[k]["original_response"]) for s, p in turns for k in PROBES if k in p.maps]
    rng = random.Random(0)  # noqa: S311
    for _ in range(count):
        scene, probed, probe, reply = rng.choice(probes)
        text, rules = damaged(reply, rng), rng.choice((PUBLISHED, STRICT))
        if probe == "fog_probe":
            read_unexplored_points(text, CandidatePoints(((1, 1), (2, 2)), frozenset({(1, 1)})), rules)
        else:
            said = {"global_reply": text} if probe == "global" else {"local_reply": text}
            (scores,) = score_turns(scene, [replace(probed.turn, **said)], rules)
            values = ours(scores.update if probe == "global" else scores.local) or ()
            assert all(value is None or 0.0 <= value <= 1.0 for value in values)


def test_damaged_replies_are_read_and_scored():
    check_damaged_replies(500)


@pytest.mark.slow
def test_a_hundred_thousand_damaged_replies_are_read_and_scored():
    check_damaged_replies(100_000)


# ---- unexplored points ----


@EACH_RUN
def test_explored_cells(run: ReleasedRun):
    known = explored(run)
    looks: list[Pose] = []
    for probed in known.turns:
        looks += [probed.turn.pose] if probed.looked else []
        seen = explored_cells(known.scene, looks)
        left = {str(r): [list(c) for c in known.scene.room(r).cells if c not in cells] for r, cells in seen.items()}
        assert left == probed.log["unexplored_positions_by_room"]


@EACH_RUN
def test_points_and_the_map_that_shows_them(run: ReleasedRun):
    known = explored(run)
    for probed, points in zip(known.turns, known.points, strict=True):
        assert list(points.cells) == cells(probed.log["all_candidate_coords"])
        assert points.unexplored == set(cells(probed.log["all_correct_coords"]))
        if "fog_probe" in probed.maps:
            assert point_map(known.scene, probed.turn.pose, points) == probed.maps["fog_probe"]["symbolic_map"]


def cells(listed: Iterable[Sequence[int]]) -> list[Cell]:
    return [(x, y) for x, y in listed]


@EACH_RUN
def test_unexplored_points(run: ReleasedRun):
    known = explored(run)
    mine = [point_score(*pair) for pair in zip(known.turns, known.points, strict=True)]
    asked = [probed.maps.get("fog_probe", {}).get("metrics") for probed in known.turns]
    assert_same(
        [None if score is None else (score.precision, score.recall, score.f1) for score in mine],
        [None if not stored else (stored["precision"], stored["recall"], stored["overall"]) for stored in asked],
    )
    f1 = [None if score is None else score.f1 for score in mine]
    assert_same(f1, known.stored["per_turn_metrics"]["fog_probe_f1_per_turn"])
    assert same(mean(f1), known.stored["exploration"]["fog_probe"]["f1_avg"])


@EACH_RUN
def test_naming_all_points_is_what_models_get_as_published_and_nothing_when_strict(run: ReleasedRun):
    published, strict = (dict(blind_point_scores(released_record(run), rules)) for rules in (PUBLISHED, STRICT))
    assert published["all"] == pytest.approx(2 / 3)
    assert published["none"] == strict["all"] == strict["none"] == 0.0


def point_score(probed: Probed, points: CandidatePoints) -> PointScore | None:
    if "fog_probe" not in probed.maps:
        return None
    chosen = read_unexplored_points(probed.maps["fog_probe"]["original_response"], points, PUBLISHED)
    assert isinstance(chosen, frozenset)
    return score_points(chosen, points)


# ---- maps as they were read ----


@EACH_RUN
def test_maps_are_read_as_the_authors_read_them(run: ReleasedRun):
    """Name by name, place by place, facing by facing, while exploring and while revising."""
    known = explored(run)
    for probed in known.turns:
        names = (*probed.turn.seen, *(door.name for door in known.scene.doors), AGENT)
        view = true_local_map(known.scene, probed.turn.pose, PUBLISHED).places
        for probe, said in (
            ("global", read_global_map(probed.turn.global_reply or "", names, PUBLISHED)),
            ("local", read_local_map(probed.turn.local_reply or "", view, probed.turn.pose.heading, PUBLISHED)),
        ):
            if probe in probed.maps:
                assert read_as(said) == as_read(probed.maps[probe])
    for log in run.revision_turns:
        stored = stored_map(log)
        unchanged = stored_map_scores(log).get("unchanged_object_names", ())
        if stored:
            names = (*unchanged, *(door.name for door in known.scene.doors), AGENT)
            assert read_as(read_global_map(stored["original_response"], names, PUBLISHED)) == as_read(stored)


def read_as(said: CognitiveMap | NoMap) -> dict[str, Any] | None:
    if isinstance(said, NoMap):
        return None
    return {n: (at.position, None if at.facing is None else at.facing.vector) for n, at in said.places.items()}


def as_read(stored: dict[str, Any]) -> dict[str, Any] | None:
    if not stored["extraction_success"]:
        return None
    return {
        thing["name"]: (tuple(thing["pos"]), tuple(thing["ori"]) if thing["has_orientation"] else None)
        for thing in stored["pred_room_state"]["objects"]
    }
