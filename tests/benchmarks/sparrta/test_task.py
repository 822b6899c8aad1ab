"""The Inspect task on pictures: who is asked what, behind servers good and bad, and pictures of our own."""

import hashlib
import importlib.util
import re
import shlex
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from inspect_ai.event import InfoEvent, ModelEvent
from inspect_ai.log import EvalSample, read_eval_log
from inspect_ai.model import ContentImage

from tests.benchmarks.sparrta.painted_scenes import SIDE, painted
from tests.loopback_server import LoopbackServer
from tolman.benchmarks.sparrta.case import LoggedCase, read_record
from tolman.benchmarks.sparrta.cases import generated_cases, place_in_picture, stored_cases
from tolman.benchmarks.sparrta.dataset.files import picture_paths, read_set
from tolman.benchmarks.sparrta.dataset.make import PicturePlan, generated_plan, picture_folder, prepare_pictures
from tolman.benchmarks.sparrta.options import Options, Selection
from tolman.benchmarks.sparrta.prompts import question_prompt, score_case
from tolman.benchmarks.sparrta.scenes.staging import variant_of
from tolman.benchmarks.sparrta.task import sparrta
from tolman.cli.app import app
from tolman.core.errors import TolmanError, UnknownNameError
from tolman.harness.evaluation import RunPlan, evaluate
from tolman.harness.images import picture_bytes
from tolman.render.engine.values import RenderPresetName

NONSENSE = ("", "I can't help with that.", "<answer>" * 500, "front left back", "\ud83d half a face", "Behind it.")


@pytest.fixture(autouse=True)
def environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in {"FAKE_API_KEY": "none", "TOLMAN_CACHE": str(tmp_path / "cache")}.items():
        monkeypatch.setenv(name, value)
    monkeypatch.delenv("INSPECT_CACHE_DIR", raising=False)


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("painted")
    painted(folder, 6, "desert", 2, seed=1)
    return painted(folder, 6, "forest", 1, seed=2)


def run(model: str, folder: Path, **options: Any) -> list[EvalSample]:
    outcome = evaluate([sparrta(**options)], RunPlan(model, folder, display="log"))
    assert outcome.complete
    return list(read_eval_log(outcome.logs[0].location, resolve_attachments=True).samples or ())


def logged(sample: EvalSample) -> LoggedCase:
    return read_record(sample.metadata, sample.store["tolman"])


def test_the_picture_goes_with_every_question_and_the_truth_with_none(data: Path, tmp_path: Path) -> None:
    samples = run("tolman/oracle", tmp_path / "logs", data=str(data), size=32, think=True, max_pictures=4)
    assert len(samples) == 4
    for sample in samples:
        found = logged(sample)
        assert all(answer.right for answer in score_case(found))
        events = [event for event in sample.events if isinstance(event, ModelEvent)]
        assert len(events) == len(found.case.questions) == len(found.record.calls)
        pictures = {part.image for event in events for part in event.input[0].content if isinstance(part, ContentImage)}
        (note,) = [e.data for e in sample.events if isinstance(e, InfoEvent) and isinstance(e.data, dict)]
        assert pictures == {str(note["picture"])}
        assert (picture_bytes(note["picture"], {}) or b"").startswith(b"\x89PNG"), "made smaller"
        prompts = {question_prompt(found.case, question, found.options) for question in found.case.questions}
        assert {event.input[0].text for event in events} == prompts
    again = run(f"replay/{tmp_path / 'logs'}", tmp_path / "again", data=str(data), size=32, think=True, max_pictures=4)
    assert [logged(sample).record.replies for sample in again] == [logged(sample).record.replies for sample in samples]


def test_a_small_picture_is_sent_as_it_is_and_a_blind_model_gets_none(data: Path, tmp_path: Path) -> None:
    (sample,) = run("tolman/random", tmp_path / "seen", data=str(data), size=SIDE, max_pictures=1)
    (note,) = [e.data for e in sample.events if isinstance(e, InfoEvent) and isinstance(e.data, dict)]
    assert picture_bytes(note["picture"], {}) == Path(logged(sample).case.picture).read_bytes()
    (sample,) = run("tolman/random", tmp_path / "blind", data=str(data), blind=True, max_pictures=1, viewpoint="ego")
    (event,) = [event for event in sample.events if isinstance(event, ModelEvent)]
    assert isinstance(event.input[0].content, str)
    assert "There is no picture" in event.input[0].text


