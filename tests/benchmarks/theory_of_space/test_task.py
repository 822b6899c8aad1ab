"""The Inspect task as it is run: logs, failures, odd replies, and replay from a log."""

import json
from pathlib import Path

import pytest
from inspect_ai.event import InfoEvent, ModelEvent
from inspect_ai.log import EvalLog, EvalSample, read_eval_log
from inspect_ai.model import ChatMessage, GenerateConfig, ModelAPI, ModelOutput, modelapi
from inspect_ai.tool import ToolChoice, ToolInfo

from tests.benchmarks.theory_of_space.protocol.test_run_scene import NONSENSE
from tolman.benchmarks.theory_of_space.record import ScoredCase, read_record
from tolman.benchmarks.theory_of_space.task import theory_of_space
from tolman.core.errors import SettingsError
from tolman.core.rules import STRICT
from tolman.harness.evaluation import RunPlan, evaluate
from tolman.harness.records import STORE_KEY


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOLMAN_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("INSPECT_CACHE_DIR", raising=False)


def run(model: str, folder: Path, **options: object) -> EvalLog:
    plan = RunPlan(model, folder, display="none")
    header = evaluate([theory_of_space(**options)], plan).logs[0]  # pyright: ignore[reportArgumentType]
    return read_eval_log(header.location, resolve_attachments=True)


def scored(sample: EvalSample) -> ScoredCase:
    return read_record(sample.metadata, sample.store[STORE_KEY])


@modelapi(name="babble")
class Babble(ModelAPI):
    """Says one odd thing after another, and fails for good in one scene."""

    def __init__(self, model_name: str, base_url: str | None = None, api_key: str | None = None, **_: object) -> None:
        super().__init__(model_name, base_url, api_key, [], GenerateConfig())
        self.said = 0

    async def generate(
        self, input: list[ChatMessage], tools: list[ToolInfo], tool_choice: ToolChoice, config: GenerateConfig
    ) -> ModelOutput:
        del tools, tool_choice, config
        self.said += 1
        if self.model_name == "breaks" and "pillow" in input[1].text:
            raise RuntimeError("this model does not like pillows")
        return ModelOutput.from_content(f"babble/{self.model_name}", NONSENSE[self.said % len(NONSENSE)])


def test_a_whole_run_is_logged(tmp_path: Path) -> None:
    log = run("tolman/scout", tmp_path, scenes="4", questions=1)
    assert log.status == "success"
    assert log.samples is not None
    sample = log.samples[0]
    record = scored(sample).record
    events = [event for event in sample.events if isinstance(event, ModelEvent)]
    assert len(record.calls) == len(events), "every call is in the log"
    assert {call.reply for call in record.calls} == {event.output.completion for event in events}
    pictures = [e for e in sample.events if isinstance(e, InfoEvent) and e.source == "map"]
    assert len(pictures) == sum("/global/" in call.name for call in record.calls)
    assert all("data:image/png;base64," in str(picture.data) for picture in pictures)
    assert all(call.input_tokens and call.output_tokens for call in record.calls)


def test_odd_replies_do_not_end_a_scene(tmp_path: Path) -> None:
    log = run("babble/on", tmp_path, scenes="0-1", questions=1, budget=4, revise_budget=3)
    assert log.status == "success"
    for sample in log.samples or []:
        assert sample.error is None
        result = scored(sample).scores(STRICT)
        assert result.exploration.unparseable + result.exploration.failed > 0
        assert result.maps is not None


def test_a_scene_that_fails_is_reported_and_takes_no_other_with_it(tmp_path: Path) -> None:
    options = {"phases": "explore", "budget": 2, "scenes": "0-9"}
    log = run("babble/breaks", tmp_path, **options)
    samples = log.samples or []
    failed = [sample for sample in samples if sample.error]
    assert len(samples) == 10
    assert 0 < len(failed) < 10, "some of these scenes have a pillow"
    assert all("pillows" in sample.error.message for sample in failed if sample.error)
    assert all(len(sample.error_retries or []) == 2 for sample in failed), "it was tried again before"


def test_a_log_replays_to_the_same_record(tmp_path: Path) -> None:
    options = {"scenes": "2", "questions": 1, "probe": "last"}
    first = run("tolman/random", tmp_path / "first", **options)
    again = run(f"replay/{first.location}", tmp_path / "again", **options)
    assert again.samples is not None
    assert first.samples is not None
    assert scored(again.samples[0]).record.replies == scored(first.samples[0]).record.replies


def test_what_is_wrong_is_said_before_anything_is_run(tmp_path: Path) -> None:
    task = theory_of_space(scenes="0", phases="explore")
    with pytest.raises(SettingsError, match="can't be used"):
        evaluate([task], RunPlan("no-such-provider/model", tmp_path, display="none"))
    with pytest.raises(SettingsError, match="no option 'temperatur'"):
        evaluate([task], RunPlan("tolman/scout", tmp_path, display="none", generation={"temperatur": 1}))
    with pytest.raises(SettingsError, match="--prices"):
        evaluate([task], RunPlan("tolman/scout", tmp_path, display="none", limit_cost=1.0))
    with pytest.raises(SettingsError, match="use world vision"):
        theory_of_space(kinds="view_to_location_vision")
    with pytest.raises(SettingsError, match="image_size"):
        theory_of_space(world="vision", image_size=4)
    with pytest.raises(SettingsError, match="phases has no 'dance'"):
        theory_of_space(phases="explore,dance")


def test_a_limit_of_cost_stops_the_run_and_a_higher_one_goes_on(tmp_path: Path) -> None:
    prices = tmp_path / "prices.json"
    prices.write_text(json.dumps({"tolman/scout": {"input": 10, "output": 10}}))

    def with_limit(usd: float) -> EvalLog:
        plan = RunPlan(
            "tolman/scout", tmp_path / "logs", display="none", prices=prices, limit_cost=usd, scenes_at_once=1
        )
        task = theory_of_space(scenes="0-2", phases="explore", resume=True)
        return read_eval_log(evaluate([task], plan).logs[0].location)

    first = with_limit(0.2)
    stopped = [sample for sample in first.samples or [] if sample.error]
    assert 0 < len(stopped) < 3
    assert all(sample.error and "its limit is 0.20" in sample.error.message for sample in stopped)
    second = with_limit(100.0)
    assert [sample.error for sample in second.samples or []] == [None, None, None]
    assert not list((tmp_path / "cache" / "calls").iterdir()), "a run that is complete leaves no calls behind"
