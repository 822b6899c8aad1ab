"""The authors' released answers are worth here what they were worth there, to the digit."""

from functools import cache
from typing import NamedTuple

import pytest

from tests.ask.replies import SCRAPS, edited
from tests.benchmarks.theory_of_space.released.run_archives import FOLDER, found_runs
from tolman.ask import Question, grade, oracle_reply, question_from_dict, question_to_dict, wrong_reply
from tolman.benchmarks.theory_of_space.released.cases import KIND_OF_TASK, released_question, scene_of
from tolman.core.rules import PUBLISHED, STRICT
from tolman.core.seeds import rng

if not FOLDER.is_dir():
    pytest.skip("the released scenes and runs are not beside this checkout", allow_module_level=True)

UNSUPPORTED = {"RotDualEvaluationTask"}


class Answered(NamedTuple):
    question: Question
    reply: str
    score: float


@cache
def answer_logs() -> dict[tuple[str, str, str], list[Answered]]:
    """Answers by run, mode and task, for the tasks that are ours."""
    logs: dict[tuple[str, str, str], list[Answered]] = {}
    for run in found_runs():
        scene = scene_of(run)
        for mode in run.evaluation_modes:
            for answer in run.answers(mode):
                question = released_question(answer.task, answer.question, scene)
                assert (question is None) == (answer.task in UNSUPPORTED)
                if question is not None:
                    entry = Answered(question, answer.reply, answer.score)
                    logs.setdefault((str(run), mode, answer.task), []).append(entry)
    return logs


EACH_TASK = pytest.mark.parametrize("log", list(answer_logs()), ids="-".join)
Log = tuple[str, str, str]


@EACH_TASK
def test_published_scores_are_those_stored(log: Log):
    ours = [grade(question, reply, PUBLISHED).score for question, reply, _ in answer_logs()[log]]
    assert ours == pytest.approx([stored for *_, stored in answer_logs()[log]], abs=1e-12, rel=0)


@EACH_TASK
def test_strict_reads_what_published_reads_and_both_stay_in_range(log: Log):
    for question, reply, _ in answer_logs()[log]:
        for rules in (PUBLISHED, STRICT):
            graded = grade(question, reply, rules)
            assert 0.0 <= graded.score <= 1.0
            assert graded.score == 0.0 or not graded.format_failure
            assert graded == grade(question_from_dict(question_to_dict(question)), reply, rules)


@EACH_TASK
def test_the_oracle_is_right_on_released_questions(log: Log):
    for question, *_ in answer_logs()[log]:
        assert grade(question, oracle_reply(question), STRICT).score == 1.0
        assert grade(question, wrong_reply(question), STRICT).score == 0.0


def check_spoilt(answered: Answered, times: int) -> None:
    """Grade a real reply with pieces cut out of its last part and put into it."""
    question, reply = answered.question, answered.reply[-600:]
    stream = rng(0, "spoil", question.id, len(reply))
    for _ in range(times):
        places = stream.integers(len(reply) + 1, size=4)
        edits = [(int(at), int(stream.integers(12)), SCRAPS[int(stream.integers(len(SCRAPS)))]) for at in places]
        for rules in (PUBLISHED, STRICT):
            graded = grade(question, edited(reply, edits), rules)
            assert 0.0 <= graded.score <= 1.0
            assert graded.score == 0.0 or not graded.format_failure


@EACH_TASK
def test_spoilt_replies_are_graded(log: Log):
    check_spoilt(answer_logs()[log][0], times=3)


@pytest.mark.slow
@EACH_TASK
def test_a_hundred_thousand_spoilt_replies_are_graded(log: Log):
    for answered in answer_logs()[log]:
        check_spoilt(answered, times=40)


def test_all_kinds_in_all_modes_of_both_media_are_there():
    assert {KIND_OF_TASK[task] for _, _, task in answer_logs()} == set(KIND_OF_TASK.values())
    assert {mode for _, mode, _ in answer_logs()} == {"default", "prompt_cogmap", "use_gt_cogmap", "use_model_cogmap"}
    assert any("-text-" in run for run, *_ in answer_logs())
    assert any("-vision-" in run for run, *_ in answer_logs())
