"""The solver against the definition, and what a user may count on whatever the evidence."""

import math
import random
from dataclasses import replace
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.belief.brute_force import Statement, arc_consistent
from tests.exact_labels import cardinal_label, distance_label, ego_label
from tests.hand_built import furnished
from tests.strategies import cells, headings
from tolman.belief import Belief, Evidence, ExactPosition, Relation, statements
from tolman.core.bins import CardinalBin, DistanceBin, EgoBin
from tolman.core.errors import UnknownNameError
from tolman.core.geometry import Cell, Heading, difference
from tolman.core.rules import STRICT
from tolman.explore.agents.registry import run_explorer
from tolman.explore.episode import Episode
from tolman.sense import Location, NearPair, Observation, Sighting, observe, query
from tolman.world import START, ChangeSettings, WorldSettings, generate, perturb

NAMES = ("a", "b", "c", "d")
EXTENT = 4
IN_VIEW = [direction for direction in EgoBin if direction is not EgoBin.BEYOND_FOV]
WITHIN_REACH = [DistanceBin.NEAR, DistanceBin.MID, DistanceBin.SLIGHTLY_FAR, DistanceBin.FAR]

places = st.fixed_dictionaries({name: cells(EXTENT) for name in NAMES})
"""Where four things really are."""


def look_at(truth: dict[str, Cell], standing_on: str, heading: Heading) -> Observation:
    """What an agent on an open plane would be told."""
    everything = {START: (0, 0), **truth}
    here = everything[standing_on]
    apart = {name: difference(cell, here) for name, cell in truth.items()}
    seen = [name for name in truth if ego_label(apart[name], heading.word) != "beyond-fov"]
    sightings = [
        Sighting(name, EgoBin(ego_label(apart[name], heading.word)), DistanceBin(distance_label(apart[name])), None)
        for name in seen
    ]
    pairs = [
        NearPair(one, other, CardinalBin(cardinal_label(between, heading.word)), DistanceBin.NEAR)
        for one, other in combinations(seen, 2)
        if distance_label(between := difference(truth[one], truth[other])) == "near"
    ]
    return Observation(standing_on, heading, tuple(sightings), tuple(pairs))


@st.composite
def true_histories(draw: st.DrawFn) -> tuple[dict[str, Cell], list[Evidence]]:
    """Things on an open plane, and evidence about them that is all true."""
    truth = draw(places)
    looks = st.builds(look_at, st.just(truth), st.sampled_from((START, *NAMES)), headings)
    answers = st.sampled_from(NAMES).map(lambda name: Location(name, truth[name], None))
    return truth, draw(st.lists(looks | looks | looks | answers, max_size=6))


relations = st.builds(
    Relation,
    st.sampled_from(NAMES),
    st.sampled_from((START, *NAMES)),
    st.sampled_from(IN_VIEW),
    st.sampled_from(WITHIN_REACH),
    headings,
) | st.builds(
    Relation,
    st.sampled_from(NAMES),
    st.sampled_from(NAMES),
    st.sampled_from(CardinalBin),
    st.just(DistanceBin.NEAR),
    headings,
)
answers = st.builds(ExactPosition, st.sampled_from(NAMES), st.just(START), cells(EXTENT))
tellings: st.SearchStrategy[list[Statement]] = st.lists(
    (relations | relations | answers).filter(lambda said: said.subject != said.anchor), max_size=8
)
"""Statements about four things that may well contradict each other."""


def domains_of(belief: Belief) -> dict[str, set[Cell]]:
    return {name: set(belief.positions(name)) for name in (*NAMES, START)}


# ---- against the definition ----


@given(true_histories())
def test_the_solver_finds_the_largest_arc_consistent_domains(history: tuple[dict[str, Cell], list[Evidence]]):
    truth, evidence = history
    belief = Belief.start(NAMES, EXTENT).after_all(evidence)
    said = [statement for piece in evidence for statement in statements(piece)]
    assert domains_of(belief) == arc_consistent(NAMES, EXTENT, said)
    assert all(cell in belief.positions(name) for name, cell in truth.items())
    assert belief.conflicts == ()


