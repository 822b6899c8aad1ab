"""The table of docs/learning.md says what the rows in docs/results give."""

import csv
import re
from pathlib import Path

import numpy as np
import pytest

DOCS = Path(__file__).parent.parent / "docs"


def _rows() -> dict[str, list[dict[str, str]]]:
    with (DOCS / "results" / "learning.csv").open() as file:
        found: dict[str, list[dict[str, str]]] = {}
        for row in csv.DictReader(file):
            found.setdefault(row["worlds"], []).append(row)
    return found


def _table() -> dict[str, list[float]]:
    lines = re.findall(r"^\| (\d,000) \|(.*)\|$", (DOCS / "learning.md").read_text("utf-8"), re.MULTILINE)
    return {worlds.replace(",", ""): [float(n) for n in re.findall(r"\d+(?:\.\d+)?", line)] for worlds, line in lines}


@pytest.mark.parametrize("worlds", ["1000", "2000", "4000", "8000"])
def test_a_row_of_the_table(worlds: str) -> None:
    rows, stated = _rows()[worlds], _table()[worlds]
    assert [int(row["scene"]) for row in rows] == list(range(100))
    draws = np.random.default_rng(0).integers(100, size=(4000, 100))
    for place, (column, scale, last_digit) in enumerate(
        (("gain", 100, 0.05), ("cost", 1, 0.05), ("failed", 100, 0.05))
    ):
        values = np.array([float(row[column]) for row in rows]) * scale
        mean, low, high = stated[3 * place : 3 * place + 3]
        assert abs(values.mean() - mean) <= last_digit + 1e-9
        assert np.allclose(np.percentile(values[draws].mean(axis=1), [2.5, 97.5]), [low, high], atol=0.7)


def test_explorations_that_used_all_turns() -> None:
    assert sum(int(row["turns"]) == 20 for row in _rows()["8000"]) == 56
