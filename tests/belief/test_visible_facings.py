"""Under `strict`, a facing that pictures do not show is not scored; text, and published rules, score all."""

import json

from tolman.belief.map_dimensions import MapTurn, score_turns
from tolman.belief.visible_facings import AlikeView, unclear_facings
from tolman.core.geometry import Heading
from tolman.core.rules import PUBLISHED, STRICT
from tolman.world import Pose, Room, Scene, Thing

SCENE = Scene(
    (Room(1, (0, 0), (8, 8)),),
    (),
    (Thing("box", "cabinet", (4, 4), Heading.SOUTH, 1), Thing("cat", "cat", (7, 7), Heading.NORTH, 1)),
    (4, 1),
)
BEFORE, BESIDE = Pose((4, 1), Heading.NORTH, (1,)), Pose((1, 4), Heading.EAST, (1,))
"""The box is three metres ahead: seen from its front, and from its right."""
FRONT_IS_BACK: AlikeView = (3, 0, 180)
RIGHT_IS_LEFT: AlikeView = (3, 90, 270)


def test_a_facing_is_unclear_until_a_view_shows_it():
    front, both = {"box": [FRONT_IS_BACK]}, {"box": [FRONT_IS_BACK, RIGHT_IS_LEFT]}
    assert unclear_facings(SCENE, [BEFORE, BESIDE], front, STRICT) == [{"box"}, frozenset()]
    assert unclear_facings(SCENE, [BESIDE, BEFORE], front, STRICT) == [frozenset(), frozenset()]
    assert unclear_facings(SCENE, [BEFORE, BESIDE], both, STRICT) == [{"box"}, {"box"}], "no view shows it"


def test_views_from_elsewhere_and_other_rules_change_nothing():
    assert unclear_facings(SCENE, [BEFORE], {"box": [(6, 0, 180), (1, 0, 180)]}, STRICT) == [frozenset()]
    assert unclear_facings(SCENE, [BEFORE], {"cat": [FRONT_IS_BACK]}, STRICT) == [frozenset()]
    assert unclear_facings(SCENE, [BEFORE], {"box": [FRONT_IS_BACK]}, PUBLISHED) == [frozenset()]


def turn(facing: str) -> MapTurn:
    stated = {"box": {"position": [0, 3], "facing": facing}, "agent": {"position": [0, 0], "facing": "north"}}
    return MapTurn(BEFORE, ("box",), (), {}, json.dumps(stated))


def test_such_a_facing_is_not_scored_and_counted():
    alike = {"box": [FRONT_IS_BACK]}
    for facing in ("south", "north"):
        (shown,) = score_turns(SCENE, [turn(facing)], STRICT, {})
        (hidden,) = score_turns(SCENE, [turn(facing)], STRICT, alike)
        assert shown.update is not None
        assert hidden.update is not None
        assert shown.update.facing == (1.0 if facing == "south" else 0.5), "that of the agent counts too"
        assert hidden.update.facing == 1.0
        assert hidden.update.position == shown.update.position
        assert (shown.unclear_facings, hidden.unclear_facings) == (0, 1)


def test_text_and_published_rules_score_as_before():
    for rules in (STRICT, PUBLISHED):
        assert score_turns(SCENE, [turn("north")], rules)[0].unclear_facings is None
    alike = {"box": [FRONT_IS_BACK]}
    as_text, published = (
        score_turns(SCENE, [turn("north")], PUBLISHED),
        score_turns(SCENE, [turn("north")], PUBLISHED, alike),
    )
    assert as_text[0].update == published[0].update
