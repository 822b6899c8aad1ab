"""Coverage of `tests.hand_built.furnished`: five things and doors, and nine pairs to relate.

Pairs: three among sofa, lamp and red door, three among vase, chair and red door, and the start with each of room 1.
"""

import pytest
from hypothesis import given

from tests.hand_built import furnished
from tests.strategies import scenes
from tolman.belief import Coverage, coverage
from tolman.core.geometry import Heading
from tolman.explore.agents.registry import run_explorer
from tolman.sense import Observation, observe
from tolman.world import START, Scene


def looks(*poses: tuple[str, Heading]) -> list[Observation]:
    return [observe(furnished(), name, heading) for name, heading in poses]


@pytest.mark.parametrize(
    ("poses", "nodes", "edges"),
    [
        ([], 0, 0),
        ([(START, Heading.SOUTH)], 0, 0),
        ([(START, Heading.NORTH)], 1, 1),
        ([(START, Heading.EAST)], 2, 2),
        ([(START, Heading.NORTH), (START, Heading.EAST)], 3, 3),
        ([(START, Heading.EAST), (START, Heading.EAST)], 2, 2),
        ([("red door", Heading.EAST)], 2, 2),
        ([("red door", Heading.EAST), ("red door", Heading.WEST)], 4, 4),
        ([("red door", Heading.EAST), ("vase", Heading.WEST)], 3, 2),
        ([("vase", Heading.WEST), ("vase", Heading.NORTH)], 2, 2),
        ([("sofa", Heading.EAST)], 2, 2),
        ([("lamp", Heading.SOUTH)], 1, 1),
    ],
)
def test_coverage_counts_what_was_seen_and_pairs_seen_one_from_the_other(
    poses: list[tuple[str, Heading]], nodes: int, edges: int
):
    assert coverage(furnished(), looks(*poses)) == Coverage(nodes / 5, edges / 9)


def test_looking_every_way_from_everywhere_covers_everything():
    everywhere = looks(*((name, heading) for name in (START, *furnished().names) for heading in Heading))
    assert coverage(furnished(), everywhere) == Coverage(1, 1)


@given(scenes(max_rooms=4))
def test_the_scout_sees_every_thing_and_door(scene: Scene):
    turns = run_explorer("scout", scene).turns
    seen = coverage(scene, [turn.feedback for turn in turns if isinstance(turn.feedback, Observation)])
    assert seen.node == 1
    assert 0 < seen.edge <= 1
