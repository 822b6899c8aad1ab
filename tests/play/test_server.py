"""The pages over HTTP, as a browser asks for them and as a stranger might."""

import json
import re
import time
from html import unescape
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from tests.play.sessions import SMALL, client, next_request, playroom, spoken
from tolman.benchmarks.theory_of_space.options import Options
from tolman.play.server import LARGEST_BODY
from tolman.play.theory_of_space.play import SpacePlay
from tolman.world import perturb, scene_to_dict
from tolman.world.select import choose_scenes

HERE = "/people/ann/7"


@pytest.fixture
def room(tmp_path: Path) -> SpacePlay:
    return playroom(tmp_path)


@pytest.fixture
def page(room: SpacePlay) -> TestClient:
    """A browser at the first turn."""
    browser = client(room)
    shown = browser.post("/begin", data={"name": "Ann"})
    assert shown.url.path == HERE
    return browser


def replies(room: SpacePlay) -> dict[str, str]:
    return room.saved("ann", "7").replies


def look(page: TestClient, call: str, reply: str = "Actions: [Observe()]", **fields: str) -> str:
    return page.post(f"{HERE}/reply", data={"call": call, "reply": reply, **fields}).text


# ---- going through ----


def test_a_reload_and_a_new_server_go_on_where_the_person_was(page: TestClient, room: SpacePlay) -> None:
    look(page, "explore/1")
    shown = page.get(HERE).text
    assert 'value="explore/2"' in shown
    told = re.search(r'class="world".*?</div>', shown, re.DOTALL)
    assert told
    assert "You see" in told[0]
    restarted = client(playroom(room.log_dir))
    assert restarted.get(HERE).text == shown
    assert restarted.post("/begin", data={"name": " ANN "}).text == shown


def test_neither_a_double_submit_nor_the_back_button_changes_what_was_said(page: TestClient, room: SpacePlay) -> None:
    look(page, "explore/1")
    again = look(page, "explore/1", "Actions: [Rotate(90), Observe()]")
    assert 'value="explore/2"' in again
    look(page, "explore/9")
    look(page, "ask/none/direction/1", "north, near")
    assert replies(room) == {"explore/1": "Actions: [Observe()]"}
    assert page.get(HERE).headers["cache-control"] == "no-store"


def test_a_reply_that_can_not_be_read_is_handed_back_and_not_kept(page: TestClient, room: SpacePlay) -> None:
    hostile = 'Actions: [Rotate(45), Observe()] </textarea><script>alert("x")</script>'
    shown = page.post(f"{HERE}/reply", data={"call": "explore/1", "reply": hostile})
    assert shown.status_code == 422
    assert "turns are 0, 90" in shown.text
    assert "<script>alert" not in shown.text
    assert hostile in unescape(shown.text), "nothing that was typed is lost"
    assert replies(room) == {}


def test_a_notebook_is_kept_and_becomes_the_first_draft_of_the_map(page: TestClient, room: SpacePlay) -> None:
    name = room.cases["7"].scene.things[0].name
    note = {name: {"position": [2, -1], "facing": "west"}, "dragon": {"position": [0, 0]}}
    assert page.post(f"{HERE}/notebook", content=json.dumps(note)).status_code == 204
    assert page.post(f"{HERE}/notebook", content='{"a": 3}').status_code == 422
    look(page, "explore/1", notebook=json.dumps({name: {"position": [3, 3]}, "agent": {"position": [0, 0]}}))
    drawn = page.post(f"{HERE}/reply", data={"call": "explore/2", "end": "1"}).text
    given = re.search(r"data-values>(.*?)</script>", drawn)
    assert given
    assert json.loads(given[1])["places"] == {name: [3, 3, None], "agent": [0, 0, None]}
    look(page, "explore/2/global/1", json.dumps({name: {"position": [4, 4], "facing": "east"}}))
    assert json.loads(room.saved("ann", "7").model_dump_json())["notebook"] == {
        name: {"position": [4, 4], "facing": "east"}
    }


def test_the_world_does_not_show_before_it_is_looked_at(tmp_path: Path) -> None:
    (choice,) = choose_scenes("7", SMALL)
    shown: list[str] = []
    for number, scene in enumerate((choice.load(), perturb(choice.load(), 5).scene)):
        file = tmp_path / str(number) / "7"
        file.parent.mkdir()
        file.write_text(json.dumps(scene_to_dict(scene)))
        browser = client(playroom(tmp_path / str(number), scenes=str(file)))
        shown.append(browser.post("/begin", data={"name": "ann"}).text)
    assert shown[0] == shown[1], "things that lie elsewhere leave no trace in the page"


