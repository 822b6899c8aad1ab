"""Maps by hand, whose scores can be worked out on paper, and what holds for the scores of any map."""

import math
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.hand_built import furnished, one_room, thing
from tests.strategies import cells, headings, scenes
from tolman.belief.cognitive_map import CognitiveMap, Placed, true_global_map, true_local_map
from tolman.belief.map_scores import MapScore, Yardstick, score_map
from tolman.geometry import Heading
from tolman.rules import PUBLISHED, STRICT, Rules
from tolman.world import AGENT, START, Scene

BOTH = pytest.mark.parametrize("rules", [PUBLISHED, STRICT], ids=lambda rules: rules.name)
either_rules = st.sampled_from([PUBLISHED, STRICT])


def whole(scene: Scene, rules: Rules) -> CognitiveMap:
    return true_global_map(scene, scene.pose_at(START, Heading.NORTH), scene.names, rules)


def score(said: CognitiveMap, truth: CognitiveMap, scene: Scene, rules: Rules) -> MapScore:
    scored = score_map(said, truth, Yardstick.of(scene), rules)
    assert scored is not None
    return scored


def placed(cognitive_map: CognitiveMap, **changes: Placed) -> CognitiveMap:
    return CognitiveMap({**cognitive_map.places, **changes})


# ---- by hand ----


def test_the_true_map_of_a_small_world():
    truth = whole(furnished(), STRICT)
    assert dict(truth.places) == {
        "sofa": Placed((0, 2), Heading.SOUTH),
        "lamp": Placed((2, 1), None),
        "vase": Placed((6, 0), None),
        "chair": Placed((6, 2), Heading.WEST),
        "red door": Placed((3, 0), Heading.EAST),
        AGENT: Placed((0, 0), Heading.NORTH),
    }
    assert whole(furnished(), PUBLISHED).places["lamp"].facing is Heading.EAST


def test_what_is_in_view_to_the_right_and_ahead():
    scene = furnished()
    view = true_local_map(scene, scene.pose_at(START, Heading.EAST), STRICT)
    assert dict(view.places) == {"lamp": Placed((-1, 2), None), "red door": Placed((0, 3), Heading.EAST)}


def test_the_yardstick_is_as_long_as_things_are_far():
    yardstick = Yardstick.of(furnished())
    assert yardstick.length == pytest.approx(math.sqrt((4 + 5 + 36 + 40) / 4))
    assert yardstick.fronted == {"sofa", "chair", AGENT}


@BOTH
def test_one_thing_misplaced_by_two_cells(rules: Rules):
    scene = furnished()
    truth = whole(scene, rules)
    said = placed(truth, sofa=Placed((0, 4), Heading.SOUTH))
    scored = score(said, truth, scene, rules)
    assert scored.position == pytest.approx(math.exp(-math.sqrt(4 / 6) / Yardstick.of(scene).length))
    assert scored.facing == 1.0
    assert scored.direction == pytest.approx(20 / 21), "from the vase alone it turns from west to north west"


@BOTH
def test_a_missing_thing_costs_coverage_directions_and_its_facing(rules: Rules):
    scene = furnished()
    truth = whole(scene, rules)
    said = truth.only(set(truth.places) - {"sofa"})
    scored = score(said, truth, scene, rules)
    assert scored.position == pytest.approx(5 / 6)
    assert scored.facing == pytest.approx(2 / 3)
    assert scored.direction == pytest.approx(15 / 21)
    assert scored.overall == pytest.approx((5 / 6 + 2 / 3 + 15 / 21) / 3)


def test_no_facing_to_compare_is_perfect_as_published_and_unscored_when_strict():
    scene = one_room(thing("vase", (5, 5)), thing("lamp", (1, 5)))
    for rules, facing, overall in ((PUBLISHED, 1.0, 1 / 3), (STRICT, None, 0.0)):
        truth = true_local_map(scene, scene.pose_at(START, Heading.NORTH), rules)
        assert score(CognitiveMap({}), truth, scene, rules) == MapScore(0.0, facing, 0.0, overall)


@BOTH
def test_nothing_in_truth_is_not_scored(rules: Rules):
    assert score_map(CognitiveMap({}), CognitiveMap({}), Yardstick.of(furnished()), rules) is None


# ---- any map ----

points = st.tuples(st.floats(-1e9, 1e9), st.floats(-1e9, 1e9)) | st.tuples(st.integers(-9, 9), st.integers(-9, 9))


@st.composite
def said_maps(draw: st.DrawFn, scene: Scene) -> CognitiveMap:
    names = draw(st.lists(st.sampled_from([*scene.names, AGENT]), unique=True))
    return CognitiveMap({name: Placed(draw(points), draw(st.none() | headings)) for name in names})


@given(st.data(), scenes(3), either_rules)
def test_scores_are_in_range_or_not_scored(data: st.DataObject, scene: Scene, rules: Rules):
    said = data.draw(said_maps(scene))
    scored = score(said, whole(scene, rules), scene, rules)
    for part in (scored.direction, scored.facing, scored.position, scored.overall):
        assert part is None or 0.0 <= part <= 1.0


@given(scenes(3), either_rules)
def test_the_true_map_is_perfect(scene: Scene, rules: Rules):
    truth = whole(scene, rules)
    assert score(truth, truth, scene, rules) == MapScore(1.0, 1.0, 1.0, 1.0)


def shifted(scene: Scene, by: tuple[int, int]) -> Scene:
    """The same world somewhere else."""

    def at(cell: tuple[int, int]) -> tuple[int, int]:
        return (cell[0] + by[0], cell[1] + by[1])

    return replace(
        scene,
        rooms=tuple(replace(room, low=at(room.low), high=at(room.high)) for room in scene.rooms),
        doors=tuple(replace(door, cell=at(door.cell)) for door in scene.doors),
        things=tuple(replace(t, cell=at(t.cell)) for t in scene.things),
        start=at(scene.start),
    )


@given(st.data(), scenes(3), cells(1000), either_rules)
def test_scores_do_not_depend_on_where_the_world_lies(
    data: st.DataObject, scene: Scene, by: tuple[int, int], rules: Rules
):
    said, elsewhere = data.draw(said_maps(scene)), shifted(scene, by)
    here = score(said, whole(scene, rules), scene, rules)
    assert here == score(said, whole(elsewhere, rules), elsewhere, rules)
