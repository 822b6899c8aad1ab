import re

import pytest

from tolman.explore.grammar import plain_name
from tolman.world.settings import MAX_ROOMS
from tolman.world.vocabulary import ADDED_KINDS, COLOURS, KIND_BY_NAME, VOCABULARY_V1, ObjectKind


def test_there_are_enough_kinds_of_both_sorts():
    assert len(VOCABULARY_V1) >= 40
    assert {kind.fronted for kind in VOCABULARY_V1} == {True, False}
    assert len(KIND_BY_NAME) == len(VOCABULARY_V1) + len(ADDED_KINDS), "no kind is listed twice"


@pytest.mark.parametrize("kind", KIND_BY_NAME.values(), ids=lambda kind: kind.name)
def test_a_kind_fits_on_one_cell_and_under_the_ceiling(kind: ObjectKind):
    assert 0 < kind.width <= 1
    assert 0 < kind.depth <= 1
    assert 0 < kind.height < 2, "walls are two metres high"


@pytest.mark.parametrize("word", [*KIND_BY_NAME, *COLOURS])
def test_words_can_be_said_under_both_rule_sets(word: str):
    assert re.fullmatch(r"[a-z]+( [a-z]+)*", word)
    assert plain_name(word) == word


def test_every_door_of_the_largest_world_has_a_colour_of_its_own():
    assert len(COLOURS) >= MAX_ROOMS - 1
    assert len(set(COLOURS.values())) == len(COLOURS)
    assert all(re.fullmatch(r"#[0-9a-f]{6}", value) for value in COLOURS.values())


def test_a_coloured_thing_is_never_mistaken_for_a_door_or_another_kind():
    spoken = {f"{colour} {kind.name}" for colour in COLOURS for kind in KIND_BY_NAME.values()}
    assert spoken.isdisjoint(f"{colour} door" for colour in COLOURS)
    assert spoken.isdisjoint(KIND_BY_NAME)
