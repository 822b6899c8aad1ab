"""Cells of several runs in one folder: the newest count, damage is named, and nothing is counted twice."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from tests.benchmarks.sparrta.probes.synthetic_cells import cell
from tolman.benchmarks.sparrta.probes.cells import (
    DIFFERENCE_SIGN,
    VERSION,
    FlowRow,
    ThingRow,
    attention_file,
    read_cell,
    read_cells,
    read_flow_rows,
    read_thing_rows,
    write_cell,
    write_flow_rows,
    write_thing_rows,
)
from tolman.benchmarks.sparrta.probes.export import read_probes
from tolman.benchmarks.sparrta.probes.means import result_rows
from tolman.core.errors import SceneFileError
from tolman.probing.encoders.presets import MISNAMED

CELL = cell("linear", "forest", "ego", 0.6, 0.7)


def test_what_an_earlier_version_made_gives_way(tmp_path: Path):
    older = replace(CELL, key=replace(CELL.key, version=VERSION - 1), results=CELL.results[:1])
    for one in (older, CELL):
        write_cell(tmp_path, one)
    told: list[str] = []
    probes = read_probes([tmp_path], told.append)
    assert [(one.key.version, one.results) for one in probes.encoders[0].cells] == [(VERSION, CELL.results)]
    assert told == ["made: 1 cell is of an earlier version of Tolman and superseded, and left out"]
    assert {row["version"] for row in result_rows([older, CELL])} == {VERSION - 1, VERSION}


def test_results_under_a_name_that_was_wrong_are_read_under_the_right_one(tmp_path: Path):
    for wrong, right in MISNAMED.items():
        write_cell(tmp_path, replace(CELL, key=replace(CELL.key, encoder=wrong)))
        write_thing_rows(tmp_path, wrong, [ThingRow(wrong, "forest", 1, 1, "human", 0.5, 0.1, 40)])
        flow = [FlowRow(name, 1, "human", "human", 0.1) for name in (wrong, f"{wrong}{DIFFERENCE_SIGN}random")]
        write_flow_rows(attention_file(tmp_path, [wrong]), flow)
        assert [one.key.encoder for one in read_cells(tmp_path)] == [right]
        assert [row.encoder for row in read_thing_rows(tmp_path)] == [right]
        assert [row.model for row in read_flow_rows(tmp_path)] == [right, f"{right}{DIFFERENCE_SIGN}random"]
        assert [encoder.name for encoder in read_probes([tmp_path], print).encoders] == [right]


def test_other_zones_of_ambiguity_are_other_rows(tmp_path: Path):
    for degrees in (15.0, 10.0):
        write_cell(tmp_path, replace(CELL, key=replace(CELL.key, ambiguity=degrees)))
    told: list[str] = []
    names = {encoder.name for encoder in read_probes([tmp_path], told.append).encoders}
    assert names == {"made", "made (10°)"}
    assert told == []


@pytest.mark.parametrize(
    ("where", "value"),
    [(("results", 0, "test"), "abc"), (("results", 0, "test"), 7.0), (("key", "head"), "psychic"), (("results",), [])],
)
def test_a_cell_that_was_tampered_with_is_named_and_trained_again(
    tmp_path: Path, where: tuple[str | int, ...], value: object
):
    write_cell(tmp_path, CELL)
    file = tmp_path / CELL.key.path
    stored = json.loads(file.read_text())
    place = stored
    for step in where[:-1]:
        place = place[step]
    place[where[-1]] = value
    file.write_text(json.dumps(stored))
    with pytest.raises(SceneFileError, match="delete it"):
        read_probes([tmp_path], print)
    assert read_cell(tmp_path, CELL.key) is None


def test_half_a_cell_is_named_and_trained_again(tmp_path: Path):
    write_cell(tmp_path, CELL)
    file = tmp_path / CELL.key.path
    file.write_text(file.read_text()[:200])
    with pytest.raises(SceneFileError, match="delete it"):
        read_probes([tmp_path], print)
    assert read_cell(tmp_path, CELL.key) is None
