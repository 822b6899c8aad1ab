"""All twelve ways to run OSR-Bench, with models that know, guess, or never vary."""

import base64
import json
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from inspect_ai.event import InfoEvent, ModelEvent
from inspect_ai.log import EvalLog, EvalSample, read_eval_log
from inspect_ai.model import ChatMessage, ContentImage

from tests.benchmarks.osr_bench.tiny_dataset import write_set
from tolman.benchmarks.osr_bench.case import LoggedCase, map_call, question_call, read_record
from tolman.benchmarks.osr_bench.panoramas import Pixels, read_panorama
from tolman.benchmarks.osr_bench.rules import PUBLISHED, STRICT
from tolman.benchmarks.osr_bench.scores import headline_scores, score_case
from tolman.benchmarks.osr_bench.task import osr_bench
from tolman.harness.evaluation import RunPlan, evaluate
from tolman.harness.records import STORE_KEY

WAYS = list(product(("first", "none", "true"), (False, True), ("standard", "negative")))


def run_all_ways(model: str, folder: Path, **more: Any) -> list[EvalLog]:
    """One log for each way, with everything in it."""
    data = write_set(folder / "set", each=3)
    options: dict[str, Any] = {"data": str(data), "width": 64, **more}
    tasks = [osr_bench(mode=mode, think=think, asked=asked, **options) for mode, think, asked in WAYS]
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TOLMAN_CACHE", str(folder / "cache"))
        patch.delenv("INSPECT_CACHE_DIR", raising=False)
        outcome = evaluate(tasks, RunPlan(model, folder / "logs", display="log"))
    assert outcome.complete
    return [read_eval_log(log.location, resolve_attachments=True) for log in outcome.logs]


def logged(sample: EvalSample) -> LoggedCase:
    return read_record(sample.metadata, sample.store[STORE_KEY])


def cases(logs: list[EvalLog]) -> list[LoggedCase]:
    return [logged(sample) for log in logs for sample in log.samples or ()]


@pytest.fixture(scope="module")
def known(tmp_path_factory: pytest.TempPathFactory) -> list[EvalLog]:
    """All ways with who knows the truth, looking twice: the camera is turned in between."""
    return run_all_ways("tolman/oracle", tmp_path_factory.mktemp("known"), turns="0,90")


def test_a_log_from_before_lists_could_be_chosen_had_exact_ones(known: list[EvalLog]) -> None:
    sample = next(sample for log in known for sample in log.samples or ())
    options = {name: value for name, value in sample.metadata["options"].items() if name != "class_list"}
    older = read_record({**sample.metadata, "options": options}, sample.store[STORE_KEY])
    assert older.options.class_list == "exact"
    assert score_case(older, STRICT) == score_case(logged(sample), STRICT)


def test_who_knows_the_truth_is_right_in_every_way(known: list[EvalLog]) -> None:
    found = cases(known)
    assert {(c.options.mode, c.options.think, c.options.asked) for c in found} == set(WAYS)
    assert len(found) == 2 * len(WAYS)
    for case, rules in product(found, (STRICT, PUBLISHED)):
        for scores in score_case(case, rules):
            numbers = headline_scores([(scores,)])
            assert [numbers[kind] for kind in ("counting", "distance", "direction")] == [1, 1, 1]
            assert (scores.map is not None) == (case.options.mode == "first")
            if scores.map is not None:
                assert (scores.map.f1, scores.map.distance, scores.map.invents) == (1, 0, False)
        assert headline_scores([score_case(case, rules)])["consistency"] == 1


@pytest.mark.parametrize("model", ["tolman/random", pytest.param("tolman/constant", marks=pytest.mark.slow)])
def test_who_does_not_is_right_now_and_then(model: str, tmp_path: Path) -> None:
    found = cases(run_all_ways(model, tmp_path))
    for rules in (STRICT, PUBLISHED):
        numbers = headline_scores([score_case(case, rules) for case in found])
        assert 0 < numbers["accuracy"] < 0.6
        assert 0 < numbers["map F1"] < 0.6
        assert numbers["map success"] == 1
        assert 0 < numbers["invented classes"] < 1, "it takes all classes that are named for present"
    replies = [case.record.replies for case in found if not case.options.think and case.options.mode == "none"]
    said = {reply for each in replies for reply in each.values()}
    assert len(said) > (8 if model == "tolman/random" else 4)


def test_the_map_is_stated_once_and_questions_know_nothing_of_each_other(known: list[EvalLog]) -> None:
    for log in known:
        for sample in log.samples or ():
            case = logged(sample)
            events = [event for event in sample.events if isinstance(event, ModelEvent)]
            assert all(event.config.temperature == 0 for event in events)
            assert len(events) == 2 * (len(case.case.questions) + (case.options.mode == "first"))
            assert {call.name for call in case.record.calls} == {
                name
                for turn in (0, 90)
                for name in (
                    *(question_call(turn, question) for question in case.case.questions),
                    *([map_call(turn)] if case.options.mode == "first" else []),
                )
            }
            for question in case.case.questions:
                asked = [event.input for event in events if question.text in event.input[-1].text]
                assert len(asked) == 2
                for messages in asked:
                    check_request(case, messages)
                    others = [q.text for q in case.case.questions if q.text != question.text]
                    assert not any(other in message.text for other in others for message in messages)


def check_request(case: LoggedCase, messages: list[ChatMessage]) -> None:
    """A picture comes first; a map, if there is one, comes between."""
    assert any(isinstance(part, ContentImage) for part in messages[0].content)
    assert ("<think>" in messages[-1].text) == case.options.think
    if case.options.mode == "none":
        assert [message.role for message in messages] == ["user"]
        return
    assert [message.role for message in messages] == ["user", "assistant", "user"]
    truth = case.case.truth
    assert json.loads(messages[1].text) in (truth.as_coordinates, truth.turned(-1).as_coordinates)


def test_pictures_are_noted_in_the_log(known: list[EvalLog]) -> None:
    for log in known:
        for sample in log.samples or ():
            notes = [
                event.data for event in sample.events if isinstance(event, InfoEvent) and event.source == "picture"
            ]
            shown = {str(data["turn"]): data for data in notes if isinstance(data, dict)}
            assert sorted(shown) == ["0", "90"]
            assert all(data["view"] == "panorama" for data in shown.values())
            first, turned = (_pixels(str(shown[turn]["picture"])) for turn in ("0", "90"))
            assert np.array_equal(np.roll(first, -16, axis=1), turned), "a quarter of 64 columns"


def _pixels(url: str) -> Pixels:
    return read_panorama(base64.b64decode(url.partition(",")[2]), "it")
