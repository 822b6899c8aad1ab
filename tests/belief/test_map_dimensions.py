"""What an agent's maps are worth turn by turn: by hand, and for an agent that knows everything."""

import json
import math
from dataclasses import fields, replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.hand_built import furnished
from tests.strategies import headings, scenes
from tolman.belief import Belief
from tolman.belief.cognitive_map import (
    CognitiveMap,
    Placement,
    global_form,
    local_form,
    true_global_map,
    true_local_map,
)
from tolman.belief.map_dimensions import MapTurn, TurnScores, mean_score, score_turns, summarise
from tolman.belief.map_scores import PERFECT, ZERO, MapScale, MapScore, consistency, in_agent_frame, steady_positions
from tolman.core.geometry import Heading
from tolman.core.rules import PUBLISHED, STRICT, Rules
from tolman.explore.agents.registry import run_explorer
from tolman.sense import Observation
from tolman.world import AGENT, START, Scene

BOTH = pytest.mark.parametrize("rules", [PUBLISHED, STRICT], ids=lambda rules: rules.name)
SCENE = furnished()
"""Seen from the start: the sofa to the north, the lamp and the red door to the east."""


def knowing_turns(scene: Scene) -> list[MapTurn]:
    """The turns of a scripted explorer that answers every probe with the truth."""
    episode, belief = run_explorer("scout", scene), Belief.start(scene.names, scene.extent)
    turns: list[MapTurn] = []
    seen: tuple[str, ...] = ()
    for turn in episode.turns:
        pose, before = scene.pose_at(turn.standing_on, turn.heading), seen
        if isinstance(turn.feedback, Observation):
            belief, seen = belief.after(turn.feedback), tuple(dict.fromkeys((*seen, *turn.feedback.names)))
        known = true_global_map(scene, pose, seen, STRICT)
        turns.append(
            MapTurn(
                pose=pose,
                seen=seen,
                seen_before=before,
                possible={name: belief.count(name) for name in seen},
                global_reply=global_form(known).model_dump_json(),
                local_reply=local_form(true_local_map(scene, pose, STRICT), pose.heading).model_dump_json(),
            )
        )
    return turns


def parts(scores: TurnScores) -> list[float]:
    """Every number in the scores of a turn, but for how complete the map is."""
    values = [getattr(scores, field.name) for field in fields(scores) if field.name not in ("complete", "failures")]
    of_maps = [getattr(v, part.name) for v in values if isinstance(v, MapScore) for part in fields(v)]
    return [value for value in [*values, *of_maps] if isinstance(value, float)]


@settings(max_examples=25)
@given(scenes(3), st.sampled_from([PUBLISHED, STRICT]))
def test_who_knows_everything_scores_one_everywhere(scene: Scene, rules: Rules):
    turns = score_turns(scene, knowing_turns(scene), rules)
    for scores in turns:
        assert set(parts(scores)) == {1.0}
        assert not scores.failures
    assert turns[-1].complete == PERFECT
    assert summarise(turns).correctness == PERFECT


@settings(max_examples=25)
@given(st.data(), scenes(2), st.sampled_from([PUBLISHED, STRICT]))
def test_scores_of_any_replies_are_in_range(data: st.DataObject, scene: Scene, rules: Rules):
    numbers = st.integers(-9, 9) | st.floats(allow_nan=True, allow_infinity=True)
    facing = st.sampled_from(["north", "+x", "left", "?", "", None])
    entry = st.fixed_dictionaries({"position": st.lists(numbers, min_size=2, max_size=2), "facing": facing})
    maps = st.dictionaries(st.sampled_from([*scene.names, AGENT]), entry).map(json.dumps)
    replies = st.none() | st.just("no map") | maps
    turns = [replace(t, global_reply=data.draw(replies), local_reply=data.draw(replies)) for t in knowing_turns(scene)]
    for scores in score_turns(scene, turns, rules):
        assert all(0.0 <= value <= 1.0 for value in parts(scores))


# ---- by hand ----


