"""What the authors measured in the revision phase of their released runs comes out here as it did there."""

import dataclasses
import json
import zlib
from collections.abc import Callable
from typing import Any

import pytest

from tests.benchmarks.theory_of_space.released.run_archives import FOLDER, SCENES, found_runs
from tolman.belief import Belief, coverage
from tolman.benchmarks.theory_of_space.released.cases import changed_scene_of, scene_of
from tolman.benchmarks.theory_of_space.released.replies import released_record, replay
from tolman.benchmarks.theory_of_space.released.rescore import rescore
from tolman.benchmarks.theory_of_space.released.run_files import ReleasedRun, StoredFile
from tolman.sense import Observation
from tolman.world import read_released

if not FOLDER.is_dir():
    pytest.skip("the released scenes and runs are not beside this checkout", allow_module_level=True)

NEEDS_THE_OLD_MAP = {
    "retention.facing",
    "unchanged_retention.pos",
    "unchanged_retention.facing",
    "retention_drop.pos",
    "retention_drop.facing",
}


ACTIVE = [run for run in found_runs() if run.exploration == "active"]
EACH_RUN = pytest.mark.parametrize("run", found_runs(), ids=str)
EACH_ACTIVE_RUN = pytest.mark.parametrize("run", ACTIVE, ids=str)


# ---- reading and replaying ----


@EACH_RUN
def test_the_scene_of_a_run_is_the_released_scene(run: ReleasedRun):
    folder = SCENES / f"run{run.seed:02d}"
    assert scene_of(run) == read_released(folder)
    changed = changed_scene_of(run)
    assert changed is None or changed == read_released(folder / "falsebelief_exp.json")


@EACH_RUN
def test_all_logs_of_a_run_can_be_read(run: ReleasedRun):
    assert "default" in run.evaluation_modes
    for mode in run.evaluation_modes:
        assert len(run.answers(mode)) >= 27
    assert run.messages
    assert bool(run.exploration_turns) == bool(run.revision_turns) == (run.exploration == "active")


@EACH_ACTIVE_RUN
def test_a_replay_learns_and_costs_what_was_stored(run: ReleasedRun):
    episode, stored = replay(run), run.metrics["exploration"]
    explored = [turn for turn in episode.turns if turn.phase == "explore"]
    belief, looks, gains = Belief.start(episode.scene.names, episode.scene.extent), list[Observation](), list[float]()
    for turn in explored:
        belief = belief if turn.feedback is None else belief.after(turn.feedback)
        looks += [turn.feedback] if isinstance(turn.feedback, Observation) else []
        gains += [belief.information_gain] if turn.parsed else []
    assert gains == pytest.approx(stored["infogain_per_turn"], abs=1e-9)
    covered = coverage(scene_of(run), looks)
    assert covered.node == pytest.approx(stored["last_node_coverage"], abs=1e-9)
    assert covered.edge == pytest.approx(stored["last_edge_coverage"], abs=1e-9)
    assert episode.cost() == stored["action_cost"]
    assert episode.cost("revise") == stored["false_belief_action_cost"]
    assert len(explored) == stored["n_exploration_steps"] + sum(not turn.parsed for turn in explored)


# ---- revision ----


@EACH_ACTIVE_RUN
def test_everything_stored_about_a_revision(run: ReleasedRun):
    compared = rescore([run]).revision
    assert {value.status for value in compared.differences} <= {"can't be checked"}
    assert {value.metric for value in compared.differences} <= NEEDS_THE_OLD_MAP
    assert compared.all.identical > 30


def test_the_old_map_is_lost_in_vision_runs_only():
    """There the exploration was probed anew after the revision was scored, so that its first maps are gone."""
    assert {(run.world, released_record(run).case.old_is_lost) for run in ACTIVE} == {("text", False), ("vision", True)}


# ---- what is wrong is called different ----


def with_log(run: ReleasedRun, name: str, change: Callable[[Any], None]) -> ReleasedRun:
    """The run with one of its files changed."""
    content = json.loads(run.files[name].read())
    change(content)
    changed = StoredFile(name, zlib.compress(json.dumps(content).encode()))
    return dataclasses.replace(run, files={**run.files, name: changed})


def different(run: ReleasedRun) -> list[tuple[str, str]]:
    outcome = rescore([run])
    values = [*outcome.maps.differences, *outcome.revision.differences]
    return [(value.metric, value.place) for value in values if value.status == "different"]


SEEN = next(run for run in ACTIVE if run.world == "vision")


def test_a_stored_value_that_no_old_map_gives_is_different_though_the_old_map_is_lost():
    def spoil(logs: list[dict[str, Any]]) -> None:
        for log in logs:
            probes: dict[str, Any] = log["false_belief_log"].get("cogmap_log") or {}
            for scores in probes.get("unchanged_retention_per_object", {}).values():
                scores["pos"] = 0.5432109876

    found = different(with_log(SEEN, "false_belief_turn_logs.json", spoil))
    assert {metric for metric, _ in found} == {
        "unchanged_retention.pos",
        "unchanged_retention.facing",
        "retention_drop.pos",
    }
    assert ("unchanged_retention.pos", "mean") in found


def test_a_stored_perception_that_no_order_gives_is_different():
    def spoil(logs: list[dict[str, Any]]) -> None:
        for log in logs:
            metrics = log["cogmap_log"].get("local_newly", {}).get("metrics")
            if metrics:
                metrics["pos"] += 0.01

    found = different(with_log(SEEN, "exploration_turn_logs.json", spoil))
    assert len(found) > 2
    assert {metric for metric, _ in found} == {"perception"}
