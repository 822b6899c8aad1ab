"""Sampling: how many, which, and what each kind promises."""

import json
from dataclasses import replace

import pytest
from hypothesis import given

from tests.hand_built import furnished, one_room, thing
from tests.strategies import scenes
from tolman.ask import (
    PAPER_KINDS,
    VISION_KINDS,
    QuestionKind,
    find_kind,
    question_from_dict,
    question_to_dict,
    sample_questions,
)
from tolman.ask.plans import moves_from_json, plan_of_steps, walk
from tolman.ask.views import sightings_from_json, view_fits
from tolman.core.errors import SceneFileError, SettingsError, UnknownNameError
from tolman.core.rules import STRICT
from tolman.world import Scene, generate


def test_three_questions_of_each_of_the_nine_kinds_all_different():
    for seed in range(10):
        asked = sample_questions(generate(seed), seed)
        assert len(asked) == 27
        assert len({question.id for question in asked}) == 27
        assert {question.kind for question in asked} == set(PAPER_KINDS)


def test_the_registry_knows_the_published_kinds():
    assert {*PAPER_KINDS, *VISION_KINDS, QuestionKind.CHANGE_REPORT} == set(QuestionKind)
    assert all(find_kind(name).name == name for name in QuestionKind)
    with pytest.raises(UnknownNameError, match="direction"):
        find_kind("dirction")


def test_same_seed_same_questions_and_more_never_changes_the_first():
    scene = generate(5)
    assert [q.id for q in sample_questions(scene, 5)] == [q.id for q in sample_questions(scene, 5)]
    assert {q.id for q in sample_questions(scene, 5)} < {q.id for q in sample_questions(scene, 5, per_kind=5)}
    assert {q.id for q in sample_questions(scene, 5)} != {q.id for q in sample_questions(scene, 6)}
    with pytest.raises(SettingsError):
        sample_questions(scene, -1)


def test_the_id_of_a_question_does_not_change_from_release_to_release():
    assert [q.id for q in sample_questions(generate(0), 0, per_kind=1)][:3] == GOLDEN


GOLDEN = ["ce7e65c6c41ef11f", "854721e9f9ce097c", "902510d8925b2965"]


def test_the_id_does_not_depend_on_the_wording_but_on_the_rest():
    question = sample_questions(furnished(), 0, kinds=("direction",))[0]
    assert replace(question, text="Where?").id == question.id
    assert replace(question, truth={**question.truth, "distance": "far"}).id != question.id


def test_an_altered_question_is_refused():
    values = question_to_dict(sample_questions(furnished(), 0, kinds=("direction",))[0])
    for part, other in (("truth", {"direction": "north"}), ("scene", 3), ("parameters", 1), ("id", None)):
        spoilt: dict[str, object] = {**values, part: other}
        with pytest.raises(SceneFileError):
            question_from_dict(json.loads(json.dumps(spoilt)))


def test_a_bare_world_allows_fewer_questions_and_none_fails():
    assert sample_questions(one_room(), 0) == ()
    kinds = {question.kind for question in sample_questions(one_room(thing("sofa", (3, 5)), thing("lamp", (5, 4))), 0)}
    assert "direction" in kinds
    assert "perspective_taking" not in kinds


def test_pictures_are_asked_of_the_same_poses_as_words():
    scene = generate(3)
    words = sample_questions(scene, 3, kinds=("view_to_location",))
    pictures = sample_questions(scene, 3, kinds=("view_to_location_vision",))
    assert [question.truth for question in words] == [question.truth for question in pictures]
    assert all("<image>" in question.text and question.image for question in pictures)
    assert all(question.image is None for question in words)


@given(scenes(max_rooms=4))
def test_plans_can_be_walked_and_are_told_so_that_each_step_has_one_meaning(scene: Scene):
    for question in sample_questions(scene, 0, kinds=("action_to_view",)):
        plan = moves_from_json(question.parameters["plan"])
        assert walk(scene, plan, STRICT)
        steps = [line.split(". ", 1)[1].removesuffix(".") for line in question.text.split("\n") if line[:1].isdigit()]
        assert plan_of_steps(scene, steps) == plan
    for question in sample_questions(scene, 0, kinds=("view_to_action",)):
        pose = walk(scene, moves_from_json(question.truth["plan"]), STRICT)
        assert pose
        assert view_fits(scene, pose, sightings_from_json(question.parameters["shown"]))


@given(scenes(max_rooms=4))
def test_at_most_three_sightings_are_shown_and_no_placeholder_is_left(scene: Scene):
    for question in sample_questions(scene, 1):
        shown = question.parameters.get("shown")
        assert shown is None or 1 <= len(sightings_from_json(shown)) <= 3
        assert "$" not in question.text


def test_a_name_that_looks_like_a_placeholder_is_put_in_as_it_is():
    scene = one_room(thing("$of", (3, 5)), thing("{origin}", (5, 4)))
    text = sample_questions(scene, 0, kinds=("direction",))[0].text
    assert "$of" in text
    assert "{origin}" in text
