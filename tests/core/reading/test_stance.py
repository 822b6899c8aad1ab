"""What each reader of a reply makes of negations, choices and self-corrections under `strict`, one table a reader.

What is not plainly one answer is none; where a reply takes an answer back and gives another, that one counts.
"""

import pytest

from tolman.ask.coordinate_answers import find_point, find_points
from tolman.ask.kinds.change_report import ChangeReport, change_question
from tolman.ask.name_answers import find_name, find_names
from tolman.ask.plans import find_plan, format_plan
from tolman.ask.relations import find_relation
from tolman.belief.map_parsing import NoMap, read_global_map, read_local_map
from tolman.belief.unexplored import CandidatePoints
from tolman.belief.unexplored import read_unexplored_points as read_unexplored
from tolman.benchmarks.osr_bench.maps.grid import read_map
from tolman.benchmarks.osr_bench.questions.question import Question as OsrQuestion
from tolman.benchmarks.osr_bench.questions.question import read_answer
from tolman.benchmarks.sparrta.case import RelationQuestion
from tolman.benchmarks.sparrta.prompts import read_relation as read_side
from tolman.core.geometry import Heading
from tolman.core.reading import or_none
from tolman.core.rules import STRICT
from tolman.explore.actions import Actions
from tolman.explore.grammar import read_actions
from tolman.world import generate, perturb

