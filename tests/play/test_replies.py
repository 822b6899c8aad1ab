"""Forms make the text that a model would write, and slips are told without telling what is right."""

import re

import pytest

from tests.play.sessions import case, next_request, spoken
from tolman.ask import PAPER_KINDS, Question, grade, oracle_reply, wrong_reply
from tolman.benchmarks.theory_of_space.options import Options
from tolman.core.rules import PUBLISHED, STRICT
from tolman.play.playable import Fields
from tolman.play.theory_of_space.session import (
    PlaySession,
    RequestedReply,
    answer_form,
    compose_reply,
    problem,
)
from tolman.world import WorldSettings

ALL = Options()
FEW = Options(questions=1, kinds=("direction",))


def questions() -> list[Question]:
    return [question for seed in ("0", "1", "2") for question in case(seed, ALL, WorldSettings()).questions]


def at(call: str) -> RequestedReply:
    """The moment at which a call is wanted of someone who explores as the scout does."""
    session = PlaySession(case("0", FEW), FEW, {})
    said = spoken("0", FEW).replies
    while (next_one := next_request(session)) is not None and next_one.call != call:
        session = session.answered(next_one.call, said[next_one.call])
    assert next_one is not None
    return next_one


def filled(pattern: str, names: list[str], answer: str) -> Fields:
    """Fields that hold the parts of an answer."""
    parts = re.fullmatch(re.escape(pattern).replace(r"\{\}", "(.+?)"), answer)
    assert parts, (pattern, answer)
    return {name: [part] for name, part in zip(names, parts.groups(), strict=True)}


def test_every_kind_of_question_can_be_answered_right_with_its_form() -> None:
    answered: set[str] = set()
    for question in questions():
        form = answer_form(question)
        asked = RequestedReply("ask/none/x/1", question.text, at("explore/1").episode, (), question)
        if form is not None:
            fields = filled(form.pattern, [each.name for each in form.fields], oracle_reply(question))
            reply = compose_reply(asked, fields)
            assert grade(question, reply, STRICT).score == 1.0, question.text
            assert not grade(question, reply, PUBLISHED).format_failure
            answered.add(question.kind)
    assert set(PAPER_KINDS) - answered == {"view_to_action"}, "a plan is built with buttons, as text"


def test_an_open_gap_or_a_word_that_was_not_offered_makes_no_answer() -> None:
    question = next(question for question in questions() if question.kind == "direction")
    asked = RequestedReply("ask/none/direction/1", question.text, at("explore/1").episode, (), question)
    assert compose_reply(asked, {"direction": ["north"]}) == ""
    assert compose_reply(asked, {"direction": ["north"], "distance": ["{0.__class__}"]}) == ""
    assert problem(asked, "") is not None
    own_words = compose_reply(asked, {"direction": ["north"], "distance": ["near"], "reply": ["south, far"]})
    assert own_words == "south, far"


def test_whether_an_answer_is_right_does_not_show_in_whether_it_is_taken() -> None:
    for question in questions():
        asked = RequestedReply("ask/none/x/1", question.text, at("explore/1").episode, (), question)
        assert problem(asked, oracle_reply(question)) is None
        assert problem(asked, wrong_reply(question)) is None
        assert problem(asked, "no idea, sorry?") is not None


@pytest.mark.parametrize(
    ("reply", "told"),
    [
        ("Actions: [Observe()]", None),
        ("Rotate(90), Observe()", None),
        ("Actions: [Rotate(45), Observe()]", "turns are"),
        ("Actions: [Goto(dragon), Observe()]", "no such thing"),
        ("Actions: [Rotate(90)]", "Observe"),
        ("hello", "No actions"),
    ],
)
def test_slips_in_a_turn_are_told(reply: str, told: str | None) -> None:
    found = problem(at("explore/1"), reply)
    assert (found is None) if told is None else told in (found or "")


def test_maps_and_points_are_read_by_the_readers_that_score_them() -> None:
    said = spoken("0", FEW).replies
    for probe in ("global", "local", "points"):
        call = next(call for call in said if f"/{probe}/" in call)
        assert problem(at(call), said[call]) is None
        assert problem(at(call), "I would rather not say") is not None
    points = at(next(call for call in said if "/points/" in call))
    assert compose_reply(points, {"letter": ["C", "A", "A"]}) == '{"unexplored":["A","C"]}'


def test_a_phase_is_ended_by_a_button_with_a_report_of_changes() -> None:
    assert compose_reply(at("explore/1"), {"end": ["1"], "reply": ["Actions: [Observe()]"]}) == "Actions: [Term()]"
    first, second, *_ = case("0", FEW).scene.things
    fields: Fields = {"end": ["1"], "change-0": ["position"], "change-1": ["orientation"], "change-2": [""]}
    report = f'Actions: [Term(changes="{first.name}: position, {second.name}: orientation")]'
    assert compose_reply(at("revise/1"), fields) == report
