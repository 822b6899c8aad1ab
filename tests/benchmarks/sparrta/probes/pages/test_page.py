"""The pages of probes in a real browser."""

from playwright.sync_api import Browser, Page, expect

from tests.benchmarks.sparrta.probes.conftest import Written
from tests.browser import keep_picture, watched

TABS = ("overview", "findings", "environments", "layers", "attention", "elsewhere", "control", "about")


def drawn(page: Page) -> int:
    charts = page.locator("section.tab:not([hidden]) .chart")
    for i in range(charts.count()):
        charts.nth(i).scroll_into_view_if_needed()
        expect(charts.nth(i).locator("svg").first).to_be_visible(timeout=20_000)
    return charts.count()


def test_every_tab_opens_draws_its_figures_and_shows_its_maps(chromium: Browser, written: Written):
    with watched(chromium) as page:
        page.goto((written.report / "index.html").as_uri())
        figures: dict[str, int] = {}
        for tab in TABS:
            page.locator(f"#tab-{tab}").click()
            figures[tab] = drawn(page)
            page.evaluate("scrollTo(0, 0)")
            keep_picture(page, f"sparrta-probes-{tab}")
        assert figures == {
            "overview": 4 + 1,
            "findings": 0,
            "environments": 2,
            "layers": 4 + 2,
            "attention": 3 + 3 * 4,
            "elsewhere": 2,
            "control": 0,
            "about": 0,
        }
        page.locator("#tab-attention").click()
        shots = page.locator(".shot img")
        folded = page.locator(".gallery details")
        assert folded.locator(".shot").count() == 4 * (1 + 4)
        folded.locator("summary").filter(has_text="more picture").click()
        for i in range(shots.count()):
            shots.nth(i).scroll_into_view_if_needed()
            expect(shots.nth(i)).to_have_js_property("naturalWidth", 224)
        assert shots.count() == 8 * (1 + 4)
        links = page.evaluate("[...document.querySelectorAll('a[href]')].map(a => a.getAttribute('href'))")
        assert [link for link in links if not link.startswith("#") and not (written.report / link).is_file()] == []
        best = page.locator("#table-accuracy tbody:not(.reference) strong")
        assert best.count() >= page.locator("#table-accuracy tr.heads th").count() - 1


def test_nothing_sticks_out_on_a_phone_at_night(chromium: Browser, written: Written):
    with watched(chromium, width=390, height=844) as page:
        page.emulate_media(color_scheme="dark")
        page.goto((written.report / "index.html").as_uri())
        for tab in ("overview", "attention"):
            page.locator(f"#tab-{tab}").click()
            drawn(page)
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), tab
            keep_picture(page, f"sparrta-probes-{tab}-phone")
