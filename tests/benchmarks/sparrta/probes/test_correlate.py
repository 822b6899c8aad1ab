"""`tolman probe correlate`: scores of other data sets from a file of the documented form, against accuracy here."""

import csv
from pathlib import Path

import numpy as np
import pytest

from tests.benchmarks.sparrta.probes.synthetic_cells import cell
from tests.command_line import Here
from tolman.benchmarks.sparrta.probes.cells import write_cell

HERE = {"dino-b16": 0.80, "mae-b16": 0.70, "clip-b16": 0.55, "vggt-l14": 0.95}
POSE_ERROR = {"dino-b16": 3.1, "mae-b16": 3.3, "clip-b16": 4.0, "vggt-l14": 1.0}
FLOWERS = {"dino-b16": 88.0, "mae-b16": 60.0, "clip-b16": 95.0, "vggt-l14": 70.0, "never-probed": 50.0}


@pytest.fixture
def probes(tmp_path: Path) -> Path:
    for encoder, value in HERE.items():
        for triple in ("forest", "forest_2", "desert"):
            write_cell(tmp_path / "probes", cell("efficient", triple, "ego", value, value, encoder=encoder))
    return tmp_path / "probes"


def scores(folder: Path, *more: str) -> Path:
    path = folder / "other.csv"
    rows = ["encoder,benchmark,score,better"]
    rows += [f"{name},NAVI pose,{value},lower" for name, value in POSE_ERROR.items()]
    rows += [f"{name},Flowers102,{value},higher" for name, value in FLOWERS.items()]
    path.write_text("\n".join([*rows, *more]) + "\n", encoding="utf-8")
    return path


def test_errors_are_turned_around_and_the_papers_rows_stand_below(probes: Path, tmp_path: Path, here: Here):
    done = here("probe", "correlate", scores(tmp_path), "--probes", probes, "--format", "csv")
    assert done.returncode == 0, done.stderr
    rows = [row for row in csv.reader(done.stdout.splitlines()) if row]
    accuracy = [HERE[name] for name in HERE]
    for title, given, sign in (("NAVI pose", POSE_ERROR, -1), ("Flowers102", FLOWERS, 1)):
        wanted = sign * np.corrcoef(accuracy, [given[name] for name in HERE])[0, 1]
        shown = next(row for row in rows if any(part.startswith(title) for part in row))
        assert f"{wanted:.2f}" in " ".join(shown).replace("−", "-")
        assert f"{wanted**2:.2f}" in shown
    assert "0.43" in done.stdout  # depth on NAVI against allo, in the paper


def test_a_table_for_people_warns_of_few_encoders(probes: Path, tmp_path: Path, here: Here):
    printed = " ".join(here("probe", "correlate", scores(tmp_path), "--probes", probes).stdout.split())
    assert "with 4 encoders almost any r is possible by chance" in printed


@pytest.mark.parametrize(
    ("row", "why"),
    [
        ("dino-b16,Flowers102,1,higher", "line 11: dino-b16 has another score on Flowers102"),
        ("dino-b16,depth,good,lower", "line 11: the score 'good' is not a number"),
        ("dino-b16,depth,1,smaller", "line 11: better is higher or lower, not 'smaller'"),
        ("dino-b16,depth,inf,lower", "line 11: the score is not finite"),
    ],
)
def test_a_wrong_row_is_named_in_one_line(row: str, why: str, probes: Path, tmp_path: Path, here: Here):
    done = here("probe", "correlate", scores(tmp_path, row), "--probes", probes)
    assert done.returncode == 2
    (line,) = done.stderr.splitlines()
    assert why in line
