"""Which questions are asked: numbers, clarity, balance, and what a constant answer would get."""

from collections import Counter
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.benchmarks.osr_bench.grid_maps import ABSENT, drawn, fresh_maps, grid_maps
from tolman.benchmarks.osr_bench.maps.grid import GridMap
from tolman.benchmarks.osr_bench.questions.generate import (
    MIN_CLASSES,
    CoOccurrence,
    negative_questions,
    standard_questions,
)
from tolman.benchmarks.osr_bench.questions.question import (
    DIRECTIONS,
    NO_OTHER,
    NOT_FOUND,
    NOT_UNIQUE,
    QUESTION_KINDS,
    SPECIAL,
    Question,
    answer_of,
    grade,
)
from tolman.benchmarks.osr_bench.released.scenes import read_question
from tolman.benchmarks.osr_bench.rules import PUBLISHED, STRICT, Rules

BOTH = pytest.mark.parametrize("rules", [PUBLISHED, STRICT], ids=lambda rules: rules.name)


@cache
def asked_of_fresh_rooms(rules: Rules) -> tuple[tuple[Question, ...], tuple[Question, ...]]:
    """Standard and negative questions about 100 rooms from seeds."""
    maps = fresh_maps()
    co_occurrence = CoOccurrence.of(world.classes for world in maps)
    standard = [q for seed, world in enumerate(maps) for q in standard_questions(world, seed, 10, rules)]
    negative = [
        q
        for seed, world in enumerate(maps)
        for q in negative_questions(world, co_occurrence.distractors(world.classes), seed, 10, rules)
    ]
    return tuple(standard), tuple(negative)


@given(grid_maps, st.integers(0, 2**31), st.integers(1, 12), st.sampled_from([PUBLISHED, STRICT]))
def test_questions_are_about_the_room_and_have_the_answer_of_its_map(
    world: GridMap, seed: int, each: int, rules: Rules
):
    standard = standard_questions(world, seed, each, rules)
    negative = negative_questions(world, ABSENT, seed, each, rules)
    for asked in (standard, negative):
        assert [q.turn for q in asked] == sorted({q.turn for q in asked})
        for q in asked:
            assert q.answer == answer_of(world, q.kind, q.names) != ""
            assert len(set(q.names)) == len(q.names) == {"counting": 1, "distance": 5, "direction": 3}[q.kind]
            assert read_question(q.kind, q.text) == q.names
    assert all(name in world.counts for q in standard for name in q.names)
    assert not any(q.answer in SPECIAL for q in standard)
    if len(world.classes) < MIN_CLASSES:
        assert {q.kind for q in (*standard, *negative)} <= {"counting"}
        assert len(standard) == len(world.classes)
    else:
        most = Counter(q.kind for q in standard)
        assert most["counting"] == min(each, len(world.classes))
        assert max(most["distance"], most["direction"]) <= each


@given(grid_maps, st.integers(0, 1000))
def test_the_same_seed_asks_the_same(world: GridMap, seed: int):
    assert standard_questions(world, seed) == standard_questions(world, seed)
    assert negative_questions(world, ABSENT, seed) == negative_questions(world, ABSENT, seed)


@given(grid_maps, st.integers(0, 1000), st.integers(1, 3))
def test_turning_a_room_leaves_the_answers_to_strict_questions_alone(world: GridMap, seed: int, quarters: int):
    for q in (*standard_questions(world, seed), *negative_questions(world, ABSENT, seed)):
        assert answer_of(world.turned(quarters), q.kind, q.names) == q.answer


@BOTH
def test_the_oracle_is_always_right_about_100_fresh_rooms(rules: Rules):
    for asked in asked_of_fresh_rooms(rules):
        for kind in QUESTION_KINDS:
            scores = [grade(q, q.answer, graded) for graded in (PUBLISHED, STRICT) for q in asked if q.kind == kind]
            assert len(scores) > 1500
            assert set(scores) == {1.0}


def _shares(questions: tuple[Question, ...]) -> dict[str, float]:
    answers = Counter(q.answer for q in questions if q.kind == "direction")
    return {answer: count / answers.total() for answer, count in answers.items()}


def test_no_constant_answer_beats_chance_on_directions():
    standard, negative = map(_shares, asked_of_fresh_rooms(STRICT))
    assert set(standard) == set(DIRECTIONS)
    assert all(abs(share - 1 / 8) <= 0.02 for share in standard.values()), standard
    assert set(negative) == {*DIRECTIONS, NOT_FOUND, NOT_UNIQUE, NO_OTHER}
    assert all(abs(share - 1 / 11) <= 0.02 for share in negative.values()), negative


def test_as_released_a_constant_answer_does():
    standard, negative = map(_shares, asked_of_fresh_rooms(PUBLISHED))
    assert max(standard.values()) > 0.25
    assert negative[NO_OTHER] > 0.5


def test_no_place_in_the_list_of_candidates_is_the_best_guess():
    standard, _ = asked_of_fresh_rooms(STRICT)
    where = Counter(q.names.index(q.answer) for q in standard if q.kind == "distance")
    assert all(abs(count / where.total() - 1 / 4) <= 0.04 for count in where.values())


def test_rooms_of_our_own_are_asked_nearly_all_that_they_could_be():
    standard, negative = asked_of_fresh_rooms(STRICT)
    for asked in (standard, negative):
        kinds = Counter(q.kind for q in asked)
        assert all(count > 950 for count in kinds.values()), kinds


def test_a_room_without_any_object_that_is_alone_is_asked_for_counts():
    pairs = drawn("a a b b c\nc d d e e\n. . . . .\n. . . . .\n. . . . .")
    assert {q.kind for q in standard_questions(pairs, 1)} == {"counting"}
    answers = {q.answer for q in negative_questions(pairs, ABSENT, 1) if q.kind != "counting"}
    assert answers == {NOT_FOUND, NOT_UNIQUE}
