"""The rules of an episode, on the world of `tests.hand_built.furnished`.

From the start, facing north shows the sofa, facing east the lamp and the red door, south and west nothing. From the red
door, facing east shows the vase and the chair.
"""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.hand_built import furnished, thing, two_rooms
from tests.strategies import scenes
from tolman.core.geometry import Heading
from tolman.core.rules import PUBLISHED
from tolman.explore.actions import Actions, Final, Goto, Move, Observe, Query, Rotate, Term
from tolman.explore.episode import Episode, EpisodeSettings, begin_revision, step
from tolman.explore.grammar import FormatFailure, FormatFailureKind
from tolman.sense import Location, Observation, observe, query
from tolman.world import START, Change, ChangedWorld, ChangeSettings, Scene, perturb

MUMBLE = FormatFailure(FormatFailureKind.NO_ACTIONS, "what?")
LOOK = Actions((), Observe())
END = Actions((), Term())


def act(episode: Episode, *moves: Move, final: Final | None = None) -> Episode:
    return step(episode, Actions(moves, final or Observe()))


def looked_around() -> Episode:
    """An agent that has seen the sofa, the lamp and the red door, and faces north again."""
    episode = act(Episode(furnished()))
    episode = act(episode, Rotate(90))
    return act(episode, Rotate(-90))


# ---- looking and moving ----


def test_an_agent_begins_at_the_start_facing_north_and_has_seen_nothing():
    episode = Episode(furnished())
    assert (episode.standing_on, episode.heading, episode.seen) == (START, Heading.NORTH, ())
    assert (episode.cost(), episode.steps(), episode.turns_left) == (0, 0, 20)


def test_the_brief_names_everything_and_places_nothing():
    told = Episode(furnished()).brief
    assert told.rooms == 2
    assert told.names == ("sofa", "lamp", "vase", "chair", "red door")
    assert told.doors == ("red door",)


def test_a_look_costs_one_and_is_remembered():
    episode = act(Episode(furnished()), Rotate(90))
    turn = episode.turns[-1]
    assert turn.feedback == observe(furnished(), START, Heading.EAST)
    assert (turn.cost, turn.failure, turn.done) == (1, None, (Rotate(90),))
    assert (episode.seen, episode.heading) == (("lamp", "red door"), Heading.EAST)


def test_moves_cost_nothing_and_going_somewhere_keeps_the_heading():
    episode = act(looked_around(), Rotate(90), Goto("red door"), Rotate(180), Rotate(-90), Rotate(-90))
    assert (episode.standing_on, episode.heading) == ("red door", Heading.EAST)
    assert episode.cost() == 4
    assert {"vase", "chair"} <= set(episode.seen)


def test_a_door_gives_into_both_rooms():
    episode = act(looked_around(), Rotate(90), Goto("red door"))
    episode = act(episode, Goto("vase"), Rotate(180))
    assert episode.standing_on == "vase"
    assert episode.turns[-1].failure is None
    assert isinstance(episode.turns[-1].feedback, Observation)
    assert episode.turns[-1].feedback.names == ("red door",)


@pytest.mark.parametrize("degrees", [0, 90, -90, 180, -180, 270, -270])
def test_quarter_turns_either_way_are_made(degrees: int):
    episode = act(Episode(furnished()), Rotate(degrees))
    assert episode.turns[-1].failure is None
    assert episode.heading.degrees == degrees % 360


@pytest.mark.parametrize("degrees", [45, 1, -30, 360, -360, 450])
def test_other_turns_fail(degrees: int):
    episode = act(Episode(furnished()), Rotate(degrees))
    failure = episode.turns[-1].failure
    assert failure is not None
    assert str(degrees) in failure.action
    assert (episode.heading, episode.cost()) == (Heading.NORTH, 1)


# ---- moves that fail ----


