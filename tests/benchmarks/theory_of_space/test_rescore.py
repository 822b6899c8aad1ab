"""`tolman rescore` on the authors' archive; and the counts behind it."""

import json
from pathlib import Path
from typing import cast

import pytest

from tests.command_line import Here
from tests.published.released_runs import FOLDER
from tolman.benchmarks.compared import Compared, Reason
from tolman.benchmarks.tallies import Section
from tolman.report.rescored import differences


def test_values_are_identical_to_within_a_billionth():
    assert Compared("f1", "log", 0.5, 0.5 + 1e-12).identical
    assert not Compared("f1", "log", 0.5, 0.5 + 1e-6).identical
    assert Compared("map", "turn 1", (0.5, None), (0.5, None)).identical
    assert not Compared("map", "turn 1", (0.5, None), (0.5, 1.0)).identical
    assert not Compared("map", "turn 1", None, (0.5, 1.0)).identical
    assert Compared("seen", "turn 1", frozenset({"sofa"}), frozenset({"sofa"})).identical


WHY = Reason("because", "it is so", "tests/benchmarks/theory_of_space/test_rescore.py")


def test_every_value_has_one_status_and_every_difference_is_told():
    section = Section()
    for value in (
        Compared("inertia", "mean", 0.1, 0.1),
        Compared("inertia", "mean", 0.1, 0.1, explained=WHY),
        Compared("inertia", "sofa", 0.1, 0.3, explained=WHY, run="model 07", turn=3),
        Compared("inertia", "lamp", None, 0.9, uncheckable=WHY),
        *(Compared("views", f"turn {n}", frozenset({"b", "a"}), frozenset({"c"}), turn=n) for n in range(1, 41)),
    ):
        section.compare(value)
    found = section.as_dict()
    counts = {"identical": 2, "explained": 1, "can't be checked": 1, "different": 40, "total": 44}
    assert {name: found[name] for name in counts} == counts
    told = cast("list[dict[str, object]]", found["differences"])
    assert len(told) == 42, "all of them, not the first few"
    assert told[0] == {
        "status": "explained",
        "run": "model 07",
        "turn": 3,
        "metric": "inertia",
        "place": "sofa",
        "ours": 0.1,
        "stored": 0.3,
        "reason": WHY.name,
        "shown_by": WHY.test,
    }
    assert json.loads(json.dumps(told[2]))["ours"] == ["a", "b"]


def test_the_terminal_tells_the_worst_and_the_reasons():
    section = Section()
    section.compare(Compared("inertia", "sofa", 0.1, 0.3, explained=WHY, run="model 07"))
    for number in range(20):
        section.compare(Compared("inertia", f"turn {number}", 0.0, number / 100, run="model 08"))
    said = "\n".join(differences((("Revision", section),)))
    assert "because" in said
    assert WHY.test in said
    assert "model 08 (19)" in said
    assert said.index("turn 19") < said.index("turn 18")
    assert "turn 2:" not in said


def test_a_gap_is_the_largest_difference():
    assert Compared("map", "turn 1", (0.5, None, 0.25), (0.5, None, 1.0)).gap == 0.75
    assert Compared("map", "turn 1", None, (0.5, 1.0)).gap == 1.0
    assert Compared("f1", "log", 0.25, 0.25).gap == 0.0


def test_what_was_not_scored_is_not_in_the_mean():
    section = Section()
    section.score("direction", "strict", 1.0)
    section.score("direction", "strict", None, failures=1)
    scores = section.scores["direction"]
    assert scores.mean("strict") == 1.0
    assert scores.failures["strict"] == 1
    assert scores.mean("published") is None


@pytest.mark.skipif(not FOLDER.is_dir(), reason="the released scenes and runs are not beside this checkout")
@pytest.mark.parametrize("archive", sorted(FOLDER.glob("*.tar.xz")), ids=lambda archive: archive.name)
def test_no_released_value_is_different(archive: Path, tmp_path: Path, here: Here):
    """Whatever archives lie beside this checkout."""
    out = tmp_path / "out.json"
    run = here("rescore", archive, "--json", out)
    assert run.returncode == 0, run.stderr
    found = json.loads(out.read_text())
    for section in ("answers", "maps", "information_gain", "revision"):
        assert found[section]["different"] == 0
        assert found[section]["identical"] > 0
        for value in found[section]["differences"]:
            assert value["run"]
            assert Path(value["shown_by"]).is_file()
    for section in ("answers", "information_gain"):
        assert found[section]["identical"] == found[section]["total"]
    assert {value["metric"] for value in found["maps"]["differences"]} <= {"perception"}
    assert {value["status"] for value in found["revision"]["differences"]} <= {"can't be checked"}
    assert found["maps"]["identical"] > 0.98 * found["maps"]["total"]
    assert set(found["answers"]["scores"]["direction"]) == {"published", "strict", "format_failures"}
    assert "strict" in run.stdout
    assert "published" in run.stdout


@pytest.mark.parametrize("path", ["no/such/place", "README.md"])
def test_a_path_that_is_no_release_gives_one_line(path: str, here: Here):
    run = here("rescore", path)
    assert run.returncode == 2
    assert len(run.stderr.splitlines()) == 1
    assert path in run.stderr
