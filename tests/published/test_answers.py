"""The authors' released answers are worth here what they were worth there, to the digit."""

import json
import tarfile
from collections.abc import Iterator
from functools import cache
from pathlib import PurePosixPath
from typing import Any

import pytest

from tests.ask.replies import SCRAPS, edited
from tests.published.released_runs import FOLDER
from tolman.ask import Question, grade, oracle_reply, question_from_dict, question_to_dict, wrong_reply
from tolman.ask.released import KIND_OF_TASK, released_question
from tolman.rules import PUBLISHED, STRICT
from tolman.seeds import rng

if not FOLDER.is_dir():
    pytest.skip("the released scenes and runs are not beside this checkout", allow_module_level=True)

UNSUPPORTED = {"RotDualEvaluationTask"}
Entry = dict[str, Any]


@cache
def answer_logs() -> dict[str, dict[str, list[Entry]]]:
    """Entries by run folder and mode, then by the task class under which they are filed."""
    logs: dict[str, dict[str, list[Entry]]] = {}
    for archive in sorted(FOLDER.glob("*.tar.xz")):
        for path, tasks in _log_files_in(archive):
            logs[str(path)] = {task: list(entries.values()) for task, entries in tasks.items()}
    return logs


def _log_files_in(archive: Any) -> Iterator[tuple[PurePosixPath, dict[str, dict[str, Entry]]]]:
    with tarfile.open(archive) as unpacked:
        for member in unpacked:
            path = PurePosixPath(member.name)
            wanted = path.name.startswith("evaluation_turn_logs") and path.suffix == ".json"
            stream = unpacked.extractfile(member) if wanted else None
            if stream is not None:
                yield path, json.loads(stream.read())


EACH_TASK = pytest.mark.parametrize(
    ("log", "task"), [(log, task) for log, tasks in answer_logs().items() for task in tasks if task not in UNSUPPORTED]
)


def asked(entry: Entry) -> Question:
    question = released_question(entry)
    assert question is not None
    return question


@EACH_TASK
def test_published_scores_are_those_stored(log: str, task: str):
    entries = answer_logs()[log][task]
    replies = [entry["evaluation_log"]["user_answer"] for entry in entries]
    ours = [grade(asked(entry), reply, PUBLISHED).score for entry, reply in zip(entries, replies, strict=True)]
    stored = [float(entry["evaluation_log"]["score"]) for entry in entries]
    assert ours == pytest.approx(stored, abs=1e-12, rel=0)


@EACH_TASK
def test_a_released_question_grades_the_same_after_a_trip_through_json(log: str, task: str):
    for entry in answer_logs()[log][task][:1]:
        question, reply = asked(entry), entry["evaluation_log"]["user_answer"]
        for rules in (PUBLISHED, STRICT):
            graded = grade(question, reply, rules)
            assert 0.0 <= graded.score <= 1.0
            assert graded.score == 0.0 or not graded.format_failure
            assert graded == grade(question_from_dict(question_to_dict(question)), reply, rules)


@EACH_TASK
def test_the_oracle_is_right_on_released_questions(log: str, task: str):
    for entry in answer_logs()[log][task]:
        question = asked(entry)
        assert grade(question, oracle_reply(question), STRICT).score == 1.0
        assert grade(question, wrong_reply(question), STRICT).score == 0.0


def check_spoilt(entry: Entry, times: int) -> None:
    """Grade a real reply with pieces cut out of its last part and put into it."""
    question, reply = asked(entry), entry["evaluation_log"]["user_answer"][-600:]
    stream = rng(0, "spoil", question.id, len(reply))
    for _ in range(times):
        places = stream.integers(len(reply) + 1, size=4)
        edits = [(int(at), int(stream.integers(12)), SCRAPS[int(stream.integers(len(SCRAPS)))]) for at in places]
        for rules in (PUBLISHED, STRICT):
            graded = grade(question, edited(reply, edits), rules)
            assert 0.0 <= graded.score <= 1.0
            assert graded.score == 0.0 or not graded.format_failure


@EACH_TASK
def test_spoilt_replies_are_graded(log: str, task: str):
    for entry in answer_logs()[log][task][:1]:
        check_spoilt(entry, times=3)


@pytest.mark.slow
@EACH_TASK
def test_a_hundred_thousand_spoilt_replies_are_graded(log: str, task: str):
    for entry in answer_logs()[log][task]:
        check_spoilt(entry, times=40)


def test_every_task_is_ours_or_known_not_to_be():
    tasks = {
        entry["evaluation_log"]["task_type"]
        for by_task in answer_logs().values()
        for entries in by_task.values()
        for entry in entries
    }
    assert tasks - KIND_OF_TASK.keys() <= UNSUPPORTED
    assert {KIND_OF_TASK[task] for task in tasks - UNSUPPORTED} == set(KIND_OF_TASK.values())


def test_all_modes_of_both_media_are_there():
    modes = {PurePosixPath(log).stem.removeprefix("evaluation_turn_logs").lstrip("_") for log in answer_logs()}
    assert modes == {"", "prompt_cogmap", "use_gt_cogmap", "use_model_cogmap"}
    assert any("/text/" in log for log in answer_logs())
    assert any("/vision/" in log for log in answer_logs())
