"""`--abstain`: labels from the posterior, and what the scripted references get, which formulas give exactly."""

from dataclasses import replace
from functools import cache
from statistics import fmean

import pytest

from tolman.ask import grade
from tolman.ask.abstention import points_for
from tolman.benchmarks.theory_of_space.case import case_of, question_calls
from tolman.benchmarks.theory_of_space.leaderboard.entry import read_options
from tolman.benchmarks.theory_of_space.options import Options
from tolman.benchmarks.theory_of_space.protocol.run_scene import explorer_log, run_offline
from tolman.benchmarks.theory_of_space.record import Call, SceneRecord, ScoredCase
from tolman.benchmarks.theory_of_space.uncertainty.condition_scores import judge_scene
from tolman.benchmarks.theory_of_space.uncertainty.measured import condition_scene
from tolman.core.errors import SettingsError
from tolman.core.rules import STRICT
from tolman.models.scripted.reply import reply_to
from tolman.report.leaderboard.entry_file import EntryRefused
from tolman.world import WorldSettings
from tolman.world.select import SceneChoice

OPTIONS = Options(mode="passive", abstain=True)
SEEDS = (2000, pytest.param(2001, marks=pytest.mark.slow))


@cache
def run(agent: str, seed: int, threshold: float = 0.75) -> ScoredCase:
    options = replace(OPTIONS, threshold=threshold)
    case = case_of(SceneChoice(seed, WorldSettings()), options)
    log = explorer_log(case, options)
    assert log is not None
    replies = run_offline(
        case,
        options,
        lambda _call, messages, _episode: reply_to(agent, [(message.role, message.text) for message in messages]),
    )
    calls = [Call(name=name, reply=reply or "") for name, reply in replies.items()]
    return ScoredCase(case, options, SceneRecord(log=[str(turn.asked) for turn in log.turns], calls=calls))


@cache
def columns(agent: str, seed: int, threshold: float = 0.75) -> dict[str, tuple[float, ...]]:
    return condition_scene(run(agent, seed, threshold)).columns


@pytest.mark.parametrize("seed", SEEDS)
def test_always_abstains_gets_what_the_formulas_say(seed: int) -> None:
    found = columns("always-abstains", seed)
    undecided = 1 - fmean(found["abstain/is/decided"])
    assert 0.1 < undecided < 0.9
    assert set(found["abstain/points"]) == {0.0}
    assert fmean(found["abstain/decided"]) == 0
    assert fmean(found["abstain/recall"]) == fmean(found["abstain/share"]) == 1
    assert fmean(found["abstain/precision"]) == pytest.approx(undecided)
    assert {value for key in found if "/false/" in key for value in found[key]} == {0.0}


@pytest.mark.parametrize("seed", SEEDS)
def test_always_answers_gets_what_the_formulas_say(seed: int) -> None:
    logged, found = run("always-answers", seed), columns("always-answers", seed)
    replies = logged.record.replies
    scores = [
        grade(asked, replies[call], STRICT).score for call, asked in question_calls("none", logged.case.questions)
    ]
    assert fmean(found["abstain/points"]) == pytest.approx(points_for(fmean(scores), 0.75))
    assert {value for key in found if "/false/" in key for value in found[key]} == {1.0}
    assert fmean(found["abstain/recall"]) == fmean(found["abstain/share"]) == 0
    assert "abstain/precision" not in found


@pytest.mark.parametrize("seed", SEEDS)
def test_the_ideal_leaves_open_what_is_not_decided(seed: int) -> None:
    found = columns("ideal", seed)
    assert fmean(found["abstain/precision"]) == 1
    assert fmean(found["abstain/decided"]) > 0.97
    assert fmean(columns("ideal", seed, 0.99)["abstain/recall"]) > 0.9


def test_a_temperature_makes_the_ideal_too_cautious_or_too_bold() -> None:
    agents = ("ideal-temperature-0.2", "ideal", "ideal-temperature-5")
    shares = [fmean(columns(agent, 2000)["abstain/share"]) for agent in agents]
    assert shares[0] < shares[1] < shares[2]


@pytest.mark.parametrize("seed", SEEDS)
def test_unseen_questions_are_about_something_never_in_view(seed: int) -> None:
    logged = run("always-abstains", seed)
    judged = judge_scene(logged)
    assert judged.observer == "generative"
    log = explorer_log(logged.case, logged.options)
    seen = set(log.seen if log else ())
    for question in logged.case.questions:
        verdict = judged.questions[question.id]
        assert (verdict.label == "decided") == (verdict.sure >= 0.99)
        if question.kind == "direction" and verdict.label == "unseen":
            assert not {str(question.parameters["of"]), str(question.parameters["from"])} <= seen
        if question.kind == "direction" and verdict.label == "open":
            assert {str(question.parameters["of"]), str(question.parameters["from"])} <= seen


def test_published_scores_hold_no_answer_of_a_condition() -> None:
    assert run("always-answers", 2000).scores(STRICT).answers == ()


def test_a_leaderboard_refuses_the_condition() -> None:
    with pytest.raises(EntryRefused, match="abstain"):
        read_options(OPTIONS.as_dict())
    assert "abstain" not in Options().as_dict()


def test_maps_and_thresholds_that_make_no_sense_are_refused() -> None:
    with pytest.raises(SettingsError, match="maps"):
        Options(abstain=True, maps=("say",))
    with pytest.raises(SettingsError, match="threshold"):
        Options(abstain=True, threshold=1.0)