CARDINAL = {
    "It cannot be east, near": None,
    "It can't be east; near": None,
    "the opposite of east, near": None,
    "opposite to east, near": None,
    "The direction is not east. It is near.": None,
    "It isn't the east, near": None,
    "anything but east, near": None,
    "east, near … wait, no: west, near": "west, near",
    "east, near ... wait, no: west": "west, near",
    "east, near. Wait, no. It is west, far.": "west, far",
    "east, near? No, west, far.": "west, far",
    "east – no, west, near": "west, near",
    "east, scratch that, west, near": "west, near",
    "East, near. Correction: west, near.": "west, near",
    "I said east, but I was wrong: west, near": "west, near",
    "east, near\n\nActually, west, near.": "west, near",
    "\\boxed{east, near}. No, I made a mistake: west, near": "west, near",
    "<answer>east, near</answer> Wait, no: west, near": "west, near",
    "FINAL ANSWER: east, near\nThat's wrong.": None,
    "east, near. No.": None,
    "east, near; west, far": None,
    "east or west, near": None,
    "either east, near or west, near": None,
    "neither east nor west, near": None,
    "between east and north-east, near": None,
    "east-northeast, near": None,
    "slightly north of east, near": None,
    "I would say east, near, but it could be west, near": None,
    "east, near\n(or west, near)": None,
    "possibly east, near": None,
    "maybe east, near?": None,
    "east/west, near": None,
    "east: 25 %, west: 75 %, near": None,
    "not north, south, near": None,
    "east, not very far": None,
    "Not north but south, near": "south, near",
    "It is not north, it is south, near": "south, near",
    "east (not west), near": "east, near",
    "Answer: east, near (not west, far)": "east, near",
    "east rather than west, near": "east, near",
    "no doubt east, near": "east, near",
    "It is more or less east, near": "east, near",
    "I think it is probably east, near": "east, near",
    "I'm not sure, but it is east, near": "east, near",
    "The lamp is not in this room, so: east, near": "east, near",
    "**East**, *near*.": "east, near",
    "`east, near`": "east, near",
    "```\neast, near\n```": "east, near",
    "$\\boxed{\\text{east, near}}$": "east, near",
    "The answer is: east, near!": "east, near",
    "Final answer — East; Near": "east, near",
}
EGO = {
    "It isn't near but far, front-left": "front-left, far",
    "not in front; near": None,
    "the opposite of front-left, near": None,
    "front-left, near. Hmm, wait. No: front-right, near": "front-right, near",
    "front-left? No, front-right, near.": "front-right, near",
    "front or front-left, near": None,
    "That's right: front-left, near": "front-left, near",
    "between front and front-left, near": None,
    "front-left, neither near nor far": None,
    "front-left, not near": None,
    "It cannot be left, so it must be front-right, near.": "front-right, near",
    "**Front-left**, near.": "front-left, near",
}
ONE_NAME = {
    "It isn't the sofa": None,
    "It isn’t the sofa.": None,
    "not the sofa": None,
    "no sofa": None,
    "Anything but the sofa": None,
    "It cannot be the sofa": None,
    "sofa; lamp": None,
    "sofa / lamp": None,
    "sofa - lamp": None,
    "sofa. lamp.": None,
    "either the sofa or the lamp": None,
    "neither the sofa nor the lamp": None,
    "I would say the sofa, but it could be the lamp": None,
    "the sofa or the lamp": None,
    "maybe the sofa": None,
    "sofa?": None,
    "sofa: 25 %, lamp: 75 %": None,
    "The sofa. No.": None,
    "the sofa … wait, no: the lamp": "lamp",
    "Sofa? No, lamp.": "lamp",
    "sofa (not lamp)": "sofa",
    "It isn't the sofa, it is the lamp": "lamp",
    "It isn't the sofa but the lamp": "lamp",
    "the lamp, not the sofa": "lamp",
    "the lamp instead of the sofa": "lamp",
    "The answer is not sofa; the answer is lamp.": "lamp",
    "FINAL ANSWER: sofa\n\nWait, that's wrong. It is the lamp.": "lamp",
    "**Sofa**.": "sofa",
    "The answer is the sofa!": "sofa",
    "`desk_lamp`": "desk lamp",
}
NAMES = ("sofa", "lamp", "desk lamp", "red door", "north star")
IN_ORDER = {
    "reverse of lamp, sofa, red door": None,
    "lamp, sofa, red door in reverse order": None,
    "lamp, sofa, red door (reversed)": None,
    "the opposite of lamp, sofa, red door": None,
    "not lamp, sofa, red door": None,
    "lamp, sofa, red door or sofa, lamp, red door": None,
    "either lamp or sofa, then red door": None,
    "lamp, sofa, red door. No.": None,
    "lamp, sofa, red door … wait, no: sofa, lamp, red door": ("sofa", "lamp", "red door"),
    "lamp, sofa, red door? No, sofa, lamp, red door.": ("sofa", "lamp", "red door"),
    "**lamp**, **sofa**, **red door**.": ("lamp", "sofa", "red door"),
    "The order is: lamp → sofa → red_door": ("lamp", "sofa", "red door"),
}
POINT = {
    "(7e1, -1)": (70.0, -1.0),
    "y=-1, x=1": (1.0, -1.0),
    "y: -1; x: 1": (1.0, -1.0),
    "x = 1 and y = −1": (1.0, -1.0),
    "(y, x) = (-1, 1)": None,
    "x = 1": None,
    "x = 1, x = 2": None,
    "(1, 2, 3)": None,
    "(1,000, 2)": None,
    "(2-3, 1)": None,
    "(2–3, 1)": None,
    "(½, 1)": None,
    "(1/2, 1)": None,
    "(>2, 1)": None,
    "(more than 2, 1)": None,
    "(2 %, 1 %)": None,
    "(2 km, 1 km)": None,
    "(2 cells, -1 cells)": (2.0, -1.0),
    "(−2, ‑1)": (-2.0, -1.0),
    "(+2, -.5)": (2.0, -0.5),
    "<2, -1>": (2.0, -1.0),
    "not (2, -1)": None,
    "It is not at (2, -1) but at (3, 0)": (3.0, 0.0),
    "(2, -1) is wrong": None,
    "(2, -1); (3, 0)": None,
    "either (2, -1) or (3, 0)": None,
    "possibly (2, -1)": None,
    "(2, -1)? No, (3, 0).": (3.0, 0.0),
    "(2, -1) … wait, no: (3, 0)": (3.0, 0.0),
    "(2, -1) (not (3, 0))": (2.0, -1.0),
    "between (2, -1) and (3, 0)": None,
    "**(2, -1)**.": (2.0, -1.0),
    "The answer is [2, -1].": (2.0, -1.0),
}
POINTS = {
    "sofa: (1, 2); lamp: (3, 4) … wait, no: sofa: (2, 2); lamp: (3, 4)": ((2.0, 2.0), (3.0, 4.0)),
    "sofa: x = 1, y = 2; lamp: y = 4, x = 3": ((1.0, 2.0), (3.0, 4.0)),
    "The lamp and the sofa are at (3, 4) and (1, 2).": ((1.0, 2.0), (3.0, 4.0)),
    "Beside the lamp. lamp: (3, 4), sofa: (1, 2)": ((1.0, 2.0), (3.0, 4.0)),
    "(1, 2); not (3, 4)": None,
    "(1, 2); (3, 4) or (3, 5)": None,
    "(1, 2); (7e1, 4)": ((1.0, 2.0), (70.0, 4.0)),
    "not (1, 2); (3, 4)": None,
    "(1, 2); (3, 4). That's wrong.": None,
    "reverse of (1, 2), (3, 4)": None,
}
PLAN = {
    "not Rotate(90)": None,
    "Don't Rotate(90)": None,
    "Rotate(90) or Rotate(-90)": None,
    "either Rotate(90), Goto(sofa) or Goto(lamp)": None,
    "reverse of Rotate(90), Goto(sofa)": None,
    "Rotate(90) twice": None,
    "Rotate(90), Goto(sofa). No.": None,
    "maybe Rotate(90)": None,
    "Rotate(90), Goto(sofa) … wait, no: Rotate(-90), Goto(lamp)": "Rotate(-90), Goto(lamp)",
    "Rotate(90)? No, Rotate(-90).": "Rotate(-90)",
    "Rotate(90), not Rotate(-90)": None,
    "**Rotate(90), Goto(sofa)**": "Rotate(90), Goto(sofa)",
    "`Rotate(90), Goto(sofa)`.": "Rotate(90), Goto(sofa)",
}
TURN = {
    "Actions: [Rotate(90), Observe()] … wait, no: Actions: [Rotate(-90), Observe()]": "[Rotate(-90), Observe()]",
    "Not [Rotate(90), Observe()] but [Rotate(-90), Observe()]": "[Rotate(-90), Observe()]",
    "[Rotate(90), Observe()] instead of [Rotate(-90), Observe()]": "[Rotate(90), Observe()]",
    "I should not go back.\nActions: [Rotate(90), Observe()]": "[Rotate(90), Observe()]",
    "Observe()? No, Query(sofa)": "[Query(sofa)]",
    "either [Observe()] or [Query(sofa)]": None,
    "Rotate(90) or Rotate(-90), then Observe()": None,
    "Do not Observe()": None,
    "[Observe()]. No, scratch that.": None,
}
COUNT = {
    "not 2": None,
    "more than 2": None,
    "at least 2": None,
    "fewer than 2 chairs": None,
    "2 or more": None,
    "2+": None,
    "over 2": None,
    "up to 2": None,
    ">2": None,
    "2-3": None,
    "2 to 3": None,
    "between 2 and 3": None,
    "2 or 3": None,
    "either two or three": None,
    "neither 2 nor 3": None,
    "2; 3": None,
    "2nd": None,
    "-2": None,
    "2.5": None,
    "2½": None,
    "2/3": None,
    "50 %": None,
    "two dozen": None,
    "maybe 2": None,
    "2? No, 3.": "3",
    "2 … wait, no: 3": "3",
    "There are 2. Actually 3.": "3",
    "not 2 but 3": "3",
    "2 (not 3)": "2",
    "It isn't 2, it's 3": "3",
    "1,200": "1200",
    "twenty-one": "21",
    "2.0": "2",
    "There are no chairs.": "0",
    "None": "0",
    "**2**": "2",
    "The answer is 2.": "2",
    "about 2": "2",
}
CLOSEST = {
    "It isn't the box": None,
    "not the box": None,
    "box; cabinet": None,
    "either the box or the cabinet": None,
    "I would say the box, but it could be the cabinet": None,
    "box: 25 %, cabinet: 75 %": None,
    "neither the box nor the cabinet": None,
    "possibly the box": None,
    "box … wait, no: cabinet": "cabinet",
    "The box? No, the cabinet.": "cabinet",
    "box (not cabinet)": "box",
    "the box rather than the cabinet": "box",
    "**Trash_Can**.": "trash_can",
}
DIRECTION = {
    "it cannot be left": None,
    "opposite of left": None,
    "front; left": None,
    "front/left": None,
    "between front and left": None,
    "left or right": None,
    "neither left nor right": None,
    "left … wait, no: right": "Right",
    "Left? No, right.": "Right",
    "not left but right": "Right",
    "left (not right)": "Left",
    "front-left, no, front-right": "Front Right",
    "It is right in front of me": "Front",
    "**Front Left**": "Front Left",
}
SIDE = {
    "it cannot be left": None,
    "opposite of left": None,
    "It isn't the left": None,
    "left; right": None,
    "A; B": None,
    "A, B": None,
    "A or B": None,
    "A: 25 %, B: 75 %": None,
    "either A or B": None,
    "neither A nor B": None,
    "I would say A, but it could be B": None,
    "possibly left": None,
    "left. No.": None,
    "not A": None,
    "left … wait, no: right": "right",
    "A? No, B.": "front",
    "Answer: A (not B)": "right",
    "A. right … wait, no: C. left": "left",
    "It is left. The answer is not right.": "left",
    "not left but right": "right",
    "**C**": "left",
    "The answer is C, because it is on the left.": "left",
}
OPTIONS = RelationQuestion("ego", "left", ("right", "front", "left", "back"))
COUNTED = OsrQuestion(1, "counting", ("chair",), "3", "")
NEAREST = OsrQuestion(2, "distance", ("bed", "cabinet", "bottom_cabinet", "trash_can", "box"), "trash_can", "")
WAY = OsrQuestion(3, "direction", ("bed", "tv", "sofa"), "Front Left", "")
MAPS = {
    '{"sofa": {"position": [1, 2]}} Wait, no: {"sofa": {"position": [3, 4]}}': (3.0, 4.0),
    '{"sofa": {"position": [1, 2]}, "lamp": {"position": [0, 0]}}\nCorrection: {"sofa": {"position": [3, 4]}}': (
        3.0,
        4.0,
    ),
    'Not {"sofa": {"position": [1, 2]}} but {"sofa": {"position": [3, 4]}}': (3.0, 4.0),
    '{"sofa": {"position": [1, 2]}} rather than {"sofa": {"position": [3, 4]}}': (1.0, 2.0),
    '{"sofa": {"position": [1, 2]}} That is wrong.': None,
    'The map is not {"sofa": {"position": [1, 2]}}': None,
    'I would not swear to it.\n{"sofa": {"position": [1, 2]}}': (1.0, 2.0),
    '```json\n{"sofa": {"position": [1, 2]}}\n```': (1.0, 2.0),
}
LETTERS = {
    '{"unexplored": ["A"]} … wait, no: {"unexplored": ["B", "C"]}': "BC",
    '{"unexplored": ["A"]}. That is wrong.': None,
    'not {"unexplored": ["A"]}': None,
    "all but [A, B]": None,
    "[A] or [B]": None,
    "Explored: [A, B]": None,
    "Unexplored: [A, B]": "AB",
    "Not [A] but [B]": "B",
    "['A', 'B']": "AB",
    "{'unexplored': ['A', 'B',]}": "AB",
}
GRID = {
    '{"bed": [[1, 2]]} Wait, no: {"bed": [[3, 4]]}': {"bed": [(4, 3)]},
    'Not {"bed": [[1, 2]]} but {"bed": [[3, 4]]}': {"bed": [(4, 3)]},
    '{"bed": [[1, 2]]} rather than {"bed": [[3, 4]]}': {"bed": [(2, 1)]},
    '{"bed": [[1, 2]]} is wrong': None,
    "{'bed': [(1, 2),],} // done": {"bed": [(2, 1)]},
}


