"""The page in a real browser: tabs, matrices, and pictures with what was said, whatever that is."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, expect

from tests.benchmarks.sparrta.questions.logged_runs import everyday, from_camera, knowing, pictures, write_run
from tests.browser import keep_picture, watched
from tolman.benchmarks.sparrta.case import Case, RelationQuestion
from tolman.benchmarks.sparrta.cases import stored_cases
from tolman.benchmarks.sparrta.options import Options
from tolman.cli.show import report

TABS = ("overview", "environments", "confusions", "questions", "about")
HOSTILE = "</script><script>alert(1)</script><img src=x onerror=alert(2)> & \u202eback"


def hostile(case: Case, question: RelationQuestion) -> str:
    return f"{HOSTILE}\n{everyday(case, question)}"


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return pictures(tmp_path_factory.mktemp("pictures"))


@pytest.fixture(scope="module")
def written(data: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("report")
    write_run(folder / "logs", data, knowing, "openai/knowing", seen=True)
    write_run(folder / "logs", data, from_camera, "openai/camera")
    write_run(folder / "logs", data, hostile, "openai/<b>hostile</b>", Options(think=True))
    report([folder / "logs"], out=folder / "report", jobs=1)
    return folder / "report"


def test_every_tab_opens_and_draws_its_figures(chromium: Browser, written: Path) -> None:
    with watched(chromium) as page:
        page.goto((written / "index.html").as_uri())
        figures = 0
        for tab in TABS:
            page.locator(f"#tab-{tab}").click()
            charts = page.locator("section.tab:not([hidden]) .chart")
            for i in range(charts.count()):
                charts.nth(i).scroll_into_view_if_needed()
                expect(charts.nth(i).locator("svg").first).to_be_visible()
            figures += charts.count()
            page.evaluate("scrollTo(0, 0)")
            keep_picture(page, f"sparrta-questions-{tab}")
        assert figures == 3 + 2 * 3, "all pictures and two environments; three models from two viewpoints"
        links = page.evaluate("[...document.querySelectorAll('a[href]')].map(a => a.getAttribute('href'))")
        assert [link for link in links if not link.startswith("#") and not (written / link).is_file()] == []


def test_pictures_come_with_their_ground_and_every_reply(chromium: Browser, written: Path, data: Path) -> None:
    cases = {case.id: case for case in stored_cases(data, Options())}
    with watched(chromium) as page:
        page.goto((written / "index.html").as_uri() + "#questions")
        cards = page.locator(".card")
        assert cards.count() == 24
        card = cards.filter(has_text="desert 2, picture 0").first
        case = cases["desert_2-0"]
        card.scroll_into_view_if_needed()
        expect(card.locator("img")).to_have_js_property("complete", True)
        assert card.locator("img").evaluate("image => image.naturalWidth") == 64
        assert card.locator("li.right").count() >= len(case.questions), "one of them knows"
        assert card.locator("ul.replies > li").count() == 3 * len(case.questions)
        assert set(card.locator("svg text").all_text_contents()) == {"camera", "person", "cactus", "camel"}
        place = {name: _spot(card, name) for name in ("camera", "cactus", "camel")}
        assert place["camera"][0] == pytest.approx(place["cactus"][0], abs=0.2)
        assert place["camera"][1] > place["cactus"][1], "the camera is at the bottom and looks up"
        answer = next(question.answer for question in case.questions if question.viewpoint == "ego")
        right, down = (place["camel"][axis] - place["cactus"][axis] for axis in (0, 1))
        assert {"front": -down, "back": down, "left": -right, "right": right}[answer] > 0
        last = card.locator("li", has_text="hostile").first
        last.locator("summary").first.click()
        assert HOSTILE in (last.locator("pre").last.text_content() or "")
        thought = last.locator("details.reasoning pre")
        expect(thought).not_to_be_visible()
        last.locator("details.reasoning summary").click()
        expect(thought).to_be_visible()
        assert HOSTILE in (thought.text_content() or "")
        assert page.locator("b, script:not([src]):not([type])").count() == 0


def _spot(card: Locator, name: str) -> tuple[float, float]:
    label = card.locator("svg text", has_text=name).first
    x, y = (float(label.get_attribute(axis) or "nan") for axis in ("x", "y"))
    return x, y


def test_nothing_sticks_out_on_a_phone(chromium: Browser, written: Path) -> None:
    with watched(chromium, width=390, height=844) as page:
        for tab in TABS:
            page.goto((written / "index.html").as_uri() + f"#{tab}")
            page.reload()
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), tab
        keep_picture(page, "sparrta-questions-phone")
