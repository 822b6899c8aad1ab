"""Reports of probes: the numbers are those of the cells, the control stands apart, and what is missing is said."""

import json
import math
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest
from scipy import stats as typeless

torch = pytest.importorskip("torch")

from tests.benchmarks.sparrta.probes.conftest import Written  # noqa: E402
from tests.benchmarks.sparrta.probes.synthetic_cells import cell  # noqa: E402
from tests.benchmarks.sparrta.probes.tiny_probe_runs import BLIND, probe  # noqa: E402
from tolman.benchmarks.sparrta.probes import is_probe_folder  # noqa: E402
from tolman.benchmarks.sparrta.probes.cells import ThingRow, read_cells, read_thing_rows, write_cell  # noqa: E402
from tolman.benchmarks.sparrta.probes.encoders import probed_encoders, published_results  # noqa: E402
from tolman.benchmarks.sparrta.probes.export import read_probes  # noqa: E402
from tolman.benchmarks.sparrta.probes.findings import finding_sentences, findings_of, paper_exceptions  # noqa: E402
from tolman.benchmarks.sparrta.probes.results import probe_page  # noqa: E402
from tolman.benchmarks.sparrta.probes.run import ProbePlan  # noqa: E402
from tolman.benchmarks.sparrta.probes.training import thing_detections  # noqa: E402
from tolman.cli.show import show  # noqa: E402
from tolman.core.errors import SceneFileError, SettingsError  # noqa: E402
from tolman.probing.protocol import HeadName  # noqa: E402
from tolman.report.site import Figure, Gallery, Text  # noqa: E402
from tolman.report.site.page import FRONT  # noqa: E402

stats = cast("Any", typeless)


def quiet(line: str) -> None:
    raise AssertionError(line)


def test_means_are_those_of_the_cells_and_shuffled_labels_stand_apart(written: Written):
    numbers = json.loads((written.report / "numbers.json").read_text())
    rows = json.loads((written.probes / "results.json").read_text())
    wanted = {"encoder": "colours", "layer": 2, "viewpoint": "ego", "head": "linear", "shuffled": False}
    tests = {
        triple: [row["test"] for row in rows if {**row, **wanted} == row and row["triple"] == triple]
        for triple in ("forest", "forest_2", "forest_3", "desert")
    }
    (found,) = (
        row
        for row in numbers["accuracy"]
        if (row["encoder"], row["environment"], row["viewpoint"], row["head"])
        == ("colours (2 epochs)", "all", "ego", "linear")
    )
    by_triple = [np.mean(values) for values in tests.values()]
    assert found["mean"] == pytest.approx(np.mean(by_triple))
    low, high = stats.t.interval(0.95, 3, np.mean(by_triple), stats.sem(by_triple))
    assert (found["low"], found["high"]) == pytest.approx((max(low, 0), min(high, 1)))
    assert {row["head"] for row in numbers["control"]} == {"linear"}
    assert all(0.25 <= numbers["majority"][view] < 0.7 for view in ("ego", "allo"))


