"""What an episode page is made from."""

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from tests.benchmarks.theory_of_space.replay.episode_pages import insight, passive, random, scout, with_replies
from tolman.ask import grade, sample_questions
from tolman.benchmarks.theory_of_space.ideal_observer import QuestionInsight
from tolman.benchmarks.theory_of_space.protocol.run_scene import rebuild
from tolman.benchmarks.theory_of_space.record import ScoredCase
from tolman.benchmarks.theory_of_space.replay.episode_data import answer_verdict, episode_data, truth_words
from tolman.benchmarks.theory_of_space.runs import score_record
from tolman.core.rules import STRICT
from tolman.explore.messages import describe_turn
from tolman.world import generate


def data(of: ScoredCase) -> dict[str, Any]:
    """As the page gets it."""
    return json.loads(json.dumps(episode_data(score_record(of), insight(of)), allow_nan=False))


def episode(of: ScoredCase) -> Any:
    return rebuild(of.case, of.options, of.record.replies, of.record.log)


@pytest.mark.parametrize("make", [scout, random, passive])
def test_there_is_a_frame_before_each_phase_and_one_for_each_turn(make: Callable[[], ScoredCase]):
    of = make()
    frames, turns = data(of)["frames"], episode(of).turns
    counted = [(frame["phase"], frame["number"]) for frame in frames]
    for phase in ("explore", "revise"):
        count = sum(turn.phase == phase for turn in turns)
        assert [number for of_phase, number in counted if of_phase == phase] == list(range(count + 1)) * (count > 0)
    told = [frame["told"] for frame in frames if frame["number"]]
    assert told == [describe_turn(turn) for turn in turns]
    assert [frame["reply"] is None for frame in frames if frame["number"]] == [bool(of.record.log)] * len(turns)


def test_a_frame_stands_where_the_agent_stood_and_names_what_it_saw():
    of = scout()
    known = data(of)
    names = [item["name"] for item in known["items"]]
    for turn, frame in zip(episode(of).turns, [f for f in known["frames"] if f["number"]], strict=True):
        world = of.case.changed if turn.phase == "revise" else of.case.scene
        assert world is not None
        assert tuple(frame["at"]) == world.from_start(turn.standing_on)
        assert frame["heading"] == turn.heading
        seen = frame["view"] and [names[i] for i in frame["view"]]
        assert seen == (list(turn.feedback.names) if turn.feedback else None)


def test_heat_maps_add_up_to_what_the_ideal_observer_holds_possible():
    of = scout(1)
    known = data(of)
    side, heat = 2 * known["extent"] + 1, dict[str, dict[tuple[int, int], float]]()
    turns = {turn.number: turn for turn in insight(of).turns}
    for frame in known["frames"]:
        for item, packed in frame["heat"].items() if frame["phase"] == "explore" else ():
            cells = {divmod(at, side): chance / 1000 for at, chance in zip(packed[::2], packed[1::2], strict=True)}
            moved = {(x - known["extent"], y - known["extent"]): chance for (y, x), chance in cells.items()}
            heat[known["items"][int(item)]["name"]] = moved
        if frame["phase"] == "explore" and frame["number"] in turns:
            marginals = turns[frame["number"]].marginals
            assert heat.keys() == marginals.keys()
            for name, cells in marginals.items():
                assert heat[name].keys() == cells.keys()
                assert heat[name] == pytest.approx(dict(cells), abs=1e-3)
    assert heat