def turn(said: object, local: object = None, heading: Heading = Heading.EAST, before: tuple[str, ...] = ()) -> MapTurn:
    """A turn at the start of the small world, after which lamp and red door have been seen."""
    return MapTurn(
        pose=SCENE.pose_at(START, heading),
        seen=("lamp", "red door"),
        seen_before=before,
        possible={"lamp": 3, "red door": 2},
        global_reply=said if isinstance(said, str) else json.dumps(said),
        local_reply=None if local is None else local if isinstance(local, str) else json.dumps(local),
    )


def at(x: float, y: float, facing: str | None = None) -> dict[str, object]:
    return {"position": [x, y]} if facing is None else {"position": [x, y], "facing": facing}


def only(scores: tuple[TurnScores, ...]) -> TurnScores:
    (alone,) = scores
    return alone


TRUE_GLOBAL = {"lamp": at(2, 1), "red door": at(3, 0), "agent": at(0, 0, "east")}
TRUE_LOCAL = {"origin": "agent", "objects": {"lamp": at(-1, 2), "red door": at(0, 3)}}


def test_a_reply_without_a_map_is_left_out_as_published_and_scores_zero_when_strict():
    silent = turn("I can't say.", "Nor this.")
    published, strict = (only(score_turns(SCENE, [silent], rules)) for rules in (PUBLISHED, STRICT))
    assert published == TurnScores(failures=("global", "local"))
    assert strict.failures == ("global", "local")
    assert {strict.update, strict.complete, strict.self_tracking, strict.local, strict.perception} == {ZERO}
    assert strict.consistency == ZERO
    assert summarise([strict]).failures == 2


def test_correctness_counts_doors_and_the_agent_as_published_and_things_only_when_strict():
    blind = turn({"lamp": at(2, 1), "red door": at(3, 0), "agent": at(0, 0, "east")})
    published, strict = (only(score_turns(SCENE, [blind], rules)).complete for rules in (PUBLISHED, STRICT))
    assert published is not None
    assert strict is not None
    assert published.position == pytest.approx(3 / 6)
    assert strict.position == pytest.approx(1 / 4)
    assert published.facing == pytest.approx(1 / 3)
    assert strict.facing == 0.0


@BOTH
def test_perception_is_about_what_is_new(rules: Rules):
    wrong_lamp = {"origin": "agent", "objects": {"lamp": at(5, 2), "red door": at(0, 3)}}
    scores = only(score_turns(SCENE, [turn(TRUE_GLOBAL, wrong_lamp, before=("lamp",))], rules))
    assert scores.perception is not None
    assert scores.perception.position == 1.0
    assert scores.local is not None
    assert scores.local.position is not None
    assert scores.local.position < 1.0
    nothing_new = only(score_turns(SCENE, [turn(TRUE_GLOBAL, wrong_lamp, before=("lamp", "red door"))], rules))
    assert nothing_new.perception is None


@BOTH
def test_self_tracking_reads_the_agents_own_entry(rules: Rules):
    lost = only(score_turns(SCENE, [turn({**TRUE_GLOBAL, "agent": at(0, 0, "south")})], rules)).self_tracking
    assert lost == MapScore(1.0, 0.0, 1.0, 2 / 3)
    nowhere = only(score_turns(SCENE, [turn({"lamp": at(2, 1)})], rules)).self_tracking
    assert nowhere == ZERO


def test_maps_that_are_wrong_alike_are_consistent_as_published_and_only_as_right_as_they_are_when_strict():
    """Both maps put the lamp one cell too far to the right."""
    moved = {"lamp": at(2, 0), "red door": at(3, 0), "agent": at(0, 0, "east")}
    alike = turn(moved, {"objects": {"lamp": at(0, 2), "red door": at(0, 3)}})
    published, strict = (only(score_turns(SCENE, [alike], rules)) for rules in (PUBLISHED, STRICT))
    assert published.consistency is not None
    assert published.consistency.position == published.consistency.direction == 1.0
    assert strict.consistency == strict.local
    assert strict.consistency_coverage == 1.0


def test_maps_of_one_thing_agree_as_published_and_leave_most_of_the_view_out_when_strict():
    one = turn({"lamp": at(2, 1), "agent": at(0, 0, "east")}, {"objects": {"lamp": at(-1, 2)}})
    published, strict = (only(score_turns(SCENE, [one], rules)) for rules in (PUBLISHED, STRICT))
    assert published.consistency == PERFECT
    assert strict.consistency == MapScore(1 / 3, None, 1 / 2, (1 / 3 + 1 / 2) / 2)
    assert strict.consistency_coverage == 1 / 2


