"""`tolman rescore` on the authors' archive; and the counts behind it."""

import json
from pathlib import Path

import pytest

from tests.command_line import Here
from tests.published.released_runs import FOLDER
from tolman.benchmarks.compared import Compared
from tolman.benchmarks.tallies import Section


def test_values_are_identical_to_within_a_billionth():
    assert Compared("f1", "log", 0.5, 0.5 + 1e-12).identical
    assert not Compared("f1", "log", 0.5, 0.5 + 1e-6).identical
    assert Compared("map", "turn 1", (0.5, None), (0.5, None)).identical
    assert not Compared("map", "turn 1", (0.5, None), (0.5, 1.0)).identical
    assert not Compared("map", "turn 1", None, (0.5, 1.0)).identical
    assert Compared("seen", "turn 1", frozenset({"sofa"}), frozenset({"sofa"})).identical


def test_what_is_lost_is_neither_identical_nor_different():
    section = Section()
    section.compare(Compared("inertia", "mean", 0.1, 0.1))
    section.compare(Compared("inertia", "mean", 0.1, 0.9, lost=True))
    section.compare(Compared("inertia", "mean", 0.1, 0.2))
    assert (section.all.identical, section.all.total, section.all.lost) == (1, 2, 1)
    assert len(section.differences) == 1


def test_what_was_not_scored_is_not_in_the_mean():
    section = Section()
    section.score("direction", "strict", 1.0)
    section.score("direction", "strict", None, failures=1)
    scores = section.scores["direction"]
    assert scores.mean("strict") == 1.0
    assert scores.failures["strict"] == 1
    assert scores.mean("published") is None


@pytest.mark.skipif(not FOLDER.is_dir(), reason="the released scenes and runs are not beside this checkout")
def test_the_command_counts_and_writes(tmp_path: Path, here: Here):
    archive = next(FOLDER.glob("*.tar.xz"))
    out = tmp_path / "out.json"
    run = here("rescore", archive, "--json", out)
    assert run.returncode == 0, run.stderr
    found = json.loads(out.read_text())
    for section in ("answers", "information_gain", "revision"):
        assert found[section]["identical"] == found[section]["total"] > 0
    maps = found["maps"]
    different = {kind for kind, count in maps["by_kind"].items() if count["identical"] != count["total"]}
    assert different <= {"perception"}
    assert maps["identical"] > 0.95 * maps["total"]
    assert set(found["answers"]["scores"]["direction"]) == {"published", "strict", "format_failures"}
    assert "strict" in run.stdout
    assert "published" in run.stdout


@pytest.mark.parametrize("path", ["no/such/place", "README.md"])
def test_a_path_that_is_no_release_gives_one_line(path: str, here: Here):
    run = here("rescore", path)
    assert run.returncode == 2
    assert len(run.stderr.splitlines()) == 1
    assert path in run.stderr
