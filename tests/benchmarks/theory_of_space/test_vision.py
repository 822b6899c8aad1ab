"""The vision world from end to end: scripted models that read captions, tiny pictures, and what is sent where."""

import base64
import io
import sys
from functools import cache
from importlib.util import find_spec
from pathlib import Path

import anyio
import pytest
from inspect_ai.event import InfoEvent, ModelEvent
from inspect_ai.log import EvalSample
from inspect_ai.model import ChatMessage, ContentImage, ContentText, GenerateConfig, ModelAPI, ModelOutput, modelapi
from inspect_ai.tool import ToolChoice, ToolInfo
from PIL import Image

from tests.benchmarks.theory_of_space.test_task import run, scored
from tolman.benchmarks.theory_of_space.case import Case, case_of
from tolman.benchmarks.theory_of_space.columns import UNCLEAR_COLUMN, columns
from tolman.benchmarks.theory_of_space.options import Options
from tolman.benchmarks.theory_of_space.protocol.picture_marks import NameCalibration, ViewPicture, picture_mark
from tolman.benchmarks.theory_of_space.protocol.pictures import PictureCache
from tolman.benchmarks.theory_of_space.task import theory_of_space
from tolman.core.errors import RenderError
from tolman.core.geometry import Heading
from tolman.core.rules import PUBLISHED, STRICT
from tolman.render.assets.choose import builtin_source
from tolman.render.building.rooms import appearance_seed, scene_parts
from tolman.render.renderer import embed_caption, read_caption
from tolman.world import WorldSettings
from tolman.world.select import choose_scenes

# Not imported here: whoever imports Mitsuba before Tolman does lets it choose a compiler by itself.
pytestmark = pytest.mark.skipif(find_spec("mitsuba") is None, reason="needs tolman[render]")

SIZE = 32
TINY: dict[str, object] = {"image_size": SIZE, "preset": "preview", "assets": "built-in", "captions": True}
WORLD: dict[str, object] = {"scenes": "5", "rooms": 2, "things": 2, "questions": 1, **TINY}
IN_PICTURES = "perspective_decision_vision,view_to_action_vision,view_to_location_vision"
MARK = picture_mark(NameCalibration())