@pytest.mark.parametrize(("reply", "told"), CARDINAL.items())
def test_compass_directions(reply: str, told: str | None):
    said = or_none(find_relation(reply, "cardinal", NAMES))
    assert (said and str(said)) == told


@pytest.mark.parametrize(("reply", "told"), EGO.items())
def test_views(reply: str, told: str | None):
    said = or_none(find_relation(reply, "ego", NAMES))
    assert (said and str(said)) == told


@pytest.mark.parametrize(("reply", "name"), ONE_NAME.items())
def test_names(reply: str, name: str | None):
    assert or_none(find_name(reply, NAMES)) == name


@pytest.mark.parametrize(("reply", "names"), IN_ORDER.items())
def test_orders(reply: str, names: tuple[str, ...] | None):
    assert or_none(find_names(reply, ("lamp", "red door", "sofa"))) == names


@pytest.mark.parametrize(("reply", "point"), POINT.items())
def test_coordinates(reply: str, point: tuple[float, float] | None):
    assert or_none(find_point(reply)) == point


@pytest.mark.parametrize(("reply", "points"), POINTS.items())
def test_several_coordinates(reply: str, points: tuple[tuple[float, float], ...] | None):
    assert or_none(find_points(reply, ("sofa", "lamp"))) == points


@pytest.mark.parametrize(("reply", "plan"), PLAN.items())
def test_plans(reply: str, plan: str | None):
    said = or_none(find_plan(reply))
    assert (said and format_plan(said)) == plan


