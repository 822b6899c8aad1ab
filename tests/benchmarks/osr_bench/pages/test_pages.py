"""The pages of OSR-Bench in a real browser: tables and figures, a panorama one can drag, the map, the questions."""

import io
import re
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import Browser, Locator, Page, expect

from tests.benchmarks.osr_bench.logged_runs import room
from tests.benchmarks.osr_bench.pages.conftest import HOSTILE, Written
from tests.benchmarks.osr_bench.tiny_dataset import ROOMS
from tests.browser import follow, keep_picture, watched

TABS = ("overview", "answers", "maps", "questions", "scenes", "about")
NO_WEBGL = "HTMLCanvasElement.prototype.getContext = () => null;"


def opened(page: Page, path: Path, hash_: str = "") -> Page:
    page.goto(path.as_uri() + hash_)
    return page


def drawn(page: Page) -> int:
    charts = page.locator("section.tab:not([hidden]) .chart")
    for i in range(charts.count()):
        charts.nth(i).scroll_into_view_if_needed()
        expect(charts.nth(i).locator("svg").first).to_be_visible()
    return charts.count()


def test_every_tab_opens_and_draws_its_figures(graphic: Browser, written: Written):
    with watched(graphic) as page:
        opened(page, written.alone / "index.html")
        figures = 0
        for tab in TABS:
            page.locator(f"#tab-{tab}").click()
            figures += drawn(page)
            page.evaluate("scrollTo(0, 0)")
            keep_picture(page, f"osr-{tab}")
        assert figures >= 3 + 3 + 2 + 1 + 2 + 2 + 2, "answers twice, maps, classes, and three kinds in two sets"
        links = page.evaluate("[...document.querySelectorAll('a[href]')].map(a => a.getAttribute('href'))")
        files = {link for link in links if not link.startswith("#")}
        assert [file for file in files if not (written.alone / file).is_file()] == []
        assert page.locator("#table-scenes tbody").count() == 3 * len(ROOMS)


def test_nothing_sticks_out_on_a_phone(graphic: Browser, written: Written):
    with watched(graphic, width=390, height=844) as page:
        for path in (written.alone / "index.html", written.scene("careless"), written.both / "index.html"):
            opened(page, path)
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), path.name
            page.wait_for_timeout(150)
            keep_picture(page, f"osr-phone-{path.stem}")


def middle(page: Page, aside: int = 0) -> tuple[int, ...]:
    """The colour in the middle of the panorama, or some pixels to the right of it."""
    picture = Image.open(io.BytesIO(page.locator("#viewer").screenshot())).convert("RGB")
    pixels = np.asarray(picture, float)
    height, width = pixels.shape[:2]
    patch = pixels[height // 2 - 4 : height // 2 + 4, width // 2 - 4 + aside : width // 2 + 4 + aside]
    return tuple(int(value) for value in patch.mean(axis=(0, 1)))


def drag(page: Page, right: int, down: int = 0) -> None:
    box = page.locator("#viewer").bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + right, y + down, steps=4)
    page.mouse.up()


def heading(page: Page) -> float:
    return float(page.locator("#viewer").get_attribute("data-heading") or "nan")


@pytest.mark.parametrize("webgl", [True, False])
def test_the_panorama_can_be_dragged(graphic: Browser, written: Written, webgl: bool):
    with watched(graphic) as page:
        if not webgl:
            page.add_init_script(NO_WEBGL)
        opened(page, written.scene("careless"))
        viewer = page.locator("#viewer")
        expect(viewer).to_have_attribute("data-way", "sphere" if webgl else "strip")
        red, green, blue = middle(page)
        assert blue > max(red, green) + 60, "the post is straight ahead"
        drag(page, -300)
        assert 20 < heading(page) < 120, "dragged to the left one looks to the right"
        red, green, blue = middle(page)
        assert green > max(red, blue) + 40
        drag(page, 600)
        red, green, blue = middle(page)
        assert red > max(green, blue) + 40
        viewer.press("Home")
        assert heading(page) == 0
        viewer.press("ArrowLeft")
        assert heading(page) == 350
        expect(page.locator("#heading")).to_have_text("10° left of ahead")
        assert page.get_by_role("button", name="Whole picture").count() == int(webgl)


@pytest.mark.parametrize("way", ["Look around", "Whole picture"])
def test_it_goes_on_behind_where_the_picture_ends(graphic: Browser, written: Written, way: str):
    with watched(graphic) as page:
        opened(page, written.scene("careless"))
        page.get_by_role("button", name=way).click()
        page.evaluate("Osr.look.to({ heading: 180 })")
        for aside, colour in ((-60, 1), (60, 0)):
            seen = middle(page, aside)
            assert seen[colour] > 200, "what lies to the right is on the left, for who looks behind"
            assert max(seen[:colour] + seen[colour + 1 :]) < 60


def test_on_paper_the_whole_panorama_is_printed_and_a_map_that_fits_a_page(graphic: Browser, written: Written):
    with watched(graphic) as page:
        opened(page, written.scene("careless"))
        expect(page.locator("#viewer")).to_be_visible()
        page.emulate_media(media="print")
        assert page.locator("#viewer:visible").count() == 0, "a canvas would be blank"
        assert page.locator("#seen img.still").evaluate("each => each.clientWidth > 100 && each.naturalWidth > 0")
        assert page.locator("#map svg").evaluate("each => each.clientHeight") <= 186 * 96 / 25.4, "of landscape A4"


