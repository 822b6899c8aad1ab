"""Replays of the vision world show what the model saw: the very pictures of the log, small, and nothing else of it."""

import base64
import io
import json
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest
from inspect_ai.event import InfoEvent, ModelEvent
from inspect_ai.log import read_eval_log
from inspect_ai.model import ChatMessage, ContentImage
from PIL import Image
from playwright.sync_api import Browser, Locator, expect

from tests.benchmarks.theory_of_space.replay.episode_pages import insight, opened, unfold
from tests.browser import keep_picture, watched
from tolman.benchmarks.theory_of_space.protocol.picture_marks import DistanceCalibration, NameCalibration, picture_mark
from tolman.benchmarks.theory_of_space.protocol.pictures import pictures_in
from tolman.benchmarks.theory_of_space.replay.episode_page import write_assets, write_episode
from tolman.benchmarks.theory_of_space.replay.map_data import shrink_picture
from tolman.benchmarks.theory_of_space.runs import read_runs
from tolman.benchmarks.theory_of_space.task import theory_of_space
from tolman.harness.evaluation import RunPlan, evaluate
from tolman.harness.images import PICTURE_SOURCE, noted_pictures
from tolman.render.renderer import embed_caption
from tolman.report.site.folder import open_folder

needs_mitsuba = pytest.mark.skipif(find_spec("mitsuba") is None, reason="needs tolman[render]")
SIZE = 64
WORLD: dict[str, Any] = {"scenes": "0", "rooms": 2, "things": 2, "budget": 3, "revise_budget": 2}
ASKED: dict[str, Any] = {"phases": "explore,ask,revise", "questions": 1, "kinds": "direction,view_to_location_vision"}
DRAWN: dict[str, Any] = {"image_size": SIZE, "preset": "preview", "assets": "built-in", "captions": True}


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A real run of the scout in two rooms."""
    folder = tmp_path_factory.mktemp("vision")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TOLMAN_CACHE", str(folder / "cache"))
        task = theory_of_space(world="vision", **WORLD, **ASKED, **DRAWN)
        yield evaluate([task], RunPlan("tolman/scout", folder / "logs", display="none")).logs[0].location


@pytest.fixture(scope="module")
def page_of_log(log: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("report")
    open_folder(folder)
    write_assets(folder / "assets")
    (run,) = read_runs([Path(log)], pytest.fail)
    of = run.cases[0]
    (folder / "episodes" / "scout").mkdir()
    links = {"back": "../../index.html", "previous": None, "following": None, "assets": "../../assets"}
    return write_episode(folder / "episodes" / "scout", run, of, insight(of.logged), **links)  # pyright: ignore[reportArgumentType]


def sent(log: str, call: int) -> list[bytes]:
    """The pictures that a call of the exploration sent, the latest last."""
    samples = read_eval_log(log, resolve_attachments=True).samples
    assert samples
    asked = [event.input for event in samples[0].events if isinstance(event, ModelEvent)][call - 1]
    return [base64.b64decode(image.image.partition(",")[2]) for message in asked for image in _images(message)]


def _images(message: ChatMessage) -> list[ContentImage]:
    parts = [] if isinstance(message.content, str) else message.content
    return [part for part in parts if isinstance(part, ContentImage)]


def alike(file: Path, data: bytes) -> bool:
    """Whether two pictures differ by no more than what WebP loses."""
    with Image.open(file) as one, Image.open(io.BytesIO(data)) as other:
        pairs = (np.asarray(picture.convert("RGB"), float) for picture in (one, other))
        a, b = pairs
        return a.shape == b.shape and float(abs(a - b).mean()) < 6


def shown(images: Locator, page: Path) -> list[Path]:
    """The files of pictures that a browser has drawn."""
    expect(images.first).to_be_visible()
    for image in images.page.locator("img").all():  # the page forbids strings as programs, so no waiting by one
        expect(image).to_have_js_property("complete", value=True)
    assert images.page.evaluate("[...document.images].every(one => one.naturalWidth > 0)")
    return [page.parent / cast("str", image.get_attribute("src")) for image in images.all()]


@needs_mitsuba
def test_every_look_shows_its_picture_and_the_words_are_folded_away(log: str, page_of_log: Path, chromium: Browser):
    with watched(chromium) as page:
        opened(page, page_of_log)
        to_go_by = shown(page.locator("#turn .pictures img"), page_of_log)
        assert [alike(file, data) for file, data in zip(to_go_by, sent(log, 1), strict=True)] == [True, True]
        for turn in (1, 2):
            page.click("#next")
            (file,) = shown(page.locator("#turn .pictures img"), page_of_log)
            assert alike(file, sent(log, turn + 1)[-1])
            assert not alike(file, sent(log, turn + 1)[0]), "another picture would be told apart"
        keep_picture(page, "replay-vision", whole=True)
        alt = page.locator("#turn .pictures img").get_attribute("alt") or ""
        told = page.locator("#turn .told")
        expect(told.first).to_contain_text("You see:")
        expect(told.nth(1)).to_be_hidden()
        unfold(page, "#turn")
        named = alt.removeprefix("What the agent saw. In view: ").removesuffix(".")
        for name in named.split(", ") if named != "nothing" else ():
            expect(told.nth(1)).to_contain_text(name)
            assert name not in told.first.inner_text()


@needs_mitsuba
def test_a_question_and_a_revision_have_their_pictures_too(page_of_log: Path, chromium: Browser):
    with watched(chromium, 390, 844) as page:
        opened(page, page_of_log, "#turn=r1")
        assert len(shown(page.locator("#turn .pictures img"), page_of_log)) == 1
        page.locator(".question", has_text="view to location").locator("> summary").click()
        (file,) = shown(page.locator(".question .pictures img"), page_of_log)
        with Image.open(file) as picture:
            assert picture.size == (SIZE, SIZE)
        assert "<image>" not in page.locator(".question .answer").inner_text()
        assert page.evaluate("document.documentElement.scrollWidth") <= 390


@needs_mitsuba
def test_pages_stay_small_and_hold_nothing_that_was_hidden_in_the_files(log: str, page_of_log: Path):
    assert "data:image" not in page_of_log.read_text().partition("</head>")[2]
    files = list((page_of_log.parent.parent / "pictures").iterdir())
    assert {file.suffix for file in files} == {".webp"}
    assert all(file.stat().st_size < 20_000 and b"You see" not in file.read_bytes() for file in files)
    assert any(b"tolman-caption" in data for data in sent(log, 2)), "the log's own files do hold words"


# ---- logs that someone has tampered with ----


def png(width: int = 4, height: int = 4) -> bytes:
    buffer = io.BytesIO()
    Image.new("RGB", (width, height)).save(buffer, "PNG")
    return buffer.getvalue()


def url(data: bytes, kind: str = "png") -> str:
    return f"data:image/{kind};base64,{base64.b64encode(data).decode()}"


def noted(data: object, source: str = PICTURE_SOURCE) -> InfoEvent:
    return InfoEvent(source=source, data=json.loads(json.dumps(data)))


def test_a_log_is_read_for_what_we_noted_and_nothing_else():
    good = {"mark": picture_mark(NameCalibration()), "picture": "attachment://abc"}
    events = [
        noted(good),
        noted({"mark": picture_mark(DistanceCalibration()), "picture": url(png())}),
        noted({**good, "mark": f"{picture_mark(NameCalibration())}\n{picture_mark(NameCalibration())}"}),
        noted({**good, "mark": "⟦picture ../../etc/passwd⟧"}),
        noted({**good, "mark": 7}),
        noted([good]),
        noted("picture"),
        noted({"mark": "⟦picture explore 1,1 north⟧", "picture": "https://example.org/spy.png"}),
        noted({"mark": "⟦picture explore 1,2 north⟧", "picture": "attachment://gone"}),
        noted({"mark": "⟦picture explore 1,3 north⟧", "picture": "data:image/png;base64,%%%"}),
        noted({"mark": "⟦picture explore 1,4 north⟧", "picture": url(png())}, source="map"),
    ]
    assert pictures_in(noted_pictures(events, {"abc": url(b"x")})) == {
        NameCalibration(): b"x",
        DistanceCalibration(): png(),
    }


@pytest.mark.parametrize(
    "data", [b"", b"<svg onload='alert(1)'/>", png()[:30], b"GIF89a", png(5000, 4000)], ids=lambda data: str(data[:9])
)
def test_what_is_no_picture_is_not_shown(data: bytes):
    assert shrink_picture(data, 384) is None


def test_a_large_picture_is_made_small_and_loses_what_was_written_into_it():
    small = shrink_picture(embed_caption(png(900, 450), "secret"), 384)
    assert small is not None
    assert small[1] == (384, 192)
    assert b"secret" not in small[0]