def test_what_the_global_map_lacks_is_no_agreement_when_strict():
    strict = only(score_turns(SCENE, [turn({"lamp": at(2, 1), "agent": at(0, 0, "east")}, TRUE_LOCAL)], STRICT))
    assert strict.local is not None
    assert strict.local.position == 1.0
    assert strict.consistency == MapScore(1 / 3, None, 1 / 2, (1 / 3 + 1 / 2) / 2)


NOTHING = MapScore(0.0, None, 0.0, 0.0)
"""Of a view without fronts."""


def test_an_empty_local_map_is_consistent_as_published_and_worth_nothing_when_strict():
    empty = turn(TRUE_GLOBAL, {"origin": "agent", "objects": {}})
    assert only(score_turns(SCENE, [empty], PUBLISHED)).consistency == PERFECT
    assert only(score_turns(SCENE, [empty], STRICT)).consistency == NOTHING


def test_consistency_needs_common_names_and_the_agent():
    apart, nowhere = turn({"agent": at(0, 0, "east")}, TRUE_LOCAL), turn({"lamp": at(2, 1)}, TRUE_LOCAL)
    assert only(score_turns(SCENE, [apart], PUBLISHED)).consistency == ZERO
    assert only(score_turns(SCENE, [nowhere], PUBLISHED)).consistency is None
    for lost in (apart, nowhere):
        assert only(score_turns(SCENE, [lost], STRICT)).consistency == NOTHING


@given(scenes(2), headings)
def test_a_true_global_map_seen_from_the_agent_is_the_true_local_map(scene: Scene, heading: Heading):
    pose = scene.pose_at(START, heading)
    whole, view = true_global_map(scene, pose, scene.names, STRICT), true_local_map(scene, pose, STRICT)
    assert in_agent_frame(whole, (0, 0), heading).only(view.places) == CognitiveMap(view.places)


# ---- stability ----

BOTH_SEEN = ("lamp", "red door")


def test_a_position_may_get_better_but_not_worse():
    near = MapScale.of(SCENE).closeness(1.0)
    for lamp, share, right in ((at(2, 1), 1.0, 1.0), (at(2, 2), 1.0, (1 + near) / 2), (at(2, 4), 0.5, 0.5)):
        first = turn({**TRUE_GLOBAL, "lamp": at(2, 3)})
        then = turn({**TRUE_GLOBAL, "lamp": lamp}, before=BOTH_SEEN)
        assert score_turns(SCENE, [first, then], PUBLISHED)[1].position_stability == share
        strict = score_turns(SCENE, [first, then], STRICT)[1]
        assert strict.position_stability == share
        assert strict.still_right_position == pytest.approx(right)


def test_a_wrong_map_that_never_changes_is_stable_but_not_right():
    constant = {"lamp": at(9, 9), "red door": at(9, 9), "agent": at(0, 0, "east")}
    turns = [turn(constant), turn(constant, before=BOTH_SEEN)]
    assert score_turns(SCENE, turns, PUBLISHED)[1].position_stability == 1.0
    assert score_turns(SCENE, turns, PUBLISHED)[1].still_right_position is None
    strict = score_turns(SCENE, turns, STRICT)[1]
    near = MapScale.of(SCENE).closeness
    assert strict.position_stability == strict.stability_coverage == 1.0
    assert strict.still_right_position == pytest.approx(
        (near(math.dist((2, 1), (9, 9))) + near(math.dist((3, 0), (9, 9)))) / 2
    )


def test_what_a_map_drops_got_worse_when_strict_and_what_it_never_held_was_not_checked():
    both, one = TRUE_GLOBAL, {"red door": at(3, 0), "agent": at(0, 0, "east")}
    for first, then, published, strict in ((one, one, 1.0, 1.0), (both, one, 1.0, 0.5), (one, both, 1.0, 1.0)):
        turns = [turn(first), turn(then, before=BOTH_SEEN)]
        assert score_turns(SCENE, turns, PUBLISHED)[1].position_stability == published
        scores = score_turns(SCENE, turns, STRICT)[1]
        assert scores.position_stability == strict
        assert scores.stability_coverage == scores.still_right_position == 0.5


