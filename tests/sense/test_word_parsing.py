"""What was said can be heard: words made from real views give the same views again."""

from hypothesis import given
from hypothesis import strategies as st

from tests.hand_built import furnished
from tests.strategies import headings, scenes
from tolman.core.bins import CardinalBin, DistanceBin, EgoBin, FacingLabel, WallLabel
from tolman.core.geometry import Heading
from tolman.core.rules import PUBLISHED, STRICT, Rules
from tolman.sense import (
    Location,
    NearPair,
    Observation,
    Sighting,
    describe_location,
    describe_observation,
    observe,
    parse_location,
    parse_observation,
    parse_sightings,
    query,
)
from tolman.world import START, Scene

words_of_a_world = st.sampled_from(
    ["You see:", "\n", "- ", "sofa", ": ", "front", ", ", "near", "The ", " is at ", "(", "9" * 5000, ")", ".", "You"]
)
any_text = st.text() | st.lists(words_of_a_world, max_size=30).map("".join)


@given(scenes(max_rooms=4), headings, st.data())
def test_a_view_is_heard_as_it_was_seen(scene: Scene, heading: Heading, data: st.DataObject):
    place = data.draw(st.sampled_from((START, *scene.names)))
    seen = observe(scene, place, heading)
    assert parse_observation(describe_observation(seen), place, heading) == seen
    assert parse_sightings(describe_observation(seen)) == seen.sightings


@given(scenes(max_rooms=4), st.sampled_from([STRICT, PUBLISHED]))
def test_an_answer_is_heard_as_it_was_given(scene: Scene, rules: Rules):
    for name in (START, *scene.names):
        told = query(scene, name, rules)
        assert parse_location(describe_location(told)) == told


def test_a_view_is_found_inside_a_longer_message():
    seen = observe(furnished(), START, Heading.EAST)
    assert seen.near_pairs
    seen_words = describe_observation(seen)
    message = f"You turned 90 degrees clockwise. {seen_words}\nReplies left: 3.\n\n- a list\n- sofa: front, near"
    assert parse_observation(message, START, Heading.EAST) == seen


def test_an_answer_is_found_inside_a_longer_message():
    message = (
        "The page. The rules (see above) hold. You went to the lamp. The sofa is at (3, -2), facing west.\nThe end."
    )
    assert parse_location(message) == Location("sofa", (3, -2), Heading.WEST)
    assert parse_location("Your starting point is at (0, 0), facing north.") == Location(START, (0, 0), Heading.NORTH)
    assert parse_location("The lamp is at (3, -2).") == Location("lamp", (3, -2), None)


def test_all_labels_are_told_apart():
    lines = (
        "- a b: front-slight-left, very far\n- c: front, extremely far, on back wall\n- d: front-left, far, facing left"
    )
    assert parse_sightings(lines) == (
        Sighting("a b", EgoBin.FRONT_SLIGHT_LEFT, DistanceBin.VERY_FAR, None),
        Sighting("c", EgoBin.FRONT, DistanceBin.EXTREMELY_FAR, WallLabel.BACK),
        Sighting("d", EgoBin.FRONT_LEFT, DistanceBin.FAR, FacingLabel.LEFT),
    )


def test_close_pairs_are_heard_with_their_direction():
    sofa = Sighting("sofa", EgoBin.FRONT, DistanceBin.NEAR, None)
    seen = Observation(
        START, Heading.WEST, (sofa,), (NearPair("sofa", "red vase", CardinalBin.SOUTH_WEST, DistanceBin.NEAR),)
    )
    assert parse_observation(describe_observation(seen), START, Heading.WEST) == seen


def test_nothing_in_view_is_not_the_same_as_no_view():
    assert parse_observation("You see nothing in your field of view.", "lamp", Heading.SOUTH) == Observation(
        "lamp", Heading.SOUTH, (), ()
    )
    assert parse_observation("This phase is over.", "lamp", Heading.SOUTH) is None
    assert parse_location("You see nothing in your field of view.") is None


@given(any_text)
def test_no_text_raises(text: str):
    parse_sightings(text)
    parse_observation(text, START, Heading.NORTH)
    parse_location(text)
