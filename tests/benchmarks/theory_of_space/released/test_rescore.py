"""`tolman rescore` on the authors' archive; and the counts behind it."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import pytest

from tests.benchmarks.theory_of_space.released.run_archives import FOLDER
from tests.command_line import Here
from tolman.report.rescored import ComparedValue, Reason, RescoredSection, differences


def test_values_are_identical_to_within_a_billionth():
    assert ComparedValue("f1", "log", 0.5, 0.5 + 1e-12).identical
    assert not ComparedValue("f1", "log", 0.5, 0.5 + 1e-6).identical
    assert ComparedValue("map", "turn 1", (0.5, None), (0.5, None)).identical
    assert not ComparedValue("map", "turn 1", (0.5, None), (0.5, 1.0)).identical
    assert not ComparedValue("map", "turn 1", None, (0.5, 1.0)).identical
    assert ComparedValue("seen", "turn 1", frozenset({"sofa"}), frozenset({"sofa"})).identical


WHY = Reason("because", "it is so", "tests/benchmarks/theory_of_space/released/test_rescore.py")


def test_every_value_has_one_status_and_every_difference_is_told():
    section = RescoredSection()
    for value in (
        ComparedValue("inertia", "mean", 0.1, 0.1),
        ComparedValue("inertia", "mean", 0.1, 0.1, explained=WHY),
        ComparedValue("inertia", "sofa", 0.1, 0.3, explained=WHY, run="model 07", turn=3),
        ComparedValue("inertia", "lamp", None, 0.9, uncheckable=WHY),
        *(ComparedValue("views", f"turn {n}", frozenset({"b", "a"}), frozenset({"c"}), turn=n) for n in range(1, 41)),
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
    section = RescoredSection()
    section.compare(ComparedValue("inertia", "sofa", 0.1, 0.3, explained=WHY, run="model 07"))
    for number in range(20):
        section.compare(ComparedValue("inertia", f"turn {number}", 0.0, number / 100, run="model 08"))
    said = "\n".join(line.plain for line in differences((("Revision", section),)))
    assert "because" in said
    assert WHY.test in said
    assert "model 08 (19)" in said
    assert said.index("turn 19") < said.index("turn 18")
    assert "turn 2:" not in said


def test_a_gap_is_the_largest_difference():
    assert ComparedValue("map", "turn 1", (0.5, None, 0.25), (0.5, None, 1.0)).gap == 0.75
    assert ComparedValue("map", "turn 1", None, (0.5, 1.0)).gap == 1.0
    assert ComparedValue("f1", "log", 0.25, 0.25).gap == 0.0


def test_what_was_not_scored_is_not_in_the_mean():
    section = RescoredSection()
    section.score("direction", "strict", 1.0)
    section.score("direction", "strict", None, failures=1)
    scores = section.scores["direction"]
    assert scores.mean("strict") == 1.0
    assert scores.failures["strict"] == 1
    assert scores.mean("published") is None


# ---- the authors' archives ----

ARCHIVES = sorted(FOLDER.glob("*.tar.xz"))
SECTIONS = ("answers", "maps", "information_gain", "revision")
needs_archives = pytest.mark.skipif(not ARCHIVES, reason="the released runs are not beside this checkout")


Rescored = tuple[dict[str, Any], str]
_RESCORED: dict[Path, Rescored] = {}


@pytest.fixture
def rescored(here: Here, tmp_path: Path) -> Callable[[Path], Rescored]:
    """What the command writes and prints, once for each archive."""

    def once(archive: Path) -> Rescored:
        if archive not in _RESCORED:
            run = here("rescore", archive, "--json", tmp_path / "out.json", "--force")
            assert run.returncode == 0, run.stderr
            _RESCORED[archive] = (json.loads((tmp_path / "out.json").read_text()), run.stdout)
        return _RESCORED[archive]

    return once


@needs_archives
@pytest.mark.parametrize("archive", ARCHIVES, ids=lambda archive: archive.name)
def test_no_released_value_is_different(archive: Path, rescored: Callable[[Path], Rescored]):
    """Whatever archives lie beside this checkout."""
    found, printed = rescored(archive)
    for section in SECTIONS:
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
    assert "strict" in printed
    assert "published" in printed
    assert max(map(len, printed.splitlines())) <= 80


@needs_archives
@pytest.mark.skipif([a.name for a in ARCHIVES] != ["runs-00-03.tar.xz", "runs-04-06.tar.xz"], reason="other archives")
def test_the_readme_and_the_rules_claim_what_was_measured(rescored: Callable[[Path], Rescored]):
    statuses = ("identical", "explained", "can't be checked", "different")
    for section in SECTIONS:
        parts = [rescored(archive)[0][section] for archive in ARCHIVES]
        total, *counts = (f"{sum(part[name] for part in parts):,}" for name in ("total", *statuses))
        of_readme = _row("README.md", rf"\| {total} [a-z ]+\|(.*)")
        of_rules = _row("docs/rules.md", rf"\| [^|]+ \| {total} \|(.*)")
        assert of_readme == of_rules == [0 if count == "0" else count for count in counts]


def _row(page: str, pattern: str) -> list[str | int]:
    """The numbers that open the cells of a row; 0 where there is none."""
    found = re.search(pattern, Path(page).read_text(encoding="utf-8"))
    assert found is not None, f"{page} has no row like {pattern}"
    numbers = [re.match(r"[\d,]+", cell.strip()) for cell in found[1].split("|")[:4]]
    return [0 if number is None or number[0] == "0" else number[0] for number in numbers]


@pytest.mark.parametrize("path", ["no/such/place", "README.md"])
def test_a_path_that_is_no_release_gives_one_line(path: str, here: Here):
    run = here("rescore", path)
    assert run.returncode == 2
    assert len(run.stderr.splitlines()) == 1
    assert path in run.stderr
