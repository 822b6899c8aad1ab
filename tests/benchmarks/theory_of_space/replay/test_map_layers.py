"""The map of an episode page: its layers, a chosen thing, and what its legend switches."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.benchmarks.theory_of_space.replay.episode_pages import insight, opened, scout, unfold, write
from tests.browser import keep_picture, watched

LAYERS = ("truth", "path", "view", "said", "heat", "before")


@pytest.fixture(scope="module")
def page_of_scout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write(tmp_path_factory.mktemp("scout"), scout())


def test_layers_are_switched_by_the_legend_and_by_number(chromium: Browser, page_of_scout: Path):
    with watched(chromium) as page:
        opened(page, page_of_scout, "#turn=5")
        for number, name in enumerate(LAYERS[:5], start=1):
            layer = page.locator(f"#map .layer.{name}")
            assert layer.locator("*").count() > 0
            page.uncheck(f"#layer-{name}")
            expect(layer).to_be_hidden()
            page.keyboard.press(str(number))
            expect(page.locator(f"#layer-{name}")).to_be_checked()
            assert layer.evaluate("node => getComputedStyle(node).display") != "none"


def test_playing_fair_hides_what_has_not_been_seen(chromium: Browser, page_of_scout: Path):
    names = scout().case.scene.names
    with watched(chromium) as page:
        opened(page, page_of_scout, "#turn=2")
        assert page.locator(".layer.truth [data-item]").count() == len(names)
        unseen = page.locator(".layer.truth .unmet").count()
        assert 0 < unseen < len(names)
        page.keyboard.press("f")
        assert page.locator(".layer.truth [data-item]").count() == len(names) - unseen
        assert page.locator(".walls .wall.off").count() > 0
        page.keyboard.press("End")
        assert page.locator(".layer.truth [data-item]").count() == len(names)


def test_a_click_on_a_thing_shows_where_it_may_be(chromium: Browser, page_of_scout: Path):
    turn = insight(scout()).turns[3]
    name, cells = max(turn.marginals.items(), key=lambda known: len(known[1]))
    place = scout().case.scene.names.index(name)
    assert len(cells) > 1
    with watched(chromium) as page:
        opened(page, page_of_scout, f"#turn={turn.number}")
        page.locator(f'.layer.truth [data-item="{place}"]').click()
        expect(page.locator("#chosen")).to_have_value(str(place))
        assert 0 < page.locator(".layer.heat rect").count() <= len(cells)
        likeliest = max(cells.values())
        expect(page.locator("#chosen-note")).to_contain_text(f"{len(cells)} cells")
        expect(page.locator("#chosen-note")).to_contain_text(f"{100 * likeliest:.0f} %")
        told = page.locator(".layer.heat rect title").all_text_contents()
        shown = {f"({x}, {y}): {name} {100 * round(chance, 3):.0f} %" for (x, y), chance in cells.items()}
        assert set(told) <= shown
        keep_picture(page, "replay-heat")
        page.keyboard.press("Escape")
        expect(page.locator("#chosen")).to_have_value("")
        page.select_option("#chosen", str(place))
        assert set(page.locator(".layer.heat rect title").all_text_contents()) == set(told)


def test_stated_positions_have_a_shape_for_their_verdict_and_a_line_to_the_truth(
    chromium: Browser, page_of_scout: Path
):
    with watched(chromium) as page:
        for turn in insight(scout()).turns[:4]:
            assert turn.stated is not None
            opened(page, page_of_scout, f"#turn={turn.number}")
            verdicts = [place.verdict for place in turn.stated.positions]
            for verdict in ("right", "unlucky", "impossible"):
                assert page.locator(f".layer.said .stated.{verdict}").count() == verdicts.count(verdict)
            assert page.locator(".layer.said .error").count() == len(verdicts) - verdicts.count("right")


def test_the_map_can_be_saved_as_a_picture_that_stands_alone(chromium: Browser, page_of_scout: Path, tmp_path: Path):
    with watched(chromium) as page:
        opened(page, page_of_scout, "#turn=4")
        with page.expect_download() as download:
            page.click("#save")
        assert download.value.suggested_filename == "scene-0-turn-4.svg"
        download.value.save_as(tmp_path / "map.svg")
        page.goto((tmp_path / "map.svg").as_uri())
        for name in scout().case.scene.names[:3]:
            assert name.split()[0][:5] in page.locator("svg").text_content()  # pyright: ignore[reportOperatorIssue]


def test_on_a_phone_the_map_comes_first_and_nothing_has_to_be_scrolled_sideways(chromium: Browser, page_of_scout: Path):
    with watched(chromium, 390, 844) as page:
        page.emulate_media(color_scheme="dark", reduced_motion="reduce")
        for turn in ("#turn=5", "#turn=r2"):
            opened(page, page_of_scout, turn)
            page.locator(".question > summary").first.click()
            unfold(page, ".turn")
            assert page.evaluate("document.documentElement.scrollWidth") <= 390
        map_box, turn_box = page.locator("#map").bounding_box(), page.locator(".turn").bounding_box()
        assert map_box is not None
        assert turn_box is not None
        assert map_box["y"] + map_box["height"] < turn_box["y"]
        assert page.locator(".agent").evaluate("node => getComputedStyle(node).transitionProperty") == "none"
        page.evaluate("scrollTo(0, 0)")
        keep_picture(page, "replay-phone")
