from hypothesis import given
from hypothesis import strategies as st

from tests.hand_built import furnished, one_room
from tests.strategies import headings, scenes
from tolman.core.bins import CardinalBin, DistanceBin, EgoBin, FacingLabel
from tolman.core.geometry import Heading
from tolman.core.rules import PUBLISHED, STRICT
from tolman.sense import (
    NearPair,
    Sighting,
    describe_location,
    describe_observation,
    describe_pair,
    describe_sighting,
    observe,
    query,
)
from tolman.world import START, Scene


def test_a_sighting_names_its_labels_in_the_published_order():
    seen = Sighting("sofa", EgoBin.FRONT_LEFT, DistanceBin.MID, FacingLabel.RIGHT)
    assert describe_sighting(seen) == "sofa: front-left, mid distance, facing right"
    assert describe_sighting(Sighting("lamp", EgoBin.FRONT, DistanceBin.NEAR, None)) == "lamp: front, near"


def test_a_pair_says_who_is_where_from_whom():
    pair = NearPair("vase", "lamp", CardinalBin.NORTH_EAST, DistanceBin.NEAR)
    assert describe_pair(pair) == "vase is north east of lamp, near"


@given(scenes(max_rooms=3), headings, st.data())
def test_everything_seen_is_told_once_and_nothing_else(scene: Scene, heading: Heading, data: st.DataObject):
    seen = observe(scene, data.draw(st.sampled_from((START, *scene.names))), heading)
    lines = describe_observation(seen).splitlines()
    for sighting in seen.sightings:
        assert lines.count(f"- {describe_sighting(sighting)}") == 1
    for pair in seen.near_pairs:
        assert lines.count(f"- {describe_pair(pair)}") == 1
    assert sum(line.startswith("- ") for line in lines) == len(seen.sightings) + len(seen.near_pairs)
    unseen = set(scene.names) - set(seen.names)
    assert not any(line.startswith(f"- {name}:") for line in lines for name in unseen)


def test_an_empty_view_says_so():
    assert "nothing" in describe_observation(observe(one_room(), START, Heading.NORTH))


def test_pairs_come_with_a_note_on_what_north_means():
    assert '"north"' in describe_observation(observe(furnished(), START, Heading.EAST))
    assert '"north"' not in describe_observation(observe(furnished(), START, Heading.NORTH))


def test_a_location_gives_cells_east_and_north_of_the_start_and_the_facing_if_any():
    scene = furnished()
    assert "(6, 2), facing west" in describe_location(query(scene, "chair", STRICT))
    assert describe_location(query(scene, "lamp", STRICT)).endswith("at (2, 1).")
    assert "facing east" in describe_location(query(scene, "lamp", PUBLISHED))
    assert "(0, 0)" in describe_location(query(scene, START, STRICT))