def test_stated_maps_carry_the_verdicts_and_what_was_overwritten():
    of = scout()
    known = data(of)
    frames = {frame["number"]: frame for frame in known["frames"] if frame["phase"] == "explore"}
    verdicts: set[str] = set()
    for turn in insight(of).turns:
        assert turn.stated is not None
        shown = frames[turn.number]["map"]
        said = {known["items"][i]["name"]: (x, y, verdict) for i, x, y, _, verdict, _ in shown["said"]}
        assert said == {place.name: (*place.position, place.verdict) for place in turn.stated.positions}
        assert shown["score"] == pytest.approx(turn.stated.score, abs=1e-3)
        assert [known["items"][one["item"]]["name"] for one in shown["over"]] == [
            lost.name for lost in turn.stated.overwritten
        ]
        verdicts |= {place.verdict for place in turn.stated.positions}
    assert {"right", "unlucky"} <= verdicts
    assert any(frame["map"]["over"] for frame in frames.values() if "map" in frame)


def test_a_reply_without_a_map_and_one_that_is_no_turn_are_told_apart_from_the_rest():
    of = with_replies(scout(), {"explore/2/global/1": "I would rather not say.", "explore/1": "Let me think."})
    of = ScoredCase(of.case, replace(of.options, budget=30), of.record)
    frames = data(of)["frames"]
    assert frames[1]["unread"] is True
    assert (frames[1]["gain"], frames[1]["entropy"]) == (frames[0]["gain"], frames[0]["entropy"])
    assert frames[2]["map"]["said"] is None
    assert frames[2]["map"]["reply"]["text"] == "I would rather not say."
    assert frames[3]["map"]["said"]


def test_questions_come_with_both_scores_and_where_points_were_lost():
    of = scout()
    questions = data(of)["questions"]
    assert [question["call"] for question in questions] == [one.call for one in insight(of).questions]
    for question, known in zip(questions, insight(of).questions, strict=True):
        assert question["strict"] == pytest.approx(known.score, abs=1e-3)
        whole = question["strict"] + question["reasoning"] + question["exploration"] + question["form"]
        assert whole == pytest.approx(1, abs=3e-3)


@pytest.mark.parametrize(
    ("score", "unread", "ceiling", "expected"),
    [
        (1.0, False, 0.6, "right"),
        (0.5, False, 1.0, "partly"),
        (0.0, False, 0.9, "reasoning"),
        (0.0, False, 0.2, "exploration"),
        (0.0, True, 0.9, "unread"),
    ],
)
def test_a_verdict_names_what_most_of_a_lost_point_was_lost_to(
    score: float, unread: bool, ceiling: float, expected: str
):
    known = QuestionInsight("ask/none/direction/1", "direction", "none", score, unread, ceiling, "north, near")
    assert answer_verdict(known) == expected


@pytest.mark.parametrize("seed", range(3))
def test_the_truth_in_words_is_an_answer_that_scores_full_marks(seed: int):
    for question in sample_questions(generate(seed), seed, 2):
        assert grade(question, truth_words(question), STRICT).score == 1.0, question.kind


def test_a_revision_holds_old_belief_new_belief_and_the_report():
    of = scout()
    known = data(of)
    names = [item["name"] for item in known["items"]]
    changed = {known["items"][int(i)]["name"]: item["how"] for i, item in known["changed"].items()}
    assert changed == {change.name: change.kind for change in of.case.changes}
    revision = known["revision"]
    assert dict(revision["reported"]) == changed
    assert revision["f1"] == 1.0
    assert len(revision["old"]) > 0
    first, last = revision["turns"][0], revision["turns"][-1]
    assert {names[one["item"]] for one in last} == set(changed)
    assert all(one["seen"] for one in last)
    assert sum(one["seen"] for one in first) < len(first)
    assert {one["belief"] for one in last} <= {"new", "other"}


def test_a_model_that_clings_to_its_old_map_is_shown_to():
    of = scout()
    last = max(int(call.split("/")[1]) for call in of.record.replies if call.startswith("explore/"))
    old = of.record.replies[f"explore/{last}/global/1"]
    maps = {call: old for call in of.record.replies if call.startswith("revise/") and "/global/" in call}
    turns = data(with_replies(of, maps))["revision"]["turns"]
    assert {one["belief"] for turn in turns for one in turn} == {"old"}
