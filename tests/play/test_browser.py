"""A person plays a whole scene in a real browser: by buttons and by keys, on the grid, to the row in the table."""

import threading
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from tests.browser import keep_picture, watched
from tests.play.sessions import playroom
from tolman.ask import oracle_reply
from tolman.belief.cognitive_map import CognitiveMap, Placement, true_global_map
from tolman.belief.map_parsing import read_global_map
from tolman.benchmarks.theory_of_space.record import Call, SceneRecord, ScoredCase
from tolman.benchmarks.theory_of_space.tables import read_runs
from tolman.core.geometry import Heading
from tolman.core.rules import PUBLISHED, STRICT
from tolman.play.playable import AnyPlayable
from tolman.play.server import address, listen, server_of
from tolman.play.theory_of_space.play import SpacePlay
from tolman.world import START

ON_SCREEN = """([x, y]) => {
  const at = new DOMPoint(x, -y).matrixTransform(document.querySelector("[data-grid] svg").getScreenCTM());
  return [at.x, at.y];
}"""


@pytest.fixture
def room(tmp_path: Path) -> SpacePlay:
    return playroom(tmp_path / "logs")


@contextmanager
def served(room: AnyPlayable) -> Generator[str]:
    """The address of a real server."""
    with listen("127.0.0.1", 0) as listening:
        server = server_of(room, listening)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
        thread.start()
        try:
            yield address(listening)
        finally:
            server.should_exit = True
            thread.join()


def send(page: Page, key: str = "") -> None:
    """Send what is on the page, and wait for the next one."""
    with page.expect_navigation():
        if key:
            page.keyboard.press(key)
        else:
            page.click("[data-send]")


def explore(page: Page) -> None:
    """Four looks, all the way around: by a button, by keys, by both, and by typing; then the end."""
    send(page)
    for key in ("ArrowRight", "ArrowRight", "Backspace"):
        page.keyboard.press(key)
    assert page.input_value("[name=reply]") == "Actions: [Rotate(90), Observe()]"
    send(page, "Enter")
    page.click("[data-move='Rotate(90)']")
    send(page, "Enter")
    page.fill("[name=reply]", "Actions: [Rotate(90), Observe()]")
    send(page, "Enter")
    keep_picture(page, "play-explore")
    page.keyboard.press("t")
    send(page, "Enter")


def place(page: Page, name: str, placed: Placement, *, by_keys: bool) -> None:
    """Put something on the grid, and turn it."""
    x, y = map(int, placed.position)
    page.click(f".names [data-name='{name}']")
    if by_keys:
        page.focus("[data-grid] svg")
        page.keyboard.press("ArrowUp")  # the first step puts it in the middle
        for key, steps in (("ArrowRight", x), ("ArrowLeft", -x), ("ArrowUp", y), ("ArrowDown", -y)):
            for _ in range(steps):
                page.keyboard.press(key)
    else:
        page.mouse.click(*page.evaluate(ON_SCREEN, [x, y]))
    for _ in range(0 if placed.facing is None else placed.facing + 1):
        page.keyboard.press("r")


def true_map(room: SpacePlay) -> CognitiveMap:
    """All that there is, and the person where the exploration ended; doors have no front."""
    scene = room.cases["7"].scene
    true = true_global_map(scene, scene.pose_at(START, Heading.WEST), scene.names, STRICT)
    doors = {door.name for door in scene.doors}
    return CognitiveMap(
        {name: Placement(at.position, None if name in doors else at.facing) for name, at in true.places.items()}
    )


def wait_for_notebook(page: Page, room: SpacePlay) -> None:
    """Until all that was drawn is on disk."""
    facings = {None: None, **{heading: heading.word for heading in Heading}}
    drawn = {name: (at.position, facings[at.facing]) for name, at in true_map(room).places.items()}
    for _ in range(200):
        if {name: (mark.position, mark.facing) for name, mark in room.saved("ann", "7").notebook.items()} == drawn:
            return
        page.wait_for_timeout(50)
    pytest.fail("the notebook was not saved")


