"""Finding the way by hearsay, on the world of `tests.hand_built.furnished`.

Looks from the start to the north (the sofa) and to the east (the lamp and the red door), and from the red door to the
east (the vase and the chair), are all that was heard.
"""

from tests.hand_built import furnished
from tolman.belief import Belief
from tolman.core.geometry import Heading
from tolman.explore.topological_map import TopologicalMap, guess_heading, most_certain_route
from tolman.sense import Observation, observe
from tolman.world import START

HEARD = ((START, Heading.NORTH), (START, Heading.EAST), ("red door", Heading.EAST))


def heard(*looks: tuple[str, Heading]) -> tuple[TopologicalMap, Belief]:
    known, belief = TopologicalMap(), Belief.start(furnished().names, 18)
    for place, heading in looks:
        view = observe(furnished(), place, heading)
        known.learn(view)
        belief = belief.after(view)
    return known, belief


def test_a_line_of_sight_that_was_heard_is_taken_either_way():
    known, belief = heard(*HEARD)
    assert most_certain_route(known, belief, START, "lamp") == (("lamp", Heading.EAST),)
    assert most_certain_route(known, belief, "vase", "chair") == (("red door", Heading.WEST), ("chair", Heading.EAST))


def test_where_none_was_heard_possible_positions_vote():
    """The sofa is one or two cells to the north of the start, the door three or four to the east."""
    known, belief = heard(*HEARD)
    assert "red door" not in known.sight_lines["sofa"]
    assert guess_heading(known, belief, "sofa", "red door") == (Heading.EAST, 1.0)
    assert most_certain_route(known, belief, "sofa", "red door") == (("red door", Heading.EAST),)


def test_the_way_to_another_room_leads_through_its_door():
    known, belief = heard(*HEARD)
    assert most_certain_route(known, belief, "vase", "sofa") == (("red door", Heading.WEST), ("sofa", Heading.WEST))


def test_a_look_in_vain_is_not_repeated():
    """Told that the door is not in view to the east of the sofa, an agent tries another way; it never gives up."""
    known, belief = heard(*HEARD)
    tried = [Heading.EAST]
    known.learn(Observation("sofa", Heading.EAST, (), ()))
    while len(tried) < 4:
        heading, _ = guess_heading(known, belief, "sofa", "red door")
        assert heading not in tried
        tried.append(heading)
        known.learn(Observation("sofa", heading, (), ()))


def test_there_is_no_way_to_what_was_never_seen():
    known, belief = heard((START, Heading.NORTH))
    assert most_certain_route(known, belief, START, "vase") == ()
    assert most_certain_route(known, belief, "nowhere", "sofa") == ()
