"""Revision scores: what they say in cases that can be checked by hand, and what always holds."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import headings
from tolman.belief.revision import (
    MappedPose,
    PoseMap,
    Revisited,
    Tally,
    facing_correctness,
    facing_inertia,
    identification,
    noise_scale,
    position_correctness,
    position_inertia,
    position_retention,
    redundant_cost,
    revision_scores,
    revisited,
)
from tolman.core.geometry import Heading
from tolman.core.rules import PUBLISHED, STRICT, Rules
from tolman.world import Change
from tolman.world.perturb import ChangeKind

KINDS: tuple[ChangeKind, ...] = ("position", "orientation")
coordinates = st.floats(-100, 100) | st.integers(-9, 9).map(float)
positions = st.tuples(coordinates, coordinates)
places: st.SearchStrategy[MappedPose] = st.tuples(positions, st.none() | headings)
maps: st.SearchStrategy[PoseMap] = st.dictionaries(st.sampled_from("abcdef"), places)
things = st.builds(Revisited, st.none() | places, st.none() | places, places, st.just(True))
changes = st.sets(st.builds(Change, st.sampled_from("abcdef"), st.sampled_from(KINDS)))
rule_sets = st.sampled_from((PUBLISHED, STRICT))
RULES = pytest.mark.parametrize("rules", [PUBLISHED, STRICT], ids=lambda rules: rules.name)


def at(x: float, y: float, facing: Heading | None = None) -> MappedPose:
    return (x, y), facing


def moved(old: MappedPose | None, new: MappedPose | None, truth: MappedPose) -> Revisited:
    return Revisited(old, new, truth, mapped=True)


# ---- the report ----


@given(said=changes, true=changes)
def test_f1_is_a_share_and_is_symmetric(said: set[Change], true: set[Change]):
    ours, swapped = identification(said, true, PUBLISHED), identification(true, said, PUBLISHED)
    assert ours == swapped
    for value in (ours.overall, ours.position, ours.orientation):
        assert value is None or 0 <= value <= 1


@given(true=changes.filter(bool))
def test_the_true_report_is_perfect_and_a_disjoint_one_is_worth_nothing(true: set[Change]):
    assert identification([*true, *true], true, STRICT).overall == 1
    assert identification([], true, STRICT).overall == 0
    elsewhere = {Change(f"not {change.name}", change.kind) for change in true}
    wrong = identification(elsewhere, true, STRICT)
    assert {wrong.overall, wrong.position, wrong.orientation} <= {0, None}


def test_the_kind_of_a_change_counts():
    true = [Change("sofa", "position"), Change("lamp", "orientation")]
    found = identification([Change("sofa", "position"), Change("lamp", "position")], true, STRICT)
    assert found.overall == pytest.approx(1 / 2)
    assert found.position == pytest.approx(2 / 3)
    assert found.orientation == 0


def test_f1_is_undefined_where_nothing_changed_and_nothing_was_said():
    assert identification([Change("sofa", "position")], [Change("sofa", "position")], STRICT).orientation is None
    assert identification([], [], STRICT).overall is None


def test_naming_everything_is_worth_less_than_a_guess():
    names = [f"thing {number}" for number in range(12)]
    true = [Change(names[5], "position"), Change(names[9], "orientation")]
    everything = [Change(name, kind) for name in names for kind in ("position", "orientation")]
    assert identification(everything, true, PUBLISHED).overall == pytest.approx(2 * 2 / 26)
    assert identification(everything, true, STRICT).overall == 0
    assert identification([*true, *everything], true, STRICT).overall == pytest.approx(2 * 2 / 26)
    more = [*true, Change(names[0], "position")]
    assert identification(more, true, STRICT) == identification(more, true, PUBLISHED)


@given(
    said=st.lists(st.sampled_from([Change(n, k) for n in "abcd" for k in ("position", "orientation")])), true=changes
)
def test_strict_never_gives_more_than_published(said: list[Change], true: set[Change]):
    strict, published = identification(said, true, STRICT), identification(said, true, PUBLISHED)
    for part in ("overall", "position", "orientation"):
        assert (getattr(strict, part) or 0.0) <= (getattr(published, part) or 0.0)


# ---- the way there ----


def test_redundant_cost_is_paid_after_the_last_changed_thing_was_seen():
    turns = [(1, {"sofa"}), (2, set[str]()), (1, {"lamp", "vase"}), (1, {"sofa"}), (2, set[str]()), (0, set[str]())]
    assert redundant_cost(turns, ["sofa", "lamp"]) == 3
    assert redundant_cost(turns, ["sofa", "chair"]) is None
    assert redundant_cost(turns[:3], ["sofa", "lamp"]) == 0


def test_a_thing_is_judged_by_the_map_of_its_first_sight():
    truth = {"sofa": at(1, 1), "lamp": at(2, 2)}
    stated: list[PoseMap | None] = [None, {"sofa": at(5, 5)}, {"sofa": at(1, 1), "lamp": at(2, 2)}]
    seen = revisited([[], ["sofa"], ["sofa", "lamp", "ghost"]], stated, {"sofa": at(9, 9)}, truth)
    assert seen == {
        "sofa": moved(at(9, 9), at(5, 5), at(1, 1)),
        "lamp": moved(None, at(2, 2), at(2, 2)),
    }


# ---- single things ----


@given(thing=things, sigma=st.floats(0, 50), rules=rule_sets)
def test_scores_stay_in_their_ranges(thing: Revisited, sigma: float, rules: Rules):
    inertia = position_inertia(thing, sigma, rules)
    assert inertia is None or -1 <= inertia <= 1
    for share in (
        position_correctness(thing, 5.0, rules),
        position_retention(thing, 5.0, rules),
        facing_correctness(thing, rules),
        facing_inertia(thing, rules),
    ):
        assert share is None or 0 <= share <= 1


@given(old=positions, new=positions, truth=positions, shift=st.tuples(*[st.integers(-50, 50)] * 2))
def test_scores_do_not_depend_on_where_the_origin_is(
    old: tuple[float, float], new: tuple[float, float], truth: tuple[float, float], shift: tuple[int, int]
):
    """Positions are rounded to a fine grid first, so that adding to them is exact."""
    here = [at(round(x * 16) / 16, round(y * 16) / 16) for x, y in (old, new, truth)]
    there = [at(x + shift[0], y + shift[1]) for (x, y), _ in here]
    a, b = moved(*here), moved(*there)
    assert position_inertia(a, 2.5, STRICT) == position_inertia(b, 2.5, STRICT)
    assert position_correctness(a, 5.0, STRICT) == position_correctness(b, 5.0, STRICT)
    assert position_retention(a, 5.0, STRICT) == position_retention(b, 5.0, STRICT)


def test_inertia_is_cosine_times_nearness():
    still_there = moved(at(4, 0), at(4, 0), at(0, 0))
    assert position_inertia(still_there, 2.0, PUBLISHED) == pytest.approx(1)
    half_way = moved(at(4, 0), at(2, 0), at(0, 0))
    assert position_inertia(half_way, 2.0, PUBLISHED) == pytest.approx(math.exp(-1 / 2))
    overshot = moved(at(4, 0), at(-2, 0), at(0, 0))
    assert position_inertia(overshot, 6.0, PUBLISHED) == pytest.approx(-math.exp(-1 / 2))
    sideways = moved(at(4, 0), at(0, 3), at(0, 0))
    assert position_inertia(sideways, 2.0, PUBLISHED) == pytest.approx(0)
    assert position_inertia(half_way, 0.0, PUBLISHED) == pytest.approx(1)


def test_a_perfect_update_has_no_inertia_under_strict_and_no_score_as_published():
    perfect = moved(at(4, 0), at(0, 0), at(0, 0))
    assert position_inertia(perfect, 2.0, STRICT) == 0
    assert position_inertia(perfect, 2.0, PUBLISHED) is None


def test_facing_inertia_needs_an_old_facing_under_strict():
    unknown = moved(at(1, 1), at(1, 1, Heading.EAST), at(1, 1, Heading.EAST))
    assert facing_inertia(unknown, STRICT) is None
    assert facing_inertia(unknown, PUBLISHED) == 1
    kept = moved(at(1, 1, Heading.WEST), at(1, 1, Heading.WEST), at(1, 1, Heading.EAST))
    assert facing_inertia(kept, STRICT) == 1
    revised = moved(at(1, 1, Heading.WEST), at(1, 1, Heading.EAST), at(1, 1, Heading.EAST))
    assert facing_inertia(revised, STRICT) == 0


@RULES
def test_without_an_old_belief_there_is_no_inertia(rules: Rules):
    unknown = moved(None, at(1, 1), at(2, 2))
    assert position_inertia(unknown, 1.0, rules) is None
    assert facing_inertia(unknown, rules) is None
    assert position_retention(unknown, 1.0, rules) is None


def test_a_thing_left_out_of_the_new_map_was_not_kept_as_published_and_has_no_inertia_when_strict():
    left_out = moved(at(1, 1, Heading.EAST), None, at(2, 2))
    assert (facing_inertia(left_out, PUBLISHED), position_retention(left_out, 1.0, PUBLISHED)) == (0.0, 0.0)
    assert (facing_inertia(left_out, STRICT), position_retention(left_out, 1.0, STRICT)) == (None, None)
    unfaced = moved(at(1, 1), None, at(2, 2))
    assert (facing_inertia(unfaced, PUBLISHED), facing_inertia(unfaced, STRICT)) == (1.0, None)
    for rules in (PUBLISHED, STRICT):
        assert position_inertia(left_out, 1.0, rules) is None
        unmapped = Revisited(left_out.old, None, left_out.truth, mapped=False)
        assert (facing_inertia(unmapped, rules), position_retention(unmapped, 1.0, rules)) == (None, None)


@RULES
def test_what_a_map_leaves_out_is_wrong(rules: Rules):
    left_out = moved(at(1, 1), None, at(2, 2, Heading.NORTH))
    assert position_correctness(left_out, 5.0, rules) == 0
    assert facing_correctness(left_out, rules) == 0


def test_a_reply_without_a_map_is_wrong_under_strict_and_no_score_as_published():
    unmapped = Revisited(at(1, 1), None, at(2, 2, Heading.NORTH), mapped=False)
    assert (position_correctness(unmapped, 5.0, STRICT), facing_correctness(unmapped, STRICT)) == (0, 0)
    assert (position_correctness(unmapped, 5.0, PUBLISHED), facing_correctness(unmapped, PUBLISHED)) == (None, None)


def test_the_noise_of_a_map_is_its_root_mean_square_error():
    off_by_3_and_4 = [moved(None, at(3, 0), at(0, 0)), moved(None, at(0, 4), at(0, 0)), moved(None, None, at(0, 0))]
    assert noise_scale(off_by_3_and_4) == pytest.approx(math.sqrt(25 / 2))
    assert noise_scale([]) == 1


# ---- all together ----


@given(
    views=st.lists(st.sets(st.sampled_from("abcdef")), min_size=3, max_size=3),
    stated=st.lists(st.none() | maps, min_size=3, max_size=3),
    old=maps,
    true=st.fixed_dictionaries(dict.fromkeys("abcdef", places)),
    kinds=st.dictionaries(st.sampled_from("abcdef"), st.sampled_from(KINDS)),
    rules=rule_sets,
)
def test_every_changed_thing_is_scored_or_listed_as_undefined(
    views: list[set[str]],
    stated: list[PoseMap | None],
    old: PoseMap,
    true: PoseMap,
    kinds: dict[str, ChangeKind],
    rules: Rules,
):
    scores = revision_scores(
        revisited(views, stated, old, true), [Change(*change) for change in kinds.items()], 5.0, rules
    )
    for kind, tallies in (
        ("position", (scores.position_correctness, scores.position_retention, scores.position_inertia)),
        ("orientation", (scores.facing_correctness, scores.facing_inertia)),
    ):
        expected = sorted(name for name in kinds if kinds[name] == kind)
        for tally in tallies:
            assert sorted([*(name for name, _ in tally.scores), *tally.undefined]) == expected


def test_pooled_means_are_over_things():
    pooled = Tally((("a", 1.0), ("b", 1.0)), ("c",)) + Tally((("d", 0.0), ("e", 0.0), ("f", 0.0)), ("g",))
    assert pooled.mean == pytest.approx(2 / 5)
    assert pooled.undefined == ("c", "g")
    assert Tally().mean is None
