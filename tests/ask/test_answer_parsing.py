"""What each reader takes for an answer, under both rule sets."""

import pytest

from tolman.ask.coordinate_answers import find_point, find_points, published_points
from tolman.ask.name_answers import find_name, find_names, published_name, published_names
from tolman.ask.plans import find_plan, format_plan, published_plan
from tolman.ask.relations import find_relation, grade_relation, relation
from tolman.core.reading import or_none
from tolman.core.rules import PUBLISHED, STRICT

NAMES = ("sofa", "lamp", "desk lamp", "red door", "north star")


@pytest.mark.parametrize(
    ("reply", "published", "strict"),
    [
        ("front-left, slightly far", 1.0, 1.0),
        ("(front-left, slightly far)", 1.0, 1.0),
        ("Front Left; slightly far", 1.0, 1.0),
        ("slightly far, front-left", 1.0, 1.0),
        ("fl, slightly-far", 1.0, 1.0),
        ("FINAL ANSWER: front-left, slightly far", 1.0, 1.0),
        ("FINAL ANSWER: a\nFINAL ANSWER: front-left, slightly far", 0.5, 1.0),
        ("front-left, slightly far.", 0.5, 1.0),
        ("**front-left**, slightly far", 0.5, 1.0),
        ("front-left slightly far", 0.0, 1.0),
        ("The sofa is to your front-left, slightly far away.", 0.0, 1.0),
        ("$\\boxed{\\text{front-left, slightly far}}$", 0.0, 1.0),
        ("front-left, near", 0.5, 0.5),
        ("north, slightly far", 0.5, 0.5),
        ("left, near", 0.0, 0.0),
    ],
)
def test_relations_under_both_rule_sets(reply: str, published: float, strict: float):
    truth = relation("front-left", "slightly far")
    assert grade_relation(truth, reply, PUBLISHED, NAMES).score == published
    assert grade_relation(truth, reply, STRICT, NAMES).score == strict


@pytest.mark.parametrize(
    ("reply", "told"),
    [
        ("front slightly far", "front, slightly far"),
        ("front, slightly left, slightly far", "front-slight-left, slightly far"),
        ("front slight right near", "front-slight-right, near"),
        ("straight ahead, at a medium distance", "front, mid distance"),
        ("FINAL ANSWER:\nfront, near\n\nThe lamp, by the way, is far to the left.", "front, near"),
        ("FINAL ANSWER: front-left, near (the door is to the right of it)", "front-left, near"),
        ("Direction: front-right\nDistance: very far", "front-right, very far"),
        ("It isn't near but far, front-left", "front-left, far"),
        ("front or front-left, near", None),
        ("FINAL ANSWER: front, near (or front-left, near)", None),
        ("front", None),
        ("near", None),
        ("unknown, unknown", None),
        ("", None),
    ],
)
def test_views_in_plain_words(reply: str, told: str | None):
    said = or_none(find_relation(reply, "ego", NAMES))
    assert (None if said is None else str(said)) == told


@pytest.mark.parametrize(
    ("reply", "told"),
    [
        ("The table is to the north-east, near.", "north east, near"),
        ("The north star is southwest of the sofa, far", "south west, far"),
        ("NE, mid", "north east, mid distance"),
        ("S; very far", "south, very far"),
        ("N/A", None),
        ("THINK: north? south?\n\neast, near", "east, near"),
        ("I first thought north, far. So the answer is: west, near.", "west, near"),
        ("north, near\nsouth, far", None),
    ],
)
def test_compass_directions_in_plain_words(reply: str, told: str | None):
    said = or_none(find_relation(reply, "cardinal", NAMES))
    assert (None if said is None else str(said)) == told


@pytest.mark.parametrize(
    ("reply", "name"),
    [
        ("sofa", "sofa"),
        ("**The Sofa.**", "sofa"),
        ("desk_lamp", "desk lamp"),
        ("You are standing at the desk lamp.", "desk lamp"),
        ("FINAL ANSWER: sofa (because the lamp is in front of it)", "sofa"),
        ("FINAL ANSWER: the sofa, since the lamp is near", "sofa"),
        ("The lamp is ahead, so thus it must be:\nsofa", "sofa"),
        ("unicorn", "unicorn"),
        ("sofa or lamp", None),
        ("sofa, lamp", None),
        ("I don't know", None),
        ("unknown", None),
        ("", None),
    ],
)
def test_names_under_strict(reply: str, name: str | None):
    assert or_none(find_name(reply, NAMES)) == name


def test_names_under_published_are_the_whole_answer():
    assert published_name("FINAL ANSWER:\n Sofa ") == "sofa"
    assert published_name("<answer>The sofa.</answer>") == "the sofa."


