"""The Inspect task: where its cases come from, what is shown and said, and what is refused."""

import json
import re
import shlex
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from inspect_ai.event import ModelEvent
from inspect_ai.log import EvalSample, read_eval_log
from inspect_ai.model import ContentImage, ContentText

from tests.benchmarks.osr_bench.test_modes import logged
from tests.benchmarks.osr_bench.tiny_dataset import ROOMS, write_set
from tolman.benchmarks.osr_bench.case import CORNERS, Case
from tolman.benchmarks.osr_bench.cases import choose_cases
from tolman.benchmarks.osr_bench.maps.grid import map_from_instances
from tolman.benchmarks.osr_bench.options import Options
from tolman.benchmarks.osr_bench.prompts import map_prompt, question_prompt, true_map
from tolman.benchmarks.osr_bench.questions.question import SPECIAL, answer_of
from tolman.benchmarks.osr_bench.rules import STRICT
from tolman.benchmarks.osr_bench.scores import score_case
from tolman.benchmarks.osr_bench.task import osr_bench
from tolman.cli.app import app
from tolman.core.errors import SettingsError, TolmanError, UnknownNameError
from tolman.harness.evaluation import RunPlan, evaluate


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOLMAN_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("INSPECT_CACHE_DIR", raising=False)


def run(model: str, folder: Path, **options: Any) -> list[EvalSample]:
    outcome = evaluate([osr_bench(**options)], RunPlan(model, folder, display="log"))
    assert outcome.complete
    return list(read_eval_log(outcome.logs[0].location, resolve_attachments=True).samples or ())


def test_a_room_of_our_own_is_rendered_and_asked_about(tmp_path: Path) -> None:
    (sample,) = run(
        "tolman/oracle", tmp_path, data="3", width=64, preset="draft", assets="built-in", each=2, views="four"
    )
    case = logged(sample)
    assert case.case.seed == 3
    (scores,) = score_case(case, STRICT)
    assert scores.map is not None
    assert scores.map.f1 == 1
    assert all(answer.score == 1 for answer in scores.answers)
    opening = next(event.input[0].content for event in sample.events if isinstance(event, ModelEvent))
    assert sum(isinstance(part, ContentImage) for part in opening) == 4
    labels = [part.text for part in opening if isinstance(part, ContentText)]
    assert labels[:-1] == ["Ahead:", "Right:", "Behind:", "Left:"]
    assert "four pictures" in labels[-1]


def test_seeds_give_the_same_cases_whichever_others_are_chosen() -> None:
    for asked in ("standard", "negative"):
        options = Options(asked=asked, each=3)
        assert choose_cases("4,7", options)[1] == choose_cases("7", options)[0]
        assert choose_cases("7", options)[0].pool == tuple(sorted(choose_cases("7", options)[0].pool))


def test_without_pictures_words_alone_are_sent(tmp_path: Path) -> None:
    (sample,) = run("tolman/random", tmp_path, data="5", views="blind", each=2, mode="none")
    events = [event for event in sample.events if isinstance(event, ModelEvent)]
    assert all(isinstance(event.input[0].content, str) for event in events)
    assert all("no picture" in event.input[0].text for event in events)


@pytest.mark.parametrize(
    ("greedy", "generation", "used"), [(True, {}, 0.0), (True, {"temperature": 0.7}, 0.7), (False, {}, None)]
)
def test_replies_are_the_likeliest_ones_unless_told_otherwise(
    greedy: bool, generation: dict[str, float], used: float | None, tmp_path: Path
) -> None:
    task = osr_bench(data="5", views="blind", each=1, mode="none", greedy=greedy)
    log = evaluate([task], RunPlan("tolman/constant", tmp_path, display="log", generation=generation)).logs[0]
    sample = (read_eval_log(log.location).samples or [])[0]
    assert {event.config.temperature for event in sample.events if isinstance(event, ModelEvent)} == {used}


def test_mirrored_maps_are_put_right_and_answers_with_them(tmp_path: Path) -> None:
    folder = write_set(tmp_path / "set", each=6)
    for name, room in ROOMS.items():  # without a word about handedness they count as the authors'
        (folder / name / "cognitive_map.json").write_text(json.dumps({"cognitive_map": room.as_lists}))
    asked = choose_cases(str(folder), Options())
    stored = choose_cases(str(folder), Options(rules="published"))
    swapped = str.maketrans({"L": "R", "R": "L"})
    for mended, released in zip(asked, stored, strict=True):
        assert mended.truth == ROOMS[mended.id].mirrored
        assert released.truth == ROOMS[released.id]
        assert mended.corner is None
        answers = {q.turn: q.answer for q in released.questions}
        for question in mended.questions:
            assert question.answer == answer_of(mended.truth, question.kind, question.names)
            if question.kind == "direction":
                sides = answers[question.turn].replace("Left", "L").replace("Right", "R").translate(swapped)
                assert question.answer == sides.replace("L", "Left").replace("R", "Right")


WIDE = Case("w", map_from_instances({"lamp": [(0, 9)], "sofa": [(4, 0)], "door": [(2, 5)]}), ("door", "lamp"), ())
"""A room in the upper half of its grid."""


