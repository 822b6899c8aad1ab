"""The numbers that figures are drawn from."""

import math
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import pytest

from tests.benchmarks.theory_of_space.pages.conftest import OPTIONS, RUNS, SEEDS
from tests.benchmarks.theory_of_space.scripted_runs import scripted_scene
from tolman.benchmarks.theory_of_space.ideal_observer import scene_insight
from tolman.benchmarks.theory_of_space.pages.belief_radar import SPOKES, radar_values
from tolman.benchmarks.theory_of_space.pages.exploration_figures import (
    coverage_figure,
    gain_figure,
    map_curve,
    omissions_figure,
    patterns_figure,
    rooms_figure,
    world_gap_figure,
)
from tolman.benchmarks.theory_of_space.pages.ideal_observer_figures import (
    LOSS_PARTS,
    Bar,
    attributed,
    bar_values,
    evidence_shares,
    gap_values,
    kinds_figure,
    loss_parts,
    overwritten_beliefs,
)
from tolman.benchmarks.theory_of_space.pages.reported_runs import ReportedRun, list_runs, run_folder, scene_files
from tolman.benchmarks.theory_of_space.pages.scatter_figures import MAP_AXIS, scatter_figure, scatter_values
from tolman.benchmarks.theory_of_space.runs import score_record
from tolman.benchmarks.theory_of_space.tables import TheoryOfSpaceRun, summarise_run
from tolman.benchmarks.theory_of_space.tables.attribution import ALL_QUESTIONS, active_passive_gaps
from tolman.report.site.figures import NAME_LENGTH, saved_spec
from tolman.report.statistics import Interval


@cache
def listed() -> Sequence[ReportedRun]:
    runs: list[TheoryOfSpaceRun] = []
    for model, options in RUNS:
        scenes = [score_record(scripted_scene(model.removeprefix("tolman/"), seed, options)) for seed in SEEDS]
        runs.append(TheoryOfSpaceRun(model, options, scenes, [], len(scenes), options.as_dict()))
    insights = {
        place: [scene_insight(case.logged, case.scores["strict"], "relations") for case in run.cases]
        for place, run in enumerate(runs)
    }
    return list_runs([summarise_run(run) for run in runs], insights)


def of_mean(*means: float) -> list[Interval]:
    return [Interval(mean, math.nan, math.nan) for mean in means]


def test_parts_of_a_bar_adjoin_and_luck_lies_left_of_zero():
    values = bar_values([Bar("a", of_mean(0.6, -0.1, 0.0, 0.5))], LOSS_PARTS)
    assert [(round(v["from"], 6), round(v["to"], 6)) for v in values] == [(0, 60), (0, -10), (60, 60), (60, 110)]
    assert sum(v["size"] for v in values) == pytest.approx(100)


def test_every_lost_point_has_its_place():
    for one, known in attributed(listed()):
        for kind, shares in known.shares.items():
            assert sum(part.mean for part in loss_parts(shares)) == pytest.approx(1), (one.label, kind)
        answers = one.interval("ask/none").mean
        assert known.shares[ALL_QUESTIONS].score.mean == pytest.approx(answers)


def test_the_parts_of_a_gap_add_up_to_it():
    (gap,) = active_passive_gaps([one.run for one in listed()], [one.insights for one in listed()])
    whole, *of_it = (value["mean"] for value in gap_values(gap))
    assert sum(of_it) == pytest.approx(whole, abs=0.05)
    scout, _, log = listed()
    assert whole == pytest.approx(100 * (log.interval("ask/none").mean - scout.interval("ask/none").mean), abs=0.05)


def test_a_web_is_closed_and_as_far_out_as_its_numbers():
    one = listed()[0]
    corners = radar_values(one, SPOKES)
    assert len(corners) == len(SPOKES) + 1
    assert (corners[0]["x"], corners[0]["y"]) == (corners[-1]["x"], corners[-1]["y"])
    for corner in corners:
        assert math.hypot(corner["x"], corner["y"]) == pytest.approx(corner["mean"], abs=0.02)


def test_a_curve_ends_at_the_correctness_of_the_last_maps():
    for one in listed()[:2]:
        curve = map_curve(one.run)
        assert curve[-1].mean == pytest.approx(one.interval("map/correctness/overall").mean)
        assert len(curve) == max(len(case.scores["strict"].exploration.gains) for case in one.run.cases)


def test_whoever_explored_has_a_curve_of_gain_and_a_log_is_named_as_one():
    figure = gain_figure(listed())
    *active, log = [entry.name for entry in figure.numbers.entries]
    assert active == [one.name for one in listed()[:2]]
    assert log == "log of the strategist"


def test_stated_positions_are_right_unlucky_or_impossible():
    for one in listed():
        assert sum(share.mean for share in evidence_shares(one)) == pytest.approx(1)
    assert evidence_shares(listed()[0])[2].mean == 0, "the scout never states what can't be"
    assert overwritten_beliefs(listed()[0]).mean >= 0


def test_one_mark_a_scene_and_each_leads_to_its_page():
    one = listed()[0]
    marks = scatter_values(one, "explore/gain")
    assert [mark["scene"] for mark in marks] == [case.id for case in one.run.cases]
    assert [Path(mark["page"]).name for mark in marks] == scene_files(one.run)
    (panel, _) = scatter_figure(listed(), MAP_AXIS).panels
    assert "r = " in str(panel.spec)


def test_a_model_keeps_its_colour_and_shape_in_every_mode():
    scout, random, log = listed()
    assert (scout.colour, scout.shape) == (log.colour, log.shape)
    assert {scout.colour, scout.shape}.isdisjoint({random.colour, random.shape})
    assert scout.label != log.label


def test_saved_figures_stand_by_themselves():
    spec = saved_spec(kinds_figure(attributed(listed())))
    assert len(spec["concat"]) == len(listed())
    assert "--ink" not in str(spec)
    assert "container" not in str(spec)
    assert all(len(line) <= 45 for panel in spec["concat"] for line in panel["title"]), (
        "no title is wider than its panel"
    )


def test_folders_and_pages_have_plain_names_whatever_models_and_scenes_are_called():
    case = score_record(scripted_scene("scout", 0, OPTIONS))
    long = "/" + "x" * 5000
    runs = [
        TheoryOfSpaceRun(model, OPTIONS, [case, case], [], 2)
        for model in ("../../etc/passwd", "<b>", "", "a/b", "a-b", long, long + "y")
    ]
    folders = {run_folder(run) for run in runs}
    assert len(folders) == len(runs)
    assert all(set(folder) <= set("abcdefghijklmnopqrstuvwxyz0123456789-") and len(folder) < 60 for folder in folders)
    assert scene_files(runs[0]) == ["scene-0.html", "scene-0.2.html"]
    names = [one.name for one in list_runs([summarise_run(run) for run in runs], dict.fromkeys(range(len(runs)), ()))]
    assert len(set(names)) == len(runs)
    assert max(map(len, names)) <= NAME_LENGTH + len(" (2)")


def test_exploration_is_drawn_for_every_world_and_comparisons_only_where_runs_allow():
    figure = patterns_figure(listed())
    assert [panel.title for panel in figure.panels] == ["Text world"]
    drawn = {
        value["row"] for values in figure.panels[0].spec["datasets"].values() for value in values if "row" in value
    }
    assert {"in a doorway", "turned in place", "left early", "came back"} <= drawn
    assert omissions_figure(listed()).panels
    assert not coverage_figure(listed()).panels
    assert not world_gap_figure(listed()).panels
    assert not rooms_figure(listed()).panels
