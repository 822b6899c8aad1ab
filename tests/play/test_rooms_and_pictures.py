"""A person takes OSR-Bench and SpaRRTa in a real browser to the end, sees the score and the truth, and has a row in
the same tables as a model."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page
from starlette.testclient import TestClient

from tests.benchmarks.osr_bench.tiny_dataset import ROOMS, write_set
from tests.benchmarks.sparrta.painted_scenes import painted
from tests.browser import keep_picture, watched
from tests.command_line import Here
from tests.play.test_browser import begin, send, served
from tolman.benchmarks.osr_bench.questions.question import SPECIAL
from tolman.cli.play import playables
from tolman.core.errors import SettingsError
from tolman.play.osr_bench import OsrPlay
from tolman.play.playable import AnyPlayable, PlaySetting
from tolman.play.server import build_app
from tolman.play.sparrta import SparrtaPlay, ground_plan

CELL = """([x, y]) => {
  const svg = document.querySelector("[data-cells] svg");
  const at = new DOMPoint(x - 4.5, y - 4.5).matrixTransform(svg.getScreenCTM());
  return [at.x, at.y];
}"""


def opened(name: str, folder: Path, feedback: bool = True, **given: object) -> AnyPlayable:
    cls = playables()[name]
    return cls.opened({**cls.flags, **given}, PlaySetting(folder, feedback=feedback))


@pytest.fixture
def rooms(tmp_path: Path) -> OsrPlay:
    play = opened("osr-bench", tmp_path / "logs", data=str(write_set(tmp_path / "set", each=2)))
    assert isinstance(play, OsrPlay)
    return play


@pytest.fixture
def pictures(tmp_path: Path) -> SparrtaPlay:
    folder = painted(tmp_path / "pictures", 6)
    play = opened("sparrta", tmp_path / "logs", data=str(folder), images="0-5", max_pictures=2)
    assert isinstance(play, SparrtaPlay)
    return play


def client(play: AnyPlayable) -> TestClient:
    return TestClient(build_app(play), base_url="http://127.0.0.1:8421", follow_redirects=True)


# ---- in a browser ----


def draw(page: Page, scene: str) -> None:
    """The true map: by clicks, but the first object by keys, and one that is first put elsewhere and dragged."""
    page.locator("#viewer").wait_for()
    for number, (name, cells) in enumerate(ROOMS[scene].instances.items()):
        page.click(f".names [data-name='{name}']")
        for row, column in cells:
            if number == 0:
                page.focus("[data-cells] svg")
                page.keyboard.press("Enter")
                for key, steps in (("ArrowRight", column - 5), ("ArrowLeft", 5 - column)):
                    for _ in range(steps):
                        page.keyboard.press(key)
                for key, steps in (("ArrowDown", row - 5), ("ArrowUp", 5 - row)):
                    for _ in range(steps):
                        page.keyboard.press(key)
            elif number == 1:
                page.mouse.move(*page.evaluate(CELL, [0, 6]))
                page.mouse.down()
                page.mouse.up()
                page.mouse.move(*page.evaluate(CELL, [0, 6]))
                page.mouse.down()
                page.mouse.move(*page.evaluate(CELL, [column, row]))
                page.mouse.up()
            else:
                page.mouse.click(*page.evaluate(CELL, [column, row]))


def stated(page: Page) -> dict[str, list[list[int]]]:
    said = json.loads(page.input_value("[name=reply]"))
    return {name: sorted(places) for name, places in said.items()}


def truth(scene: str) -> dict[str, list[list[int]]]:
    return {name: sorted([column, row] for row, column in cells) for name, cells in ROOMS[scene].instances.items()}


def answer(page: Page, text: str) -> None:
    if page.locator("[type=number]").count():
        page.fill("[name=answer]", text)
    else:
        page.check(f"[name=answer][value='{text}']", force=True)
    send(page)


@pytest.mark.slow
def test_a_person_maps_two_rooms_and_answers(chromium: Browser, rooms: OsrPlay, here: Here) -> None:
    with served(rooms) as home, watched(chromium) as page:
        begin(page, home)
        for number, (scene, case) in enumerate(rooms.cases.items()):
            draw(page, scene)
            assert stated(page) == truth(scene)
            if number == 0:
                page.wait_for_function("() => document.querySelector('[data-placed]').textContent.startsWith('10')")
                wait_for_notebook(page, rooms, scene)
                page.reload()
                assert stated(page) == truth(scene), "what was drawn survives a reload"
                look_around(page)
                keep_picture(page, "play-osr-map", whole=True)
            send(page)
            assert page.locator("[data-cells] .token").count() == len([c for cs in truth(scene).values() for c in cs])
            for asked in case.questions:
                if number == 0:
                    keep_picture(page, f"play-osr-{asked.kind}", whole=True)
                answer(page, asked.answer)
            assert page.locator("h1").inner_text() == "This room is done."
            assert "100.0 %" in page.locator(".scores").inner_text()
            assert page.locator(".token.true").count() == len([c for cs in truth(scene).values() for c in cs])
            assert page.locator(".answers .right").count() == len(case.questions)
            keep_picture(page, "play-osr-review", whole=True)
            page.locator("a.primary").click()
        page.locator("tr", has_text="human/ann").wait_for()
        assert page.locator("tr", has_text="human/ann").inner_text().count("100.0 %") == 4
        keep_picture(page, "play-osr-result", whole=True)
    shown = here("show", rooms.log_dir)
    assert shown.returncode == 0, shown.stderr
    assert "human/ann" in shown.stdout


def wait_for_notebook(page: Page, rooms: OsrPlay, scene: str) -> None:
    """Until all that was drawn is on disk."""
    drawn = sorted((place[0], place[1]) for places in truth(scene).values() for place in places)
    for _ in range(200):
        if sorted(mark.position for mark in rooms.saved("ann", scene).notebook.values()) == drawn:
            return
        page.wait_for_timeout(50)
    pytest.fail("the draft was not saved")


def look_around(page: Page) -> None:
    """The panorama turns when it is dragged, and by keys."""
    viewer = page.locator("#viewer")
    viewer.wait_for()
    viewer.scroll_into_view_if_needed()
    box = viewer.bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + 300, box["y"] + 60)
    page.mouse.down()
    page.mouse.move(box["x"] + 200, box["y"] + 60)
    page.mouse.up()
    dragged = float(viewer.get_attribute("data-heading") or 0)
    assert 0 < dragged < 90
    viewer.focus()
    page.keyboard.press("ArrowRight")
    assert float(viewer.get_attribute("data-heading") or 0) == pytest.approx(dragged + 10, abs=0.2)


def test_a_person_is_asked_about_pictures(chromium: Browser, pictures: SparrtaPlay, here: Here) -> None:
    right = 0
    with served(pictures) as home, watched(chromium) as page:
        begin(page, home)
        for number, case in enumerate(pictures.cases.values()):
            for asked in case.questions:
                page.wait_for_function("() => document.images[0].naturalWidth > 0")
                if number == 0:
                    keep_picture(page, f"play-sparrta-{asked.viewpoint}", whole=True)
                answer(page, asked.answer)
                right += 1
            assert f"{len(case.questions)} of {len(case.questions)} right" in page.locator(".scores").inner_text()
            assert page.locator(".ground circle").count() == 4
            keep_picture(page, "play-sparrta-review", whole=True)
            page.locator("a.primary").click()
        row = page.locator("tr", has_text="human/ann")
        row.wait_for()
        assert "100.0 %" in row.inner_text()
    shown = here("show", pictures.log_dir)
    assert shown.returncode == 0, shown.stderr
    assert "human/ann" in shown.stdout
    assert right == sum(len(case.questions) for case in pictures.cases.values())


def test_pages_fit_a_small_screen(chromium: Browser, rooms: OsrPlay, pictures: SparrtaPlay) -> None:
    for play, first in ((rooms, "play-osr-narrow"), (pictures, "play-sparrta-narrow")):
        with served(play) as home, watched(chromium, 390, 844) as page:
            begin(page, home)
            keep_picture(page, first, whole=True)
            assert page.evaluate("document.documentElement.scrollWidth") <= 390
            if play is rooms:
                page.click("[data-name=lamp]")
                page.mouse.click(*page.evaluate(CELL, [2, 3]))
                assert stated(page) == {"lamp": [[2, 3]]}
                send(page)
                keep_picture(page, "play-osr-question-narrow", whole=True)
                assert page.evaluate("document.documentElement.scrollWidth") <= 390


# ---- over HTTP ----


def said_all(browser: TestClient, scene: str, say: dict[str, str]) -> str:
    """The page after all replies."""
    for call, reply in say.items():
        browser.post(f"/people/ann/{scene}/reply", data={"call": call, "reply": reply})
    return browser.get(f"/people/ann/{scene}").text


def replies_of(play: OsrPlay, scene: str) -> dict[str, str]:
    case = play.cases[scene]
    said = {"0/map": json.dumps(case.truth.as_coordinates)} if play.options.mode == "first" else {}
    return said | {f"0/{question.turn}": question.answer for question in case.questions}


def test_without_feedback_nothing_of_the_truth_shows_before_the_end(tmp_path: Path) -> None:
    play = opened("osr-bench", tmp_path / "logs", feedback=False, data=str(write_set(tmp_path / "set", each=1)))
    assert isinstance(play, OsrPlay)
    browser = client(play)
    browser.post("/begin", data={"name": "Ann"})
    first, second = play.cases
    done = said_all(browser, first, replies_of(play, first))
    assert "This room is done." in done
    assert "data-cells" not in done
    assert "expected" not in done
    assert browser.get(f"/people/ann/{first}/pictures/panorama").status_code == 404
    last = said_all(browser, second, replies_of(play, second))
    assert "data-cells" in last
    assert "data-cells" in browser.get(f"/people/ann/{first}").text
    with pytest.raises(SettingsError, match="another name"):
        opened("osr-bench", tmp_path / "logs", data=play.data).begin("ann")


def test_no_page_holds_the_truth_before_a_room_is_done(rooms: OsrPlay) -> None:
    browser = client(rooms)
    shown = browser.post("/begin", data={"name": "Ann"}).text
    scene = next(iter(rooms.cases))
    given = re.search(r"data-values>(.*?)</script>", shown)
    assert given
    values = json.loads(given[1])
    assert (values["placed"], values["truth"], values["links"]) == ([], None, [])
    for call in ("0/map", *(f"0/{question.turn}" for question in rooms.cases[scene].questions[:-1])):
        reply = "{}" if call == "0/map" else replies_of(rooms, scene)[call]
        shown = browser.post(f"/people/ann/{scene}/reply", data={"call": call, "reply": reply}).text
        assert '"truth": null' in shown
        assert "expected" not in shown


@pytest.mark.parametrize(
    ("call", "fields", "told"),
    [
        ("0/map", {}, "still missing"),
        ("0/map", {"reply": "no idea"}, "could not be used as a map"),
        ("0/1", {"answer": "-1"}, "still missing"),
        ("0/1", {"answer": "2 or 3"}, "still missing"),
        ("0/1", {"reply": "</textarea><script>alert()</script>"}, "could not be read"),
        ("0/1", {"reply": "3" * 30_000}, "too long"),
    ],
)
def test_what_can_not_be_read_is_handed_back(rooms: OsrPlay, call: str, fields: dict[str, str], told: str) -> None:
    browser, scene = client(rooms), next(iter(rooms.cases))
    browser.post("/begin", data={"name": "Ann"})
    if call != "0/map":
        browser.post(f"/people/ann/{scene}/reply", data={"call": "0/map", "reply": "{}"})
    shown = browser.post(f"/people/ann/{scene}/reply", data={"call": call, **fields})
    assert shown.status_code == 422
    assert told in shown.text
    assert "<script>alert" not in shown.text
    assert call not in rooms.saved("ann", scene).replies


def test_a_draft_holds_only_what_can_be_on_the_map(rooms: OsrPlay) -> None:
    browser, scene = client(rooms), next(iter(rooms.cases))
    browser.post("/begin", data={"name": "Ann"})
    note = {"chair 1": {"position": [2, 3]}, "dragon 1": {"position": [2, 3]}, "lamp 1": {"position": [10, 0]}}
    assert browser.post(f"/people/ann/{scene}/notebook", content=json.dumps(note)).status_code == 204
    assert {name: mark.position for name, mark in rooms.saved("ann", scene).notebook.items()} == {"chair 1": (2, 3)}


def test_absent_objects_can_be_answered_with_the_sentences_that_a_model_is_told(tmp_path: Path) -> None:
    data = str(write_set(tmp_path / "set", each=6))
    play = opened("osr-bench", tmp_path / "logs", data=data, asked="negative", mode="none")
    assert isinstance(play, OsrPlay)
    browser, scene = client(play), next(iter(play.cases))
    shown = browser.post("/begin", data={"name": "Ann"})
    kinds = set[str]()
    for question in play.cases[scene].questions:
        if question.kind != "counting" and question.answer in SPECIAL:
            kinds.add(question.kind)
            assert f'value="{question.answer}"' in shown.text
        fields = {"call": f"0/{question.turn}", "answer": question.answer}
        shown = browser.post(f"/people/ann/{scene}/reply", data=fields)
    assert kinds == {"distance", "direction"}
    assert play.saved("ann", scene).replies == replies_of(play, scene)
    assert "100.0" not in shown.text, "no map was asked for"


@pytest.mark.parametrize("reply", ["up", "left or right", "B. front and C. back"])
def test_an_answer_about_a_picture_that_is_none_is_handed_back(pictures: SparrtaPlay, reply: str) -> None:
    browser, (scene, case) = client(pictures), next(iter(pictures.cases.items()))
    browser.post("/begin", data={"name": "Ann"})
    call = case.questions[0].viewpoint
    assert browser.post(f"/people/ann/{scene}/reply", data={"call": call, "reply": reply}).status_code == 422
    assert browser.post(f"/people/ann/{scene}/reply", data={"call": call, "answer": "up"}).status_code == 422
    browser.post(f"/people/ann/{scene}/reply", data={"call": call, "answer": "left"})
    assert pictures.saved("ann", scene).replies == {call: case.questions[0].lettered("left")}


def test_the_plan_shows_the_relation_from_the_camera(pictures: SparrtaPlay) -> None:
    for case in pictures.cases.values():
        marks: Any = ground_plan(case)["marks"]
        for question in case.questions:
            if question.viewpoint == "ego":
                (x, y), (sx, sy) = marks["target"], marks["source"]
                seen = {"front": y < sy, "back": y > sy, "left": x < sx, "right": x > sx}
                assert seen[question.answer]


def test_options_of_another_benchmark_are_refused_in_one_line(tmp_path: Path, here: Here) -> None:
    for words, told in (
        (("--benchmark", "osr-bench", "--rooms", "4"), "--rooms is not an option of osr-bench"),
        (("--benchmark", "chess"), "can't be played"),
        (("--benchmark", "osr-bench", "--mode", "true"), "not given the true map"),
        (("--benchmark", "sparrta", "--tools"), "no instruments"),
        (("--benchmark", "osr-bench", "--data", str(tmp_path / "nowhere")), "neither seeds"),
    ):
        run = here("play", "--no-open", "--port", "0", *words)
        assert run.returncode == 2
        assert told in run.stderr
        assert len(run.stderr.strip().splitlines()) == 1


def test_only_benchmarks_with_pages_can_be_played() -> None:
    assert set(playables()) == {"theory-of-space", "osr-bench", "sparrta"}