def marks(page: Page, kind: str) -> Locator:
    return page.locator(f"#map .mark .glyph.{kind}")


def test_the_map_lies_over_the_truth(graphic: Browser, written: Written):
    truth = room("kitchen").truth
    with watched(graphic) as page:
        opened(page, written.scene("careless"))
        objects = sum(truth.counts.values())
        assert marks(page, "truth").count() + marks(page, "missed").count() == objects
        assert marks(page, "invented").count() == 2, "a unicorn, and a dragon beyond the grid"
        missed, *_ = truth.classes
        names = page.locator("#map .mark:has(.glyph.missed)").evaluate_all("all => all.map(each => each.dataset.name)")
        assert missed in names
        assert page.locator("#map .join.found").count() == marks(page, "found").count() > 0
        row = page.locator("#classes tr[data-name=unicorn]")
        assert row.locator("td").all_inner_texts() == ["0", "1", "0", "–"]
        row.get_by_role("button").click()
        assert page.locator("#map .mark:not(.dim)").count() == 1
        keep_picture(page, "osr-scene", whole=True)


def test_questions_show_what_was_read_and_what_is_right(graphic: Browser, written: Written):
    asked = room("kitchen").questions
    with watched(graphic) as page:
        opened(page, written.scene("careless"))
        questions = page.locator("#asked .question")
        assert questions.count() == len(asked)
        wrong = [q for q in asked if q.kind == "direction" and q.answer != "Front"]
        one = questions.filter(has_text=wrong[0].text)
        assert one.locator("summary .true").inner_text() == wrong[0].answer
        assert one.locator("summary .read").inner_text() == "Front"
        assert one.locator("summary [role=img]").first.get_attribute("aria-label") == "strict: wrong"
        one.locator("summary").first.click()
        expect(page.locator("#map .ray")).to_have_count(2)
        assert one.locator(".reply").last.inner_text() == "Front"
        page.locator("#filters").get_by_role("button", name="counting").click()
        kinds = page.locator("#asked .question:visible")
        assert kinds.count() == sum(q.kind == "counting" for q in asked)


def test_another_run_and_another_turn_can_be_chosen_and_named_in_the_address(graphic: Browser, written: Written):
    with watched(graphic) as page:
        opened(page, written.scene("careless"))
        page.get_by_role("button", name="90°").click()
        expect(page).to_have_url(re.compile("#standard-first-plain/90$"))
        assert heading(page) == 90
        page.get_by_role("button", name="negative", exact=True).click()
        expect(page).to_have_url(re.compile("#negative-first-plain$"))
        assert page.locator("#asked .question").count() == len(room("kitchen", "negative").questions)
        opened(page, written.scene("careless"), "#standard-none-plain")
        page.reload()
        assert "not asked for a map" in page.locator("#told").inner_text()
        assert marks(page, "missed").count() == 0
        follow(page.get_by_role("link", name="Next scene"))
        assert page.url.endswith("scene-study.html")
        follow(page.get_by_role("link", name="openai/knowing"))
        assert re.search(r"osr-openai-knowing-\w+/scene-study\.html$", page.url)
        assert marks(page, "missed").count() == 0
        follow(page.get_by_role("link", name="All results"))
        expect(page.locator("section.tab:visible")).to_have_id("scenes")


def test_what_a_model_wrote_stays_text(graphic: Browser, written: Written):
    with watched(graphic) as page:
        page.on("dialog", lambda dialog: pytest.fail(f"a script ran: {dialog.message}"))
        opened(page, written.scene("hostile"))
        assert "no picture" in page.locator("#seen").inner_text()
        page.locator("#asked summary").first.click()
        assert HOSTILE in page.locator(".question[open] .reply").last.inner_text()
        thought = page.locator(".question[open] details.reasoning .reply")
        expect(thought).not_to_be_visible()
        page.locator(".question[open] details.reasoning summary").click()
        assert f"Is it {HOSTILE}" in thought.inner_text()
        assert page.locator("img, script:not([src]):not([type])").count() == 0


def test_both_benchmarks_are_reached_from_one_cover(graphic: Browser, written: Written):
    with watched(graphic) as page:
        opened(page, written.both / "index.html")
        keep_picture(page, "report-cover")
        for title, tab in (("OSR-Bench", "scenes"), ("Theory of Space", "episodes")):
            follow(page.get_by_role("link", name=title))
            assert page.locator("h1").inner_text() == title
            page.locator(f"#tab-{tab}").click()
            follow(page.locator(f"#table-{tab} tbody a").first)
            follow(page.get_by_role("link", name="All results"))
            assert page.locator("h1").inner_text() == title
            follow(page.get_by_role("link", name="All benchmarks"))
        assert {file.name for file in written.both.glob("*.json")} >= {"osr-bench.json", "theory-of-space.json"}


def test_the_report_is_small_and_the_same_again(written: Written, tmp_path: Path):
    panoramas = list((written.alone / "episodes" / "panoramas").iterdir())
    assert len(panoramas) == 1, "the same picture is kept once"
    assert all(page.stat().st_size < 200_000 for page in written.alone.rglob("scene-*.html"))
    assert not (written.alone / "osr-bench.html").exists()
    assert str(tmp_path.parents[1]) not in (written.alone / "index.html").read_text(encoding="utf-8")
