"""Maps by hand, whose scores can be worked out on paper, and what holds for the scores of any map."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.hand_built import furnished, one_room, thing
from tests.strategies import cells, headings, scenes
from tolman.belief.cognitive_map import CognitiveMap, Placement, true_global_map, true_local_map
from tolman.belief.map_scores import MapScale, MapScore, score_map
from tolman.core.geometry import Heading
from tolman.core.rules import PUBLISHED, STRICT, Rules
from tolman.core.seeds import rng
from tolman.world import AGENT, START, Scene

BOTH = pytest.mark.parametrize("rules", [PUBLISHED, STRICT], ids=lambda rules: rules.name)
either_rules = st.sampled_from([PUBLISHED, STRICT])


def whole(scene: Scene, rules: Rules) -> CognitiveMap:
    return true_global_map(scene, scene.pose_at(START, Heading.NORTH), scene.names, rules)


def score(said: CognitiveMap, truth: CognitiveMap, scene: Scene, rules: Rules) -> MapScore:
    scored = score_map(said, truth, MapScale.of(scene), rules)
    assert scored is not None
    return scored


def placed(cognitive_map: CognitiveMap, **changes: Placement) -> CognitiveMap:
    return CognitiveMap({**cognitive_map.places, **changes})


# ---- by hand ----


def test_the_true_map_of_a_small_world():
    truth = whole(furnished(), STRICT)
    assert dict(truth.places) == {
        "sofa": Placement((0, 2), Heading.SOUTH),
        "lamp": Placement((2, 1), None),
        "vase": Placement((6, 0), None),
        "chair": Placement((6, 2), Heading.WEST),
        "red door": Placement((3, 0), Heading.EAST),
        AGENT: Placement((0, 0), Heading.NORTH),
    }
    assert whole(furnished(), PUBLISHED).places["lamp"].facing is Heading.EAST


def test_what_is_in_view_to_the_right_and_ahead():
    scene = furnished()
    view = true_local_map(scene, scene.pose_at(START, Heading.EAST), STRICT)
    assert dict(view.places) == {"lamp": Placement((-1, 2), None), "red door": Placement((0, 3), Heading.EAST)}


def test_the_yardstick_is_as_long_as_things_are_far():
    scale = MapScale.of(furnished())
    assert scale.length == pytest.approx(math.sqrt((4 + 5 + 36 + 40) / 4))
    assert scale.fronted == {"sofa", "chair", AGENT}


@BOTH
def test_one_thing_misplaced_by_two_cells(rules: Rules):
    scene = furnished()
    truth = whole(scene, rules)
    said = placed(truth, sofa=Placement((0, 4), Heading.SOUTH))
    scored = score(said, truth, scene, rules)
    assert scored.position == pytest.approx(math.exp(-math.sqrt(4 / 6) / MapScale.of(scene).length))
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
    assert score_map(CognitiveMap({}), CognitiveMap({}), MapScale.of(furnished()), rules) is None


# ---- any map ----

points = st.tuples(st.floats(-1e9, 1e9), st.floats(-1e9, 1e9)) | st.tuples(st.integers(-9, 9), st.integers(-9, 9))


@st.composite
def said_maps(draw: st.DrawFn, scene: Scene) -> CognitiveMap:
    names = draw(st.lists(st.sampled_from([*scene.names, AGENT]), unique=True))
    return CognitiveMap({name: Placement(draw(points), draw(st.none() | headings)) for name in names})


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


# ---- points on one spot ----

NAMES: tuple[str, ...] = ("apple", "book", "gate", "initiative", "jug", "zebra", "red door")


def crowded(stream: np.random.Generator, names: Sequence[str]) -> CognitiveMap:
    """A map on few spots, the origin among them, so that many points are on one; some are off by less than counts."""
    spots = stream.integers(-2, 3, size=(len(names), 2)) / stream.choice([1, 2, 10])
    noise = stream.choice([0.0, 0.0, 0.0, 1e-7], size=(len(names), 2))
    places = {n: Placement((float(x), float(y)), None) for n, (x, y) in zip(names, spots + noise, strict=True)}
    return CognitiveMap({name: places[name] for name in stream.permutation(names).tolist()})


def crowded_pairs() -> Iterator[tuple[CognitiveMap, CognitiveMap, np.random.Generator]]:
    """A thousand stated and true maps."""
    for number in range(1000):
        stream = rng(number, "crowded")
        said = stream.choice(NAMES, size=int(stream.integers(0, len(NAMES) + 1)), replace=False).tolist()
        yield crowded(stream, said), crowded(stream, NAMES), stream


def renamed(cognitive_map: CognitiveMap, names: Mapping[str, str], stream: np.random.Generator) -> CognitiveMap:
    """The same map under other names, listed in another order."""
    order = stream.permutation(list(cognitive_map.places)).tolist()
    return CognitiveMap({names[name]: cognitive_map.places[name] for name in order})


def test_strict_scores_do_not_depend_on_names_or_order_of_listing():
    scale = MapScale(3.0, frozenset())
    moved = 0
    for said, truth, stream in crowded_pairs():
        names = dict(zip(NAMES, stream.permutation(NAMES).tolist(), strict=True))
        both = [(said, truth), (renamed(said, names, stream), renamed(truth, names, stream))]
        here, there = (score_map(*maps, scale, STRICT) for maps in both)
        assert here == there
        here, there = (score_map(*maps, scale, PUBLISHED) for maps in both)
        moved += here != there
    assert moved > 50, "published scores do depend on names, or this test shows nothing"


def test_published_scores_take_pairs_in_the_order_of_the_alphabet_with_the_origin_as_initial():
    """Worked out anew: the first of two names from the second, and north where they are on one spot."""
    listed_otherwise = 0
    for said, truth, stream in crowded_pairs():
        placed_said = {**said.places, "initial": Placement((0, 0), None)}
        placed_true = {**truth.places, "initial": Placement((0, 0), None)}
        pairs = [(a, b) for a in sorted(placed_true) for b in sorted(placed_true) if a < b]
        agree = [
            a in placed_said
            and b in placed_said
            and octant(placed_said[a], placed_said[b]) == octant(placed_true[a], placed_true[b])
            for a, b in pairs
        ]
        scored = score_map(said, truth, MapScale(3.0, frozenset()), PUBLISHED)
        assert scored is not None
        assert scored.direction == pytest.approx(sum(agree) / len(pairs), abs=1e-12)
        same_names = {name: name for name in NAMES}
        again = score_map(
            renamed(said, same_names, stream),
            renamed(truth, same_names, stream),
            MapScale(3.0, frozenset()),
            PUBLISHED,
        )
        listed_otherwise += scored != again
    assert listed_otherwise == 0


def octant(a: Placement, b: Placement) -> int:
    east, north = (a.position[i] - b.position[i] for i in (0, 1))
    if max(abs(east), abs(north)) < 1e-6:
        return 0
    return round(math.degrees(math.atan2(east, north)) / 45) % 8


@pytest.mark.parametrize(
    ("said", "true", "agrees"),
    [
        (((1, 1), (1, 1)), ((4, 2), (4, 2)), True),
        (((1, 1), (1, 2)), ((4, 2), (4, 2)), False),
        (((1, 1), (1, 1)), ((4, 3), (4, 2)), False),
        (((1, 5), (1, 1)), ((4, 3), (4, 2)), True),
    ],
)
def test_when_strict_one_spot_is_right_for_one_spot_and_no_direction_is(
    said: tuple[tuple[int, int], tuple[int, int]], true: tuple[tuple[int, int], tuple[int, int]], agrees: bool
):
    """Of three pairs, one is of the two things; the other two are with the origin, and right."""
    maps = [CognitiveMap({"a": Placement(a, None), "b": Placement(b, None)}) for a, b in (said, true)]
    pair_alone = score_map(maps[0], maps[1], MapScale(3.0, frozenset()), STRICT)
    assert pair_alone is not None
    octants = [octant(m.places[n], Placement((0, 0), None)) for m in maps for n in ("a", "b")]
    with_origin = (octants[0] == octants[2]) + (octants[1] == octants[3])
    assert pair_alone.direction == pytest.approx((with_origin + agrees) / 3)
