"""The probe of unexplored space asks about what has and has not been in view, and reads the answer from any text."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.hand_built import furnished
from tests.strategies import headings, scenes, seeds
from tolman.belief.map_parsing import NoMap
from tolman.belief.unexplored import (
    CandidatePoints,
    PointScore,
    draw_points,
    explored_cells,
    point_map,
    point_score,
    read_unexplored_points,
    released_points,
    score_points,
)
from tolman.core.geometry import Heading
from tolman.core.rules import PUBLISHED, STRICT, Rules
from tolman.sense import visible
from tolman.world import START, Pose, Scene

SCENE = furnished()
BOTH = pytest.mark.parametrize("rules", [PUBLISHED, STRICT], ids=lambda rules: rules.name)
THREE = CandidatePoints(((1, 1), (2, 2), (3, 4)), frozenset({(1, 1), (2, 2)}))
MAP = """\
#############
#..C..#.....#
#.....#.....#
#..*..+.....#
#.B...#.....#
#A....#.....#
#############"""


def test_the_map_shows_walls_doors_the_agent_and_the_points():
    points = CandidatePoints(((1, 1), (2, 2), (3, 5)), frozenset())
    assert point_map(SCENE, SCENE.pose_at(START, Heading.NORTH), points) == MAP


def test_letters_go_on_after_z():
    room = SCENE.room(1).cells + SCENE.room(2).cells
    drawn = point_map(SCENE, SCENE.pose_at(START, Heading.NORTH), CandidatePoints(room, frozenset()))
    assert {len(row) for row in drawn.split("\n")} == {2 * 13}
    letters = list(CandidatePoints(tuple((i, 0) for i in range(80)), frozenset()).letters)
    assert (letters[0], letters[25], letters[26], letters[79]) == ("A", "Z", "AA", "CB")
    assert len(set(letters)) == 80


def test_a_look_explores_the_field_of_view_and_the_cell_underfoot():
    explored = explored_cells(SCENE, [SCENE.pose_at(START, Heading.NORTH)])
    assert explored == {1: {(3, 3), (2, 4), (3, 4), (4, 4), (1, 5), (2, 5), (3, 5), (4, 5), (5, 5)}}


@st.composite
def walks(draw: st.DrawFn) -> tuple[Scene, list[Pose]]:
    scene = draw(scenes(3))
    spots = st.sampled_from([START, *scene.names])
    return scene, draw(st.lists(st.builds(scene.pose_at, spots, headings), min_size=1, max_size=6))


@given(walks())
def test_what_was_visible_lies_on_explored_floor(walk: tuple[Scene, list[Pose]]):
    """The probe and sight share one geometry: a thing in a room that was looked into was in view if its cell was."""
    scene, looks = walk
    explored = explored_cells(scene, looks)
    seen = {item.name for pose in looks for item in visible(scene, pose)}
    underfoot = {pose.cell for pose in looks}
    for thing in scene.things:
        if thing.cell not in underfoot:
            assert (thing.name in seen) == (thing.cell in explored.get(thing.room, set()))


@given(walks(), seeds, st.booleans())
def test_points_are_balanced_distinct_and_not_underfoot(walk: tuple[Scene, list[Pose]], seed: int, released: bool):
    scene, looks = walk
    drawn = draw_points(scene, explored_cells(scene, looks), looks[-1], seed, len(looks))
    if released:
        drawn = released_points(scene, [(pose, True) for pose in looks], seed)[-1]
    explored = explored_cells(scene, looks)
    assert len(set(drawn.cells)) == len(drawn.cells) == 2 * len(drawn.unexplored)
    assert looks[-1].cell not in drawn.cells
    for cell in drawn.cells:
        room = next(room for room in scene.rooms if room.holds(cell))
        assert (cell in drawn.unexplored) == (cell not in explored[room.id])
    for room in scene.rooms:
        assert sum(room.holds(cell) for cell in drawn.cells) <= 6


@given(walks(), seeds)
def test_the_same_seed_and_turn_draw_the_same_points(walk: tuple[Scene, list[Pose]], seed: int):
    scene, looks = walk
    assert draw_points(scene, explored_cells(scene, looks), looks[-1], seed, 3) == draw_points(
        scene, explored_cells(scene, looks), looks[-1], seed, 3
    )


# ---- replies ----


@BOTH
@pytest.mark.parametrize(
    "text",
    ['{"unexplored": ["A", "B"]}', 'THINK: {A, C}?\nFINAL ANSWER:\n```json\n{\n "unexplored": ["A", "B", "Q"]\n}\n```'],
)
def test_a_list_of_letters_is_read(text: str, rules: Rules):
    assert read_unexplored_points(text, THREE, rules) == {(1, 1), (2, 2)}


def test_published_takes_the_first_list_and_strict_the_last():
    text = 'The example says {"unexplored": ["C"]}.\nFINAL ANSWER:\n{"unexplored": ["A"]}'
    assert read_unexplored_points(text, THREE, PUBLISHED) == {(3, 4)}
    assert read_unexplored_points(text, THREE, STRICT) == {(1, 1)}


