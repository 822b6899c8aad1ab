"""The report of the authors' released runs: real replies of two models, in both worlds, active and passive."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.benchmarks.theory_of_space.logged_runs import sample, write_log
from tests.benchmarks.theory_of_space.pages.conftest import Written
from tests.benchmarks.theory_of_space.pages.test_pages import TABS, drawn, opened
from tests.benchmarks.theory_of_space.tables.test_released_tables import MODELS, shown
from tests.browser import keep_picture, watched
from tolman.benchmarks.theory_of_space.options import Mode, World
from tolman.cli.show import report

WORLDS: tuple[World, ...] = ("text", "vision")
MODES: tuple[Mode, ...] = ("active", "passive")


@pytest.mark.slow
def test_released_runs_are_reported_with_the_gap_split(chromium: Browser, tmp_path: Path):
    for model in MODELS:
        for world in WORLDS:
            for mode in MODES:
                run = shown(model, world, mode).run
                samples = [sample(case.logged) for case in run.cases]
                write_log(tmp_path / "logs" / world, samples, model=model, options=run.options)
    report([tmp_path / "logs"], out=tmp_path / "site")
    with watched(chromium) as page:
        opened(page, Written(tmp_path / "logs", tmp_path / "site"))
        for tab in TABS:
            page.locator(f"#tab-{tab}").click()
            drawn(page)
            page.evaluate("scrollTo(0, 0)")
            keep_picture(page, f"released-{tab}", whole=True)
        page.locator("#tab-overview").click()
        assert page.locator("#figure-active-passive-gap .chart").count() == 4, "two models in two worlds"
        assert page.locator("#table-episodes tbody").count() == 32
    pages = list((tmp_path / "site" / "episodes").rglob("*.html"))
    assert len(pages) == 32
