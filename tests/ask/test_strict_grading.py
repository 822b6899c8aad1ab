"""What `strict` mends in grading, each in a world that can be checked with pencil and paper."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.hand_built import furnished, one_room, thing, two_rooms
from tests.strategies import scenes
from tolman.ask import Question, grade, oracle_reply, sample_questions
from tolman.ask.question import Json, pose_to_json
from tolman.ask.views import sightings_to_json
from tolman.core.geometry import Heading
from tolman.core.rules import PUBLISHED, STRICT
from tolman.sense import look
from tolman.world import Door, Pose, Room, Scene, Thing


def view_to_action(scene: Scene, name: str, heading: Heading) -> Question:
    pose = scene.pose_at(name, heading)
    shown = sightings_to_json(look(scene, pose)[0])
    return Question("view_to_action", {"shown": shown}, {"pose": pose_to_json(scene, pose), "plan": []}, scene)


@pytest.mark.parametrize(
    ("plan", "published", "strict"),
    [
        ("Rotate(90), JumpTo(red door), JumpTo(vase), Rotate(-90)", 1.0, 1.0),
        ("Rotate(90), JumpTo(vase), Rotate(-90)", 1.0, 0.0),
        ("JumpTo(vase)", 0.0, 0.0),
        ("Rotate(450), JumpTo(red door), JumpTo(vase), Rotate(-90)", 1.0, 0.0),
        ("Rotate(90), JumpTo(unicorn)", 0.0, 0.0),
    ],
)
def test_plans_do_not_go_through_walls(plan: str, published: float, strict: float):
    """From the start facing east the vase is straight ahead, but behind the wall; one gets there through the door."""
    question = view_to_action(furnished(), "vase", Heading.NORTH)
    assert grade(question, plan, PUBLISHED).score == published
    assert grade(question, plan, STRICT).score == strict
    assert not grade(question, plan, STRICT).format_failure


def test_any_place_that_fits_is_right():
    """A lamp straight ahead and near is one or two cells away: both cells fit, and only `strict` knows it."""
    scene = one_room(thing("lamp", (1, 5)))
    shown = sightings_to_json(look(scene, Pose((1, 4), Heading.NORTH, (1,)))[0])
    asked: dict[str, Json] = {"origin": "initial_pos", "heading": "north", "shown": shown}
    question = Question("view_to_location", asked, {"cell": [-2, 1]}, scene)
    assert grade(question, "(-2, 1)", PUBLISHED).score == grade(question, "(-2, 1)", STRICT).score == 1.0
    assert grade(question, "(-2, 0)", STRICT).score == 1.0
    assert grade(question, "(-2, 0)", PUBLISHED).score == pytest.approx(0.639407, abs=1e-6)
    assert grade(question, "(-2, -1)", STRICT).score == pytest.approx(0.639407, abs=1e-6)
    assert grade(question, "(-2, 2)", STRICT).score < 1.0, "the lamp itself stands there"


def test_a_view_is_had_from_a_thing_in_its_own_room_only():
    """Sofa and chair face north with a lamp two ahead of each sofa-like spot; the chair's lamp is behind the wall."""
    rooms = (Room(1, (1, 1), (5, 3)), Room(2, (1, 5), (5, 9)))
    door = Door("red door", (5, 4), (1, 2), "y")
    things = (
        Thing("lamp", "lamp", (3, 5), None, 2),
        Thing("chair", "chair", (3, 3), Heading.NORTH, 1),
        Thing("sofa", "sofa", (3, 7), Heading.SOUTH, 2),
        Thing("stool", "stool", (2, 1), Heading.NORTH, 1),
    )
    scene = Scene(rooms, (door,), things, (1, 1))
    pose = Pose((3, 7), Heading.SOUTH, (2,))
    shown = sightings_to_json([seen for seen in look(scene, pose)[0] if seen.name == "lamp"])
    question = Question(
        "perspective_decision", {"shown": shown}, {"name": "sofa", "pose": pose_to_json(scene, pose)}, scene
    )
    assert grade(question, "chair", PUBLISHED).score == 1.0
    assert grade(question, "chair", STRICT).score == 0.0
    assert grade(question, "sofa", STRICT).score == 1.0
    assert grade(question, "stool", PUBLISHED).score == 0.0
    assert grade(question, "red door", STRICT).score == 0.0


def test_neighbouring_bins_earn_nothing():
    question = sample_questions(
        two_rooms(thing("lamp", (1, 5)), thing("sofa", (1, 4), Heading.NORTH)), 0, kinds=("direction",)
    )[0]
    for rules in (PUBLISHED, STRICT):
        assert grade(question, "north east, mid distance", rules).score == 0.0


@given(scenes(max_rooms=3), st.integers(-40, 40), st.integers(-40, 40), st.data())
def test_grades_do_not_depend_on_where_the_world_lies(scene: Scene, dx: int, dy: int, data: st.DataObject):
    moved = translated(scene, dx, dy)
    question = data.draw(st.sampled_from(sample_questions(scene, 0) or (None,)))
    if question is None:
        return
    there = replace(question, scene=moved)
    reply = data.draw(st.sampled_from([oracle_reply(question), "north, near", "(1, 2)", *scene.names]))
    assert oracle_reply(there) == oracle_reply(question)
    for rules in (PUBLISHED, STRICT):
        assert grade(there, reply, rules) == grade(question, reply, rules)


def translated(scene: Scene, dx: int, dy: int) -> Scene:
    def at(cell: tuple[int, int]) -> tuple[int, int]:
        return cell[0] + dx, cell[1] + dy

    return Scene(
        tuple(Room(room.id, at(room.low), at(room.high)) for room in scene.rooms),
        tuple(replace(door, cell=at(door.cell)) for door in scene.doors),
        tuple(replace(thing, cell=at(thing.cell)) for thing in scene.things),
        at(scene.start),
    )
