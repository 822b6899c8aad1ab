"""One scene from end to end, with scripted models on a plain stage."""

import asyncio
from collections.abc import Sequence
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.benchmarks.theory_of_space.plain_stage import Answer, PlainStage, scripted
from tolman.benchmarks.theory_of_space.case import Case, case_from_dict, case_of, case_to_dict
from tolman.benchmarks.theory_of_space.options import MapMode, Options
from tolman.benchmarks.theory_of_space.protocol.prompts import Message
from tolman.benchmarks.theory_of_space.protocol.run_scene import SceneRun
from tolman.benchmarks.theory_of_space.record import ScoredCase
from tolman.benchmarks.theory_of_space.scores import SceneScores
from tolman.core.rules import PUBLISHED, STRICT, Rules
from tolman.explore.agents.registry import run_explorer
from tolman.explore.episode import Episode
from tolman.world import WorldSettings
from tolman.world.select import SceneChoice


def a_case(options: Options, seed: int = 3, rooms: int = 3) -> Case:
    return case_of(SceneChoice(seed, WorldSettings(rooms=rooms)), options)


def play(case: Case, options: Options, answer: Answer) -> PlainStage:
    stage = PlainStage(answer)
    log = run_explorer(options.passive_explorer, case.scene, case.seed) if options.mode == "passive" else None
    asyncio.run(SceneRun(case, options, stage).run(log))
    return stage


def scores(case: Case, options: Options, stage: PlainStage, rules: Rules = STRICT) -> SceneScores:
    log = run_explorer(options.passive_explorer, case.scene, case.seed) if options.mode == "passive" else None
    record = stage.record([] if log is None else [str(turn.asked) for turn in log.turns])
    return ScoredCase(case, options, record).scores(rules)


@pytest.mark.parametrize("seed", [0, 5, 11])
def test_the_oracle_scores_one_everywhere(seed: int) -> None:
    options = Options(maps=("none", "say", "own", "true"))
    case = a_case(options, seed)
    result = scores(case, options, play(case, options, scripted("oracle")))
    assert {answer.score for answer in result.answers} == {1.0}
    assert len(result.answers) == 4 * len(case.questions)
    assert result.maps is not None
    assert result.maps.uncertainty == 1.0
    assert result.maps.summaries[0].correctness is not None
    assert result.maps.summaries[0].correctness.overall == 1.0
    assert result.revision is not None
    assert result.revision.identification.overall == 1.0
    assert result.revision.redundant == 0


def test_a_passive_model_reads_the_strategists_log() -> None:
    options = Options(mode="passive")
    case = a_case(options)
    stage = play(case, options, scripted("strategist"))
    result = scores(case, options, stage)
    log = run_explorer("strategist", case.scene, case.seed)
    assert result.exploration.cost == log.cost()
    assert not any(call.startswith(("explore/1/", "revise")) for call in stage.sent), "only the last turn is probed"
    assert [m.role for m in next(iter(stage.sent.values()))] == ["system", "user"]
    mean = sum(answer.score for answer in result.answers) / len(result.answers)
    assert mean > 0.9, "everything can be worked out from this log"


def test_probes_and_questions_leave_no_trace() -> None:
    options = Options(questions=1)
    case = a_case(options)
    with_probes = play(case, options, scripted("scout"))
    plain = Options(questions=1, phases=("explore",))
    alone = play(case, plain, scripted("scout"))
    turns = [call for call in alone.sent if call.startswith("explore/")]
    assert turns
    for call in turns:
        assert with_probes.sent[call] == alone.sent[call]
    questions = [messages for call, messages in with_probes.sent.items() if call.startswith("ask/")]
    histories = {tuple(messages[:-1]) for messages in questions}
    assert len(histories) == 1, "every question follows the same history"


def test_a_longer_history_begins_with_the_shorter_one() -> None:
    """Providers cache common beginnings, so what was sent once is sent again byte for byte."""
    options = Options(phases=("explore",))
    stage = play(a_case(options), options, scripted("scout"))
    turns = [stage.sent[f"explore/{number}"] for number in range(1, len(stage.sent) + 1)]
    for shorter, longer in pairwise(turns):
        assert list(longer[: len(shorter)]) == list(shorter)


