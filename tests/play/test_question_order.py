"""A person is asked exactly what a model is asked, in an order that suits someone who remembers."""

from dataclasses import replace

import pytest

from tests.play.sessions import SMALL, case, next_request, spoken
from tolman.benchmarks.theory_of_space.options import Options
from tolman.play.theory_of_space.session import PlaySession, RequestedReply
from tolman.world import WorldSettings

FEW = Options(questions=1, kinds=("direction", "mental_rotation"))


def asked(options: Options, worlds: WorldSettings) -> list[RequestedReply]:
    """Everything that is wanted of a person who says what the scout says."""
    session, found = PlaySession(case("3", options, worlds), options, {}), list[RequestedReply]()
    while (next_one := next_request(session)) is not None:
        found.append(next_one)
        session = session.answered(next_one.call, spoken("3", options, worlds).replies[next_one.call])
    return found


@pytest.mark.parametrize(
    ("options", "worlds"),
    [
        (FEW, WorldSettings()),
        (replace(FEW, probe="last"), SMALL),
        (replace(FEW, probe="off"), SMALL),
        (replace(FEW, budget=2, revise_budget=1, repeats=2), SMALL),
        (replace(FEW, phases=("explore", "ask")), SMALL),
        (replace(FEW, mode="passive"), SMALL),
        (replace(FEW, mode="passive", probe="every"), SMALL),
    ],
    ids=["every", "last", "off", "short", "two phases", "passive", "passive, every"],
)
def test_the_calls_and_their_words_are_those_of_a_model(options: Options, worlds: WorldSettings) -> None:
    found, sent = asked(options, worlds), spoken("3", options, worlds).sent
    assert sorted(one.call for one in found) == sorted(sent)
    for one in found:
        if not one.is_turn or one.call == "revise/1":
            assert one.request in sent[one.call][-1].text


def test_maps_come_right_after_their_turn_and_the_plan_comes_last() -> None:
    calls = [one.call for one in asked(FEW, SMALL)]
    for number, call in enumerate(calls):
        turn, probe = "/".join(call.split("/")[:2]), call.split("/")[2:3]
        if probe in (["global"], ["local"]) and calls[number - 1] != turn:
            assert calls[number - 2 : number] == [turn, f"{turn}/global/1"]
    first_plan = next(number for number, call in enumerate(calls) if "/points/" in call)
    assert all("/points/" in call for call in calls[first_plan:]), "the plan shows the walls, so nothing follows it"
    assert first_plan > calls.index("revise/1")


def test_a_probe_lets_one_look_back_no_further_than_its_turn() -> None:
    for one in asked(replace(FEW, mode="passive", probe="every"), SMALL):
        if one.elicits:
            assert len(one.past) == int(one.call.split("/")[1])


def test_what_was_said_stays_said() -> None:
    session = PlaySession(case("3", FEW), FEW, {}).answered("explore/1", "Actions: [Observe()]")
    again = session.answered("explore/1", "Actions: [Term()]")
    assert again.replies == session.replies
    assert not again.explored.over
