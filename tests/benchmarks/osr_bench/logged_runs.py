"""Logs of OSR-Bench as Inspect writes them, about two small rooms: by who knows, and by who is careless."""

import base64
import io
import json
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path

import numpy as np
from inspect_ai.event import InfoEvent
from inspect_ai.log import EvalConfig, EvalDataset, EvalError, EvalLog, EvalSample, EvalSpec, write_eval_log
from PIL import Image

from tests.benchmarks.osr_bench.tiny_dataset import ABSENT, ROOMS
from tolman.benchmarks.osr_bench.case import (
    Case,
    JudgedAnswer,
    LoggedCase,
    Record,
    case_to_dict,
    map_call,
    question_call,
)
from tolman.benchmarks.osr_bench.options import Options
from tolman.benchmarks.osr_bench.questions.generate import negative_questions, standard_questions
from tolman.benchmarks.osr_bench.questions.question import Question
from tolman.core.seeds import canonical_json
from tolman.harness.images import PICTURE_SOURCE
from tolman.harness.records import STORE_KEY, Call

Reply = Callable[[Case, Question], str]
"""What is said to a question."""
Map = Callable[[Case], str]


@cache
def room(name: str, asked: str = "standard", each: int = 4) -> Case:
    truth, seed = ROOMS[name], list(ROOMS).index(name)
    if asked == "standard":
        return Case(name, truth, truth.classes, tuple(standard_questions(truth, seed, each)))
    pool = (*truth.classes, *ABSENT)
    return Case(name, truth, pool, tuple(negative_questions(truth, ABSENT, seed, each)))


def true_map(case: Case) -> str:
    return json.dumps(case.truth.as_coordinates)


def true_answer(case: Case, question: Question) -> str:
    del case
    return question.answer


def careless_map(case: Case) -> str:
    """The first class is left out, the second moved far away, and two are stated that are not there."""
    stated = case.truth.as_coordinates
    missed, moved, *_ = stated
    del stated[missed]
    stated[moved] = [[9 - column, 9 - row] for column, row in stated[moved]]
    return f"Here it is: {json.dumps({**stated, 'unicorn': [[1, 2]], 'dragon': [[3, 12]]})}"


def careless_answer(case: Case, question: Question) -> str:
    """Always one, the first candidate, and straight ahead."""
    del case
    return question.names[1] if question.kind == "distance" else "1" if question.kind == "counting" else "Front"


def lived(
    case: Case, options: Options, answer: Reply = true_answer, state: Map = true_map, judge: str = ""
) -> LoggedCase:
    """A scene with all replies, the same at every turn of the camera. A judge calls every answer right."""
    said: dict[str, str] = {}
    for turn in options.turns:
        if options.mode == "first":
            said[map_call(turn)] = state(case)
        said |= {question_call(turn, question): answer(case, question) for question in case.questions}
    judged = [JudgedAnswer(name=name, score=1.0) for name in said if not name.endswith("map")] if judge else []
    calls = [
        Call(name=name, reply=reply, reasoning=f"Is it {reply}?", input_tokens=100, output_tokens=10)
        for name, reply in said.items()
    ]
    return LoggedCase(case, options, Record(calls=calls, judge=judge, judged=judged))


def panorama(width: int = 128) -> bytes:
    """What lies to the left is red, to the right green; straight ahead is a blue post."""
    around = np.linspace(-1, 1, width, endpoint=False)
    colours = np.stack([np.clip(-4 * around, 0, 1), np.clip(4 * around, 0, 1), np.abs(around) < 0.06], axis=1)
    pixels = np.repeat((colours * 255).astype(np.uint8)[None], width // 2, axis=0)
    buffer = io.BytesIO()
    Image.fromarray(pixels).save(buffer, "PNG")
    return buffer.getvalue()


def sample(of: LoggedCase, error: str | None = None, picture: bytes | None = None) -> EvalSample:
    """The scene as Inspect logs it."""
    events: list[InfoEvent] = []
    if picture is not None:
        url = f"data:image/png;base64,{base64.b64encode(picture).decode()}"
        events = [InfoEvent(source=PICTURE_SOURCE, data={"turn": 0, "view": "panorama", "picture": url})]
    return EvalSample(
        id=of.case.id,
        epoch=1,
        input="a room",
        target="",
        metadata={"case": canonical_json(case_to_dict(of.case)), "options": of.options.as_dict()},
        store={} if error else {STORE_KEY: of.record.model_dump_json()},
        events=list(events),
        error=None if error is None else EvalError(message=error, traceback="", traceback_ansi=""),
    )


def write_log(
    folder: Path,
    samples: Sequence[EvalSample],
    options: Options,
    *,
    model: str = "openai/gpt-5.2",
    data: str = "0-1",
    created: str = "2026-01-01T00:00:00+00:00",
) -> Path:
    """A log file with these samples."""
    ids: list[str | int] = [of.id for of in samples]
    spec = EvalSpec(
        created=created,
        task="osr_bench",
        task_registry_name="tolman/osr_bench",
        task_args={"data": data},
        dataset=EvalDataset(name="osr_bench", samples=len(ids), sample_ids=ids),
        model=model,
        config=EvalConfig(epochs=1),
        metadata={"options": options.as_dict()},
    )
    way = f"{options.asked}-{options.mode}-{options.think}-{'_'.join(map(str, options.turns))}"
    path = folder / f"{created[:19].replace(':', '-')}_{model.replace('/', '-')}_{way}.eval"
    folder.mkdir(parents=True, exist_ok=True)
    write_eval_log(EvalLog(eval=spec, samples=list(samples), status="success"), str(path))
    return path


def write_run(
    folder: Path,
    options: Options,
    answer: Reply = true_answer,
    state: Map = true_map,
    *,
    model: str = "openai/gpt-5.2",
    judge: str = "",
    picture: bytes | None = None,
) -> Path:
    """Both rooms, asked in one way."""
    scenes = [lived(room(name, options.asked), options, answer, state, judge) for name in ROOMS]
    return write_log(folder, [sample(of, picture=picture) for of in scenes], options, model=model)
