"""The tables of the authors' released runs show the authors' own numbers, under the rules called published."""

from collections.abc import Iterator
from functools import cache
from statistics import fmean
from typing import Any

import pytest

from tests.benchmarks.theory_of_space.released.run_archives import FOLDER
from tests.benchmarks.theory_of_space.released.test_maps import explored, order_of_work
from tolman.benchmarks.theory_of_space.options import Mode, Options, World
from tolman.benchmarks.theory_of_space.record import Call, SceneRecord, ScoredCase
from tolman.benchmarks.theory_of_space.released.cases import case_id, released_cases, released_runs
from tolman.benchmarks.theory_of_space.released.replies import released_record, released_replies
from tolman.benchmarks.theory_of_space.released.run_files import ReleasedRun
from tolman.benchmarks.theory_of_space.runs import score_record
from tolman.benchmarks.theory_of_space.tables import RunSummary, TheoryOfSpaceRun, summarise_run
from tolman.explore.agents.registry import run_explorer

if not FOLDER.is_dir():
    pytest.skip("the released scenes and runs are not beside this checkout", allow_module_level=True)

ARCHIVE = FOLDER / "runs-00-03.tar.xz"
MODELS = ("gpt-5.2", "gemini-3-pro-preview")
ACTIVE = pytest.mark.parametrize(
    ("model", "world"), [(model, world) for model in MODELS for world in ("text", "vision")]
)
KINDS = {
    "direction": "Direction",
    "perspective_taking": "Pov",
    "perspective_decision": "BackwardPovText",
    "action_to_view": "Action2View",
    "view_to_action": "View2ActionText",
    "allocentric_mapping": "AlloMapping",
    "mental_rotation": "Rot",
    "location_to_view": "Location2View",
    "view_to_location": "View2LocationText",
}
PARTS = {"facing": "facing", "position": "pos", "overall": "overall"}


def released(model: str, world: World, mode: Mode) -> dict[str, ReleasedRun]:
    runs = released_runs(f"{ARCHIVE}:{model}") or ()
    return {case_id(run): run for run in runs if (run.world, run.exploration) == (world, mode)}


@cache
def shown(model: str, world: World, mode: Mode) -> RunSummary:
    """The figures of a model, from its raw replies alone."""
    options = Options(mode=mode, world=world, rules="published")
    cases = released_cases(f"{ARCHIVE}:{model}", options) or []
    scenes: list[ScoredCase] = []
    for case in cases:
        said = released_replies(released(model, world, mode)[case.id])
        explored = run_explorer(options.passive_explorer, case.scene, case.seed).turns if mode == "passive" else ()
        calls = [Call(name=name, reply=reply) for name, reply in said.items()]
        scenes.append(ScoredCase(case, options, SceneRecord(log=[str(turn.asked) for turn in explored], calls=calls)))
    return summarise_run(TheoryOfSpaceRun(model, options, [score_record(scene) for scene in scenes], [], len(scenes)))


def by_scene(known: RunSummary, column: str) -> dict[str, float]:
    values = known.measured["published"].values.get(column, {})
    return {scene: fmean(of_scene) for scene, of_scene in values.items()}


def stored(model: str, world: World, mode: Mode, *path: str) -> dict[str, float]:
    """A number in the authors' summaries, by scene, where there is one."""
    found: dict[str, Any] = {}
    for scene, run in released(model, world, mode).items():
        value: Any = run.metrics
        for name in path:
            value = value.get(name, {})
        found[scene] = value
    return {scene: value for scene, value in found.items() if isinstance(value, int | float)}


def answers_in(of: str) -> tuple[str, ...]:
    return "evaluation", "per_task", f"{of}EvaluationTask", "avg_accuracy"


def exploration_fields() -> Iterator[tuple[str, tuple[str, ...]]]:
    """Columns of an exploration and its maps, and where the authors keep them."""
    explored, maps = ("exploration",), ("cogmap", "exploration")
    yield "explore/cost", (*explored, "action_cost")
    yield "explore/gain", (*explored, "final_information_gain")
    yield "explore/nodes", (*explored, "last_node_coverage")
    yield "explore/edges", (*explored, "last_edge_coverage")
    for part, theirs in PARTS.items():
        yield f"map/correctness/{part}", (*maps, "correctness", "last_global_vs_gt_full", theirs)
        yield f"map/self_tracking/{part}", (*maps, "error", "agent_vs_gt_agent_avg", theirs)
        yield f"map/consistency/{part}", (*maps, "consistency", "local_vs_global_avg", theirs)
    yield "map/stability/facing", (*maps, "consistency", "facing_stability_avg")
    yield "map/stability/position", (*maps, "consistency", "position_stability_avg")
    yield "map/uncertainty", (*maps, "fog_probe", "f1_avg")


