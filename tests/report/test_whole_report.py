"""A model whose replies hold nothing that can be read: a report on it and on others is still made, and made whole."""

import json
import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from tests.benchmarks.osr_bench.logged_runs import write_run as write_rooms
from tests.benchmarks.sparrta.questions.logged_runs import knowing, pictures
from tests.benchmarks.sparrta.questions.logged_runs import write_run as write_pictures
from tests.benchmarks.theory_of_space.logged_runs import OPTIONS, case, lived, record, replies, sample, write_log
from tolman.benchmarks.osr_bench.options import Options as OsrOptions
from tolman.benchmarks.osr_bench.pages import page as osr_write
from tolman.benchmarks.theory_of_space.ideal_observer import SceneInsight, scene_insight
from tolman.benchmarks.theory_of_space.options import Options
from tolman.benchmarks.theory_of_space.pages import tabs, write
from tolman.benchmarks.theory_of_space.pages import write as study
from tolman.benchmarks.theory_of_space.pages.reported_runs import ReportedRun
from tolman.benchmarks.theory_of_space.record import ScoredCase
from tolman.benchmarks.theory_of_space.runs import TheoryOfSpaceRun
from tolman.benchmarks.theory_of_space.scores import SceneScores
from tolman.benchmarks.theory_of_space.tables.run_summary import RunSummary, summarise_run
from tolman.cli.show import report
from tolman.core.errors import SettingsError
from tolman.ideal.observer import ObserverName
from tolman.report.site.figures import Figure

NOTHING = "I would rather not say."
EMPTY = "{}"
STRANGERS = '{"unicorn": {"position": [1, 2], "facing": "north"}}'


def _states(seed: int, maps: str, answers: str | None = None, options: Options = OPTIONS) -> ScoredCase:
    """Explores as everybody does, but its maps (and answers) are these."""
    of = case(seed, options)
    said = replies(of, options)
    said = {call: maps if "map" in call or "global" in call else reply for call, reply in said.items()}
    if answers is not None:
        said = {call: answers if call.startswith("ask/") else reply for call, reply in said.items()}
    return ScoredCase(of, options, record(said))


def _mute(of: object, question: object) -> str:
    del of, question
    return NOTHING


def _strict_json(path: Path) -> dict[str, object]:
    def refuse(constant: str) -> float:
        raise AssertionError(f"{path.name} holds {constant}")

    return json.loads(path.read_text("utf-8"), parse_constant=refuse)


def _check(site: Path, *models: str) -> str:
    """No page shows NaN, all JSON is strict, and every model is on the first page."""
    for page in site.rglob("*.html"):
        text = page.read_text("utf-8")
        assert not re.search(r">\s*[-−]?(nan|inf)\b", text, re.IGNORECASE), page
        for data in re.findall(r'<script type="application/json"[^>]*>(.*?)</script>', text, re.DOTALL):
            json.loads(data, parse_constant=pytest.fail)
    _strict_json(site / "numbers.json")
    index = (site / "index.html").read_text("utf-8")
    assert all(model in index for model in models)
    assert 'class="failed"' not in index
    return index


@pytest.mark.parametrize("maps", [NOTHING, EMPTY, STRANGERS], ids=["words", "an empty map", "a map of strangers"])
def test_theory_of_space_without_a_readable_map(tmp_path: Path, maps: str):
    write_log(tmp_path / "logs", [sample(_states(i, maps)) for i in range(3)], model="openai/mapless")
    write_log(tmp_path / "logs", [sample(lived(i)) for i in range(3)], model="openai/fine")
    report([tmp_path / "logs"], out=tmp_path / "site", jobs=1)
    index = _check(tmp_path / "site", "mapless", "fine")
    assert "Belief against evidence" in index


def test_theory_of_space_with_nothing_to_read_at_all(tmp_path: Path):
    write_log(tmp_path / "logs", [sample(_states(i, NOTHING, NOTHING)) for i in range(3)])
    report([tmp_path / "logs"], out=tmp_path / "site", jobs=1)
    _check(tmp_path / "site")


@pytest.mark.parametrize("said", [NOTHING, EMPTY])
def test_osr_bench_without_a_readable_map(tmp_path: Path, said: str):
    write_rooms(tmp_path / "logs", OsrOptions(mode="first"), _mute, lambda _: said, model="openai/mapless")
    write_rooms(tmp_path / "logs", OsrOptions(mode="first"), model="openai/fine")
    report([tmp_path / "logs"], out=tmp_path / "site", jobs=1)
    _check(tmp_path / "site", "mapless", "fine")


def test_sparrta_without_a_readable_reply(tmp_path: Path):
    data = pictures(tmp_path / "pictures")
    write_pictures(tmp_path / "logs", data, _mute, "openai/mute")
    write_pictures(tmp_path / "logs", data, knowing, "openai/fine")
    report([tmp_path / "logs"], out=tmp_path / "site", jobs=1)
    _check(tmp_path / "site", "mute", "fine")


