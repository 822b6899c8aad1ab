"""Scenes lived through by a hand-written agent, and Inspect logs that hold them. No model, no evaluation."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from inspect_ai.log import EvalConfig, EvalDataset, EvalError, EvalLog, EvalSample, EvalSpec, write_eval_log

from tolman.ask import oracle_reply
from tolman.belief.cognitive_map import global_form, true_global_map
from tolman.benchmarks.theory_of_space.case import Case, case_of, case_to_dict, elicit_call, question_calls, turn_call
from tolman.benchmarks.theory_of_space.options import Options
from tolman.benchmarks.theory_of_space.record import Call, SceneRecord, ScoredCase
from tolman.core.geometry import Heading
from tolman.core.rules import STRICT
from tolman.core.seeds import canonical_json
from tolman.harness.records import STORE_KEY
from tolman.world import START, WorldSettings
from tolman.world.select import choose_scenes

OPTIONS = Options(questions=1, kinds=("direction", "view_to_location"))
LOOKS = ("Actions: [Observe()]", "Actions: [Rotate(90), Observe()]", "Actions: [Rotate(90), Observe()]")


@cache
def case(seed: int, options: Options = OPTIONS) -> Case:
    (choice,) = choose_scenes(str(seed), WorldSettings())
    return case_of(choice, options)


def true_map(of: Case) -> str:
    """The map of someone who knows the scene and stands at the start."""
    pose = of.scene.pose_at(START, Heading.NORTH)
    return json.dumps(global_form(true_global_map(of.scene, pose, of.scene.names, STRICT)).model_dump(mode="json"))


def replies(of: Case, options: Options = OPTIONS, looks: int = 2) -> dict[str, str]:
    """Look so often, state the true map after every turn, answer everything right, and find no change."""
    said = {turn_call("explore", i): LOOKS[i - 1] for i in range(1, looks + 1)}
    said[turn_call("explore", looks + 1)] = "Actions: [Term()]"
    said |= {elicit_call("explore", i, "global"): true_map(of) for i in range(1, looks + 2)}
    for mode in options.maps:
        said |= {call: oracle_reply(question) for call, question in question_calls(mode, of.questions)}
    if options.revises:
        said[turn_call("revise", 1)] = LOOKS[0]
        said[turn_call("revise", 2)] = 'Actions: [Term(changes="")]'
    return said


def record(said: Mapping[str, str], **of_each_call: Any) -> SceneRecord:
    return SceneRecord(calls=[Call(name=name, reply=reply, **of_each_call) for name, reply in said.items()])


def lived(seed: int, options: Options = OPTIONS, looks: int = 2, **of_each_call: Any) -> ScoredCase:
    """A whole scene."""
    of = case(seed, options)
    return ScoredCase(of, options, record(replies(of, options, looks), **of_each_call))


def sample(of: ScoredCase, error: str | None = None) -> EvalSample:
    """The scene as Inspect logs it."""
    return EvalSample(
        id=of.case.id,
        epoch=1,
        input="a scene",
        target="",
        metadata={"case": canonical_json(case_to_dict(of.case)), "options": of.options.as_dict()},
        store={} if error else {STORE_KEY: of.record.model_dump_json()},
        error=None if error is None else EvalError(message=error, traceback="", traceback_ansi=""),
    )


def write_log(
    folder: Path,
    samples: Sequence[EvalSample],
    *,
    planned: Sequence[str] | None = None,
    model: str = "openai/gpt-5.2",
    options: Options = OPTIONS,
    task: str = "tolman/theory_of_space",
    created: str = "2026-01-01T00:00:00+00:00",
    **task_args: object,
) -> Path:
    """A log file with these samples."""
    ids: list[str | int] = list(planned) if planned is not None else [of.id for of in samples]
    spec = EvalSpec(
        created=created,
        task=task.rpartition("/")[2],
        task_registry_name=task,
        task_args={"rooms": 3, "things": 4, **task_args},
        dataset=EvalDataset(name="theory_of_space", samples=len(ids), sample_ids=ids),
        model=model,
        config=EvalConfig(epochs=1),
        metadata={"options": options.as_dict()},
    )
    path = folder / f"{created[:19].replace(':', '-')}_{model.replace('/', '-')}_{options.mode}.eval"
    folder.mkdir(parents=True, exist_ok=True)
    write_eval_log(EvalLog(eval=spec, samples=list(samples), status="success"), str(path))
    return path


def passive(options: Options = OPTIONS) -> Options:
    return replace(options, mode="passive")