def report(page: Page, room: SpacePlay) -> None:
    """Look once, ask where something is, then say what really changed."""
    send(page)
    page.select_option("[data-query]", index=1)
    with page.expect_navigation():
        page.click("[data-ask]")
    assert " is at (" in page.inner_text(".world")
    page.click("details.end summary")
    for change in room.cases["7"].changes:
        page.locator(".changes label", has_text=change.name).locator("select").select_option(change.kind)
    with page.expect_navigation():
        page.click("button[name=end]")


def begin(page: Page, home: str) -> None:
    page.goto(home)
    page.fill("[name=name]", "Ann")
    with page.expect_navigation():
        page.keyboard.press("Enter")


def test_a_person_explores_draws_answers_revises_and_gets_a_row(chromium: Browser, room: SpacePlay) -> None:
    with served(room) as home, watched(chromium) as page:
        begin(page, home)
        explore(page)
        for number, (name, placed) in enumerate(true_map(room).places.items()):
            place(page, name, placed, by_keys=number == 0)
        keep_picture(page, "play-map")
        wait_for_notebook(page, room)
        page.reload()
        assert page.locator(".token").count() == len(true_map(room).places), "what was drawn survives a reload"
        send(page)
        direction, distance = oracle_reply(room.cases["7"].questions[0]).split(", ")
        page.select_option("[name=direction]", direction)
        page.select_option("[name=distance]", distance)
        send(page)
        report(page, room)
        scores = page.locator(".scores").inner_text()
        assert "100.0 %" in scores, "score and true map come right after the scene"
        page.wait_for_function("() => document.querySelector('.truth img').naturalWidth > 0")
        assert page.locator(".answers .right").count() == len(room.cases["7"].questions)
        keep_picture(page, "play-review", whole=True)
        page.click("text=See how you did")
        own = page.locator("tr", has_text="human/ann")
        own.wait_for()
        shown = dict(
            zip(page.locator("thead th").all_inner_texts(), own.locator("th, td").all_inner_texts(), strict=True)
        )
        keep_picture(page, "play-result", whole=True)
    assert shown["answers"] == shown["changes found"] == "100.0 %"
    assert shown["cost"] == "4.0"
    drawn = room.saved("ann", "7").replies["explore/5/global/1"]
    assert read_global_map(drawn, true_map(room).places, STRICT) == true_map(room)
    (run,) = read_runs([room.log_dir], pytest.fail)
    assert (run.model, run.options, len(run.cases), run.not_done) == ("human/ann", room.options.for_rooms(3), 1, 0)
    calls = [Call(name=name, reply=reply) for name, reply in room.saved("ann", "7").replies.items()]
    direct = ScoredCase(room.cases["7"], room.options, SceneRecord(calls=calls))
    for rules in (STRICT, PUBLISHED):
        assert run.cases[0].scores[rules.name] == direct.scores(rules)


def test_instruments_measure_ones_own_map_on_a_small_screen(chromium: Browser, tmp_path: Path) -> None:
    room = playroom(tmp_path / "logs", tools=True)
    first, second = (thing.name for thing in room.cases["7"].scene.things[:2])
    with served(room) as home, watched(chromium, 390, 844) as page:
        begin(page, home)
        page.click(".notebook > summary")
        place(page, first, Placement((0, 0), Heading.EAST), by_keys=False)
        place(page, second, Placement((3, 4), None), by_keys=False)
        page.click("[data-begin]")
        page.click(f".names [data-name='{first}']")
        page.click(f".names [data-name='{second}']")
        page.check("[data-rings]")
        page.get_by_text("5 steps, slightly far").wait_for()
        assert "36.9° from north, north east" in page.inner_text("[data-read]")
        assert "−53.1° from its front, beyond-fov" in page.inner_text("[data-read]")
        assert page.locator(".compass circle").count() == 5
        assert page.evaluate("document.documentElement.scrollWidth") <= 390, "nothing sticks out to the side"
        keep_picture(page, "play-instruments", whole=True)
