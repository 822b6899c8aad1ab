"""A server that misbehaves, a model that talks nonsense, a run that is cut off: all is graded, nothing is lost."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from inspect_ai.log import read_eval_log
from inspect_ai.model import ChatMessage, GenerateConfig, ModelAPI, ModelOutput, modelapi
from inspect_ai.tool import ToolChoice, ToolInfo

from tests.benchmarks.osr_bench.test_modes import WAYS, cases
from tests.benchmarks.osr_bench.tiny_dataset import write_set
from tests.loopback_server import LoopbackServer
from tolman.benchmarks.osr_bench.cases import choose_cases
from tolman.benchmarks.osr_bench.options import Options
from tolman.benchmarks.osr_bench.prompts import map_reply
from tolman.benchmarks.osr_bench.rules import PUBLISHED, STRICT
from tolman.benchmarks.osr_bench.scores import headline_scores, score_case
from tolman.benchmarks.osr_bench.task import osr_bench
from tolman.harness.evaluation import RunPlan, evaluate

NONSENSE = (
    "",
    "I can't help with that.",
    "{" * 5000,
    '{"chair": "everywhere", "lamp": [[1, 2], [3]]}',
    '{"chair": [[99999999999999999999, -1], [1e400, NaN]], "table": [[0.5, "x"]], "": []}',
    "<answer>" * 2000,
    "<think>left right left",
    "-7 or 3 or twelve",
    "\ud83d half a face",
    "null",
)


@pytest.fixture(autouse=True)
def environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in {"FAKE_API_KEY": "none", "TOLMAN_CACHE": str(tmp_path / "cache")}.items():
        monkeypatch.setenv(name, value)
    monkeypatch.delenv("INSPECT_CACHE_DIR", raising=False)


def answers_of(data: Path) -> Mapping[str, str]:
    """The right answers to all questions about both rooms; where they share one, that of the last."""
    options = (Options(asked="standard"), Options(asked="negative"))
    return {q.text: q.answer for each in options for case in choose_cases(str(data), each) for q in case.questions}


@pytest.mark.parametrize(
    "ways", [pytest.param(WAYS[::5], id="some"), pytest.param(WAYS, id="all", marks=pytest.mark.slow)]
)
def test_all_ways_end_behind_a_server_that_misbehaves(tmp_path: Path, ways: list[tuple[str, bool, str]]) -> None:
    assert all({way[i] for way in ways} == {way[i] for way in WAYS} for i in range(3))
    data = write_set(tmp_path / "set")
    answers, truth = answers_of(data), choose_cases(str(data), Options())[0].truth

    def thought(messages: list[tuple[str, str]]) -> str:
        text = messages[-1][1]
        number = int(hashlib.sha256(repr(messages).encode()).hexdigest()[:8], 16)
        right = next((answer for question, answer in answers.items() if question in text), None)
        if right is None:
            return map_reply(truth) if "desk" in text else NONSENSE[3]
        if number % 4 == 0:
            return NONSENSE[number // 4 % len(NONSENSE)]
        return f"<answer>{right}</answer>" if "<answer>" in text else right

    with LoopbackServer(faults=0.2, cut=0.1, thought=thought) as server:
        tasks = [
            osr_bench(data=str(data), mode=m, think=t, asked=a, width=64, class_list="exact", resume=True)
            for m, t, a in ways
        ]
        plan = RunPlan("openai-api/fake/eyes", tmp_path / "logs", base_url=server.url, display="log")
        outcome = evaluate(tasks, plan)
    assert outcome.complete
    assert sum(server.injected.values()) > 5
    found = cases([read_eval_log(log.location) for log in outcome.logs])
    assert len(found) == 2 * len(ways)
    stops = {call.stop for case in found for call in case.record.calls}
    assert stops == {"stop", "max_tokens"}
    for case in found:
        assert len(case.record.calls) == len(case.case.questions) + (case.options.mode == "first")
    for rules in (STRICT, PUBLISHED):
        numbers = headline_scores([score_case(case, rules) for case in found])
        assert 0.3 < numbers["accuracy"] < 0.95, "right answers are found, and nonsense scores nothing"
        assert 0 < numbers["map success"] < 1


@dataclass
class Memory:
    """Of the model below: whether it fails, and what it was asked."""

    broken: bool = True
    asked: list[str] = field(default_factory=list[str])


MEMORY = Memory()


@modelapi(name="forgetful")
class Forgetful(ModelAPI):
    """Fails for good at some questions, until it is mended."""

    def __init__(self, model_name: str, base_url: str | None = None, api_key: str | None = None, **_: object) -> None:
        super().__init__(model_name, base_url, api_key, [], GenerateConfig())

    async def generate(
        self, input: list[ChatMessage], tools: list[ToolInfo], tool_choice: ToolChoice, config: GenerateConfig
    ) -> ModelOutput:
        del tools, tool_choice, config
        if MEMORY.broken and "armchair" in input[-1].text and len(input) == 3:
            raise RuntimeError("it does not like armchairs")
        if "single word" in input[-1].text:
            return ModelOutput.from_content("forgetful/it", "ready")
        MEMORY.asked.append(json.dumps([message.text for message in input]))
        return ModelOutput.from_content("forgetful/it", "1")


def test_a_run_that_failed_goes_on_without_asking_twice(tmp_path: Path) -> None:
    data, plan = write_set(tmp_path / "set"), RunPlan("forgetful/it", tmp_path / "logs", display="log")
    MEMORY.broken = True
    MEMORY.asked.clear()

    def once() -> bool:
        return evaluate([osr_bench(data=str(data), width=64, resume=True)], plan).complete

    assert not once(), "the study has an armchair"
    MEMORY.broken = False
    assert once()
    assert len(MEMORY.asked) == len(set(MEMORY.asked))
    needed = sum(1 + len(case.questions) for case in choose_cases(str(data), Options()))
    assert len(MEMORY.asked) == needed