def revision_fields() -> Iterator[tuple[str, tuple[str, ...]]]:
    """Columns of a revision, and where the authors keep them."""
    explored, revised = ("exploration",), ("cogmap", "cogmap_fb", "metrics")
    yield "revise/cost", (*explored, "false_belief_action_cost")
    yield "revise/redundant", (*explored, "false_belief_action_cost_after_seen")
    yield "revise/f1", (*explored, "false_belief_f1")
    yield "revise/f1/facing", (*explored, "false_belief_f1_facing")
    yield "revise/f1/position", (*explored, "false_belief_f1_position")
    yield "revise/correctness/facing", (*revised, "changed", "facing")
    yield "revise/correctness/position", (*revised, "changed", "pos")


# ---- every table ----


@pytest.mark.parametrize("mode", ["active", "passive"])
@ACTIVE
def test_answers(model: str, world: World, mode: Mode):
    known = shown(model, world, mode)
    for kind, theirs in KINDS.items():
        expected = stored(model, world, mode, *answers_in(theirs))
        assert len(expected) == len(known.run.cases) == 4
        assert by_scene(known, f"ask/none/{kind}") == pytest.approx(expected)
        assert known.measured["published"].interval(f"ask/none/{kind}").mean == pytest.approx(fmean(expected.values()))
    average = stored(model, world, mode, "evaluation", "overall", "avg_accuracy")
    assert by_scene(known, "ask/none") == pytest.approx(average)
    assert known.measured["published"].interval("ask/none").mean == pytest.approx(fmean(average.values()))


@ACTIVE
@pytest.mark.parametrize(("column", "path"), list(exploration_fields()))
def test_exploration_and_belief(model: str, world: World, column: str, path: tuple[str, ...]):
    known, expected = shown(model, world, "active"), stored(model, world, "active", *path)
    assert expected
    assert by_scene(known, column) == pytest.approx(expected)
    assert known.measured["published"].interval(column).mean == pytest.approx(fmean(expected.values()))


@ACTIVE
@pytest.mark.parametrize(("column", "path"), list(revision_fields()))
def test_revision(model: str, world: World, column: str, path: tuple[str, ...]):
    """Scene by scene; the means over scenes are pooled over things, and a scene may lack one."""
    assert by_scene(shown(model, world, "active"), column) == pytest.approx(stored(model, world, "active", *path))


@ACTIVE
def test_information_gain_by_turn(model: str, world: World):
    curves = [run.metrics["exploration"]["infogain_per_turn"] for run in released(model, world, "active").values()]
    last = max(map(len, curves))
    carried = [[*curve, *[curve[-1]] * (last - len(curve))] for curve in curves]
    mean = [fmean(turn) for turn in zip(*carried, strict=True)]
    assert [point.mean for point in shown(model, world, "active").curve] == pytest.approx(mean)


# ---- what the files do not hold, see docs/design/004-released-runs.md ----


@ACTIVE
def test_perception_differs_only_where_turns_were_scored_out_of_order(model: str, world: World):
    orders = {scene: order_of_work(explored(run)) for scene, run in released(model, world, "active").items()}
    in_order = {scene for scene, order in orders.items() if order is not None and order == sorted(order)}
    assert in_order
    path = ("cogmap", "exploration", "error", "newly_observed_vs_gt_local_avg")
    for part, theirs in PARTS.items():
        ours = by_scene(shown(model, world, "active"), f"map/perception/{part}")
        expected = stored(model, world, "active", *path, theirs)
        assert {scene: ours[scene] for scene in in_order} == pytest.approx({s: expected[s] for s in in_order})


@ACTIVE
def test_inertia_differs_only_where_the_old_map_was_overwritten(model: str, world: World):
    runs, known = released(model, world, "active"), shown(model, world, "active")
    whole = {scene for scene, run in runs.items() if not released_record(run).case.old_is_lost}
    assert whole or world == "vision"
    path = ("cogmap", "cogmap_fb", "metrics")
    facing = stored(model, world, "active", *path, "retention", "facing")
    position = stored(model, world, "active", *path, "inertia")
    ours = by_scene(known, "revise/inertia/facing")
    assert {s: v for s, v in ours.items() if s in whole} == pytest.approx({s: facing[s] for s in ours if s in whole})
    ours = by_scene(known, "revise/inertia/position")
    assert {scene: ours[scene] for scene in position} == pytest.approx(position)