@pytest.fixture(autouse=True, scope="module")
def one_cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Pictures that one test has had made, the next need not wait for."""
    return tmp_path_factory.mktemp("pictures")


@pytest.fixture(autouse=True)
def own_cache(one_cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOLMAN_CACHE", str(one_cache))
    monkeypatch.delenv("INSPECT_CACHE_DIR", raising=False)


@modelapi(name="hostile")
class Hostile(ModelAPI):
    """Writes marks of pictures wherever it can."""

    def __init__(self, model_name: str, base_url: str | None = None, api_key: str | None = None, **_: object) -> None:
        super().__init__(model_name, base_url, api_key, [], GenerateConfig())

    async def generate(
        self, input: list[ChatMessage], tools: list[ToolInfo], tool_choice: ToolChoice, config: GenerateConfig
    ) -> ModelOutput:
        del input, tools, tool_choice, config
        return ModelOutput.from_content("hostile", f"{MARK}\nActions: [Goto(\n{MARK}\n), Observe()]\n{MARK}")


def sample(model: str, folder: Path, **options: object) -> EvalSample:
    log = run(model, folder, **{**WORLD, **options})
    assert log.samples
    assert log.samples[0].error is None
    return log.samples[0]


def pictures(message: ChatMessage) -> list[ContentImage]:
    parts = [] if isinstance(message.content, str) else message.content
    return [part for part in parts if isinstance(part, ContentImage)]


def data(image: ContentImage) -> bytes:
    return base64.b64decode(image.image.partition(",")[2])


@cache
def case(options: Options) -> Case:
    return case_of(choose_scenes("5", WorldSettings(rooms=2, things_per_room=2))[0], options)


@pytest.mark.parametrize("mode", ["active", "passive"])
def test_who_reads_the_captions_scores_as_in_the_text_world(tmp_path: Path, mode: str) -> None:
    told = sample("tolman/scout", tmp_path / "text", world="text", mode=mode, explorer="scout")
    seen = sample("tolman/scout", tmp_path / "vision", world="vision", mode=mode, explorer="scout")
    assert scored(seen).record.replies == scored(told).record.replies
    assert (mode == "active") == any(call.name.startswith("revise/") for call in scored(seen).record.calls)
    for rules in (STRICT, PUBLISHED):
        found = columns(scored(seen).scores(rules))
        assert found.pop(UNCLEAR_COLUMN.key) == (0.0,), "of pictures only, and these show every facing"
        assert found == columns(scored(told).scores(rules))


def test_pictures_are_sent_where_a_look_was_and_with_the_first_page(tmp_path: Path) -> None:
    of = sample("tolman/scout", tmp_path, world="vision", phases="explore,probe", probe="every", repeats=1)
    (made,) = [event.data for event in of.events if isinstance(event, InfoEvent) and event.source == "pictures"]
    assert isinstance(made, dict)
    assert made["assets"] == "built-in"
    turns = [event for event in of.events if isinstance(event, ModelEvent)]
    first = turns[0].input
    assert [len(pictures(message)) for message in first] == [0, 2], "two to go by, before any look"
    second = turns[1].input
    assert [len(pictures(message)) for message in second] == [0, 2, 0, 1]
    (look,) = pictures(second[-1])
    with Image.open(io.BytesIO(data(look))) as picture:
        assert picture.size == (SIZE, SIZE)
    words = " ".join(part.text for part in second[-1].content if isinstance(part, ContentText))
    assert "You see:" in words
    assert "front" not in words, "nothing is told of what the picture shows"
    points = [event.input[-1] for event in turns if "from above" in event.input[-1].text]
    assert points
    assert all(read_caption(data(pictures(message)[-1])).startswith("#") for message in points)
    assert len({image.image for message in second for image in pictures(message)}) == 3


def test_questions_with_pictures_are_answered_from_them(tmp_path: Path) -> None:
    of = sample("tolman/oracle", tmp_path, world="vision", phases="explore,ask", kinds=IN_PICTURES)
    found = columns(scored(of).scores(STRICT))
    assert {name: found[f"ask/none/{name}"] for name in IN_PICTURES.split(",")} == dict.fromkeys(
        IN_PICTURES.split(","), (1.0,)
    )


@pytest.mark.parametrize("mode", ["active", "passive"])
def test_of_a_budget_those_to_go_by_and_the_latest_pictures_are_sent(tmp_path: Path, mode: str) -> None:
    options = {"world": "vision", "phases": "explore,ask", "mode": mode, "budget": 5, "captions": False}
    every = sample("tolman/scout", tmp_path / "all", **options)
    budgeted = sample("tolman/scout", tmp_path / "few", **options, image_budget=4)
    asked = list(zip(_inputs(every), _inputs(budgeted), strict=True))
    assert any(_sent(whole) != _sent(few) for whole, few in asked)
    for whole, few in asked:
        assert _sent(few) == (_sent(whole) if len(_sent(whole)) <= 4 else [*_sent(whole)[:2], *_sent(whole)[-2:]])
        left = sum(message.text.count("An older picture is left out here: at most 4") for message in few)
        assert left == len(_sent(whole)) - len(_sent(few))


def _sent(messages: list[ChatMessage]) -> list[str]:
    return [image.image for message in messages for image in pictures(message)]


def _inputs(of: EvalSample) -> list[list[ChatMessage]]:
    return [event.input for event in of.events if isinstance(event, ModelEvent)]


def test_marks_of_a_model_are_words(tmp_path: Path) -> None:
    of = sample("hostile/on", tmp_path, world="vision", phases="explore", budget=3, captions=False)
    last = _inputs(of)[-1]
    assert [len(pictures(message)) for message in last if message.role == "user"] == [2, 1, 1]
    spoken = [message for message in last if message.role == "assistant"]
    assert all(isinstance(message.content, str) and MARK in message.content for message in spoken)


def test_a_log_with_pictures_replays(tmp_path: Path) -> None:
    options: dict[str, object] = {"world": "vision", "phases": "explore,ask", "kinds": IN_PICTURES, "questions": 2}
    first = run("tolman/scout", tmp_path / "first", **{**WORLD, **options})
    again = sample(f"replay/{first.location}", tmp_path / "again", **options)
    assert first.samples
    assert scored(again).record.replies == scored(first.samples[0]).record.replies


def test_a_view_has_a_field_of_95_degrees_as_published_and_jpeg_files_if_wanted() -> None:
    small: dict[str, object] = {k: v for k, v in TINY.items() if k != "captions"}
    strict, wide = (Options(world="vision", rules=rules, **small) for rules in ("strict", "published"))  # pyright: ignore[reportArgumentType]
    jpeg = Options(world="vision", image_format="jpeg", **small)  # pyright: ignore[reportArgumentType]
    look = ViewPicture("explore", case(strict).scene.start, Heading.EAST)
    plain, wider, other = (anyio.run(PictureCache(case(strict), options).get, look) for options in (strict, wide, jpeg))
    assert (strict.field_of_view, wide.field_of_view) == (90.0, 95.0)
    assert plain != wider
    assert plain.startswith(b"\x89PNG")
    assert other.startswith(b"\xff\xd8")
    assert read_caption(plain) == ""


def test_a_damaged_picture_in_the_cache_is_made_again(one_cache: Path) -> None:
    options = Options(world="vision", image_size=24, preset="preview", assets="built-in")
    look = ViewPicture("explore", case(options).scene.start, Heading.WEST)
    before = set((one_cache / "pictures").rglob("*.png"))
    whole = anyio.run(PictureCache(case(options), options).get, look)
    (file,) = set((one_cache / "pictures").rglob("*.png")) - before
    for damaged in (b"", b"not a picture", whole[: len(whole) // 2]):
        file.write_bytes(damaged)
        assert anyio.run(PictureCache(case(options), options).get, look) == whole
        assert file.read_bytes() == whole


def test_what_did_not_change_looks_the_same_after_a_change() -> None:
    of, models = case(Options(world="vision")), builtin_source()
    assert of.changed
    gone = {change.name for change in of.changes}
    kept = [number for number, name in enumerate(of.scene.names, start=1) if name not in gone]
    look = appearance_seed(of.scene)
    before, after = (scene_parts(scene, models.asset, look) for scene in (of.scene, of.changed))
    for number in (0, *kept):
        pairs = zip(*([p.mesh for p in parts if p.id == number] for parts in (before, after)), strict=True)
        assert all((a.points == b.points).all() for a, b in pairs)


def test_without_mitsuba_one_sentence_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "mitsuba", None)
    with pytest.raises(
        RenderError, match=r"^the vision world is rendered with Mitsuba: pip install 'tolman\[render\]'$"
    ):
        theory_of_space(world="vision", scenes="0")


def test_captions_never_raise() -> None:
    buffer = io.BytesIO()
    Image.new("RGB", (4, 4)).save(buffer, "PNG")
    png = embed_caption(buffer.getvalue(), "You see:\n- “sofa”: front, near")
    assert read_caption(png) == "You see:\n- “sofa”: front, near"
    for broken in (b"", b"\x89PNG\r\n\x1a\n", png[:60], png[:-20], bytes(range(256))):
        assert isinstance(read_caption(broken), str)
