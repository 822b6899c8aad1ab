"""A person in the vision world sees what a model would be sent, and is told nothing of what is in it."""

import re
import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page
from starlette.testclient import TestClient

from tests.browser import keep_picture, watched
from tests.play.sessions import client
from tests.play.test_browser import begin, send, served
from tolman.ask import oracle_reply
from tolman.benchmarks.theory_of_space.options import Options
from tolman.benchmarks.theory_of_space.protocol.picture_marks import (
    DistanceCalibration,
    NameCalibration,
    PictureKey,
    ViewPicture,
)
from tolman.benchmarks.theory_of_space.protocol.pictures import PictureRenderer, read_pictures
from tolman.benchmarks.theory_of_space.tables import read_runs
from tolman.cli.play import play
from tolman.core.errors import SettingsError
from tolman.core.geometry import Heading
from tolman.play.playable import PlaySetting
from tolman.play.theory_of_space.play import SpacePlay, picture_name
from tolman.sense import describe_observation, look
from tolman.sense.observation import Observation
from tolman.world import START, WorldSettings

pytestmark = pytest.mark.skipif(find_spec("mitsuba") is None, reason="needs tolman[render]")
DRAFT = Options(world="vision", image_size=64, preset="preview", assets="built-in", probe="last", questions=1)
SEEN = replace(DRAFT, kinds=("direction", "view_to_location_vision"), phases=("explore", "ask"))
HERE = "/people/ann/0"


@pytest.fixture(scope="module")
def one_cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("pictures")


