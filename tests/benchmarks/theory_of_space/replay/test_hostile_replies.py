"""Whatever a model writes is text on an episode page, and does no harm."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser, Dialog, Page, expect

from tests.benchmarks.theory_of_space.replay.episode_pages import called, opened, saying, scout, thinking, unfold, write
from tests.browser import watched
from tolman.benchmarks.theory_of_space.record import ScoredCase

HOSTILE = (
    "<script>alert(1); window.harmed = true</script></script></textarea></title></style>--><!--"
    "<img src=x onerror=alert(1)><svg onload=alert(1)><iframe src='data:text/html,<script>alert(1)</script>'></iframe>"
    "<a href='javascript:alert(1)'>click</a><form action='https://example.org'><input autofocus onfocus=alert(1)>"
    "\u202egnirts desrever\u202c \u2066 \0 \x1b[31m \ufeff ${alert(1)} {{ 7*7 }} \u2028\u2029"
)
HUGE = "the beginning " + "long <b>text</b> " * 65_000 + "the very end"
REPORT = 'Actions: [Term(changes="<img src=x onerror=harm>: position")]'


def hostile() -> ScoredCase:
    """Every reply begins with it; one is huge, one wants to go into a script, one reports a change of an image."""
    of = scout()
    last = max(int(call.split("/")[1]) for call in of.record.replies if call.startswith("revise/"))

    def reply(name: str, given: str) -> str:
        special = {
            "explore/2": f"{HUGE}\nFINAL ANSWER:\nActions: [Observe()]",
            "explore/3": "Actions: [Goto(<script>harm</script>), Observe()]",
            f"revise/{last}": REPORT,
        }
        return special.get(name, f"{HOSTILE}\n{given}")

    return called(thinking(saying(of, reply), HOSTILE), "0<script>alert(1)</script>")


@pytest.fixture(scope="module")
def hostile_page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write(tmp_path_factory.mktemp("hostile"), hostile(), f"model/{HOSTILE}")


def refuse(dialog: Dialog) -> None:
    dialog.dismiss()
    raise AssertionError(f"the page was made to say {dialog.message}")


def check(page: Page) -> None:
    assert page.evaluate("window.harmed") is None
    made = "document.querySelectorAll('iframe, img, textarea, a[href^=javascript], form[action], b b').length"
    assert page.evaluate(made) == 0
    assert page.locator("script").count() == 2
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_hostile_replies_render_as_text_and_do_no_harm(chromium: Browser, hostile_page: Path):
    with watched(chromium) as page:
        page.on("dialog", refuse)
        opened(page, hostile_page, "#turn=1")
        shown = page.locator(".turn .reply").first
        assert "<script>alert(1); window.harmed = true</script>" in str(shown.text_content())
        assert "<img src=x onerror=alert(1)>" in str(shown.text_content())
        expect(page.locator("h1")).to_contain_text("<script>alert(1)</script>")
        for _ in range(page.locator("#slider").evaluate("node => Number(node.max)")):
            unfold(page, ".turn")
            check(page)
            page.keyboard.press("ArrowRight")
        expect(page.locator(".changes")).to_contain_text("<img src=x onerror=harm>")
        unfold(page, "#questions")
        page.locator(".question .answer").last.wait_for()
        unfold(page, "#questions")
        check(page)


def test_thoughts_are_folded_away_beside_every_reply(chromium: Browser, hostile_page: Path):
    with watched(chromium) as page:
        page.on("dialog", refuse)
        opened(page, hostile_page, "#turn=1")
        thought = page.locator(".turn details.reasoning").first
        expect(thought.locator(".reply")).not_to_be_visible()
        thought.locator("summary").click()
        expect(thought.locator(".reply")).to_be_visible()
        assert "<script>alert(1); window.harmed = true</script>" in str(thought.locator(".reply").text_content())
        page.locator(".question > summary").first.click()
        expect(page.locator(".question[open] details.reasoning")).to_have_count(1)
        check(page)


def test_a_failed_action_is_told_in_the_words_of_the_model(chromium: Browser, hostile_page: Path):
    with watched(chromium) as page:
        page.on("dialog", refuse)
        opened(page, hostile_page, "#turn=3")
        expect(page.locator(".actions .failed")).to_have_text("Goto(script>harm</script)")
        expect(page.locator(".actions li:not(.failed)")).to_have_text("Observe()")
        expect(page.locator(".actions .skipped")).to_have_count(0)
        expect(page.locator(".told").first).to_contain_text("Goto(script>harm</script) could not be done")


def test_a_megabyte_of_text_is_opened_piece_by_piece(chromium: Browser, hostile_page: Path):
    with watched(chromium) as page:
        assert hostile_page.stat().st_size < 1_500_000
        opened(page, hostile_page, "#turn=2")
        reply = page.locator(".turn .long").first
        assert len(str(reply.locator(".reply").text_content())) == 20_000
        reply.locator("button").click()
        text = str(reply.locator(".reply").text_content())
        assert text.startswith("the beginning ")
        assert text.endswith("Actions: [Observe()]")
        assert "characters are left out of this page" in text
        assert 200_000 < len(text) < 201_000
        box = reply.locator(".reply").bounding_box()
        assert box is not None
        assert box["height"] < 500