def test_one_cannot_go_anywhere_before_having_looked():
    """The sofa is straight ahead, but the agent has not seen it: the move fails and costs a look."""
    episode = act(Episode(furnished()), Goto("sofa"))
    turn = episode.turns[-1]
    assert turn.failure is not None
    assert "not seen" in turn.failure.reason
    assert (turn.done, turn.cost, turn.standing_on) == ((), 1, START)
    assert turn.feedback == observe(furnished(), START, Heading.NORTH)
    assert act(episode, Goto("sofa")).standing_on == "sofa"


def test_a_failed_move_skips_the_rest_and_looks_from_there():
    episode = act(looked_around(), Rotate(90), Goto("sofa"), Rotate(90), Goto("lamp"), final=Query("sofa"))
    turn = episode.turns[-1]
    assert turn.failure is not None
    assert turn.failure.action == "Goto(sofa)"
    assert "not in view" in turn.failure.reason
    assert turn.done == (Rotate(90),)
    assert turn.feedback == observe(furnished(), START, Heading.EAST)
    assert turn.cost == 1, "the query was skipped"


@pytest.mark.parametrize("name", ["throne", START, ""])
def test_one_cannot_go_to_what_does_not_exist_nor_back_to_the_start(name: str):
    failure = act(looked_around(), Goto(name)).turns[-1].failure
    assert failure is not None
    assert "no such" in failure.reason


def test_one_cannot_go_to_where_one_stands():
    episode = act(looked_around(), Goto("sofa"))
    assert act(episode, Goto("sofa")).turns[-1].failure is not None


def test_one_cannot_go_through_a_wall():
    """The vase was seen from the doorway; from the lamp it lies ahead, to the east, but in the next room."""
    episode = act(looked_around(), Rotate(90), Goto("red door"))
    episode = act(episode, Rotate(180), Goto("lamp"), Rotate(180))
    assert (episode.standing_on, episode.heading) == ("lamp", Heading.EAST)
    failure = act(episode, Goto("vase")).turns[-1].failure
    assert failure is not None
    assert "not in view" in failure.reason


def test_what_comes_into_view_only_within_a_turn_was_not_seen():
    failure = act(looked_around(), Rotate(90), Goto("red door"), Goto("vase")).turns[-1].failure
    assert failure is not None
    assert failure.action == "Goto(vase)"


# ---- queries ----


def test_a_query_of_something_seen_costs_two_and_need_not_be_in_view():
    episode = act(looked_around(), Rotate(180), final=Query("sofa"))
    turn = episode.turns[-1]
    assert turn.feedback == query(furnished(), "sofa", episode.settings.rules)
    assert (turn.cost, turn.failure, episode.heading) == (2, None, Heading.SOUTH)


def test_the_start_can_always_be_asked_for():
    turn = act(Episode(furnished()), final=Query(START)).turns[-1]
    assert isinstance(turn.feedback, Location)
    assert (turn.feedback.position, turn.cost) == ((0, 0), 2)


@pytest.mark.parametrize(("name", "reason"), [("chair", "not seen"), ("throne", "no such")])
def test_a_failed_query_costs_nothing_and_tells_nothing(name: str, reason: str):
    episode = act(looked_around(), Rotate(90), Goto("lamp"), final=Query(name))
    turn = episode.turns[-1]
    assert turn.failure is not None
    assert reason in turn.failure.reason
    assert (turn.feedback, turn.cost) == (None, 0)
    assert turn.done == (Rotate(90), Goto("lamp")), "the moves before it were made"
    assert (episode.standing_on, episode.heading) == ("lamp", Heading.EAST)
    assert episode.steps() == 4, "it counts as a turn"


def test_queries_are_refused_where_they_are_not_answered():
    settings = EpisodeSettings(answer_queries=False)
    episode = replace(looked_around(), settings=settings)
    for name in ("sofa", START, "chair"):
        turn = act(episode, final=Query(name)).turns[-1]
        assert turn.failure is not None
        assert (turn.feedback, turn.cost) == (None, 0)