def test_every_position_is_checked_when_strict_but_as_published_not_one_that_the_turn_taught_something_about():
    first = replace(turn(TRUE_GLOBAL), possible={"lamp": 9, "red door": 2})
    then = turn({**TRUE_GLOBAL, "lamp": at(9, 9)}, before=BOTH_SEEN)
    assert score_turns(SCENE, [first, then], PUBLISHED)[1].position_stability == 1.0
    assert score_turns(SCENE, [first, then], STRICT)[1].position_stability == 0.5


@pytest.mark.parametrize(
    ("old", "new", "published", "strict", "right"),
    [
        ("south", "south", 1.0, 1.0, 1.0),
        ("south", "east", 0.0, 0.0, 0.0),
        ("east", "south", 1.0, 1.0, 1.0),
        ("east", "east", 1.0, 1.0, 0.0),
        ("east", "west", 0.0, 1.0, 0.0),
    ],
)
def test_a_facing_got_worse_if_it_was_right_and_as_published_also_if_it_was_wrong_in_another_way(
    old: str, new: str, published: float, strict: float, right: float
):
    """The sofa faces south."""
    first, then = (
        replace(turn({"sofa": at(0, 2, facing)}), seen=("sofa",), seen_before=("sofa",), possible={"sofa": 1})
        for facing in (old, new)
    )
    assert score_turns(SCENE, [first, then], PUBLISHED)[1].facing_stability == published
    found = score_turns(SCENE, [first, then], STRICT)[1]
    assert (found.facing_stability, found.still_right_facing) == (strict, right)


def test_a_lost_map_keeps_nothing_when_strict():
    turns = [turn(TRUE_GLOBAL), turn("?", before=BOTH_SEEN), turn(TRUE_GLOBAL, before=BOTH_SEEN)]
    assert [s.position_stability for s in score_turns(SCENE, turns, STRICT)] == [None, 0.0, None]
    assert [s.position_stability for s in score_turns(SCENE, turns, PUBLISHED)] == [None, None, None]


def test_no_turns_have_no_scores():
    assert score_turns(SCENE, [], STRICT) == ()
    assert summarise([]).correctness is None
    assert mean_score([None, MapScore(1.0, None, 0.5, 0.75)]) == MapScore(1.0, None, 0.5, 0.75)


# ---- as published, where it is odd ----


def test_an_agent_who_states_no_facing_looks_north_as_published_and_nowhere_when_strict():
    scene = furnished()
    scale, agent = MapScale.of(scene), Placement((1.0, 1.0), None)
    whole = CognitiveMap({AGENT: agent, "sofa": Placement((1.0, 4.0), Heading.EAST)})
    local = CognitiveMap({"sofa": Placement((0.0, 3.0), Heading.EAST)})
    assert consistency(local, whole, local, scene, scale, PUBLISHED) == MapScore(1.0, 1.0, 1.0, 1.0)
    assert consistency(local, whole, local, scene, scale, STRICT) == ZERO


def test_a_move_by_less_than_a_digit_counts_as_published_only():
    """1.1 is farther from 1 than 0.9 is, but only in the last digit."""
    before, now, truth = (CognitiveMap({"sofa": Placement((x, 0.0), None)}) for x in (0.9, 1.1, 1.0))
    assert steady_positions(["sofa"], before, now, truth, PUBLISHED) == [False]
    assert steady_positions(["sofa"], before, now, truth, STRICT) == [True]
    assert steady_positions(["sofa"], now, before, truth, PUBLISHED) == [True]


def test_after_a_reply_that_could_not_be_read_nothing_is_stable_or_not_as_published():
    scene = furnished()
    pose = scene.pose_at(START, Heading.NORTH)
    said = global_form(true_global_map(scene, pose, ["sofa"], STRICT)).model_dump_json()
    turn = MapTurn(pose, ("sofa",), ("sofa",), {"sofa": 1}, said)
    for gap, rules, steady in ((False, PUBLISHED, 1.0), (True, PUBLISHED, None), (True, STRICT, 1.0)):
        scores = score_turns(scene, [turn, replace(turn, after_unparseable=gap)], rules)
        assert (scores[1].position_stability, scores[1].facing_stability) == (steady, steady)