# ---- strangers ----


@pytest.mark.parametrize(
    "headers",
    [
        {"host": "evil.example"},
        {"host": "127.0.0.1.evil.example:8421"},
        {"host": ""},
        {"origin": "http://evil.example"},
        {"origin": "null"},
        {"origin": "http://127.0.0.1:9"},
        {"sec-fetch-site": "cross-site"},
    ],
)
def test_forms_of_other_sites_and_other_names_are_refused(
    page: TestClient, room: SpacePlay, headers: dict[str, str]
) -> None:
    sent = page.post(f"{HERE}/reply", data={"call": "explore/1", "reply": "Actions: [Observe()]"}, headers=headers)
    assert sent.status_code == 403
    assert replies(room) == {}


def test_own_forms_are_taken_under_every_loopback_name(page: TestClient, room: SpacePlay) -> None:
    own = {"host": "localhost:8421", "origin": "http://localhost:8421", "sec-fetch-site": "same-origin"}
    page.post(f"{HERE}/reply", data={"call": "explore/1", "reply": "Actions: [Observe()]"}, headers=own)
    assert list(replies(room)) == ["explore/1"]
    assert page.get("/", headers={"host": "[::1]:8421"}).status_code == 200
    assert page.get("/", headers={"host": "192.168.1.5:8421"}).status_code == 403, "loopback only, unless asked for"


@pytest.mark.parametrize(
    "path",
    [
        *(
            "/people/bob",
            "/people/bob/7",
            "/people/ann/8",
            "/people/..%2Fann/7",
            "/result/bob",
            "/people/ann/7/pictures/truth",
        ),
        *("/static/server.py", "/static/..%2Flooks.py", "/measure?x0=0&y0=0&x1=1&y1=1", "/docs", "/openapi.json"),
    ],
)
def test_what_is_not_there_is_a_page_that_says_so(page: TestClient, path: str) -> None:
    assert page.get(path).status_code == 404


def test_a_form_that_is_too_large_and_a_name_that_is_none_are_refused(page: TestClient) -> None:
    assert page.post(f"{HERE}/reply", data={"call": "explore/1", "reply": "x" * LARGEST_BODY}).status_code == 403
    unnamed = page.post("/begin", data={"name": "<img src=x>…"})
    assert unnamed.url.path == "/people/img-src-x/7"
    refused = page.post("/begin", data={"name": "…"})
    assert refused.status_code == 422
    assert "letter" in refused.text


# ---- instruments, and the log ----


def test_instruments_read_in_the_words_of_the_benchmark(tmp_path: Path) -> None:
    with_tools = client(playroom(tmp_path, tools=True))
    read = with_tools.get("/measure", params={"x0": 0, "y0": 0, "x1": 3, "y1": 4, "facing": 1}).json()
    assert read == {
        "steps": 5.0,
        "distance": "slightly far",
        "degrees": 36.9,
        "direction": "north east",
        "ahead": -53.1,
        "seen": "beyond-fov",
    }
    assert with_tools.get("/measure?x0=a&y0=0&x1=1&y1=1").status_code == 422


@pytest.mark.parametrize("mode", ["active", "passive"])
def test_every_page_of_a_scene_is_served_to_its_end(mode: str, tmp_path: Path) -> None:
    options = Options(mode="passive", questions=1) if mode == "passive" else Options(questions=1)
    room = playroom(tmp_path, options)
    browser = client(room)
    browser.post("/begin", data={"name": "ann"})
    pages = 0
    while (asked := next_request(room.session(room.saved("ann", "7")))) is not None:
        said = spoken("7", options).replies[asked.call]
        assert look(browser, asked.call, said)
        pages += 1
    assert replies(room) == spoken("7", options).replies
    assert pages >= 10
    assert "/result/ann" in browser.get(HERE).text
    deadline = time.monotonic() + 60
    while "being written" in (shown := browser.get("/result/ann").text) and time.monotonic() < deadline:
        time.sleep(0.05)
    table = re.findall(r"<tr.*?</tr>", shown, re.DOTALL)
    own, scout = (re.findall(r"<td>(.*?)</td>", row) for row in table[1:3])
    assert "human/ann" in table[1]
    assert own == scout, "who says what the scout says has the scout's row"
    assert browser.get(f"{HERE}/pictures/truth").content.startswith(b"\x89PNG")