def test_the_rule_set_decides_which_way_a_frontless_thing_is_said_to_face():
    strict = act(looked_around(), final=Query("lamp")).turns[-1].feedback
    published = act(replace(looked_around(), settings=EpisodeSettings(rules=PUBLISHED)), final=Query("lamp"))
    assert strict == Location("lamp", (2, 1), None)
    assert published.turns[-1].feedback == Location("lamp", (2, 1), Heading.EAST)


# ---- budget and end ----


def test_an_unreadable_reply_uses_up_budget_and_nothing_else():
    before = looked_around()
    after = step(before, MUMBLE)
    turn = after.turns[-1]
    assert (turn.cost, turn.feedback, turn.done, turn.failure) == (0, None, (), None)
    assert after.turns_left == max(0, before.turns_left - 1)
    assert (after.steps(), after.cost(), after.seen) == (before.steps(), before.cost(), before.seen)
    assert (after.standing_on, after.heading) == (before.standing_on, before.heading)
    assert not after.over


@pytest.mark.parametrize("reply", [LOOK, END, MUMBLE, Actions((Goto("throne"),), Query("sofa"))])
def test_the_reply_after_the_last_ends_the_phase_whatever_it_says(reply: Actions | FormatFailure):
    episode = Episode(furnished(), EpisodeSettings(explore_turns=3))
    for _ in range(3):
        assert not episode.over
        episode = step(episode, LOOK)
    assert (episode.over, episode.turns_left) == (False, 0)
    episode = step(episode, reply)
    turn = episode.turns[-1]
    assert episode.over
    assert (turn.forced, turn.parsed, turn.cost, turn.feedback) == (True, True, 0, None)
    assert (episode.cost(), episode.steps()) == (3, 3)


def test_published_budgets_are_20_and_15_replies():
    episode = Episode(furnished())
    replies = 0
    while not episode.over:
        episode = step(episode, LOOK if replies % 2 else MUMBLE)
        replies += 1
    assert (replies, episode.cost(), episode.steps()) == (21, 10, 10)
    episode = begin_revision(episode, unchanged())
    assert episode.turns_left == 15
    while not episode.over:
        episode = step(episode, LOOK)
        replies += 1
    assert replies == 21 + 16
    assert (episode.cost("revise"), episode.cost()) == (15, 10)


def test_term_ends_the_phase_at_no_cost():
    episode = step(looked_around(), END)
    assert episode.over
    assert (episode.cost(), episode.steps()) == (3, 3)
    assert not episode.turns[-1].forced
    assert sum(turn.parsed for turn in episode.turns) == 4, "published counts include the turn that ends"


@pytest.mark.parametrize("reply", [LOOK, END, MUMBLE])
def test_nothing_happens_after_the_end(reply: Actions | FormatFailure):
    with pytest.raises(ValueError, match="over"):
        step(step(looked_around(), END), reply)


# ---- the revision phase ----


def unchanged() -> ChangedWorld:
    return ChangedWorld(furnished(), ())


def with_the_sofa_moved_south() -> ChangedWorld:
    scene = furnished()
    sofa, *others = scene.things
    return ChangedWorld(replace(scene, things=(replace(sofa, cell=(3, 1)), *others)), (Change("sofa", "position"),))


def test_revision_puts_the_agent_back_and_keeps_what_it_has_seen():
    explored = step(act(looked_around(), Rotate(90), Goto("red door")), END)
    episode = begin_revision(explored, with_the_sofa_moved_south())
    assert (episode.standing_on, episode.heading, episode.over) == (START, Heading.NORTH, False)
    assert episode.seen == explored.seen
    assert episode.turns == explored.turns
    assert episode.before == furnished()
    assert episode.turns_left == 15


def test_revision_happens_in_the_changed_world():
    episode = begin_revision(step(looked_around(), END), with_the_sofa_moved_south())
    episode = act(episode)
    assert isinstance(episode.turns[-1].feedback, Observation)
    assert episode.turns[-1].feedback.names == ()
    assert act(episode, Goto("sofa")).turns[-1].failure is not None, "it is no longer there"
    episode = act(episode, Rotate(180), Goto("sofa"))
    assert episode.standing_on == "sofa", "what was seen in the first phase may be gone to once in view"
    assert isinstance(act(episode, final=Query("sofa")).turns[-1].feedback, Location)