@given(tellings)
def test_statements_that_contradict_the_rest_are_set_aside_one_by_one(news: list[Statement]):
    accepted: list[Statement] = []
    refused: list[Statement] = []
    if arc_consistent(NAMES, EXTENT, news) is not None:
        accepted = news
    else:
        for statement in news:
            fits = arc_consistent(NAMES, EXTENT, [*accepted, statement]) is not None
            (accepted if fits else refused).append(statement)
    belief = Belief.start(NAMES, EXTENT).with_statements(tuple(news))
    assert domains_of(belief) == arc_consistent(NAMES, EXTENT, accepted)
    assert [conflict.statement for conflict in belief.conflicts] == refused


@given(true_histories(), st.randoms(use_true_random=False))
def test_the_order_of_evidence_does_not_matter(
    history: tuple[dict[str, Cell], list[Evidence]], shuffler: random.Random
):
    _, evidence = history
    shuffled = list(evidence)
    shuffler.shuffle(shuffled)
    start = Belief.start(NAMES, EXTENT)
    assert domains_of(start.after_all(shuffled)) == domains_of(start.after_all(evidence))
    told_twice = start.after_all([*evidence, *shuffled])
    assert domains_of(told_twice) == domains_of(start.after_all(evidence))


# ---- information gain ----


@given(true_histories())
def test_information_gain_is_the_share_of_bits_that_are_known(history: tuple[dict[str, Cell], list[Evidence]]):
    """A thing that no evidence mentions counts as one of extent-squared places, however large its domain is."""
    _, evidence = history
    belief = Belief.start(NAMES, EXTENT).after_all(evidence)
    said = [statement for piece in evidence for statement in statements(piece)]
    domains = arc_consistent(NAMES, EXTENT, said)
    assert domains is not None
    mentioned = {name for statement in said for name in (statement.subject, statement.anchor)}
    bits = [math.log2(EXTENT**2 / len(domains[name])) if name in mentioned else 0.0 for name in NAMES]
    assert belief.information_gain == pytest.approx(sum(bits) / (len(NAMES) * math.log2(EXTENT**2)))


def test_at_the_start_nothing_is_known():
    belief = Belief.start(NAMES, EXTENT)
    assert belief.information_gain == 0
    assert not belief.is_certain
    assert belief.count("a") == (2 * EXTENT + 1) ** 2
    assert belief.positions(START) == ((0, 0),)


def test_a_query_leaves_one_position():
    scene = furnished()
    belief = Belief.start(scene.names, scene.extent).after(query(scene, "chair", STRICT))
    assert belief.positions("chair") == ((6, 2),)
    assert belief.information_gain == pytest.approx(1 / 5)


def test_when_everything_was_asked_for_everything_is_certain():
    scene = furnished()
    belief = Belief.start(scene.names, scene.extent)
    for name in scene.names:
        assert not belief.is_certain
        belief = belief.after(query(scene, name, STRICT))
    assert belief.is_certain
    assert belief.information_gain == pytest.approx(1)


def test_one_look_worked_out_by_hand():
    """Facing east, the door is 3 or 4 cells straight ahead, and the lamp at (2, 1), (2, 2) or (3, 2).

    The lamp is close to the door, behind it and to its left: one cell back and one to the left. Only (2, 1) and (3, 0)
    fit together.
    """
    scene = furnished()
    start = Belief.start(scene.names, scene.extent)
    seen = observe(scene, START, Heading.EAST)
    apart = start.after(replace(seen, near_pairs=()))
    assert set(apart.positions("red door")) == {(3, 0), (4, 0)}
    assert set(apart.positions("lamp")) == {(2, 1), (2, 2), (3, 2)}
    together = start.after(seen)
    assert together.positions("red door") == ((3, 0),)
    assert together.positions("lamp") == ((2, 1),)
    assert not together.is_constrained("vase")


WORLDS = [(seed, WorldSettings()) for seed in range(6)] + [
    (0, WorldSettings(rooms=1)),
    (1, WorldSettings(rooms=2)),
    (2, WorldSettings(rooms=4)),
    (3, WorldSettings(rooms=6)),
    (4, WorldSettings(rooms=1, room_size=(20, 35), things_per_room=5)),
]


MORE_WORLDS = [pytest.param(seed, WorldSettings(), marks=pytest.mark.slow) for seed in range(6, 60)]


