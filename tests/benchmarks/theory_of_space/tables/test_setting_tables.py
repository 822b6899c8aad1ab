"""Tables that compare settings: numbers of rooms, text and vision; node coverage and patterns beside them."""

from dataclasses import replace
from functools import cache

import pytest

from tests.benchmarks.theory_of_space.logged_runs import OPTIONS, lived, record, replies
from tolman.ask import find_kind
from tolman.benchmarks.theory_of_space.case import Case, case_of
from tolman.benchmarks.theory_of_space.options import Mode, Options, World
from tolman.benchmarks.theory_of_space.pages.exploration_figures import coverage_figure, rooms_figure, world_gap_figure
from tolman.benchmarks.theory_of_space.pages.reported_runs import list_runs
from tolman.benchmarks.theory_of_space.record import ScoredCase
from tolman.benchmarks.theory_of_space.runs import TheoryOfSpaceRun, score_record
from tolman.benchmarks.theory_of_space.tables import RunSummary, summarise_run, tables
from tolman.benchmarks.theory_of_space.tables.layout import name_runs
from tolman.benchmarks.theory_of_space.tables.references import published_rows
from tolman.benchmarks.theory_of_space.tables.setting_tables import gap_tables, room_curves, rooms_tables, world_gaps
from tolman.explore.agents.registry import run_explorer
from tolman.report.table import Table
from tolman.world import WorldSettings
from tolman.world.select import choose_scenes


@cache
def case_with(seed: int, rooms: int) -> Case:
    (choice,) = choose_scenes(str(seed), WorldSettings(rooms=rooms))
    return case_of(choice, OPTIONS)


def scene(seed: int, options: Options, rooms: int = 3, *, wrong: bool = False) -> ScoredCase:
    of = case_with(seed, rooms)
    said = replies(of, options)
    if wrong:
        said |= {
            call: find_kind(call.split("/")[2]).wrong(question)
            for call, question in ((f"ask/none/{q.kind}/1", q) for q in of.questions)
        }
    log = [str(turn.asked) for turn in run_explorer("scout", of.scene, seed).turns] if options.mode == "passive" else []
    kept = record(said)
    return ScoredCase(of, options, kept.model_copy(update={"log": log}))


def summary(
    world: World = "text", mode: Mode = "active", rooms: int = 3, *, wrong: bool = False, scenes: int = 3
) -> RunSummary:
    options = replace(OPTIONS, world=world, mode=mode).for_rooms(rooms)
    found = [score_record(scene(seed, options, rooms, wrong=wrong)) for seed in range(scenes)]
    settings = {**options.as_dict(), "rooms": rooms, "things": 4}
    return summarise_run(TheoryOfSpaceRun("a/model", options, found, [], scenes, settings))


def named_tables(*runs: RunSummary) -> dict[str, Table]:
    return {part.name: part for part in tables(runs) if isinstance(part, Table)}


def test_vision_shows_node_coverage_with_information_gain_beside_it_and_text_only_the_gain():
    text, vision = named_tables(summary()), named_tables(summary("vision"))
    keys = [column.key for column in vision["answers-none"].columns]
    assert keys.index("explore/gain") - keys.index("explore/nodes") == 1
    assert "explore/nodes" not in [column.key for column in text["answers-none"].columns]
    assert "coverage-curve" in vision
    assert "gain-curve" in vision
    assert "coverage-curve" not in text
    curve = summary("vision").coverage_curve
    assert curve[-1].mean == summary("vision").measured["strict"].interval("explore/nodes").mean


def test_patterns_and_omissions_are_tables_of_every_run():
    found = named_tables(summary())
    assert all(column.definition for name in ("patterns", "omissions") for column in found[name].columns)
    (row,) = found["patterns"].entries[0].rows
    assert row.cells[0].text == "0.0"


def test_a_passive_run_shows_the_patterns_of_the_explorer_whose_log_it_read():
    found = named_tables(summary(mode="passive"))["patterns"]
    assert [entry.name for entry in found.entries] == ["strategist, whose log was read"]


def test_the_gap_between_text_and_vision_is_paired_by_scene():
    runs = name_runs([summary(), summary("vision", wrong=True), summary("vision", "passive")])
    (gap,) = world_gaps(runs)
    assert (gap.mode, gap.scenes) == ("active", 3)
    assert gap.found["ask/none"].difference.mean == pytest.approx(1.0)
    assert gap.found["explore/nodes"].difference.mean == 0.0
    reported = list_runs([one.summary for one in runs], {0: (), 1: (), 2: ()})
    assert [panel.title for panel in world_gap_figure(reported).panels] == ["Active"]
    assert [panel.title for panel in coverage_figure(reported).panels] == [
        "Vision world, active",
        "Vision world, passive",
    ]
    (table,) = gap_tables(runs)
    assert table.entries[0].rows[0].cells[1].text == "100.0"


def test_without_the_same_scenes_in_both_worlds_there_is_no_gap_table():
    other = TheoryOfSpaceRun("a/model", OPTIONS, [score_record(lived(7))], [], 1, {})
    assert list(gap_tables(name_runs([summarise_run(other), summary("vision")]))) == []
    assert list(gap_tables(name_runs([summary(), summary(mode="passive")]))) == []


def test_scores_by_number_of_rooms_with_the_paper_below():
    runs = name_runs(
        [summary(), summary(rooms=4, wrong=True), summary(rooms=4, mode="passive"), summary(mode="passive")]
    )
    (curve,) = room_curves(runs)
    assert [point.rooms for point in curve.points] == [3, 4]
    assert [point.answers["active"].mean for point in curve.points] == [1.0, 0.0]
    assert [point.gap.mean for point in curve.points] == [0.0, 1.0]
    reported = list_runs([one.summary for one in runs], dict.fromkeys(range(4), ()))
    titles = [panel.title for panel in rooms_figure(reported).panels]
    assert titles == ["Text world: answers", "Text world: cost of exploration"]
    references = [row for mode in ("active", "passive") for n in (3, 4) for row in published_rows("text", mode, n)]
    (table,) = rooms_tables(runs, references=references)
    assert [entry.name for entry in table.entries][:2] == ["a/model", "GPT-5.2"]
    assert [cell.text for cell in table.entries[1].rows[0].cells[-4:]] == ["86.5", "66.0", "20.5", "16.4"]


def test_with_one_number_of_rooms_there_is_no_such_table():
    assert list(rooms_tables(name_runs([summary(), summary(mode="passive")]))) == []


def test_a_default_budget_for_more_rooms_is_no_unusual_setting():
    assert [named.name for named in name_runs([summary(rooms=4)])] == ["a/model, questions 1, rooms 4"]
