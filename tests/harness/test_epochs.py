"""Epochs: every scene several times, each with its own calls; more of them continue, and none becomes a scene."""

import itertools
import json
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import pytest

import tolman as tm
from tests.benchmarks.sparrta.painted_scenes import painted
from tests.loopback_server import LoopbackServer
from tolman.core.errors import SettingsError
from tolman.core.parallel import untracked
from tolman.report.results import BenchmarkResults, TableRequest
from tolman.report.table import Table
from tolman.report.whole_report import write_whole_report

PICTURES = 4
RUNS = Path(__file__).parents[1] / "golden" / "runs"
COUNTS = {"reliability", "price", "truncated", "confusion-ego", "confusion-allo"}
"""Tables that count runs of scenes and replies."""


@pytest.fixture(autouse=True)
def environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in {"FAKE_API_KEY": "none", "TOLMAN_CACHE": str(tmp_path / "cache")}.items():
        monkeypatch.setenv(name, value)
    monkeypatch.delenv("INSPECT_CACHE_DIR", raising=False)


def test_more_epochs_continue_and_fewer_are_refused(tmp_path: Path):
    data, words = painted(tmp_path / "data", PICTURES), itertools.cycle(("left", "right", "front"))
    asked: list[str] = []

    def sampled(messages: list[tuple[str, str]]) -> str:
        if "picture" in messages[-1][1]:  # not the first call of a run, which asks for a word
            asked.append(messages[-1][1])
        return next(words)

    def run(server: LoopbackServer, epochs: int) -> tm.Results:
        model = {"model": "openai-api/fake/m", "base_url": server.url}
        options = {"log_dir": tmp_path / "logs", "epochs": epochs, "display": "none", "max_connections": 1}
        return tm.evaluate("sparrta", model, data=str(data), **options)

    with LoopbackServer(thought=sampled) as server:
        run(server, 2)
        twice = len(asked)
        assert twice == 2 * len(set(asked))
        results = run(server, 3)
        assert len(asked) == 3 * len(set(asked))
        with pytest.raises(SettingsError, match="holds 3 epochs of these scenes; give --epochs 3 or more"):
            run(server, 1)
    assert results.reported[0].results.cases == PICTURES
    frame = results.to_polars()
    assert sorted(frame["epoch"].unique()) == [1, 2, 3]
    assert frame["scene"].n_unique() == PICTURES
    assert results.table("accuracy").entries[0].below == f"{PICTURES} pictures × 3 epochs"
    (repeats, *_) = results.numbers["repeats"]  # pyright: ignore[reportGeneralTypeIssues, reportUnknownVariableType]
    assert (repeats["epochs"], repeats["cases"]) == (3, PICTURES)
    assert repeats["variance"]["sampling"] > 0
    write_whole_report([tmp_path / "logs"], tmp_path / "report", print, untracked, 1)
    page = (tmp_path / "report" / "index.html").read_text(encoding="utf-8")
    assert 'id="table-repeats"' in page
    assert "Repeats: consistency, and where the variance lies" in page
    assert "pass^k" in page
    assert json.loads((tmp_path / "report" / "numbers.json").read_text())["repeats"][0]["epochs"] == 3


@pytest.mark.parametrize("run", ["tos-scout", "osr-constant", "sparrta-constant"])
def test_equal_repeats_move_no_mean_and_no_interval(run: str):
    """Three epochs with the same replies, as a scripted agent gives them: all scores stay, of as many scenes."""
    once = tm.load(RUNS / run)
    thrice = tm.Results(tuple(replace(one, results=repeated(one.results, 3)) for one in once.reported))
    request = TableRequest(references="none", ceilings=True)
    before, after = (
        {part.name: part for one in each.shown(request).values() for part in one.parts if isinstance(part, Table)}
        for each in (once, thrice)
    )
    assert set(after) - set(before) == {"repeats"}
    for name in set(before) - COUNTS:
        for one, other in zip(before[name].entries, after[name].entries, strict=True):
            for row, again in zip(one.rows, other.rows, strict=True):
                assert [cell.text for cell in row.cells] == [cell.text for cell in again.cells], name
                if run != "sparrta-constant":  # there Wilson's interval of one answer per picture becomes a bootstrap
                    assert row == again


def repeated(results: BenchmarkResults, epochs: int) -> BenchmarkResults:
    name = "model_runs" if hasattr(results, "model_runs") else "found"
    return cast("Any", replace)(results, **{name: tuple(_again(run, epochs) for run in getattr(results, name))})


def _again(run: Any, epochs: int) -> Any:
    cases = [
        replace(case, address=replace(case.address, epoch=epoch))
        for epoch in range(1, epochs + 1)
        for case in run.cases
    ]
    return replace(run, cases=cases, planned=epochs * run.planned)