@pytest.mark.parametrize("name", ["scout", "strategist"])
@pytest.mark.parametrize(("seed", "settings"), [*WORLDS, *MORE_WORLDS])
def test_exploring_never_rules_out_the_truth_and_never_loses_information(name: str, seed: int, settings: WorldSettings):
    scene = generate(seed, settings)
    episode = run_explorer(name, scene)
    belief, gain = Belief.start(scene.names, scene.extent), 0.0
    for evidence in told(episode):
        belief = belief.after(evidence)
        assert all(belief.possible(item) & belief.board.position(scene.from_start(item)) for item in scene.names)
        assert gain - 1e-12 <= belief.information_gain <= 1 + 1e-12
        gain = belief.information_gain
    assert belief.conflicts == ()
    assert gain > 0.3


def told(episode: Episode) -> list[Evidence]:
    return [turn.feedback for turn in episode.turns if turn.feedback is not None]


def test_what_is_learned_of_other_things_does_not_count():
    belief = Belief.start(("sofa",), 10).after_all([Location("sofa", (1, 1), None), Location("lamp", (2, 2), None)])
    assert belief.information_gain == pytest.approx(1)


# ---- evidence that contradicts itself ----


def test_a_contradiction_is_listed_and_what_was_known_stays():
    belief = Belief.start(("sofa",), 10).after(Location("sofa", (1, 1), None))
    again = belief.after(Location("sofa", (2, 2), None))
    assert again.positions("sofa") == ((1, 1),)
    assert [conflict.statement for conflict in again.conflicts] == [ExactPosition("sofa", START, (2, 2))]
    assert again.conflicts[0].emptied in ("sofa", START)
    assert belief.conflicts == ()


def test_of_a_look_only_the_part_that_contradicts_is_set_aside():
    belief = Belief.start(("sofa", "lamp"), 10).after(Location("sofa", (1, 1), None))
    behind = Sighting("sofa", EgoBin.FRONT, DistanceBin.NEAR, None)
    ahead = Sighting("lamp", EgoBin.FRONT, DistanceBin.NEAR, None)
    belief = belief.after(Observation(START, Heading.SOUTH, (behind, ahead), ()))
    assert belief.positions("sofa") == ((1, 1),)
    assert set(belief.positions("lamp")) == {(0, -1), (0, -2)}
    assert [conflict.statement.subject for conflict in belief.conflicts] == ["sofa"]


@pytest.mark.parametrize("seed", range(4))
def test_a_world_that_changed_leaves_every_thing_somewhere(seed: int):
    scene = generate(seed)
    changed = perturb(scene, seed, ChangeSettings(rotated=0, moved=4)).scene
    belief = Belief.start(scene.names, scene.extent)
    belief = belief.after_all(told(run_explorer("scout", scene)))
    before = belief
    belief = belief.after_all(told(run_explorer("scout", changed)))
    assert belief.conflicts, "four things moved by six cells or more are noticed"
    for name in scene.names:
        assert 1 <= belief.count(name) <= before.count(name)


@given(tellings)
def test_no_thing_is_ever_nowhere(news: list[Statement]):
    belief = Belief.start(NAMES, EXTENT)
    for statement in news:
        belief = belief.with_statements((statement,))
        assert all(belief.count(name) >= 1 for name in NAMES)
        assert belief.positions(START) == ((0, 0),)


# ---- a belief is a value ----


@given(true_histories())
def test_taking_in_evidence_leaves_the_old_belief_as_it_was(history: tuple[dict[str, Cell], list[Evidence]]):
    _, evidence = history
    before = Belief.start(NAMES, EXTENT)
    for piece in evidence:
        domains, gain = domains_of(before), before.information_gain
        after = before.after(piece)
        assert (domains_of(before), before.information_gain) == (domains, gain)
        before = after


def test_seeing_nothing_changes_nothing():
    belief = Belief.start(NAMES, EXTENT).after(Location("a", (1, 2), None))
    assert belief.after(Observation(START, Heading.NORTH, (), ())) == belief


def test_a_belief_knows_only_the_names_it_was_given():
    with pytest.raises(UnknownNameError, match="throne"):
        Belief.start(NAMES, EXTENT).count("throne")
