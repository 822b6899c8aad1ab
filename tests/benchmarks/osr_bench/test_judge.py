"""A model as a judge: what it is asked, how its verdict is read, and how far it agrees with the rules."""

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from inspect_ai.log import read_eval_log

from tests.benchmarks.osr_bench.test_modes import cases
from tests.benchmarks.osr_bench.tiny_dataset import ROOMS, write_set
from tests.loopback_server import LoopbackServer
from tolman.benchmarks.osr_bench.prompts import Agreement, agreement, judge_agreement, judge_prompt, read_verdict
from tolman.benchmarks.osr_bench.questions.question import NO_CANDIDATE, NO_OTHER, NOT_FOUND, NOT_UNIQUE, ask
from tolman.benchmarks.osr_bench.rules import STRICT
from tolman.benchmarks.osr_bench.task import osr_bench
from tolman.core.errors import SettingsError
from tolman.harness.evaluation import RunPlan, evaluate

_ASKED = re.compile(r"Right answer: (.*)\nAnswer to grade: (.*)\n")


@pytest.mark.parametrize(
    ("reply", "verdict"),
    [
        ('{"score": 1, "confidence": "high"}', (1.0, "high")),
        ('```json\n{"score": "0", "confidence": "Medium"}\n```', (0.0, "middle")),
        ('The answer fits.\n{"confidence": "low", "score": 1.0}', (1.0, "low")),
        ("{'score': 0, 'confidence': 'high'}", (0.0, "high")),
        ("Score: 1. I am quite sure (confidence: high).", (1.0, "high")),
        ('{"score": true}', (1.0, "")),
        ('{"score": 0.5, "confidence": "high"}', (None, "")),
        ("It could be score 0 or score 1.", (None, "")),
        ("I'd rather not say.", (None, "")),
        ("", (None, "")),
    ],
)
def test_a_verdict_is_read_where_it_is_plain(reply: str, verdict: tuple[float | None, str]) -> None:
    assert read_verdict(reply) == verdict


@given(st.text())
def test_no_reply_makes_the_reader_fail(reply: str) -> None:
    assert read_verdict(reply)[0] in (0.0, 1.0, None)


def test_the_judge_sees_the_answer_without_the_thoughts_and_the_messages_that_can_apply() -> None:
    room = ROOMS["kitchen"]
    reply = "<think>It is surely behind.</think> <answer>Front $place Left</answer>"
    direction = judge_prompt(ask(1, "direction", ("table", "lamp", "sofa"), room), reply)
    assert "Front $place Left" in direction
    assert "surely" not in direction
    assert all(message in direction for message in (NOT_FOUND, NOT_UNIQUE, NO_OTHER))
    distance = judge_prompt(ask(2, "distance", ("table", "lamp", "sofa", "door", "window"), room), "sofa")
    assert NO_CANDIDATE in distance
    assert NO_OTHER not in distance
    assert "(nothing)" in judge_prompt(ask(3, "counting", ("chair",), room), "")


def test_agreement_is_what_the_textbook_says() -> None:
    pairs = [(True, True)] * 20 + [(True, False)] * 5 + [(False, True)] * 10 + [(False, False)] * 15
    found = agreement(pairs, unread=3)
    assert (found.answers, found.unread, found.share) == (50, 3, 0.7)
    assert found.kappa == pytest.approx(0.4)
    assert agreement([]) == Agreement(0)
    assert agreement([(True, True)] * 4) == Agreement(4, 0, 1.0, None)


def test_a_judge_is_asked_of_every_answer_and_compared_with_the_rules(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def thought(messages: list[tuple[str, str]]) -> str:
        found = _ASKED.search(messages[-1][1])
        assert found is not None
        if found[1] == "2":
            return "I am not sure what is wanted."
        return f'{{"score": {int(found[1] == found[2])}, "confidence": "high"}}'

    with LoopbackServer(thought=thought) as server:
        for name, value in {"FAKE_API_KEY": "none", "FAKE_BASE_URL": server.url, "TOLMAN_CACHE": str(tmp_path)}.items():
            monkeypatch.setenv(name, value)
        task = osr_bench(data=str(write_set(tmp_path / "set", each=6)), width=64, judge="openai-api/fake/judge")
        logs = evaluate([task], RunPlan("tolman/random", tmp_path / "logs", display="log")).logs
    found = cases([read_eval_log(log.location) for log in logs])
    asked = [q.answer for case in found for q in case.case.questions]
    for case in found:
        assert case.record.judge == "openai-api/fake/judge"
        assert [verdict.name for verdict in case.record.judged] == [f"0/{q.turn}" for q in case.case.questions]
        assert all(call.input_tokens for call in case.record.judge_calls)
    result = judge_agreement(found, STRICT)
    assert result.unread == asked.count("2") > 0
    assert result.answers == len(asked) - result.unread
    assert (result.share, result.kappa) == (1.0, 1.0)


def test_a_judge_that_is_not_there_is_told_at_once(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="the judge 'no-such-provider/model' can't be used"):
        osr_bench(data=str(write_set(tmp_path / "set")), judge="no-such-provider/model")
