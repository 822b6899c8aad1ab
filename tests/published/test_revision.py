"""What the authors measured in the revision phase of their released runs comes out here as it did there."""

import math
from collections.abc import Iterator
from functools import cache
from itertools import combinations
from typing import Any

import pytest

from tests.published.released_runs import FOLDER, SCENES
from tolman.belief import Belief, coverage
from tolman.belief.revision import PlainMap
from tolman.benchmarks.theory_of_space import ReleasedRun, find_runs, replay, scene_of
from tolman.benchmarks.theory_of_space.replay import changed_scene_of
from tolman.benchmarks.theory_of_space.rescore_revision import Compared, rescore_revision
from tolman.benchmarks.theory_of_space.revision_record import RevisionRecord, revision_record, stored_map, true_places
from tolman.bins import cardinal_bin
from tolman.geometry import bearing, difference
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


@cache
def all_runs() -> list[ReleasedRun]:
    return [run for archive in sorted(FOLDER.glob("*.tar.xz")) for run in find_runs(archive)]


ACTIVE = [run for run in all_runs() if run.exploration == "active"]
EACH_RUN = pytest.mark.parametrize("run", all_runs(), ids=str)
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
        belief = belief if turn.told is None else belief.after(turn.told)
        looks += [turn.told] if isinstance(turn.told, Observation) else []
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
    compared = [*rescore_revision(run), *scores_of_unchanged_things(run)]
    assert [value for value in compared if not value.identical and not value.lost] == []
    assert {value.metric for value in compared if value.lost} <= {*NEEDS_THE_OLD_MAP, "unchanged_exploration"}
    assert sum(not value.lost for value in compared) > 30


def test_some_runs_have_lost_nothing():
    """In vision runs the exploration was probed anew after the revision was scored, so its first maps are gone."""
    records = [revision_record(run) for run in ACTIVE]
    assert any(record is not None and not record.old_is_lost for record in records)


def scores_of_unchanged_things(run: ReleasedRun) -> Iterator[Compared]:
    """The maps' scores on what did not change: the last of the exploration, then after each turn of the revision."""
    record = revision_record(run)
    assert record is not None
    stored, summary = run.metrics["cogmap"], run.metrics["cogmap"]["cogmap_fb"]["metrics"]
    last = stored_map(run.exploration_turns[-1].cogmap_log["global"])
    explored = None if last is None else score(last, unchanged(record), record)
    ours = [explored, *turn_scores(record)]
    for i, part in enumerate(("dir", "facing", "pos", "overall")):
        theirs: list[Any] = stored["per_turn_metrics"]["cogmap_fb_unchanged_per_turn"][part]
        for turn, (mine, their) in enumerate(zip(ours, theirs, strict=True)):
            lost = record.old_is_lost and turn == 0
            metric = "unchanged" if turn else "unchanged_exploration"
            yield Compared(metric, f"turn {turn} {part}", mine and mine[i], their, lost)
        revised = [mine[i] for mine in ours[1:] if mine is not None]
        yield Compared("unchanged", f"mean {part}", sum(revised) / len(revised), summary["unchanged"][part])
        before = summary["unchanged_exploration"][part]
        yield Compared("unchanged_exploration", part, explored and explored[i], before, record.old_is_lost)


def turn_scores(record: RevisionRecord) -> Iterator[tuple[float, float, float, float] | None]:
    """The agent counts among the unchanged things once it moves about."""
    for turn, stated in zip(record.turns, record.maps, strict=True):
        pose = record.after.pose_at(turn.standing_on, turn.heading)
        agent = difference(pose.cell, record.after.start), pose.heading
        yield None if stated is None else score(stated, {**unchanged(record), "agent": agent}, record)


def unchanged(record: RevisionRecord) -> PlainMap:
    changed = {change.name for change in record.changes}
    return {name: place for name, place in true_places(record.after).items() if name not in changed}


def score(said: PlainMap, true: PlainMap, record: RevisionRecord) -> tuple[float, float, float, float]:
    """Direction, facing, position and overall, as published."""
    pairs = list(combinations([None, *true], 2))
    agreed = sum(direction(said, a, b) == direction(true, a, b) for a, b in pairs)
    fronted = [name for name, (_, facing) in true.items() if facing is not None]
    facing = sum(name in said and said[name][1] == true[name][1] for name in fronted) / len(fronted)
    errors = [math.dist(said[name][0], true[name][0]) for name in true if name in said]
    error = math.hypot(*errors) / math.sqrt(max(1, len(errors)))
    position = len(errors) / len(true) * math.exp(-error / record.scale)
    parts = agreed / len(pairs), facing, position
    return (*parts, sum(parts) / 3)


def direction(places: PlainMap, a: str | None, b: str | None) -> str | None:
    """Bin of the direction from one to the other; None is the origin."""
    ends = [((0.0, 0.0), None) if name is None else places.get(name) for name in (a, b)]
    if ends[0] is None or ends[1] is None:
        return None
    (x0, y0), (x1, y1) = ends[0][0], ends[1][0]
    return cardinal_bin(bearing(x1 - x0, y1 - y0))
