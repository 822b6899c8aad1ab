"""Tables of probes in README.md and docs/probing.md say what the rows in docs/results give."""

import csv
import re
from pathlib import Path

import pytest

from tolman.benchmarks.sparrta.probes.means import interval_of, paired_differences
from tolman.report.statistics import wilson_interval

ROOT = Path(__file__).parent.parent
COLUMNS = [(view, head) for view in ("ego", "allo") for head in ("linear", "abmilp", "efficient")]
Measured = dict[tuple[str, str, str], dict[tuple[str, int], float]]


@pytest.fixture(scope="module")
def measured() -> Measured:
    found: Measured = {}
    with (ROOT / "docs" / "results" / "sparrta-probes.csv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            place = found.setdefault((row["encoder"], row["viewpoint"], row["head"]), {})
            place[row["triple"], int(row["seed"])] = 100 * float(row["test"])
    return found


def said(values: dict[tuple[str, int], float]) -> str:
    found = interval_of(values)
    return f"{found.mean:.1f} ({max(found.low, 0):.0f}–{min(found.high, 100):.0f})"


@pytest.mark.parametrize("page", ["README.md", "docs/probing.md"])
@pytest.mark.parametrize("encoder", ["saliency-vit-s", "tolman-mae", "random", "pixels"])
def test_a_row_of_the_table(page: str, encoder: str, measured: Measured) -> None:
    text = (ROOT / page).read_text(encoding="utf-8")
    row = " | ".join(said(measured[encoder, view, head]) for view, head in COLUMNS)
    assert re.search(rf"^\| `?{encoder}`?[^|]*\| {re.escape(row)} \|$", text, re.MULTILINE), row


@pytest.mark.parametrize(
    ("one", "other", "text"),
    [
        (("saliency-vit-s", "ego", "abmilp"), ("saliency-vit-s", "ego", "linear"), "20.8 points (9.5–32.1)"),
        (("tolman-mae", "ego", "efficient"), ("tolman-mae", "ego", "abmilp"), "14.8 (3.9–25.7)"),
        (("tolman-mae", "allo", "efficient"), ("tolman-mae", "allo", "abmilp"), "8.4 (0.4–16.4)"),
        (("saliency-vit-s", "ego", "efficient"), ("saliency-vit-s", "allo", "efficient"), "39.0 (30.4–47.5)"),
        (("saliency-vit-s", "ego", "efficient"), ("random", "ego", "efficient"), "21.0 points (10.1–31.8)"),
        (("tolman-mae", "ego", "efficient"), ("random", "ego", "efficient"), "21.6 (13.7–29.5)"),
        (("tolman-mae", "allo", "efficient"), ("random", "allo", "efficient"), "9.4 (1.8–16.9)"),
        (("tolman-mae", "allo", "efficient"), ("saliency-vit-s", "allo", "efficient"), "9.0 (2.2–15.8)"),
    ],
)
def test_a_difference_in_the_text(
    one: tuple[str, str, str], other: tuple[str, str, str], text: str, measured: Measured
) -> None:
    found = interval_of(paired_differences(measured[one], measured[other]))
    assert text.replace(" points", "") == f"{found.mean:.1f} ({found.low:.1f}–{found.high:.1f})"
    assert text in (ROOT / "docs" / "probing.md").read_text(encoding="utf-8")


def test_the_first_look_on_a_cpu_says_what_its_rows_give() -> None:
    tests: dict[tuple[str, str], list[float]] = {}
    with (ROOT / "docs" / "results" / "sparrta-probes-cpu.csv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            assert (row["head"], row["test_pictures"], row["training_pictures"]) == ("linear", "32", "256")
            tests.setdefault((row["encoder"], row["viewpoint"]), []).append(float(row["test"]))
    pages = [(ROOT / page).read_text(encoding="utf-8") for page in ("README.md", "docs/probing.md")]
    for encoder in dict.fromkeys(name for name, _ in tests):
        cells: list[str] = []
        for view in ("ego", "allo"):
            mean = sum(tests[encoder, view]) / len(tests[encoder, view]) if (encoder, view) in tests else None
            low, high = wilson_interval(mean, 32) if mean is not None else (0.0, 0.0)
            cells.append("–" if mean is None else f"{100 * mean:.1f} ({100 * low:.0f}–{100 * high:.0f})")
        row = " | ".join(cells)
        assert all(re.search(rf"^\| `?{encoder}`? \| {re.escape(row)} \|$", page, re.MULTILINE) for page in pages), row
