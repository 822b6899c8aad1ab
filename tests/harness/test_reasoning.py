"""Models that reason before they reply, in every benchmark: thoughts are kept and counted, and never graded."""

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, cast

import pytest
from inspect_ai import Task
from inspect_ai.log import read_eval_log
from inspect_ai.model import (
    ChatCompletionChoice,
    ChatMessageAssistant,
    Content,
    ContentReasoning,
    ContentText,
    ModelOutput,
)

from tests.benchmarks.osr_bench.tiny_dataset import write_set
from tests.benchmarks.sparrta.painted_scenes import painted
from tests.loopback_replies import THOUGHT, THOUGHTS
from tests.loopback_server import LoopbackServer
from tolman.benchmarks.osr_bench.task import osr_bench
from tolman.benchmarks.sparrta.task import sparrta
from tolman.benchmarks.theory_of_space.task import theory_of_space
from tolman.core.reading import split_thoughts
from tolman.harness.evaluation import RunPlan, evaluate
from tolman.harness.model_calls import writable
from tolman.harness.records import Call


@pytest.fixture(autouse=True)
def environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in {"FAKE_API_KEY": "none", "TOLMAN_CACHE": str(tmp_path / "cache")}.items():
        monkeypatch.setenv(name, value)
    monkeypatch.delenv("INSPECT_CACHE_DIR", raising=False)


def spatial(folder: Path) -> Task:
    del folder
    return theory_of_space(scenes="0", rooms=2, things=2, questions=1, phases="explore,ask", resume=True)


def panoramas(folder: Path) -> Task:
    return osr_bench(data=str(write_set(folder / "set")), width=64, resume=True)


def pictures(folder: Path) -> Task:
    return sparrta(data=str(painted(folder / "set", 4)), resume=True)


def same_words(messages: list[tuple[str, str]]) -> str:
    del messages
    return '{"chair": [[1, 2]]} left, 3'


def lived(task: Task, folder: Path, reasoning: float, agent: str) -> tuple[list[Call], list[Mapping[str, Any]]]:
    """All calls of a run, and the scores of its scenes."""
    with LoopbackServer(reasoning=reasoning, thought=None if agent else same_words) as server:
        outcome = evaluate([task], RunPlan("openai-api/fake/m", folder, base_url=server.url, display="none"))
        assert outcome.complete
        assert (set(THOUGHTS) <= set(server.injected)) == bool(reasoning), "thoughts came in every way"
    samples = read_eval_log(outcome.logs[0].location).samples or ()
    calls = [Call(**call) for each in samples for call in json.loads(each.store["tolman"])["calls"]]
    scores = [cast("Mapping[str, Any]", score.value) for each in samples for score in (each.scores or {}).values()]
    return calls, scores


@pytest.mark.parametrize(("task", "agent"), [(spatial, "scout"), (panoramas, ""), (pictures, "")])
def test_thoughts_are_kept_and_counted_and_change_no_score(
    task: Callable[[Path], Task], agent: str, tmp_path: Path
) -> None:
    plain, plain_scores = lived(task(tmp_path / "a"), tmp_path / "plain", 0.0, agent)
    thoughtful, scores = lived(task(tmp_path / "b"), tmp_path / "thoughtful", 1.0, agent)
    assert [(call.name, call.reply) for call in thoughtful] == [(call.name, call.reply) for call in plain]
    assert json.dumps(scores) == json.dumps(plain_scores)
    assert {call.reasoning for call in thoughtful} == {THOUGHT}
    assert {call.reasoning for call in plain} == {""}
    more = [with_thought.output_tokens - without.output_tokens for with_thought, without in zip(thoughtful, plain)]  # noqa: B905
    assert min(more) >= len(THOUGHT) // 4
    assert all(call.reasoning_tokens == len(THOUGHT) // 4 for call in thoughtful)


@pytest.mark.parametrize(
    ("reply", "said", "thought"),
    [
        ("north", "north", ""),
        ("  as it was \n", "  as it was \n", ""),
        ("<think>a</think>north", "north", "a"),
        ("<THINK>\na\n</THINK>\n\nnorth", "north", "a"),
        ('<think redacted="true">a</think>north', "north", "a"),
        ("<thinking>a</thinking>north", "north", "a"),
        ("a</think>north", "north", "a"),
        ("<think>a<think>b</think>c</think>north", "north", "a\nb\nc"),
        ("<think>a", "", "a"),
        ("<think>so <answer>7</answer>", "", "so <answer>7</answer>"),
        ("north<think>or", "north", "or"),
        ("<think></think>", "", ""),
        ("I think> north <thinker>", "I think> north <thinker>", ""),
    ],
)
def test_thoughts_between_tags_are_told_from_what_is_said(reply: str, said: str, thought: str) -> None:
    assert split_thoughts(reply) == (said, thought)


def test_half_characters_are_replaced_wherever_they_stand() -> None:
    parts: list[Content] = [
        ContentReasoning(reasoning="a \ud83d", summary="b \ud83d", signature="c", internal={"d": ["\ud83d"]}),
        ContentText(text="e \ud83d"),
    ]
    message = ChatMessageAssistant(content=parts)
    output = writable(ModelOutput(choices=[ChatCompletionChoice(message=message)], metadata={"f": "\ud83d"}))
    assert "\ud83d" not in output.completion
    output.model_dump_json().encode("utf-8")