def test_a_window_keeps_the_opening_and_the_latest_turns() -> None:
    options = Options(phases=("explore",), history=2)
    stage = play(a_case(options), options, _always("Actions: [Rotate(90), Observe()]"))
    last = stage.sent["explore/20"]
    assert len(last) == 6
    assert "17 earlier turns are left out" in last[1].text
    assert "EXPLORE A PLACE" in last[1].text


def test_the_forced_end_is_not_paid_for_and_the_last_look_is_heard() -> None:
    options = Options(phases=("explore", "ask"), budget=3, questions=1)
    case = a_case(options)
    stage = play(case, options, _always("Actions: [Rotate(90), Observe()]"))
    assert "explore/4" not in stage.sent
    result = scores(case, options, stage)
    assert result.exploration.forced
    assert result.exploration.cost == 3
    question = next(messages for call, messages in stage.sent.items() if call.startswith("ask/"))
    assert "You turned 90 degrees clockwise." in question[-1].text
    assert "Your budget is spent" in question[-1].text


def test_the_map_modes_send_what_they_promise() -> None:
    modes: tuple[MapMode, ...] = ("none", "say", "own", "true")
    options = Options(phases=("explore", "ask"), maps=modes, questions=1, kinds=("direction",))
    stage = play(a_case(options), options, scripted("scout"))
    last = {mode: stage.sent[f"ask/{mode}/direction/1"] for mode in modes}
    assert "<cogmap>" in last["say"][-1].text
    assert '"agent"' in last["true"][-1].text
    assert last["own"][-2].role == "assistant"
    assert "position" in last["own"][-2].text
    assert len(last["own"]) == len(last["none"]) + 2


def test_repeats_ask_for_each_map_as_often() -> None:
    options = Options(phases=("explore", "probe"), repeats=3, probe="last")
    case = a_case(options)
    stage = play(case, options, scripted("scout"))
    maps = [call for call in stage.sent if "/global/" in call]
    assert [call.rpartition("/")[2] for call in maps] == ["1", "2", "3"]
    assert len(scores(case, options, stage).maps.summaries) == 3  # pyright: ignore[reportOptionalMemberAccess]


NONSENSE = [
    "",
    " \n",
    "\x00\x07\x1b[31m\ud800",
    "{" * 5000,
    "FINAL ANSWER:" * 1000,
    "对不起，我不能回答这个问题。",
    "Actions: [Goto(../../etc/passwd), Observe()]",
    "{0.__class__} %s ${HOME} $(true) `true` {{7*7}}",
    '{"agent": {"position": [1e999, NaN], "facing": 7}, "objects": [[[[]]]]}',
    "x" * 1_000_000,
]


@pytest.mark.parametrize("text", NONSENSE, ids=range(len(NONSENSE)))
def test_nonsense_is_graded_not_raised(text: str) -> None:
    options = Options(questions=1, budget=2, revise_budget=2)
    case = a_case(options)
    stage = play(case, options, _always(text))
    for rules in (STRICT, PUBLISHED):
        result = scores(case, options, stage, rules)
        assert result.exploration.cost in (0, 1, 2)
        assert all(0.0 <= answer.score <= 1.0 for answer in result.answers)
        assert result.revision is not None
        assert result.revision.identification.overall == 0.0


@settings(max_examples=30, deadline=None)
@given(st.lists(st.text(max_size=60), min_size=1, max_size=8))
def test_any_text_is_graded(texts: list[str]) -> None:
    options = Options(questions=1, budget=3, revise_budget=2, maps=("say", "own"))
    case = a_case(options, rooms=2)
    stage = play(case, options, _one_after_another(texts))
    scores(case, options, stage)
    scores(case, options, stage, PUBLISHED)


def test_a_case_survives_its_file() -> None:
    case = a_case(Options())
    again = case_from_dict(case_to_dict(case))
    assert again == case
    assert [question.text for question in again.questions] == [question.text for question in case.questions]


def _always(text: str) -> Answer:
    def answer(call: str, messages: Sequence[Message], episode: Episode) -> str:
        del call, messages, episode
        return text

    return answer


def _one_after_another(texts: list[str]) -> Answer:
    count = 0

    def answer(call: str, messages: Sequence[Message], episode: Episode) -> str:
        del call, messages, episode
        nonlocal count
        count += 1
        return texts[count % len(texts)]

    return answer
