"""Cases of the authors' released runs: their scenes, their questions, their change. Named `RUNS:MODEL`."""

from functools import lru_cache
from pathlib import Path

from tolman.ask import Question, find_kind
from tolman.benchmarks.theory_of_space.case import Case
from tolman.benchmarks.theory_of_space.options import PASSIVE_EXPLORERS, Options
from tolman.benchmarks.theory_of_space.released_questions import released_question
from tolman.benchmarks.theory_of_space.released_runs import ReleasedRun, find_runs
from tolman.benchmarks.theory_of_space.replay import changed_scene_of, scene_of
from tolman.benchmarks.theory_of_space.revision_record import revision_record
from tolman.benchmarks.theory_of_space.stored_files import ReleasedRunError


def released_cases(source: str, options: Options) -> list[Case] | None:
    """The cases of a model's released runs in the chosen world and mode; None where the source is something else."""
    runs = released_runs(source)
    if runs is None:
        return None
    cases = [_case(run, options) for run in runs if (run.world, run.exploration) == (options.world, options.mode)]
    if not cases:
        raise ReleasedRunError(f"{source} holds no {options.mode} run in the {options.world} world")
    return cases


def released_runs(source: str) -> tuple[ReleasedRun, ...] | None:
    """The runs of one model, by scene; None where the source does not look like `RUNS:MODEL`."""
    path, colon, model = source.rpartition(":")
    if not colon or not Path(path).exists():
        return None
    runs = [run for run in _all_runs(path) if run.model == model]
    if not runs:
        known = ", ".join(sorted({run.model for run in _all_runs(path)}))
        raise ReleasedRunError(f"{path} holds no run of {model!r}; it has {known}")
    return tuple(sorted(runs, key=lambda run: run.seed))


@lru_cache(maxsize=2)
def _all_runs(path: str) -> tuple[ReleasedRun, ...]:
    return tuple(find_runs(Path(path)))


def case_id(run: ReleasedRun) -> str:
    """Name of the case that a run is; a setting that is not the usual one is part of it."""
    unusual = run.proxy if run.proxy != PASSIVE_EXPLORERS[run.world] else None
    parts = (f"{run.seed:02}", run.world, run.exploration, unusual, None if run.thinking else "nothink")
    return "-".join(filter(None, parts))


def asked_questions(run: ReleasedRun, kinds: tuple[str, ...] = ()) -> list[tuple[str, Question]]:
    """The questions of a run with their released ids, of the kinds in words unless told otherwise."""
    if "default" not in run.evaluation_modes:
        return []
    scene = scene_of(run)
    asked = ((answer.question_id, released_question(answer.task, answer.question, scene)) for answer in run.answers())
    return [
        (number, question)
        for number, question in asked
        if question is not None and (question.kind in kinds if kinds else not find_kind(question.kind).in_pictures)
    ]


def _case(run: ReleasedRun, options: Options) -> Case:
    record = revision_record(run) if options.revises else None
    return Case(
        id=case_id(run),
        seed=run.seed,
        scene=scene_of(run),
        changed=changed_scene_of(run) if options.revises else None,
        questions=tuple(question for _, question in asked_questions(run, options.kinds)),
        explorer=run.proxy if run.proxy and run.proxy in PASSIVE_EXPLORERS.values() else "",
        released=True,
        old_positions={} if record is None else record.logged_positions,
    )
