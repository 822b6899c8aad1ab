"""Where points were lost, over whole runs, and how the gap between exploring and reading splits."""

from dataclasses import replace
from io import StringIO

import pytest
from rich.console import Console

from tests.benchmarks.theory_of_space.test_ideal_observer import ALL_KINDS, insight, played
from tolman.benchmarks.theory_of_space.ideal_observer import SceneInsight
from tolman.benchmarks.theory_of_space.options import Options
from tolman.benchmarks.theory_of_space.runs import TheoryOfSpaceRun, score_record
from tolman.benchmarks.theory_of_space.tables.attribution import (
    ALL_QUESTIONS,
    active_passive_gaps,
    attribution,
    ceiling_tables,
)
from tolman.benchmarks.theory_of_space.tables.layout import name_runs
from tolman.benchmarks.theory_of_space.tables.run_summary import summarise_run
from tolman.report.table import print_parts

ASKING = replace(ALL_KINDS, phases=("explore", "ask"))
READING = replace(ASKING, mode="passive", explorer="strategist")
SEEDS = range(4)


def run(agent: str, options: Options) -> tuple[TheoryOfSpaceRun, list[SceneInsight]]:
    cases = [score_record(played(agent, seed, options)) for seed in SEEDS]
    known = TheoryOfSpaceRun(f"tolman/{agent}", options, cases, [], len(cases))
    return known, [insight(agent, seed, options) for seed in SEEDS]


def test_shares_of_a_point_add_up_for_all_questions_and_each_kind():
    found = attribution(*run("scout", ASKING))
    assert found is not None
    assert len(found.shares) == 1 + 9
    for shares in found.shares.values():
        lost = shares.reasoning.mean + shares.format_errors.mean + shares.exploration.mean
        assert shares.score.mean + lost == pytest.approx(1)
        assert shares.ceiling.mean == pytest.approx(1 - shares.exploration.mean)
    assert found.shares[ALL_QUESTIONS].format_errors.mean == 0
    assert found.shares[ALL_QUESTIONS].exploration.mean > 0


def test_the_gap_of_a_good_reasoner_who_looks_around_too_little_is_all_exploration():
    active, seen = run("scout", ASKING)
    passive, read = run("scout", READING)
    (gap,) = active_passive_gaps([active, passive], [seen, read])
    assert (gap.active, gap.passive, gap.scenes) == (active, passive, len(SEEDS))
    assert gap.exploration.mean + gap.reasoning.mean + gap.format_errors.mean == pytest.approx(gap.total.mean)
    assert gap.total.mean > 0.02
    assert gap.exploration.mean > abs(gap.reasoning.mean)
    assert gap.exploration.low <= gap.exploration.mean <= gap.exploration.high


def test_runs_of_different_models_or_other_questions_have_no_gap():
    active, seen = run("scout", ASKING)
    passive, read = run("scout", READING)
    other = replace(passive, model="tolman/planner")
    assert active_passive_gaps([active, other], [seen, read]) == []
    fewer = replace(active, cases=[replace(c, logged=played("scout", 7, ASKING)) for c in active.cases])
    assert active_passive_gaps([fewer, passive], [seen, read]) == []


def test_a_run_without_questions_has_nothing_to_attribute():
    found, seen = run("scout", replace(ALL_KINDS, phases=("explore",)))
    assert attribution(found, seen) is None


def test_tables_print_what_was_lost_and_how_the_gap_splits():
    (active, seen), (passive, read) = run("scout", ASKING), run("scout", READING)
    known = name_runs([summarise_run(active), summarise_run(passive)])
    console = Console(file=StringIO(), width=100)
    print_parts(ceiling_tables(known, {0: seen, 1: read}), console)
    assert isinstance(console.file, StringIO)
    text = console.file.getvalue()
    found = attribution(active, seen)
    assert found is not None
    for share in (
        found.shares[ALL_QUESTIONS].score,
        found.shares[ALL_QUESTIONS].ceiling,
        found.shares[ALL_QUESTIONS].exploration,
    ):
        assert f"{100 * share.mean:.1f}" in text
    (gap,) = active_passive_gaps([active, passive], [seen, read])
    assert f"{100 * gap.total.mean:.1f}" in text.partition("Passive (reading a log)")[2]


def test_regret_is_the_cost_beyond_the_cheapest_exploration():
    """For everyone who explored; a strategist who is certain has nothing left to do."""
    studied = [run("scout", ASKING), run("scout", READING)]
    named = name_runs([summarise_run(known) for known, _ in studied])
    insights = {place: found for place, (_, found) in enumerate(studied)}
    (table,) = [table for table in ceiling_tables(named, insights) if table.name == "regret"]
    assert [column.key for column in table.columns] == [
        f"explore/{it}" for it in ("cost", "cheapest", "left", "regret")
    ]
    for entry, (_, found) in zip(table.entries, studied, strict=True):
        regrets = [one.regret for one in found if one.regret is not None]
        assert len(regrets) == len(SEEDS)
        assert all(one.exact and one.value >= 0 for one in regrets)
        (row,) = entry.rows
        cost, cheapest, left, wasted = (float(cell.text) for cell in row.cells)
        assert wasted == pytest.approx(cost + left - cheapest, abs=0.11)
    assert "whose log was read" in table.entries[1].name