@pytest.mark.parametrize("turn", [0, 90, 180, 270, 30, -90, 450])
def test_what_is_said_of_the_map_holds_for_the_true_one(turn: int) -> None:
    world, text = true_map(WIDE, turn), map_prompt(WIDE, Options(), turn)
    (corner,) = [name for name in CORNERS if f"the {name} corner" in text]
    vertical, horizontal = corner.split()
    rows = [row for places in world.instances.values() for row, _ in places]
    columns = [column for places in world.instances.values() for _, column in places]
    if max(rows) - min(rows) < 9:
        assert (max(rows) < 5) == (vertical == "top")
    else:
        assert (max(columns) < 5) == (horizontal == "left")


def test_a_quarter_turn_of_the_camera_brings_the_right_side_to_the_top() -> None:
    assert true_map(WIDE, 90).instances["lamp"] == [(0, 0)], "it was in the corner ahead and to the right"
    assert true_map(WIDE, 90) == WIDE.truth.turned(3)
    assert true_map(WIDE, -90) == true_map(WIDE, 270)


@given(st.integers(0, 60), st.sampled_from((90, 180, 270, -90)))
def test_a_turn_of_the_camera_turns_the_truth_and_changes_no_answer(seed: int, turn: int) -> None:
    (case,) = choose_cases(str(seed), Options(views="blind"))
    world = true_map(case, turn)
    assert world.turned(turn // 90) == case.truth
    for question in case.questions:
        assert answer_of(world, question.kind, question.names) == question.answer


def test_special_answers_are_told_by_the_mended_rules_only(tmp_path: Path) -> None:
    case = choose_cases(str(write_set(tmp_path)), Options())[0]
    for think in (False, True):
        told = question_prompt(case.questions[-1], Options(think=think))
        assert all(sentence in told for sentence in SPECIAL)
        untold = question_prompt(case.questions[-1], Options(think=think, rules="published"))
        assert not any(sentence in untold for sentence in SPECIAL)


def test_a_log_replays_to_the_same_record(tmp_path: Path) -> None:
    data = str(write_set(tmp_path / "set"))
    first = run("tolman/random", tmp_path / "first", data=data, width=64)
    again = run(f"replay/{tmp_path / 'first'}", tmp_path / "again", data=data, width=64)
    assert [logged(s).record.replies for s in again] == [logged(s).record.replies for s in first]


def test_what_is_wrong_is_said_before_anything_is_run(tmp_path: Path) -> None:
    wrong: tuple[tuple[dict[str, Any], str], ...] = (
        ({"data": "nowhere"}, "neither seeds"),
        ({"data": str(tmp_path)}, "cognitive_map.json"),
        ({"data": "1", "mode": "dance"}, "mode has no 'dance'"),
        ({"data": "1", "turns": "0,360"}, "distinct camera rotations"),
        ({"data": "1", "turns": "north"}, "whole numbers"),
        ({"data": "1", "width": 63}, "width"),
        ({"data": "1", "preset": "oil"}, "oil"),
    )
    for options, message in wrong:
        with pytest.raises(TolmanError, match=message):
            osr_bench(**options)
    folder = write_set(tmp_path / "half")
    for file in folder.glob("*/*_qa_with_negative.json"):
        file.unlink()
    (folder / "study" / "rgb.png").unlink()
    with pytest.raises(SettingsError, match="scene study has no panorama"):
        osr_bench(data=str(folder))
    with pytest.raises(SettingsError, match="no negative questions"):
        osr_bench(data=str(folder), asked="negative")


def test_the_command_runs_every_combination_and_prints_tables(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    data, logs = write_set(tmp_path / "set"), tmp_path / "logs"
    words = ["--model", "tolman/oracle", "--data", str(data), "--log-dir", str(logs), "--display", "none"]
    more = ["--mode", "first,none", "--think", "--no-think", "--width", "64", "--turns", "0,180"]
    app(["eval", "osr-bench", *words, *more], exit_on_error=False, print_error=False, result_action="return_none")
    assert len(list(logs.glob("*.eval"))) == 4
    shown = capsys.readouterr().out
    assert shown.count("100.0") >= 20


@pytest.mark.parametrize(("benchmark", "agent"), [("osr-bench", "scout"), ("theory-of-space", "constant")])
def test_a_scripted_model_of_another_benchmark_is_refused(benchmark: str, agent: str) -> None:
    with pytest.raises(UnknownNameError, match="choose one of"):
        app(["eval", benchmark, "--model", f"tolman/{agent}"], exit_on_error=False, print_error=False)


def test_every_command_of_the_page_can_be_given() -> None:
    page = (Path(__file__).parents[3] / "docs" / "osr-bench.md").read_text(encoding="utf-8")
    blocks = re.findall(r"```console\n(.*?)```", page, re.DOTALL)
    commands = [line for block in blocks for line in block.splitlines()]
    assert len(commands) >= 5
    for command in commands:
        program, *words = shlex.split(command)
        assert program == "tolman"
        app.parse_args(words, exit_on_error=False, print_error=False)