def test_the_terminal_shows_tables_and_says_what_holds(
    probes: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    show([probes], references="all", json_file=tmp_path / "numbers.json")
    printed = " ".join(capsys.readouterr().out.split())
    for words in (
        "colours (2 epochs)",
        "majority",
        "VGGT-L",
        "Linear < AbMILP:",
        "allo < ego:",
        "Detection of objects in single tokens",
        "With shuffled labels",
    ):
        assert words in printed
    numbers = json.loads((tmp_path / "numbers.json").read_text())
    assert numbers["format"] == "tolman.sparrta_probes.tables/1"
    assert {(row["encoder"], row["triple"], row["layer"], row["thing"]) for row in numbers["things"]} == {
        (encoder, triple, layer, thing)
        for encoder in ("colours", "blind")
        for triple in ("forest", "forest_2", "forest_3", "desert")
        for layer in (1, 2)
        for thing in ("source", "target", "human")
    }


def test_means_of_things_told_are_over_triples_that_show_them():
    def row(triple: str, layer: int, precision: float) -> ThingRow:
        return ThingRow("onnx:/home/me/net.onnx", triple, layer, 2, "human", precision, 0.01, 400)

    values = {"forest": 0.2, "forest_2": 0.3, "forest_3": 0.7, "desert": math.nan}
    (found,) = thing_detections(
        [row(triple, layer, layer * 0.5 * v) for triple, v in values.items() for layer in (1, 2)]
    )
    assert found.name == "onnx:net.onnx"
    assert found.best("human") == 2
    shown = found.at(2, "human")
    interval = stats.ttest_1samp((0.2, 0.3, 0.7), 0).confidence_interval(0.95)
    assert (shown.mean, shown.low, shown.high) == pytest.approx((0.4, max(interval.low, 0), min(interval.high, 1)))
    (few,) = thing_detections([row("forest", 1, 0.2), row("desert", 1, 0.4)])
    assert math.isnan(few.at(1, "human").low)


def test_a_damaged_table_of_things_says_how_to_make_it_again(tmp_path: Path):
    (tmp_path / "things").mkdir()
    (tmp_path / "things" / "x.csv").write_text("encoder,triple\nx,forest\n")
    with pytest.raises(SceneFileError, match="tolman probe things"):
        read_thing_rows(tmp_path)


def test_a_finding_holds_is_open_or_is_reversed_by_the_interval_of_the_paired_difference():
    triples = ("forest", "forest_2", "forest_3")
    linear, abmilp, efficient = (0.2, 0.4, 0.6), (0.5, 0.72, 0.88), (0.3, 0.75, 0.85)
    by_head: dict[HeadName, tuple[float, ...]] = {"linear": linear, "abmilp": abmilp, "efficient": efficient}
    cells = [
        cell(head, triple, "ego", value, value)
        for head, values in by_head.items()
        for triple, value in zip(triples, values, strict=True)
    ]
    cells += [
        cell("linear", triple, "allo", value + more, value + more + 0.01)
        for triple, value, more in zip(triples, linear, (0.09, 0.1, 0.11), strict=True)
    ]
    found = {one.claim: one for one in findings_of(probed_encoders(cells))}
    assert {claim: one.state for claim, one in found.items()} == {
        "linear < abmilp": "holds",
        "abmilp < efficient": "open",
        "allo < ego": "reversed",
    }
    low, high = stats.ttest_rel(abmilp, linear).confidence_interval(0.95)
    assert (found["linear < abmilp"].difference.low, found["linear < abmilp"].difference.high) == pytest.approx(
        (low, high)
    )
    holds, undecided, reversed_ = finding_sentences(list(found.values()))
    assert "holds in all 1 comparison." in holds
    assert "open in 1 and leans the other way in 1 of these: made, forest, ego" in undecided
    assert "reversed in 1: made, forest, Linear (−10.5" in reversed_


def test_published_rows_agree_with_the_papers_figures_and_its_exceptions_are_found():
    rows = published_results()
    assert len(rows.models) == 13
    for model, by_probe in (("VGGT-L", (50.1, 76.9, 86.1)), ("CLIP", (39.1, 55.4, 58.2)), ("MAE", (51.3, 74.7, 81.3))):
        for head, printed in zip(rows.source.heads, by_probe, strict=True):
            assert rows.both(model, head) == pytest.approx(printed, abs=1.3)
    assert rows.curve("VGGT-L", "allo")[-3] == (20, 81.0)
    said = paper_exceptions()
    assert "2 of 130" in said
    assert "DINO in city" in said
    assert "DeiT in desert" in said


def test_a_run_that_was_stopped_and_one_of_little_say_what_is_missing(probes: Path, tmp_path: Path):
    out = tmp_path / "probes"
    data = probes.parent / "pictures"
    probe(BLIND, data, out, ProbePlan(heads=("linear",), viewpoints=("ego",), epochs=1))
    (out / "results.json").unlink()
    for path in (out / "cells").glob("*/desert/*/*.json"):
        path.unlink()
    assert is_probe_folder(out)
    assert [is_probe_folder(path) for path in (out, tmp_path)] == [True, False]
    page = probe_page(read_probes([out], quiet), "tolman report probes", FRONT)
    tabs = {tab.name: tab for tab in page.tabs}
    told = {
        name: " ".join(p for b in tab.blocks if isinstance(b, Text) for p in b.paragraphs) for name, tab in tabs.items()
    }
    assert "environments can't be compared" in told["environments"]
    assert "--layers all" in told["layers"]
    assert all(f"tolman probe {what}" in told["attention"] for what in ("things", "attention", "maps"))
    assert "scores.csv" in told["elsewhere"]
    assert "--shuffle-labels" in told["control"]
    assert [block.name for block in tabs["overview"].blocks if isinstance(block, Figure)] == ["probes"]


def test_cells_of_fewer_pictures_are_left_out_and_told_of(probes: Path, tmp_path: Path):
    first = read_cells(probes)[0]
    fewer = tuple(replace(result, training_pictures=1) for result in first.results)
    write_cell(tmp_path, replace(first, key=replace(first.key, pictures="other"), results=fewer))
    told: list[str] = []
    assert read_probes([probes, tmp_path], told.append).encoders == read_probes([probes], quiet).encoders
    assert told == [f"{first.key.encoder}: 1 cell is of fewer pictures than others of the same triple, and left out"]


def test_scores_that_can_not_be_read_are_named(probes: Path, tmp_path: Path):
    with pytest.raises(SettingsError, match="there is no"):
        read_probes([probes], quiet, tmp_path / "none.csv")
    (tmp_path / "bad.csv").write_text("encoder,benchmark,score\ncolours,ImageNet,many\n")
    with pytest.raises(SceneFileError, match="encoder,benchmark,score"):
        read_probes([probes], quiet, tmp_path / "bad.csv")
    (tmp_path / "more.csv").write_text("encoder,benchmark,score\ncolours,Depth,-1.5\n")
    assert read_probes([probes], quiet, tmp_path / "more.csv").scores == {
        "ImageNet": {"colours": 80, "blind": 10},
        "Depth": {"colours": -1.5},
    }


def test_maps_are_of_pictures_that_heads_were_tested_on_and_shares_add_up(probes: Path):
    attention_maps = read_probes([probes], quiet).attention_maps
    assert {one.picture.triple for one in attention_maps} == {"forest", "forest_2", "forest_3", "desert"}
    maps = [found for one in attention_maps for found in one.picture.maps]
    assert {(found.viewpoint, found.head) for found in maps} == {
        (view, head) for view in ("ego", "allo") for head in ("abmilp", "efficient")
    }
    assert sum(not found.trained_on for found in maps) >= len(maps) / 2
    assert all(sum(found.on.values()) == pytest.approx(1, abs=1e-3) for found in maps)
    galleries = [block for tab in probe_page(read_probes([probes], quiet), "", FRONT).tabs for block in tab.blocks]
    assert sum(isinstance(block, Gallery) for block in galleries) == 1


def test_reports_need_no_torch():
    parts = "tolman.benchmarks.sparrta.probes.results, tolman.benchmarks.sparrta.probes.export"
    code = f"import sys, {parts}; assert 'torch' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True)