@pytest.fixture(autouse=True)
def shared_cache(one_cache: Path, own_cache: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Pictures that one test has had made, the next need not wait for."""
    del own_cache
    monkeypatch.setenv("TOLMAN_CACHE", str(one_cache))


def playroom(folder: Path, options: Options = SEEN) -> SpacePlay:
    return SpacePlay("0", WorldSettings(rooms=2, things_per_room=2), options, PlaySetting(folder))


def begun(room: SpacePlay) -> TestClient:
    browser = client(room)
    assert browser.post("/begin", data={"name": "Ann"}).url.path == HERE
    return browser


def told(room: SpacePlay, heading: Heading = Heading.NORTH) -> str:
    """What a look from the start would say in words."""
    scene = room.cases["0"].scene
    return describe_observation(Observation(START, heading, *look(scene, scene.pose_at(START, heading))))


def view(room: SpacePlay, heading: Heading) -> PictureKey:
    return ViewPicture("explore", room.cases["0"].scene.start, heading)


def address(room: SpacePlay, key: PictureKey) -> str:
    return f"{HERE}/pictures/{picture_name(room.cases['0'], key)}"


def fetched(page: Page) -> list[bytes]:
    """The files of all pictures on a page, once they are there."""
    page.evaluate("for (const one of document.images) one.loading = 'eager'")
    for _ in range(600):
        if page.evaluate("[...document.images].every(one => one.complete && one.naturalWidth > 0)"):
            break
        page.wait_for_timeout(50)
    return [page.request.get(one.evaluate("one => one.src")).body() for one in page.locator(".seen img").all()]


@pytest.mark.slow
def test_a_person_explores_in_pictures_and_leaves_a_log_with_them(chromium: Browser, tmp_path: Path) -> None:
    room = playroom(tmp_path / "logs")
    made = PictureRenderer(room.cases["0"], room.options)
    with served(room) as home, watched(chromium) as page:
        begin(page, home)
        assert fetched(page) == [made.png(DistanceCalibration()), made.png(NameCalibration())]
        send(page)
        assert fetched(page)[0] == made.png(view(room, Heading.NORTH)), "as a model would be sent it"
        page.keyboard.press("ArrowRight")
        send(page, "Enter")
        assert fetched(page)[:2] == [made.png(view(room, heading)) for heading in (Heading.EAST, Heading.NORTH)]
        names = page.locator("form .goto").all_inner_texts()
        assert sorted(names) == sorted(room.cases["0"].scene.names), "which of them are in view, the person has to see"
        assert page.locator("[data-query]").count() == 0, "nothing is answered in words"
        keep_picture(page, "play-vision", whole=True)
        page.keyboard.press("t")
        send(page, "Enter")
        plain, question = room.cases["0"].questions
        direction, distance = oracle_reply(plain).split(", ")
        page.select_option("[name=direction]", direction)
        page.select_option("[name=distance]", distance)
        send(page)
        assert question.image is not None
        assert fetched(page)[0] == made.png(ViewPicture("explore", question.image.cell, question.image.heading))
        x, y = re.findall(r"-?\d+", oracle_reply(question))
        page.fill("[name=x]", x)
        page.fill("[name=y]", y)
        send(page)
        page.click("text=See how you did")
        own = page.locator("tr", has_text="human/ann")
        own.wait_for()
        assert "100.0 %" in own.inner_text()
        assert page.locator("tr", has_text="scout").count() == 1
    (run,) = read_runs([room.log_dir], pytest.fail)
    assert (run.world, len(run.cases)) == ("vision", 1)
    assert run.cases[0].address is not None
    assert read_pictures(run.cases[0].address)[view(room, Heading.EAST)] == made.png(view(room, Heading.EAST))


@pytest.mark.slow
def test_a_small_screen_holds_the_plan_and_its_letters(chromium: Browser, tmp_path: Path) -> None:
    room = playroom(
        tmp_path / "logs", replace(DRAFT, mode="passive", probe="every", explorer="scout", phases=("probe",))
    )
    room.begin("ann")
    saved = room.saved("ann", "0")
    for number in range(1, 30):
        saved = room.keep_reply(saved, f"explore/{number}/global/1", "{}")
        saved = room.keep_reply(saved, f"explore/{number}/local/1", "{}")
    with served(room) as home, watched(chromium, 390, 844) as page:
        begin(page, home)
        assert page.inner_text("h1") == "What had you not looked at after turn 1?"
        assert fetched(page)[0].startswith(b"\x89PNG")
        assert page.locator(".letters label").count() > 1
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
        keep_picture(page, "play-vision-points")
        page.click(".letters label >> nth=0")
        send(page)
    assert room.saved("ann", "0").replies["explore/1/points/1"] == '{"unexplored":["A"]}'


def test_no_page_tells_in_words_what_a_picture_shows(tmp_path: Path) -> None:
    room = playroom(tmp_path)
    browser = begun(room)
    shown = browser.post(f"{HERE}/reply", data={"call": "explore/1", "reply": "Actions: [Observe()]"}).text
    assert address(room, view(room, Heading.NORTH)) in shown
    for line in told(room).splitlines()[1:]:
        assert line.removeprefix("- ") not in shown
    grid = re.search(r'"items": (\[.*?\])', shown)
    assert grid
    assert '"first": false' not in grid[1], "all names are alike"
    x, y = room.cases["0"].scene.start
    assert f"{x},{y}" not in re.sub(r"<style.*?</style>", "", shown), "where a picture was taken is not told"


def test_nobody_is_given_a_picture_that_is_not_on_their_page(tmp_path: Path) -> None:
    room = playroom(tmp_path)
    browser = begun(room)
    for picture in (address(room, view(room, Heading.NORTH)), f"{HERE}/pictures/0", f"{HERE}/pictures/..%2f..%2fx"):
        assert browser.get(picture).status_code == 404
    browser.post(f"{HERE}/reply", data={"call": "explore/1", "reply": "Actions: [Observe()]"})
    answer = browser.get(address(room, view(room, Heading.NORTH)))
    assert (answer.status_code, answer.headers["content-type"]) == (200, "image/png")
    assert browser.get(address(room, view(room, Heading.SOUTH))).status_code == 404


def test_other_pages_are_served_while_a_picture_is_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    room, begun_it, go_on, real = playroom(tmp_path), threading.Event(), threading.Event(), PictureRenderer.png

    def slow(self: PictureRenderer, key: PictureKey) -> bytes:
        begun_it.set()
        assert go_on.wait(30)
        return real(self, key)

    monkeypatch.setattr(PictureRenderer, "png", slow)
    with begun(room) as browser, ThreadPoolExecutor(1) as meanwhile:
        waiting = meanwhile.submit(browser.get, address(room, DistanceCalibration()))
        assert begun_it.wait(30)
        assert browser.get("/").status_code == 200
        assert not waiting.done()
        go_on.set()
        assert waiting.result(60).content.startswith(b"\x89PNG")


def test_nobody_goes_on_in_words_where_they_began_in_pictures(tmp_path: Path) -> None:
    playroom(tmp_path, replace(SEEN, world="text", kinds=("direction",))).begin("ann")
    with pytest.raises(SettingsError, match="another name"):
        playroom(tmp_path, replace(SEEN, kinds=("direction",))).begin("ann")


def test_a_question_in_pictures_needs_the_vision_world() -> None:
    with pytest.raises(SettingsError, match="use world vision"):
        play(kinds="view_to_location_vision")
