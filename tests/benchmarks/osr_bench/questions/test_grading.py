"""Answers read from replies and graded, under both rule sets."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tolman.benchmarks.osr_bench.questions.question import (
    NO_CANDIDATE,
    NO_OTHER,
    NOT_UNIQUE,
    Question,
    answer_said,
    final_part,
    grade,
    read_answer,
)
from tolman.benchmarks.osr_bench.rules import PUBLISHED, STRICT

COUNT = Question(1, "counting", ("chair",), "3", "")
CLOSEST = Question(2, "distance", ("bed", "cabinet", "bottom_cabinet", "trash_can", "box"), "trash_can", "")
WAY = Question(3, "direction", ("bed", "tv", "sofa"), "Front Left", "")
MISSING = Question(4, "direction", ("bed", "tv", "unicorn"), NO_OTHER, "")
ALL = (COUNT, CLOSEST, WAY, MISSING)


@pytest.mark.parametrize(
    ("question", "reply"),
    [
        (COUNT, "3"),
        (COUNT, "There are **3** chairs."),
        (COUNT, "three"),
        (COUNT, "3.0"),
        (COUNT, "<think>I see 4, no, 2.</think> <answer>3</answer>"),
        (CLOSEST, "trash_can"),
        (CLOSEST, "The trash can."),
        (CLOSEST, "**Trash-Can**"),
        (WAY, "Front Left"),
        (WAY, "front-left"),
        (WAY, "The sofa is to my **front-left**."),
        (WAY, "<think>back? left?</think>\n<answer>Front-Left</answer>"),
        (WAY, "It might be behind...</think>Front left"),
        (MISSING, NO_OTHER),
        (MISSING, f"Answer: {NO_OTHER.lower().rstrip('.')}"),
    ],
)
def test_strict_reads_what_is_plain(question: Question, reply: str):
    assert read_answer(question, reply) == question.answer
    assert grade(question, reply, STRICT) == 1.0


@pytest.mark.parametrize(
    ("question", "reply"),
    [
        (COUNT, ""),
        (COUNT, "2 or 3"),
        (CLOSEST, "the lamp"),
        (CLOSEST, "cabinet or box"),
        (WAY, "front, and a little to the left"),
        (WAY, "<think>Front Left"),
        (WAY, "up"),
        (MISSING, f"{NO_OTHER} {NOT_UNIQUE}"),
    ],
)
def test_what_is_not_plain_is_no_answer(question: Question, reply: str):
    assert answer_said(question, reply, STRICT) is None
    assert grade(question, reply, STRICT) == 0.0


def test_a_name_inside_another_is_not_meant():
    assert read_answer(CLOSEST, "the bottom cabinet") == "bottom_cabinet"
    assert read_answer(CLOSEST, "the cabinet") == "cabinet"
    assert read_answer(CLOSEST, "the boxes") == "box"
    assert read_answer(CLOSEST, NO_CANDIDATE) == NO_CANDIDATE


def test_the_last_answer_counts_and_thoughts_do_not():
    assert final_part("<answer>1</answer> no: <answer>2</answer> done") == "2"
    assert final_part("<answer>1</answer> no: <answer>2") == "2"
    assert final_part("a <think>b</think> c").split() == ["a", "c"]
    assert final_part("b</think>c") == "c"
    assert final_part("a <think>b").split() == ["a"]


@pytest.mark.parametrize(
    ("said", "score"), [("3", 1.0), ("2", 1 - 1 / 3), ("6", 0.5), ("0", 0.0), ("I count 3 of 7", 1.0), ("none", 0.0)]
)
def test_published_gives_part_of_a_point_for_a_count_that_is_near(said: str, score: float):
    assert grade(COUNT, said, PUBLISHED) == pytest.approx(score)


def test_published_wants_the_whole_text_and_reads_tags_only_when_told():
    assert grade(CLOSEST, " Trash_Can\n", PUBLISHED) == 1.0
    assert grade(CLOSEST, "trash_can.", PUBLISHED) == 0.0
    assert grade(WAY, "FRONT-LEFT", PUBLISHED) == grade(WAY, "front left", PUBLISHED) == 1.0
    tagged = "<think>so</think><answer>front-left</answer>"
    assert grade(WAY, tagged, PUBLISHED) == 0.0
    assert grade(WAY, tagged, PUBLISHED, think=True) == 1.0
    assert grade(COUNT, "<think>1 and 2</think><answer>3</answer>", PUBLISHED) == pytest.approx(1 / 3)
    assert grade(MISSING, NO_OTHER, PUBLISHED) == 1.0


@given(st.text() | st.text(alphabet="<>/answerthink 0123456789٣²İ.-_") | st.sampled_from(["<answer>", "</think>"]))
def test_no_reply_is_too_much(reply: str):
    for question in ALL:
        for rules in (PUBLISHED, STRICT):
            for think in (False, True):
                assert 0.0 <= grade(question, reply, rules, think=think) <= 1.0


@pytest.mark.parametrize("part", ["<answer>", "</answer>", "<think>", "</think>", "front", "9", "<answer></answer>"])
def test_long_replies_are_graded_quickly(part: str):
    begin = time.process_time()
    for question in ALL:
        grade(question, part * 100_000, STRICT)
        grade(question, part * 100_000, PUBLISHED, think=True)
    assert time.process_time() - begin < 3.0
