"""`--odds` and `--settle`: proper scores, what the references get by formula, and a fake server from end to end."""

import math
from functools import cache
from pathlib import Path
from statistics import fmean

import pytest

import tolman as tm
from tests.loopback_server import LoopbackServer
from tolman.ask.odds import OddsSlot, odds_request, slots_of
from tolman.ask.settling import LETTERS
from tolman.benchmarks.theory_of_space.case import Case, case_of, question_calls
from tolman.benchmarks.theory_of_space.options import Options
from tolman.benchmarks.theory_of_space.protocol.run_scene import explorer_log
from tolman.benchmarks.theory_of_space.record import Call, SceneRecord, ScoredCase
from tolman.benchmarks.theory_of_space.uncertainty.condition_scores import (
    FLOOR,
    JudgedScene,
    StatedChance,
    brier,
    divergence,
    judged_question,
    log_score,
    odds_columns,
    uninformed,
)
from tolman.benchmarks.theory_of_space.uncertainty.measured import condition_scene
from tolman.benchmarks.theory_of_space.uncertainty.offered_looks import final_observer, offered_looks
from tolman.ideal.question_content import BestAnswer, question_content
from tolman.models.scripted.uncertain_replies import IdealSettings, reply_in_condition
from tolman.world import WorldSettings
from tolman.world.select import SceneChoice

OPTIONS = Options(mode="passive", odds=True)
CLOSED = OddsSlot("distance", "choice", ("near", "far", "very far"))
ORDER = OddsSlot("order", "order", ("a", "b", "c"))
CELL = OddsSlot("position", "cell")


def test_scores_are_what_the_formulas_say() -> None:
    stated = {"near": 0.5, "far": 0.5}
    assert brier(CLOSED, stated, "near") == pytest.approx(0.5)
    assert brier(CLOSED, {"far": 1.0}, "near") == pytest.approx(2.0)
    assert log_score(CLOSED, stated, "near") == pytest.approx(1.0)
    assert log_score(CLOSED, stated, "very far") == pytest.approx(-math.log2(FLOOR))
    assert brier(ORDER, {"a, b, c": 0.5}, "c, b, a") == pytest.approx(1 - 0.2 + 0.25 + 5 * 0.01)
    assert brier(CELL, {"(0, 0)": 0.4}, "(1, 0)") == pytest.approx(1.16)
    assert divergence(CLOSED, stated, stated) == 0
    assert divergence(CLOSED, stated, {"near": 1.0}) == pytest.approx(1.0)


@pytest.mark.parametrize("slot", [CLOSED, ORDER], ids=lambda slot: slot.form)
def test_no_other_odds_expect_a_better_score_than_the_true_ones(slot: OddsSlot) -> None:
    values = slot.values()
    true = {value: (i + 1) / sum(range(1, len(values) + 1)) for i, value in enumerate(values)}
    others = [uninformed(slot), {values[-1]: 1.0}, {values[0]: 0.5, values[-1]: 0.5}]
    for score in (brier, log_score):
        best = sum(q * score(slot, true, value) for value, q in true.items())
        for other in others:
            assert best < sum(q * score(slot, other, value) for value, q in true.items())


@cache
def judged(seed: int) -> tuple[Case, JudgedScene, dict[str, BestAnswer]]:
    case = case_of(SceneChoice(seed, WorldSettings()), OPTIONS)
    log = explorer_log(case, OPTIONS)
    assert log is not None
    observer = final_observer(case, log)
    best = {question.id: observer.best_answer(question_content(question)) for question in case.questions}
    found = {question.id: judged_question(question, best[question.id], log.seen) for question in case.questions}
    verdicts = {name: verdict for name, verdict in found.items() if verdict is not None}
    return case, JudgedScene(verdicts, observer.name), {name: one for name, one in best.items() if one is not None}


@cache
def stated(agent: str, seed: int) -> tuple[dict[str, tuple[float, ...]], tuple[StatedChance, ...]]:
    case, judgement, best = judged(seed)
    calls: list[Call] = []
    for call, question in question_calls("none", case.questions):
        slots = slots_of(question)
        if slots:
            reply = reply_in_condition(odds_request(slots), best[question.id], slots, IdealSettings(agent))
            calls.append(Call(name=call, reply=f"FINAL ANSWER:\n{reply}"))
    return odds_columns(ScoredCase(case, OPTIONS, SceneRecord(calls=calls)), judgement)


