"""Probabilities are read from whatever form a model gives them, and nothing that it writes raises."""

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tolman.ask import sample_questions
from tolman.ask.odds import format_odds, is_odds_request, odds_request, slots_of, true_values
from tolman.ask.odds_parsing import StatedOdds, read_odds
from tolman.ask.settling import LETTERS, Look, looks_in, read_letter, settle_request
from tolman.core.geometry import Heading
from tolman.core.reading import ParseFailure
from tolman.world import START, generate

QUESTIONS = {question.kind: question for question in sample_questions(generate(3), 3, 1)}
DIRECTION = slots_of(QUESTIONS["direction"])
REPLIES = (
    "direction: north 60%; north east 40%\ndistance: near 100%",
    '```json\n{"direction": {"north": 0.6, "north_east": 0.4}, "distance": {"near": 1.0}}\n```',
    "north: 3/5, north-east: 2/5. near: 1",
    "There is a 60% chance of north and a 40% chance of northeast; 100% near.",
    "north = 60, north east = 40, near 100",
    "| north | 60% |\n| north east | 40% |\n| near | 100% |",
    "<think>north 10%; near 10%</think>FINAL ANSWER: **north** (60%), *north-east* (40%)\ndistance: near: 1",
    "THINK:\nmaybe south 90%\nFINAL ANSWER:\nDirection: North - 60%, North East – 40%\nDistance: near 100 percent",
    "north 20%; then again, north 60%; north east 40%; near 100%",
    "north 0.6; north east .4; near 1e0",
)


@pytest.mark.parametrize("reply", REPLIES)
def test_any_usual_form_is_read(reply: str) -> None:
    said = read_odds(reply, DIRECTION)
    assert isinstance(said, StatedOdds)
    assert not said.renormalised
    assert said.odds["direction"] == pytest.approx({"north": 0.6, "north east": 0.4})
    assert said.odds["distance"] == pytest.approx({"near": 1.0})


def test_a_closed_list_is_divided_by_its_sum_and_an_open_one_keeps_its_rest() -> None:
    said = read_odds("north 30%; south 30%; near 50%", DIRECTION)
    assert isinstance(said, StatedOdds)
    assert said.renormalised
    assert said.odds == {"direction": pytest.approx({"north": 0.5, "south": 0.5}), "distance": {"near": 1.0}}
    cells = slots_of(QUESTIONS["view_to_location"])
    part = read_odds("position: (1, 2) 30%; [-3, 0] 20%", cells)
    assert isinstance(part, StatedOdds)
    assert part.odds == {"position": pytest.approx({"(1, 2)": 0.3, "(-3, 0)": 0.2})}
    assert not part.renormalised


@pytest.mark.parametrize(
    "reply", ["", "I cannot tell.", "north, near", "north 60%", "north -0.5; near 1", "north 1/0; near 1"]
)
def test_what_states_no_probability_for_each_part_is_unparseable(reply: str) -> None:
    assert isinstance(read_odds(reply, DIRECTION), ParseFailure)


@pytest.mark.parametrize("kind", [kind for kind in QUESTIONS if kind != "view_to_action"])
def test_the_truth_of_every_kind_can_be_stated(kind: str) -> None:
    question = QUESTIONS[kind]
    slots = slots_of(question)
    stated = {name: {value: 1.0} for name, value in true_values(question).items()}
    assert {slot.name for slot in slots} == set(stated)
    said = read_odds(f"FINAL ANSWER:\n{format_odds(stated)}", slots)
    assert isinstance(said, StatedOdds)
    assert said.odds == stated
    assert is_odds_request(f"{question.text}\n\n{odds_request(slots)}\n\nReply")


def test_plans_can_not_be_listed() -> None:
    assert slots_of(QUESTIONS["view_to_action"]) == ()


@given(st.text(alphabet=st.sampled_from("north east0123456789.%/()-:;,{}\"' \n<>"), max_size=300))
def test_no_text_raises(text: str) -> None:
    for question in QUESTIONS.values():
        said = read_odds(text, slots_of(question))
        if isinstance(said, StatedOdds):
            assert all(sum(values.values()) <= 1 + 1e-9 for values in said.odds.values())
    assert read_letter(text, 4) in (0, 1, 2, 3, *ParseFailure)


LOOKS = (Look("red door", Heading.EAST), Look(START, Heading.SOUTH), Look("lamp", Heading.NORTH))


def test_looks_are_read_back_from_the_request() -> None:
    assert looks_in(f"A question\n\n{settle_request(LOOKS)}\n\nReply") == LOOKS
    assert looks_in("A question") is None


@pytest.mark.parametrize(
    ("form", "which"),
    list(
        product(
            (
                "{}",
                "FINAL ANSWER:\n{}",
                "**{}**",
                r"\boxed{{{}}}",
                "{}: standing at the lamp",
                "Look {} tells most.",
                "({})",
            ),
            range(3),
        )
    ),
)
def test_a_letter_is_read_in_any_form(form: str, which: int) -> None:
    assert read_letter(form.format(LETTERS[which]), 3) == which


@pytest.mark.parametrize("reply", ["", "cannot tell", "D", "Look A or look B", "the red door"])
def test_no_letter_or_several_is_no_choice(reply: str) -> None:
    assert isinstance(read_letter(reply, 3), ParseFailure)
