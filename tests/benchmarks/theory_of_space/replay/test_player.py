"""Going through an episode in a real browser: by button, by key, by link, and by itself."""

import re
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.benchmarks.theory_of_space.replay.episode_pages import (
    insight,
    opened,
    passive,
    scout,
    title,
    with_replies,
    write,
)
from tests.browser import keep_picture, watched
from tolman.benchmarks.theory_of_space.protocol.run_scene import rebuild


@pytest.fixture(scope="module")
def page_of_scout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write(tmp_path_factory.mktemp("scout"), scout())


def turns_of(phase: str) -> int:
    of = scout()
    turns = rebuild(of.case, of.options, of.record.replies, of.record.log).turns
    return sum(turn.phase == phase for turn in turns)


def titles() -> list[str]:
    explored, revised = turns_of("explore"), turns_of("revise")
    return [
        "Before the first turn",
        *(f"Turn {i} of {explored}" for i in range(1, explored + 1)),
        "The world changes",
        *(f"Revision, turn {i} of {revised}" for i in range(1, revised + 1)),
    ]


def walk(page: Page, step: Callable[[], None], back: Callable[[], None]) -> None:
    """Step to the end and beyond, see every turn on the way, and back by one."""
    page.evaluate(
        """() => {
            const node = document.getElementById("turn-title");
            window.titles = [node.textContent];
            new MutationObserver(() => titles.push(node.textContent)).observe(node, { childList: true });
        }"""
    )
    for _ in titles():
        step()
    assert page.evaluate("window.titles") == titles()
    back()
    assert title(page) == titles()[-2]


def test_buttons_step_through_every_turn_to_the_end(chromium: Browser, page_of_scout: Path):
    with watched(chromium) as page:
        opened(page, page_of_scout)
        walk(page, lambda: page.locator("#next").dispatch_event("click"), lambda: page.click("#back"))
        page.click("#last")
        assert title(page) == titles()[-1]
        keep_picture(page, "replay-revision")
        page.click("#first")
        assert title(page) == titles()[0]


def test_keys_step_through_every_turn_and_a_question_mark_tells_them(chromium: Browser, page_of_scout: Path):
    with watched(chromium) as page:
        opened(page, page_of_scout)
        walk(page, lambda: page.keyboard.press("ArrowRight"), lambda: page.keyboard.press("ArrowLeft"))
        page.keyboard.press("Home")
        assert title(page) == titles()[0]
        page.keyboard.press("End")
        assert title(page) == titles()[-1]
        page.keyboard.press("?")
        expect(page.locator("#keys")).to_be_visible()
        expect(page.locator("#keys")).to_contain_text("play or pause")
        page.keyboard.press("Escape")
        expect(page.locator("#keys")).to_be_hidden()


def test_it_plays_by_itself_to_the_end_and_can_be_halted(chromium: Browser, page_of_scout: Path):
    with watched(chromium) as page:
        page.clock.install(time=datetime(2026, 1, 1, tzinfo=UTC))
        opened(page, page_of_scout)
        page.clock.pause_at(datetime(2026, 1, 2, tzinfo=UTC))
        page.select_option("#speed", "4")
        page.locator("body").click(position={"x": 2, "y": 2})
        page.keyboard.press(" ")
        expect(page.get_by_role("button", name="Pause")).to_be_visible()
        page.clock.run_for(850)
        assert title(page) == titles()[2]
        page.keyboard.press(" ")
        page.clock.run_for(5000)
        assert title(page) == titles()[2]
        page.click("#play")
        page.clock.run_for(400 * len(titles()) + 500)
        assert title(page) == titles()[-1]
        expect(page.get_by_role("button", name="Play", exact=True)).to_be_visible()


def test_a_link_points_at_a_moment(chromium: Browser, page_of_scout: Path):
    with watched(chromium) as page:
        opened(page, page_of_scout, "#turn=3")
        assert title(page) == titles()[3]
        page.keyboard.press("ArrowRight")
        expect(page).to_have_url(re.compile("#turn=4$"))
        opened(page, page_of_scout, "#turn=r1")
        assert title(page).startswith("Revision, turn 1")
        page.evaluate("location.hash = '#turn=2'")
        expect(page.locator("#turn-title")).to_have_text(titles()[2])
        page.evaluate("location.hash = '#turn=nowhere'")
        assert title(page) == titles()[2]


