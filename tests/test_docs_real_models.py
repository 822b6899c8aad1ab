"""The tables of docs/real-models.md say what the rows in docs/results give, and its weights are the pinned ones."""

import csv
from pathlib import Path

import pytest

from tolman.core.package_archive import JoinedData
from tolman.models.local.llama_cpp import known_weights

ROOT = Path(__file__).parent.parent
PAGE = (ROOT / "docs" / "real-models.md").read_text(encoding="utf-8")
SCORES = ("answers", "cost", "information gain", "last map", "changes found")
COUNTS = ("unparseable turns", "unparseable maps", "unparseable answers", "truncated replies")
Rows = dict[str, dict[str, str]]


def measured() -> dict[tuple[str, str], Rows]:
    found: dict[tuple[str, str], Rows] = {}
    with (ROOT / "docs" / "results" / "real-models.csv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            found.setdefault((row["model"], row["mode"]), {})[row["measure"]] = row
    return found


def score(row: dict[str, str] | None) -> str:
    if row is None:
        return "–"
    mean, low, high = (float(row[name]) for name in ("value", "low", "high"))
    return f"{mean:.1f}" if low == high else f"{mean:.1f} ({low:.1f}–{high:.1f})"


def count(row: dict[str, str] | None) -> str:
    return "–" if row is None else f"{row['value']} of {row['of']}"


@pytest.mark.parametrize("run", measured(), ids=" ".join)
def test_a_run_in_the_tables(run: tuple[str, str]):
    rows = measured()[run]
    start = " | ".join(("", *run))[1:]
    sent, computed = (int(rows[f"prompt tokens {name}"]["value"]) for name in ("sent", "computed"))
    for cells in (
        [rows["scenes"]["value"], *(score(rows.get(name)) for name in SCORES)],
        [count(rows.get(name)) for name in COUNTS],
        [rows["calls"]["value"], f"{sent:,}", f"{computed:,}", f"{sent / computed:.1f}"],
    ):
        assert f"{start} | {' | '.join(cells)} |\n" in PAGE


def test_the_weights_are_the_pinned_ones():
    for name, data in known_weights().items():
        line = next(line for line in PAGE.splitlines() if line.startswith(f"| `local/{name}`"))
        assert f"`{data.sha256 if isinstance(data, JoinedData) else data.member_sha256}`" in line