def test_the_references_get_what_the_formulas_say() -> None:
    case, _, _ = judged(2000)
    abstaining, _ = stated("always-abstains", 2000)
    asked = [slots for question in case.questions if (slots := slots_of(question))]
    alike = [fmean(1 - 1 / slot.size if slot.size else 1.0 for slot in slots) for slots in asked]
    bits = [fmean(math.log2(slot.size) if slot.size else -math.log2(FLOOR) for slot in slots) for slots in asked]
    assert abstaining["odds/brier"] == pytest.approx(tuple(alike), abs=1e-3)
    assert abstaining["odds/log"] == pytest.approx(tuple(bits), abs=1e-2)
    answering, _ = stated("always-answers", 2000)
    assert set(answering["odds/top/stated"]) == {1.0}
    assert {round(value, 9) for value in answering["odds/brier/perspective_decision"]} <= {0.0, 2.0}
    ideal, _ = stated("ideal", 2000)
    assert fmean(ideal["odds/kl"]) < 0.02
    assert ideal["odds/brier"] == pytest.approx(ideal["odds/best/brier"], abs=0.02)
    for agent in ("ideal-temperature-3", "ideal-temperature-0.3", "always-answers", "always-abstains"):
        assert fmean(stated(agent, 2000)[0]["odds/kl"]) > fmean(ideal["odds/kl"])


@pytest.mark.slow
def test_the_reliability_diagram_of_the_ideal_is_within_error() -> None:
    chances = [chance for seed in range(2000, 2006) for chance in stated("ideal", seed)[1]]
    for low, high in ((0.0, 0.05), (0.05, 0.2), (0.2, 0.6), (0.6, 0.995), (0.995, 1.01)):
        inside = [chance for chance in chances if low <= chance.stated < high]
        expected = sum(chance.stated for chance in inside)
        spread = math.sqrt(sum(chance.stated * (1 - chance.stated) for chance in inside))
        # Probabilities of one scene share what was not seen, which widens the spread.
        assert abs(sum(chance.true for chance in inside) - expected) <= 2.5 * 2 * spread + 2


REALISTIC = {
    "abstain": ("I have not seen it.\n**Cannot tell.**", "FINAL ANSWER: north, near"),
    "odds": ('```json\n{"direction": {"north": 0.5, "east": 0.5}, "distance": {"near": 1}}\n```', "I'm sorry."),
    "settle": ("**B**", "I would take look A, since it shows the door."),
}


@pytest.mark.parametrize(
    "condition", [pytest.param(name, marks=pytest.mark.slow if name == "settle" else []) for name in REALISTIC]
)
def test_a_server_with_realistic_replies_runs_from_end_to_end(
    condition: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FAKE_API_KEY", "none")
    turn = iter(range(10_000))

    def reply(messages: list[tuple[str, str]]) -> str:
        del messages
        return REALISTIC[condition][next(turn) % 2]

    with LoopbackServer(thought=reply, reasoning=0.5) as server:
        results = tm.evaluate(
            "theory-of-space",
            "openai-api/fake/m",
            base_url=server.url,
            log_dir=tmp_path,
            scenes="2000",
            mode="passive",
            kinds="direction",
            questions=2,
            **{condition: True},
        )
    shown = set(results.tables())
    assert condition in shown
    assert not shown & {"answers-none", "belief", "reliability", "correlation"}


def test_the_ideal_takes_the_best_look_and_scoring_agrees_with_the_run() -> None:
    options = Options(mode="passive", settle=True, kinds=("direction",))
    case = case_of(SceneChoice(2000, WorldSettings()), options)
    log = explorer_log(case, options)
    assert log is not None
    offered = offered_looks(case, log)
    assert offered
    calls = [
        Call(name=call, reply=LETTERS[offered[question.id].gains.index(offered[question.id].best)])
        for call, question in question_calls("none", case.questions)
        if question.id in offered
    ]
    record = SceneRecord(log=[str(turn.asked) for turn in log.turns], calls=calls)
    found = condition_scene(ScoredCase(case, options, record)).columns
    assert set(found["settle/fraction"]) == {1.0}
    assert all(0 < chance < 1 for chance in found["settle/chance"])
    assert found["settle/asked"] == (len(offered),)
