"""`tolman calibrate`: numbers of scripted explorations, and the figure."""

import json
from pathlib import Path

import pytest

from tests.command_line import Here


@pytest.mark.parametrize("observer", ["relations", "generative"])
def test_an_observer_that_knows_everything_gets_what_it_expects(observer: str, here: Here, tmp_path: Path) -> None:
    numbers, figure = tmp_path / "numbers.json", tmp_path / "reliability.svg"
    options = ("--explorer", "strategist", "--scenes", "3-4", "--observer", observer, "--jobs", "1")
    done = here("calibrate", *options, "--json", numbers, "--figure", figure)
    assert done.returncode == 0, done.stderr
    found = json.loads(numbers.read_text())["strategist"]
    assert (found["scenes"], found["observers"][observer]) == (2, 2)
    assert found["obtained"] == pytest.approx(1, abs=0.02)
    assert found["excess"][0] == pytest.approx(0, abs=0.02)
    assert figure.read_text().lstrip().startswith("<?xml")
    assert "Calibration of the ideal observer" in done.stdout