def test_costs_and_steps_are_kept_apart_by_phase():
    episode = begin_revision(step(looked_around(), END), unchanged())
    episode = step(act(act(episode), final=Query("sofa")), MUMBLE)
    assert (episode.cost("explore"), episode.cost("revise")) == (3, 3)
    assert (episode.steps("explore"), episode.steps("revise")) == (3, 2)
    assert episode.turns_left == 12
    episode = step(episode, Actions((), Term((Change("sofa", "position"),))))
    assert episode.over
    assert episode.steps("revise") == 2


# ---- an episode is a value ----


def test_a_step_leaves_the_old_episode_as_it_was():
    before, twin = looked_around(), looked_around()
    after = act(before, Rotate(90), Goto("red door"))
    assert before == twin
    assert len(before.turns) == 3
    assert len(after.turns) == 4
    assert after.turns[:3] == before.turns
    begin_revision(before, with_the_sofa_moved_south())
    assert before == twin


def test_the_same_reply_has_the_same_outcome():
    assert act(looked_around(), Goto("sofa")) == act(looked_around(), Goto("sofa"))


@given(scenes(max_rooms=4), st.integers(1, 12), st.data())
def test_whatever_is_asked_the_books_balance(scene: Scene, budget: int, data: st.DataObject):
    names = st.sampled_from((*scene.names, START, "throne"))
    moves = st.builds(Goto, names) | st.builds(Rotate, st.sampled_from([0, 90, -90, 180, 270, 45]))
    turns = st.builds(Actions, st.lists(moves, max_size=3).map(tuple), st.just(Observe()) | st.builds(Query, names))
    episode = Episode(scene, EpisodeSettings(explore_turns=budget, revise_turns=3))
    for reply in data.draw(st.lists(turns | st.just(MUMBLE) | st.just(END), min_size=4, max_size=20)):
        if episode.over and episode.phase == "revise":
            break
        if episode.over:
            episode = begin_revision(episode, perturb(scene, 0, ChangeSettings(rotated=0, moved=1, least_move=2)))
        before, episode = episode, step(episode, reply)
        check_step(before, episode, reply)


def check_step(before: Episode, after: Episode, reply: Actions | FormatFailure) -> None:
    turn = after.turns[-1]
    assert after.turns[:-1] == before.turns
    assert turn.asked == reply
    assert after.turns_left == max(0, before.turns_left - 1)
    assert turn.cost == (
        1 if isinstance(turn.feedback, Observation) else 2 if isinstance(turn.feedback, Location) else 0
    )
    assert after.cost(after.phase) == before.cost(after.phase) + turn.cost
    assert set(before.seen) <= set(after.seen)
    assert turn.forced == (before.turns_left == 0)
    assert after.over == turn.ended_phase
    if isinstance(reply, Actions) and not turn.forced:
        assert turn.done == reply.moves[: len(turn.done)]
        assert (turn.failure is None) or turn.feedback is None or isinstance(turn.feedback, Observation)
    if isinstance(turn.feedback, Observation):
        assert (turn.feedback.standing_on, turn.feedback.heading) == (after.standing_on, after.heading)
        assert turn.feedback == observe(after.scene, after.standing_on, after.heading)
        assert set(turn.feedback.names) <= set(after.seen)


def test_a_thing_seen_only_from_a_doorway_may_be_gone_to():
    scene = two_rooms(thing("lamp", (5, 5)), thing("vase", (7, 5)))
    episode = act(act(Episode(scene), Rotate(90)), Goto("red door"), Rotate(-90))
    assert {"lamp", "vase"} <= set(episode.seen)
    assert act(episode, Goto("vase")).standing_on == "vase"
    assert act(episode, Goto("lamp")).standing_on == "lamp"