@pytest.mark.parametrize(("reply", "turn"), TURN.items())
def test_turns(reply: str, turn: str | None):
    said = read_actions(reply, STRICT)
    assert (str(said).removeprefix("Actions: ") if isinstance(said, Actions) else None) == turn


CHANGED = change_question(perturb(generate(3), 5))
THINGS = [thing.name for thing in CHANGED.scene.things][:2]
CHANGES = {
    "{0}: not moved": None,
    "{0}: possibly rotated": None,
    "{0}: maybe moved": None,
    "{0}: same position": None,
    "{0}: unchanged position": None,
    "{0}: did not rotate; position unchanged": None,
    "{0}: position or orientation": None,
    "{0}: position?": None,
    "{0}: moved, not rotated": "{0}: position",
    "{0}: not moved but rotated": "{0}: orientation",
    "{0}: moved, {1}: not moved": "{0}: position",
    "{0}: position, {1}: possibly rotated": "{0}: position",
    "{0}: position … wait, no: {1}: orientation": "{1}: orientation",
    'Term(changes="{0}: not moved, {1}: rotated")': "{1}: orientation",
    'Term(changes="{0}: position") … no: Term(changes="{1}: orientation")': "{1}: orientation",
    "- The {0}: **position**\n- {1}: orientation": "{0}: position, {1}: orientation",
}