@pytest.mark.parametrize(
    ("reply", "names"),
    [
        ("lamp, sofa, red door", ("lamp", "sofa", "red door")),
        ("lamp -> sofa → red_door", ("lamp", "sofa", "red door")),
        ("1. Lamp\n2. Sofa\n3. Red door", ("lamp", "sofa", "red door")),
        ("The lamp comes first, then the sofa, and last the red door.", ("lamp", "sofa", "red door")),
        ("FINAL ANSWER:\nlamp, sofa, red door\nThe sofa is left of the lamp.", ("lamp", "sofa", "red door")),
        ("lamp, sofa", ("lamp", "sofa")),
        ("lamp, armchair, red door", ("lamp", "armchair", "red door")),
        ("the sofa and the lamp, I can't tell which is first", None),
        ("", None),
    ],
)
def test_sequences_under_strict(reply: str, names: tuple[str, ...] | None):
    assert or_none(find_names(reply, ("lamp", "red door", "sofa"))) == names


def test_sequences_under_published_are_split_at_commas():
    assert published_names("Lamp,  red   door ,sofa") == ("lamp", "red door", "sofa")
    assert published_names("lamp -> sofa") == ("lamp -> sofa",)


@pytest.mark.parametrize(
    ("reply", "published", "strict"),
    [
        ("Rotate(90), JumpTo(red door)", "Rotate(90), Goto(red door)", "Rotate(90), Goto(red door)"),
        ("rotate(90),jumpto(Red Door)", "Rotate(90), Goto(red door)", "Rotate(90), Goto(red door)"),
        ("Rotate(90), Goto(red door)", "Rotate(90), Goto(red door)", "Rotate(90), Goto(red door)"),
        ("Actions: [Rotate(90), JumpTo(sofa)]", None, "Rotate(90), Goto(sofa)"),
        ("1. Rotate(90)\n2. JumpTo(the sofa)", None, "Rotate(90), Goto(sofa)"),
        ("First Rotate(+90), then JumpTo(sofa).", None, "Rotate(90), Goto(sofa)"),
        ("Rotate(90), JumpTo(sofa), Observe()", None, "Rotate(90), Goto(sofa)"),
        ("Rotate(90), JumpTo(sofa) - this leaves the door on the left", None, "Rotate(90), Goto(sofa)"),
        ("rotate 90, jump to the red door", None, "Rotate(90), Goto(red door)"),
        ("Rotate(90 degrees counterclockwise)", None, "Rotate(-90)"),
        ("Rotate(left)", None, None),
        ("Either Rotate(90) lets me see it or Rotate(-90) does", None, None),
        ("walk around", None, None),
        ("", None, None),
    ],
)
def test_plans(reply: str, published: str | None, strict: str | None):
    plans = published_plan(reply), or_none(find_plan(reply))
    assert tuple(None if plan is None else format_plan(plan) for plan in plans) == (published, strict)


@pytest.mark.parametrize(
    ("reply", "point"),
    [
        ("(2, -1)", (2, -1)),
        ("2, -1", (2, -1)),
        ("x = 2, y = −1", (2, -1)),
        ("$\\left(2,\\, -1\\right)$", (2, -1)),
        ("\\boxed{(2, -1)}", (2, -1)),
        ("I am at **(2, -1)**.", (2, -1)),
        ("FINAL ANSWER:\n(2, -1)\nThat is two east of (0, 0).", (2, -1)),
        ("(2.5, 1)", (2.5, 1)),
        ("(2, -1) or (3, 0)", None),
        ("(?, ?)", None),
        ("", None),
    ],
)
def test_a_point_under_strict(reply: str, point: tuple[float, float] | None):
    assert or_none(find_point(reply)) == point


@pytest.mark.parametrize(
    ("reply", "points"),
    [
        ("(1, 2); (3, 4)", ((1, 2), (3, 4))),
        ("sofa: (1, 2)\nlamp: (3, 4)", ((1, 2), (3, 4))),
        ("lamp: (3, 4), sofa: (1, 2)", ((1, 2), (3, 4))),
        ("| sofa | (1, 2) |\n| lamp | (3, 4) |", ((1, 2), (3, 4))),
        ("Taking (0, 0) as the start:\n(1, 2); (3, 4)", ((1, 2), (3, 4))),
        ("(1, 2)", None),
        ("(1, 2); (null, null)", None),
    ],
)
def test_points_under_strict(reply: str, points: tuple[tuple[float, float], ...] | None):
    assert or_none(find_points(reply, ("sofa", "lamp"))) == points


def test_published_points_are_all_pairs_of_numbers():
    assert published_points("FINAL ANSWER: a (1, 2) b [3.5,-4]") == ((1, 2), (3.5, -4))
