"""Whatever a model says, or is called, it stays text."""

from pathlib import Path

from playwright.sync_api import Browser, expect

from tests.benchmarks.theory_of_space.logged_runs import lived, sample, write_log
from tests.browser import watched
from tolman.benchmarks.theory_of_space.record import SceneRecord, ScoredCase
from tolman.cli.show import report

EVIL = (
    "</script><script>window.hit = 1</script><img src=x onerror='window.hit = 2'></textarea>"
    "<a href='javascript:window.hit = 3'>x</a>{{ 7 * 7 }}{% raw %}\u2028<!--"
    "<iframe src='data:text/html,<script>parent.hit = 4</script>'></iframe>"
)
LONG = "All work and no play makes a long reply. " * 25_000
"""A megabyte."""


def said(scene: ScoredCase, text: str, calls: slice) -> ScoredCase:
    """The same scene, but with this text before some replies: what they say can still be read."""
    spoken = list(scene.record.calls)
    spoken[calls] = [call.model_copy(update={"reply": f"{text}\n{call.reply}"}) for call in spoken[calls]]
    return ScoredCase(scene.case, scene.options, SceneRecord(calls=spoken))


def test_hostile_names_and_replies_do_no_harm(chromium: Browser, tmp_path: Path):
    scenes = [said(lived(0), EVIL, slice(None)), said(lived(1), LONG + EVIL, slice(-1, None)), lived(2)]
    samples = [sample(scene) for scene in scenes] + [sample(lived(3), error=EVIL)]
    write_log(tmp_path / "logs", samples, model=f"openai/{EVIL}"[:120])
    write_log(tmp_path / "logs", [sample(lived(0))], model="openai/../../../tmp/x", created="2026-01-02T00:00:00+00:00")
    report([tmp_path / "logs"], out=tmp_path / "site", jobs=1)
    index = tmp_path / "site" / "index.html"
    assert index.stat().st_size < 2_000_000
    assert "<script>window.hit" not in index.read_text(encoding="utf-8")
    pages = sorted((tmp_path / "site" / "episodes").rglob("*.html"))
    assert len(pages) == 4
    with watched(chromium) as page:
        page.goto(index.as_uri())
        for tab in ("overview", "maps"):
            page.locator(f"#tab-{tab}").click()
            charts = page.locator("section.tab:not([hidden]) .chart")
            for i in range(charts.count()):
                charts.nth(i).scroll_into_view_if_needed()
                expect(charts.nth(i).locator("svg").first).to_be_visible()
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        assert "<script>window.hit" in page.locator("#overview tbody th.name").first.inner_text()
        assert page.evaluate("window.hit") is None
        assert page.locator("iframe, img:not(.still)").count() == 0
        for file in pages:
            page.goto(file.as_uri())
            assert page.evaluate("window.hit") is None
            assert page.locator("iframe").count() == 0
