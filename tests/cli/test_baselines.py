"""What can be scored without knowledge: the page says what the command gives, and no headline can be had that way."""

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from pydantic import TypeAdapter

from tests.command_line import Here
from tolman.benchmarks.osr_bench.tables.references import baseline_grid as rooms_grid
from tolman.benchmarks.theory_of_space.leaderboard.space_leaderboard import BOARD_COLUMNS
from tolman.benchmarks.theory_of_space.tables.baseline_rows import baseline_grid as space_grid
from tolman.report.baselines import BaselineGrid, BaselineRequest, baseline_tables, conclusion
from tolman.report.table import formatted

ROOT = Path(__file__).parents[2]
GRIDS = TypeAdapter(list[BaselineGrid])


def kept(scenes: str) -> list[BaselineGrid]:
    return GRIDS.validate_json((ROOT / "docs" / "results" / f"baselines-{scenes}.json").read_bytes())


def test_the_page_holds_the_tables_of_the_kept_numbers():
    page = (ROOT / "docs" / "baselines.md").read_text(encoding="utf-8")
    assert formatted(baseline_tables(kept("0-99")), "markdown") in page


def test_no_strategy_is_above_the_stated_baseline_on_any_headline_column():
    grids = kept("0-99")
    assert {grid.title for grid in grids} == {"Theory of Space", "OSR-Bench", "SpaRRTa, questions"}
    for grid in grids:
        verdicts = list(grid.verdicts())
        assert {verdict.column for verdict in verdicts} == set(grid.headlines)
        assert all(verdict.holds for verdict in verdicts), grid.title
        for verdict in verdicts:
            assert verdict.value[0] >= verdict.stated - 0.02, f"{verdict.column} could be stated lower"


def test_every_score_on_the_leaderboard_is_a_headline_but_for_those_of_looking_itself():
    (space,) = [grid for grid in kept("0-99") if grid.title == "Theory of Space"]
    assert {column.name for column in BOARD_COLUMNS} - {"explore/cost", "explore/gain"} == set(space.headlines)


@pytest.fixture(scope="module", autouse=True)
def own_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TOLMAN_CACHE", str(tmp_path_factory.mktemp("cache")))
        yield


@pytest.fixture(scope="module")
def few() -> list[BaselineGrid]:
    request = BaselineRequest("0-2", range(3))
    return [space_grid(request), rooms_grid(request)]


def test_the_same_seeds_give_the_kept_numbers(few: list[BaselineGrid]):
    """If scores were changed on purpose, make both files and the page again: docs/baselines.md says how."""
    for grid, before in zip(few, kept("0-2"), strict=True):
        assert replace(grid, values={}) == replace(before, values={})
        assert grid.values.keys() == before.values.keys()
        for strategy, by_rules in grid.values.items():
            for rules, values in by_rules.items():
                known = before.values[strategy][rules]
                assert values.keys() == known.keys()
                for column, value in values.items():
                    assert value == pytest.approx(known[column]), (grid.title, strategy, rules, column)


def test_a_strategy_above_what_is_stated_is_told(few: list[BaselineGrid]):
    low = replace(few[0], scenes=10, headlines={"ask/none": 0.01, "map/uncertainty": 0.5})
    assert {verdict.column: verdict.holds for verdict in low.verdicts()} == {"ask/none": False, "map/uncertainty": True}
    assert conclusion([low]) == "Above the stated baseline: constant on Theory of Space, answers, average."


def test_the_command_prints_tables_and_says_where_scenes_are_too_few(here: Here):
    done = here("baselines", "--scenes", "0-2")
    assert done.returncode == 0
    assert "Too few scenes to tell" in " ".join(done.stdout.split())
    assert re.search(r"unexplored points +[\d.]+ ", done.stdout)
    refused = here("baselines", "--scenes", "some")
    assert refused.returncode == 2
    assert "0-99" in refused.stderr