# ---- whatever fails, the rest is built ----


def _two(tmp_path: Path) -> Path:
    write_log(tmp_path / "logs", [sample(lived(0))], model="openai/bad")
    write_log(tmp_path / "logs", [sample(lived(0))], model="openai/fine")
    return tmp_path / "logs"


def test_a_figure_that_fails_on_one_model_is_made_of_the_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    drawn = tabs.radar_figure

    def fragile(runs: Sequence[ReportedRun]) -> Figure:
        if any(one.run.model == "openai/bad" for one in runs):
            raise ZeroDivisionError("0/0 <b>")
        return drawn(runs)

    monkeypatch.setattr(tabs, "radar_figure", fragile)
    report([_two(tmp_path)], out=tmp_path / "site", jobs=1)
    index = (tmp_path / "site/index.html").read_text("utf-8")
    (note,) = re.findall(r'<div class="failed" role="note">(.*?)</div>', index, re.DOTALL)
    assert "Dimensions of belief" in note
    assert "openai/bad, questions 1 (ZeroDivisionError: 0/0 &lt;b&gt;)" in note
    assert 'id="figure-belief-radar"' in index
    assert 'id="figure-map-accuracy"' in index
    assert "openai/bad" in capsys.readouterr().err


def test_a_figure_that_can_not_be_drawn_leaves_a_note(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    drawn = tabs.radar_figure

    def undrawable(runs: Sequence[ReportedRun]) -> Figure:
        figure = drawn(runs)
        return replace(figure, panels=[replace(figure.panels[0], spec={"mark": "no such mark"})])

    monkeypatch.setattr(tabs, "radar_figure", undrawable)
    report([_two(tmp_path)], out=tmp_path / "site", jobs=1)
    index = (tmp_path / "site/index.html").read_text("utf-8")
    assert "This figure could not be drawn" in index
    assert 'id="figure-belief-radar"' not in index
    assert 'id="figure-map-accuracy"' in index


def test_a_scene_or_a_run_that_fails_takes_no_other_down(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    def insight(logged: ScoredCase, scores: SceneScores, observer: ObserverName | None) -> SceneInsight:
        if logged.case.id == "1":
            raise ValueError("a strange scene")
        return scene_insight(logged, scores, observer)

    def figured(run: TheoryOfSpaceRun) -> RunSummary:
        if run.model == "openai/bad":
            raise OverflowError("a strange run")
        return summarise_run(run)

    monkeypatch.setattr(study, "scene_insight", insight)
    monkeypatch.setattr(write, "summarise_run", figured)
    write_log(tmp_path / "logs", [sample(lived(i)) for i in range(3)], model="openai/fine")
    write_log(tmp_path / "logs", [sample(lived(0))], model="openai/bad")
    report([tmp_path / "logs"], out=tmp_path / "site", jobs=1)
    index = (tmp_path / "site/index.html").read_text("utf-8")
    assert "Nothing could be made of the data of <bdi>openai/bad</bdi>: OverflowError: a strange run" in index
    (run,) = json.loads((tmp_path / "site/numbers.json").read_text("utf-8"))["runs"]
    assert run["scenes"]["finished"] == ["0", "2"]
    assert run["scenes"]["failed"] == [{"scene": "1", "reason": "it can't be reported on: ValueError: a strange scene"}]


def test_a_benchmark_that_fails_takes_no_other_down(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    def broken(*_: object, **__: object) -> None:
        raise RuntimeError("all is lost")

    monkeypatch.setattr(osr_write, "evaluated_models", broken)
    logs = _two(tmp_path)
    write_rooms(logs, OsrOptions(mode="none"))
    report([logs], out=tmp_path / "site", jobs=1)
    assert "all is lost" in (tmp_path / "site/osr-bench.html").read_text("utf-8")
    assert "openai/fine" in (tmp_path / "site/theory-of-space.html").read_text("utf-8")


def test_a_report_that_can_not_be_finished_leaves_the_earlier_one_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    site, logs = tmp_path / "site", _two(tmp_path)
    report([logs], out=site, jobs=1)
    before = {path.relative_to(site): path.read_bytes() for path in site.rglob("*") if path.is_file()}

    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(write, "write_page", full)
        with pytest.raises(SettingsError, match="No space left"):
            report([logs], out=site, jobs=1)
        with pytest.raises(SettingsError, match="No space left"):
            report([logs], out=tmp_path / "new", jobs=1)
    assert {path.relative_to(site): path.read_bytes() for path in site.rglob("*") if path.is_file()} == before
    assert sorted(path.name for path in tmp_path.iterdir()) == ["logs", "site"]