def test_all_is_scored_behind_a_server_that_misbehaves(data: Path, tmp_path: Path) -> None:
    options = Options()
    right = {
        question_prompt(case, question, options): question.answer
        for case in stored_cases(data, options)
        for question in case.questions
    }

    def thought(messages: list[tuple[str, str]]) -> str:
        text = messages[-1][1]
        number = int(hashlib.sha256(text.encode()).hexdigest()[:8], 16)
        return NONSENSE[number // 3 % len(NONSENSE)] if number % 3 == 0 else f"**{right[text].title()}**"

    with LoopbackServer(faults=0.4, cut=0.1, thought=thought) as server:
        plan = RunPlan("openai-api/fake/eyes", tmp_path / "logs", base_url=server.url, display="log")
        outcome = evaluate([sparrta(data=str(data), resume=True)], plan)
    assert outcome.complete
    assert sum(server.injected.values()) > 0
    found = [logged(sample) for sample in read_eval_log(outcome.logs[0].location).samples or ()]
    answers = [answer for case in found for answer in score_case(case)]
    assert len(answers) == sum(len(case.questions) for case in stored_cases(data, options))
    assert all(answer.reply is not None for answer in answers)
    share = sum(answer.right for answer in answers) / len(answers)
    assert 0.2 < share < 1, "right answers are found, and nonsense scores nothing"
    assert any(answer.said is None for answer in answers)


def own(images: str, size: int, preset: RenderPresetName = "draft") -> PicturePlan:
    """Pictures of one triple that options select."""
    chosen = Selection(environment="desert", triple="3", images=images, preset=preset, assets="built-in")
    return generated_plan(chosen, Options(size=size))


needs_renderer = pytest.mark.skipif(importlib.util.find_spec("mitsuba") is None, reason="needs tolman[render]")


def made(plan: PicturePlan, tmp_path: Path) -> Path:
    """The pictures of a plan where they are kept, painted instead of rendered."""
    inner = painted(tmp_path / "painted", 8, "desert", 3, seed=3) / "desert_3" / "mid-objects"
    folder = picture_folder(plan)
    for index in plan.indices:
        for name, path in picture_paths(folder, plan.triples[0], index).items():
            source = {"image": inner / f"img_{index:04}.png", "params": inner / f"params_{index:04}.json"}.get(name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(source.read_bytes() if source else b"{}")
    return folder


def nothing_to_make(done: int, total: int) -> None:
    pytest.fail(f"{total - done} pictures are to be made")


@needs_renderer
def test_pictures_of_our_own_that_are_there_are_used_again(tmp_path: Path) -> None:
    plan = own("4,7", SIDE)
    folder = made(plan, tmp_path)
    assert prepare_pictures(plan, nothing_to_make) == folder
    named = {"environment": "desert", "triple": 3, "images": [4, 7], "size": SIDE, "assets": "built-in"}
    samples = run("tolman/oracle", tmp_path / "logs", preset="draft", **named)
    wanted = generated_cases(folder, plan.triples, plan.indices, Options(size=SIDE))
    assert [logged(sample).case for sample in samples] == wanted
    few = generated_cases(folder, plan.triples, [7], Options(ambiguity=0))
    assert [case.id for case in few] == ["desert_3-7"], "a folder may hold more"
    assert picture_folder(own("4,7", SIDE, "standard")) != folder


@pytest.mark.slow
@needs_renderer
def test_pictures_are_made_and_the_source_is_where_it_is_said_to_be() -> None:
    same = [index for index in range(40) if variant_of("desert", index) == variant_of("desert", 0)][:2]
    plan = own(",".join(map(str, same)), 96)
    told: list[tuple[int, int]] = []
    folder = prepare_pictures(plan, lambda done, total: told.append((done, total)))
    assert told[-1] == (2, 2)
    cases = generated_cases(folder, plan.triples, plan.indices, Options(point="always"))
    assert all(len(case.questions) == 2 for case in cases), "clear from both viewpoints"
    for stored in read_set(folder):
        mask = stored.mask("source")
        assert mask is not None
        rows, columns = np.nonzero(mask)
        across, down = place_in_picture(stored.sample, stored.sample.source)
        assert columns.min() - 4 <= across * 96 <= columns.max() + 4
        assert rows.max() - 12 <= down * 96 <= rows.max() + 8, "its foot, not its top"


def test_the_command_prints_tables(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    words = ["--model", "tolman/oracle", "--data", str(data), "--log-dir", str(tmp_path / "logs"), "--display", "none"]
    words += ["--think", "--no-think", "--max-pictures", "4"]
    app(["eval", "sparrta", *words], exit_on_error=False, print_error=False, result_action="return_none")
    assert len(list((tmp_path / "logs").glob("*.eval"))) == 2
    shown = capsys.readouterr().out
    assert shown.count("100.0") >= 10
    assert "tolman/oracle, think" in shown
    assert "majority" in shown


def test_what_is_wrong_is_said_before_anything_is_run(data: Path, tmp_path: Path) -> None:
    wrong: tuple[tuple[dict[str, Any], str], ...] = (
        ({"data": str(tmp_path / "nowhere")}, "not a folder of pictures"),
        ({"data": str(data), "viewpoint": "bird"}, "--viewpoint is ego, allo or both"),
        ({"data": str(data), "max_pictures": 0}, "at least 1"),
        ({"environment": "moon"}, "no environment 'moon'"),
        ({"environment": "desert", "triple": "4"}, "1, 2 and 3"),
        ({"environment": "desert", "triple": "x"}, "--triple is"),
        ({"environment": "desert", "images": "some"}, "is not a list of numbers"),
        ({"environment": "desert", "preset": "oil"}, "oil"),
    )
    for options, message in wrong:
        with pytest.raises(TolmanError, match=message):
            sparrta(**options)
    with pytest.raises(UnknownNameError, match="choose one of"):
        app(["eval", "sparrta", "--model", "tolman/scout"], exit_on_error=False, print_error=False)


def test_every_command_of_the_page_can_be_given() -> None:
    page = (Path(__file__).parents[3] / "docs" / "sparrta.md").read_text(encoding="utf-8")
    blocks = re.findall(r"```console\n(.*?)```", page, re.DOTALL)
    commands = [line for block in blocks for line in block.splitlines()]
    assert len(commands) >= 5
    for command in commands:
        program, *words = shlex.split(command)
        assert program == "tolman"
        app.parse_args(words, exit_on_error=False, print_error=False)