@pytest.mark.parametrize(
    ("text", "letters"),
    [
        ('{"unexplored": ["C"]} or rather ```json\n{"unexplored": ["A"]}\n```', "A"),
        ('```{"unexplored": ["B"]}```\n```json\n{"unexplored": ["A"]}\n```', "B"),
        ('```json\n{"unexplored": [A]}\n```\n{"unexplored": ["B"]}', "AB"),
        ('{A or B?} {"unexplored": ["C"]}', "C"),
        ('an open { brace, {"unexplored": ["C"]}, not A', "AC"),
        ('{"unexplored": []} B', ""),
        ('{"unexplored": [], "note": "B"}', "B"),
        ('{"points": ["a", " b ", "CC", 1, ["C"]]}', "ABC"),
        ('{"unexplored": "A; C"}', "AC"),
        ('{"unexplored": null}', ""),
        ('["a","c"]', "AC"),
        ("none of them", ""),
    ],
)
def test_what_published_takes_for_letters(text: str, letters: str):
    assert read_unexplored_points(text, THREE, PUBLISHED) == {THREE.letters[letter] for letter in letters}


def test_without_json_published_takes_every_lone_capital_and_strict_a_plain_list():
    text = 'I saw C and B from the door.\nFINAL ANSWER: ["A", "B"]'
    assert read_unexplored_points(text, THREE, PUBLISHED) == {(1, 1), (2, 2), (3, 4)}
    assert read_unexplored_points(text, THREE, STRICT) == {(1, 1), (2, 2)}
    assert isinstance(read_unexplored_points("C and B, I think.", THREE, STRICT), NoMap)


@pytest.mark.parametrize(
    ("chosen", "score"),
    [
        ({(1, 1), (2, 2)}, PointScore(1.0, 1.0, 1.0)),
        ({(1, 1), (3, 4)}, PointScore(0.5, 0.5, 0.5)),
        ({(1, 1)}, PointScore(1.0, 0.5, 2 / 3)),
        (set[tuple[int, int]](), PointScore(0.0, 0.0, 0.0)),
    ],
)
def test_precision_recall_and_f1(chosen: set[tuple[int, int]], score: PointScore):
    assert score_points(chosen, THREE) == score


FOUR = CandidatePoints(((1, 1), (2, 2), (3, 4), (4, 4)), frozenset({(1, 1), (2, 2)}))


@pytest.mark.parametrize(
    ("chosen", "f1", "j"),
    [
        ({(1, 1), (2, 2)}, 1.0, 1.0),
        (set(FOUR.cells), 2 / 3, 0.0),
        (set[tuple[int, int]](), 0.0, 0.0),
        ({(1, 1)}, 2 / 3, 0.5),
        ({(1, 1), (3, 4)}, 0.5, 0.0),
        ({(3, 4), (4, 4)}, 0.0, -1.0),
        (NoMap("?"), 0.0, 0.0),
    ],
)
def test_naming_every_point_is_worth_two_thirds_as_published_and_nothing_when_strict(
    chosen: set[tuple[int, int]] | NoMap, f1: float, j: float
):
    assert point_score(chosen, FOUR, PUBLISHED) == pytest.approx(f1)
    assert point_score(chosen, FOUR, STRICT) == pytest.approx(j)


def test_any_choice_that_does_not_look_is_worth_nothing_in_expectation():
    """All sixteen choices, each as likely as the next, and likewise all those of one size."""
    choices = [{c for c, bit in zip(FOUR.cells, f"{n:04b}", strict=True) if bit == "1"} for n in range(16)]
    for size in (None, 0, 1, 2, 3, 4):
        scores = [point_score(chosen, FOUR, STRICT) for chosen in choices if size is None or len(chosen) == size]
        assert sum(score or 0.0 for score in scores) == pytest.approx(0.0)


def test_there_is_no_score_without_points_of_both_sorts():
    assert point_score(set(), CandidatePoints((), frozenset()), STRICT) is None
    assert point_score(set(), CandidatePoints(((1, 1),), frozenset({(1, 1)})), STRICT) is None


scraps = st.text(alphabet='{}[]":, unexploredABC`\n', max_size=40)
replies = st.text() | scraps


def check_any_reply(text: str) -> None:
    for rules in (PUBLISHED, STRICT):
        chosen = read_unexplored_points(text, THREE, rules)
        if not isinstance(chosen, NoMap):
            assert chosen <= set(THREE.cells)
            assert 0.0 <= score_points(chosen, THREE).f1 <= 1.0


@given(replies)
def test_any_reply_can_be_read(text: str):
    check_any_reply(text)


@pytest.mark.slow
@settings(max_examples=100_000)
@given(scraps)
def test_a_hundred_thousand_replies_can_be_read(text: str):
    check_any_reply(text)


@pytest.mark.parametrize("text", ["[" * 100_000, "[A" * 50_000, '["A",' * 20_000, '{"unexplored":[' * 7_000], ids=len)
def test_long_and_hostile_replies(text: str):
    check_any_reply(text)
