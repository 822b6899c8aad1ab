"""The paper's numbers, digit by digit, where the supplement lies beside this checkout."""

import re
from pathlib import Path

import pytest

from tolman.benchmarks.osr_bench.tables.references import paper_tables, published_rows

PAPER = Path(__file__).parents[5] / "shared" / "papers" / "osr-bench-supplement.txt"
SKILLS = {"counting": "Object Count", "distance": "Relative Distance", "direction": "Relative Direction"}


@pytest.fixture(scope="module")
def text() -> str:
    if not PAPER.is_file():
        pytest.skip("the supplement is not beside this checkout")
    return PAPER.read_text(encoding="utf-8")


def rows_of(text: str, label: str) -> dict[str, list[str]]:
    """The lines of a table by their first cell, which may stand for several lines."""
    body = text[text.index(f"\n{label}. ") :].split("\n\n")[1]
    found: dict[str, list[str]] = {}
    name = ""
    for line in body.splitlines():
        first, *cells = line.split("\t")
        name = first or name
        found.setdefault(name, []).extend(cells)
    return found


def number(cell: str) -> float:
    return float(re.sub(r" \(.*", "", cell))


@pytest.mark.parametrize("label", ["Table 6", "Table 7"])
def test_tables_with_a_row_for_each_model(text: str, label: str):
    (table,) = [table for table in paper_tables() if table.label == label]
    printed = rows_of(text, label)
    assert set(table.rows) <= set(printed)
    for name, values in table.rows.items():
        assert list(values) == [number(cell) for cell in printed[name]]


def test_true_maps(text: str):
    printed = rows_of(text, "Table 8")
    vanilla, think = [table for table in paper_tables() if table.label == "Table 8"]
    for name, values in vanilla.rows.items():
        cells = printed[name]
        for i, skill in enumerate(SKILLS.values()):
            at = cells.index(skill)
            own, true, thought = map(number, cells[at + 1 : at + 4])
            assert values[2 * i : 2 * i + 2] == (own, true)
            assert think.rows[name][i] == thought


def test_people(text: str):
    printed = rows_of(text, "Table 9")
    (table,) = [table for table in paper_tables() if table.label == "Table 9"]
    columns = [[float(cell) for cell in printed[skill]] for skill in SKILLS.values()]
    assert [list(values) for values in table.rows.values()] == [list(row) for row in zip(*columns, strict=True)]


def test_rows_of_a_model_from_several_tables_are_one():
    (row,) = [row for row in published_rows("standard") if row.name == "GPT-5.2"]
    assert row.interval("map/success").mean == pytest.approx(0.9973)
    assert row.interval("first/direction").mean == 0.252
    assert published_rows("negative") == ()