def test_the_slider_and_the_curve_lead_to_a_turn(chromium: Browser, page_of_scout: Path):
    with watched(chromium) as page:
        opened(page, page_of_scout)
        page.locator("#slider").focus()
        page.keyboard.press("ArrowRight")
        assert title(page) == titles()[1]
        curve = page.locator("#chart svg").bounding_box()
        assert curve is not None
        page.mouse.click(curve["x"] + curve["width"] - 9, curve["y"] + 30)
        assert title(page) == titles()[-1]
        page.mouse.click(curve["x"] + 9, curve["y"] + 30)
        assert title(page) == titles()[0]


def test_a_turn_tells_what_was_done_told_and_said_and_what_could_be_known(chromium: Browser, page_of_scout: Path):
    with watched(chromium) as page:
        opened(page, page_of_scout, "#turn=2")
        known = insight(scout()).turns[1]
        panel = page.locator(".turn")
        expect(panel.locator(".actions")).to_contain_text("Rotate(90)")
        expect(panel.locator(".told")).to_contain_text("You turned 90 degrees clockwise.")
        expect(panel.locator(".reply").first).to_contain_text("FINAL ANSWER:")
        expect(panel.locator(".figures")).to_contain_text(f"{100 * known.gain:.0f} %")
        expect(panel.locator(".figures")).to_contain_text(f"{known.entropy:.1f} bits")
        expect(page.locator("#announced")).to_contain_text(titles()[2])
        named = "all => all.every(one => one.getAttribute('aria-label') || one.textContent.trim())"
        assert page.locator("button").evaluate_all(named)
        lost = next(turn for turn in insight(scout()).turns if turn.stated and turn.stated.overwritten)
        page.goto(f"{page_of_scout.as_uri()}#turn={lost.number}")
        assert lost.stated is not None
        for one in lost.stated.overwritten:
            expect(page.locator(".overwritten")).to_contain_text(one.name)


def test_a_revision_shows_old_and_new_belief_and_what_was_reported(chromium: Browser, page_of_scout: Path):
    with watched(chromium) as page:
        opened(page, page_of_scout, f"#turn=r{turns_of('revise')}")
        rows = page.locator(".changes tbody tr")
        assert rows.count() == len(scout().case.changes)
        for change in scout().case.changes:
            row = rows.filter(has=page.get_by_role("rowheader", name=change.name))
            expect(row).to_contain_text("moved" if change.kind == "position" else "turned")
            expect(row).to_contain_text("reported")
        expect(page.locator(".changes")).to_contain_text("100 %")
        assert page.locator(".layer.before .ghost").count() == rows.count()
        assert page.locator(".layer.truth .ring").count() == rows.count()


def test_a_model_that_read_a_log_has_the_explorers_turns_and_its_own_map(chromium: Browser, tmp_path: Path):
    with watched(chromium) as page:
        opened(page, write(tmp_path, passive()), "#turn=1")
        expect(page.locator(".who")).to_contain_text("reading the log of the strategist")
        expect(page.locator(".turn")).to_contain_text("A turn of the strategist")
        expect(page.locator(".turn")).to_contain_text("No map was asked for")
        page.keyboard.press("End")
        expect(page.locator(".turn")).to_contain_text("Reply with the map")


def test_where_a_reply_holds_no_map_or_no_turn_the_page_says_so(chromium: Browser, tmp_path: Path):
    of = with_replies(scout(), {"explore/2/global/1": "No.", "explore/1": "Hm."})
    with watched(chromium) as page:
        opened(page, write(tmp_path, of), "#turn=1")
        expect(page.locator(".turn")).to_contain_text("could not be parsed as a turn")
        page.keyboard.press("ArrowRight")
        expect(page.locator(".turn")).to_contain_text("A map was asked for, but none could be parsed.")
        assert page.locator(".layer.said .stated").count() == 0
