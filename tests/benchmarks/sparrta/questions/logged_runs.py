"""Logs of questions about pictures as Inspect writes them: by who knows, who mixes things up, and who means harm."""

from collections.abc import Callable, Sequence
from pathlib import Path

from inspect_ai.event import InfoEvent
from inspect_ai.log import EvalConfig, EvalDataset, EvalError, EvalLog, EvalSample, EvalSpec, write_eval_log

from tests.benchmarks.sparrta.painted_scenes import painted
from tolman.benchmarks.sparrta.case import Case, LoggedCase, Record, RelationQuestion, case_to_dict
from tolman.benchmarks.sparrta.cases import stored_cases
from tolman.benchmarks.sparrta.options import Options
from tolman.benchmarks.sparrta.prompts import picture_url
from tolman.core.seeds import canonical_json
from tolman.harness.images import PICTURE_SOURCE
from tolman.harness.records import STORE_KEY, Call

Reply = Callable[[Case, RelationQuestion], str]
"""What is said to a question."""
EVERYDAY = {"front": "back", "back": "front"}


def knowing(case: Case, question: RelationQuestion) -> str:
    del case
    return question.answer


def everyday(case: Case, question: RelationQuestion) -> str:
    """Takes front and back the other way round."""
    del case
    return f"<think>Hm.</think><answer>{EVERYDAY.get(question.answer, question.answer)}</answer>"


def from_camera(case: Case, question: RelationQuestion) -> str:
    """Answers for the camera, whoever is asked for; where that is ambiguous it says nothing that can be read."""
    del question
    return next((q.answer for q in case.questions if q.viewpoint == "ego"), "behind")


def pictures(folder: Path) -> Path:
    """Two triples, painted."""
    painted(folder, 20, "desert", 2, seed=1)
    return painted(folder, 20, "forest", 1, seed=2)


def lived(case: Case, options: Options, reply: Reply) -> LoggedCase:
    calls = [
        Call(name=q.viewpoint, reply=said, reasoning=f"Is it {said}?", input_tokens=200, output_tokens=3, cost=0.001)
        for q in case.questions
        for said in (reply(case, q),)
    ]
    return LoggedCase(case, options, Record(calls=calls))


def sample(of: LoggedCase, error: str | None = None, *, seen: bool = False) -> EvalSample:
    """The picture as Inspect logs it."""
    note = {"picture": picture_url(Path(of.case.picture), of.options.size)} if seen else {}
    return EvalSample(
        id=of.case.id,
        epoch=1,
        input="a picture",
        target="",
        metadata={"case": canonical_json(case_to_dict(of.case)), "options": of.options.as_dict()},
        store={} if error else {STORE_KEY: of.record.model_dump_json()},
        events=[InfoEvent(source=PICTURE_SOURCE, data=dict(note))] if note else [],
        error=None if error is None else EvalError(message=error, traceback="", traceback_ansi=""),
    )


def write_log(
    folder: Path,
    samples: Sequence[EvalSample],
    options: Options,
    model: str,
    created: str = "2026-01-01T00:00:00+00:00",
) -> Path:
    """A log file with these samples."""
    ids: list[str | int] = [of.id for of in samples]
    spec = EvalSpec(
        created=created,
        task="sparrta_plain",
        task_registry_name="tolman/sparrta",
        task_args={"data": "some/where/pictures"},
        dataset=EvalDataset(name="sparrta", samples=len(ids), sample_ids=ids),
        model=model,
        config=EvalConfig(epochs=1),
        metadata={"options": options.as_dict()},
    )
    path = folder / f"{created[:19].replace(':', '-')}_{model.replace('/', '-')}_{options.think}.eval"
    folder.mkdir(parents=True, exist_ok=True)
    write_eval_log(EvalLog(eval=spec, samples=list(samples), status="success"), str(path))
    return path


def write_run(
    logs: Path,
    data: Path,
    reply: Reply,
    model: str,
    options: Options | None = None,
    *,
    seen: bool = False,
) -> list[Case]:
    """All pictures of a folder, asked in one way; the cases."""
    chosen = options or Options()
    cases = stored_cases(data, chosen)
    write_log(logs, [sample(lived(case, chosen, reply), seen=seen) for case in cases], chosen, model)
    return cases
