"""The ideal observer's answers: certain where everything is known, never beaten on average, and honest about it."""

import math
from dataclasses import replace
from statistics import fmean, stdev

import pytest

from tests.ideal.explored_worlds import possible_scenes, told
from tolman.ask import Question, QuestionKind, find_kind, grade, sample_questions
from tolman.ask.relations import RelationKind, truth_of
from tolman.core.bins import EgoBin
from tolman.core.rules import STRICT
from tolman.explore.episode import brief
from tolman.ideal.best_answer import best_answer
from tolman.ideal.knowledge import knowledge_from
from tolman.ideal.question_content import BestAnswer, parse_question_content, question_content
from tolman.ideal.worlds import ConsistentWorlds, consistent_worlds
from tolman.world import Scene, generate

FEW_WORLDS = (1, *(pytest.param(seed, marks=pytest.mark.slow) for seed in (3, 4, 7, 11)))
"""Scenes in which the scout leaves some hundred worlds at most."""


def best(question: Question, worlds: ConsistentWorlds) -> BestAnswer:
    found = best_answer(question_content(question), worlds)
    assert found is not None
    return found


@pytest.mark.parametrize("seed", [0, 1, 2, 3])
def test_who_knows_everything_is_sure_and_right(seed: int):
    scene, worlds = told("greedy-planner", seed)
    assert worlds.exact
    assert len(worlds) == 1
    for question in sample_questions(scene, seed):
        found = best(question, worlds)
        graded = grade(question, found.reply, STRICT)
        assert not graded.format_failure
        assert (found.expected, graded.score) == (pytest.approx(1), pytest.approx(1))


def as_asked_in(scene: Scene, question: Question) -> Question | None:
    """The same question where things are elsewhere, with the truth there; None where it would not be asked."""
    there = replace(question, scene=scene)
    kind = find_kind(question.kind)
    if isinstance(kind, RelationKind):
        relation = kind.relation(there)
        sensible = relation.direction is not EgoBin.BEYOND_FOV and str(relation.distance) != "same distance"
        return replace(there, truth=truth_of(relation)) if sensible else None
    if question.kind == QuestionKind.ALLOCENTRIC_MAPPING:
        names = question.parameters["things"]
        assert isinstance(names, list)
        return replace(there, truth={"points": [[*scene.from_start(str(name))] for name in names]})
    assert question.kind == QuestionKind.MENTAL_ROTATION
    return replace(there, truth={"order": [*kind.oracle(there).split(", ")]})


COUNTED = (
    QuestionKind.DIRECTION,
    QuestionKind.PERSPECTIVE_TAKING,
    QuestionKind.LOCATION_TO_VIEW,
    QuestionKind.MENTAL_ROTATION,
    QuestionKind.ALLOCENTRIC_MAPPING,
)


@pytest.mark.parametrize("seed", FEW_WORLDS)
@pytest.mark.parametrize("kind", COUNTED)
def test_the_expected_score_is_the_mean_grade_over_all_worlds_and_no_other_answer_has_a_higher_one(
    seed: int, kind: QuestionKind
):
    scene, worlds = told("scout", seed)
    assert worlds.exact
    scenes = list(possible_scenes(scene, worlds))[:: max(1, len(worlds) // 400)]
    if len(scenes) != len(worlds):
        pytest.skip("too many worlds to grade in each")
    for question in sample_questions(scene, seed, kinds=(kind,)):
        found = best(question, worlds)
        cases = [case for possible in scenes if (case := as_asked_in(possible, question))]

        def expected(reply: str, cases: list[Question] = cases) -> float:
            return fmean(grade(case, reply, STRICT).score for case in cases)

        assert found.expected == pytest.approx(expected(found.reply))
        others = list(find_kind(kind).answers(question))[:60] + [
            str(find_kind(kind).oracle(case)) for case in cases[:8]
        ]
        assert max(map(expected, others)) <= found.expected + 1e-9


@pytest.mark.parametrize("agent", ["scout", "strategist"])
def test_on_average_it_scores_what_it_expects_to(agent: str):
    apart: list[float] = []
    for seed in range(8):
        scene, worlds = told(agent, seed)
        answers = [(best(question, worlds), question) for question in sample_questions(scene, seed)]
        apart.append(fmean(found.expected - grade(q, found.reply, STRICT).score for found, q in answers))
    error = stdev(apart) / math.sqrt(len(apart))
    assert abs(fmean(apart)) <= 3 * error + 0.005


def test_more_evidence_means_a_higher_ceiling():
    def ceiling(agent: str) -> float:
        lived = [(seed, *told(agent, seed)) for seed in range(4)]
        return fmean(best(q, worlds).expected for seed, scene, worlds in lived for q in sample_questions(scene, seed))

    wandered, swept, settled = map(ceiling, ("random", "scout", "strategist"))
    assert wandered < swept < settled <= 1


def test_a_question_heard_in_words_says_the_same_as_its_parameters():
    for seed in range(3):
        scene = generate(seed)
        for question in sample_questions(scene, seed):
            heard = parse_question_content(question.text, scene)
            assert heard is not None
            assert heard == question_content(question)


def test_where_nothing_is_known_it_still_answers_in_form():
    scene = generate(0)
    worlds = consistent_worlds(knowledge_from(brief(scene), (), scene.extent))
    for question in sample_questions(scene, 0):
        found = best(question, worlds)
        assert not grade(question, found.reply, STRICT).format_failure
        assert 0 < found.expected < 1
