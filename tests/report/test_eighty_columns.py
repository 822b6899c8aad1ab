"""At 80 columns a table is printed whole, or in sections by topic with titles of their own: no group is split, no line
is too wide. So for all tables of `show`, `board`, `rescore`, `calibrate` and `baselines`; and every heading is defined.
"""

from collections.abc import Iterable
from functools import cache
from io import StringIO
from pathlib import Path
from typing import cast

import pytest
from pydantic import TypeAdapter
from rich.cells import cell_len
from rich.console import Console

from tests.command_line import Here
from tolman.benchmarks.theory_of_space.calibration import calibration_tables, check_job, seeded_jobs
from tolman.harness.registry import BENCHMARKS, load
from tolman.report.baselines import BaselineGrid, baseline_tables
from tolman.report.leaderboard.board import board_tables, read_board
from tolman.report.results import ReleasedReader, TableRequest
from tolman.report.table import Table, print_parts
from tolman.report.table.terminal import _Layout
from tolman.report.whole_report import Results
from tolman.world.select import choose_scenes

ROOT = Path(__file__).parents[2]
GOLDEN = ROOT / "tests" / "golden"
PUBLISHED = ROOT.parent / "shared" / "published"
WIDTH = 80


def check(tables: Iterable[Table]) -> list[tuple[str, list[str]]]:
    """Every table with the titles of its sections; all lines are looked at."""
    return [(table.name, _sections(table)) for table in tables]


def whole(tables: Iterable[Table]) -> bool:
    """Whether there are tables, and none is in sections."""
    found = check(tables)
    return bool(found) and all(len(titles) == 1 for _, titles in found)


def _sections(table: Table) -> list[str]:
    console = Console(file=StringIO(), width=WIDTH)
    print_parts([table], console)
    assert isinstance(console.file, StringIO)
    lines = console.file.getvalue().splitlines()
    assert max(map(cell_len, lines)) <= WIDTH, table.name
    layout = _Layout(table, console, WIDTH)
    blocks = layout._blocks()
    for block in blocks:
        assert all(group in layout._groups for group in block), f"{table.name}: a group of columns is split"
    return [layout._topics(block) for block in blocks] if len(blocks) > 1 else [table.title]


def shown(*paths: Path, request: TableRequest) -> list[Table]:
    found = Results.read(paths, print).shown(request)
    return [part for one in found.values() for part in one.parts if isinstance(part, Table)]


@cache
def all_of(folder: str) -> list[Table]:
    """Every table of kept logs that can be asked for."""
    return shown(GOLDEN / folder, request=TableRequest(references="all", ceilings=True, failures=True))


def test_tables_of_kept_logs_of_the_three_benchmarks():
    found = check(all_of("runs"))
    assert len(found) > 20
    divided = {name: titles for name, titles in found if len(titles) > 1}
    assert divided.keys() == {"answers-none", "belief", "reliability", "maps-standard"}, "all others are whole"
    assert divided["answers-none"] == ["Route, Survey, average", "Exploration"]
    assert divided["reliability"][1:] == ["Unparseable replies"]
    assert divided["maps-standard"][1:] == ["Invented (CHAIR)"]


@pytest.mark.parametrize("folder", ["runs", "probes"])
def test_every_heading_of_a_printed_table_is_defined(folder: str):
    """So `--explain` and notebooks define them too."""
    assert all_of(folder)
    assert [(t.name, column.title) for t in all_of(folder) for column in t.columns if not column.definition] == []


def test_tables_of_probes_are_whole():
    assert whole(shown(GOLDEN / "probes", request=TableRequest()))


def test_tables_of_baselines_are_whole():
    kept = (ROOT / "docs" / "results" / "baselines-0-99.json").read_bytes()
    assert whole(baseline_tables(TypeAdapter(list[BaselineGrid]).validate_json(kept)))


def test_tables_of_a_calibration_are_whole():
    jobs = {name: seeded_jobs(choose_scenes("1000-1003"), name, "relations") for name in ("random", "scout")}
    random, scout = (list(map(check_job, jobs[name])) for name in jobs)
    names = ("random", "scout", "strategist", "planner", "half-strategist")
    assert whole(calibration_tables(dict(zip(names, (random, scout, random, scout, random), strict=True))))


def test_boards_are_whole(tmp_path: Path, here: Here):
    for run in ("tos-scout", "tos-random", "osr-oracle", "osr-constant"):
        done = here("submit", GOLDEN / "runs" / run, "-o", tmp_path / f"{run}.json")
        assert done.returncode == 0, done.stderr
    found = [part for part in board_tables(read_board(tmp_path)) if isinstance(part, Table)]
    assert [table.title for table in found] == ["Leaderboard: Theory of Space", "Leaderboard: OSR-Bench"]
    assert whole(found)


@pytest.mark.parametrize("name", ["theory-of-space/runs-04-06.tar.xz", "osr-bench"])
def test_tables_of_rescored_data_are_whole(name: str, request: pytest.FixtureRequest):
    if not (PUBLISHED / name).exists():
        pytest.skip("the authors' data are not here")
    if name.endswith("xz") and not request.config.getoption("--slow"):
        pytest.skip("slow")
    readers = [cast("ReleasedReader", load(each.released)) for each in BENCHMARKS.values() if each.released]
    reader = next((each for each in readers[1:] if each.recognises(PUBLISHED / name)), readers[0])
    parts = reader.rescore(PUBLISHED / name, lambda: None).parts
    assert whole(part for part in parts if isinstance(part, Table))