@pytest.mark.parametrize(("reply", "read"), CHANGES.items())
def test_reports_of_changes(reply: str, read: str | None):
    graded = ChangeReport().grade(CHANGED, reply.format(*THINGS), STRICT)
    assert (None if graded.format_failure else graded.read) == (read and read.format(*THINGS))


@pytest.mark.parametrize(("reply", "place"), MAPS.items())
def test_maps(reply: str, place: tuple[float, float] | None):
    for said in (
        read_global_map(reply, ("sofa", "lamp"), STRICT),
        read_local_map(reply, ("sofa", "lamp"), Heading.EAST, STRICT),
    ):
        assert (None if isinstance(said, NoMap) else said.places["sofa"].position) == place


@pytest.mark.parametrize(("reply", "letters"), LETTERS.items())
def test_unexplored_points(reply: str, letters: str | None):
    cells = {"A": (0, 0), "B": (1, 0), "C": (2, 0)}
    said = read_unexplored(reply, CandidatePoints(tuple(cells.values()), frozenset()), STRICT)
    wanted = None if letters is None else {cells[letter] for letter in letters}
    assert (None if isinstance(said, NoMap) else said) == wanted


@pytest.mark.parametrize(("reply", "count"), COUNT.items())
def test_counts(reply: str, count: str | None):
    assert read_answer(COUNTED, reply) == count


@pytest.mark.parametrize(("reply", "name"), CLOSEST.items())
def test_candidates(reply: str, name: str | None):
    assert read_answer(NEAREST, reply) == name


@pytest.mark.parametrize(("reply", "way"), DIRECTION.items())
def test_directions_in_a_room(reply: str, way: str | None):
    assert read_answer(WAY, reply) == way


@pytest.mark.parametrize(("reply", "stated"), GRID.items())
def test_maps_on_a_grid(reply: str, stated: dict[str, list[tuple[int, int]]] | None):
    assert read_map(reply) == stated


@pytest.mark.parametrize(("reply", "side"), SIDE.items())
def test_relations_in_a_picture(reply: str, side: str | None):
    assert read_side(OPTIONS, reply) == side
