"""Any benchmark as an Inspect task: one sample per case, one solver and one scorer for all."""

import inspect
from collections.abc import Callable, Mapping
from typing import Any, cast

import anyio
from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import ChatMessageAssistant, ChatMessageUser, GenerateConfig, ModelOutput, get_model
from inspect_ai.scorer import Score, Scorer, Target, mean, scorer, stderr
from inspect_ai.solver import Generate, Solver, TaskState, solver
from pydantic import BaseModel

from tolman import __version__
from tolman.core.seeds import canonical_json, digest
from tolman.harness.benchmark import AnyBenchmark, CaseContext
from tolman.harness.logs import reply_args
from tolman.harness.options import from_record, options_of, read_options, recorded
from tolman.harness.origins import own_commit
from tolman.harness.records import COMMIT_KEY, STORE_KEY, VERSION_KEY, WORDINGS_KEY
from tolman.harness.wordings import WordingsInForce, find_wordings

_BENCHMARKS: dict[str, AnyBenchmark] = {}
"""Benchmarks that have a task, by name: Inspect logs the arguments of a solver, so these are plain values."""


def inspect_task(benchmark: AnyBenchmark, module: str) -> Callable[..., Task]:
    """The task that `inspect eval tolman/NAME -T OPTION=VALUE` runs; its arguments are the benchmark's options.

    `resume` keeps every reply in Inspect's cache, so that an interrupted run repeats no call.
    """

    def make(*, resume: bool = False, **given: object) -> Task:
        return make_task(benchmark, given, resume=resume)

    _BENCHMARKS[benchmark.name] = benchmark
    arguments = [
        inspect.Parameter(option.name, inspect.Parameter.KEYWORD_ONLY, default=option.plain_default)
        for cls in (benchmark.selection_class, benchmark.options_class)
        for option in options_of(cls)
    ]
    resume = inspect.Parameter("resume", inspect.Parameter.KEYWORD_ONLY, default=False, annotation=bool)
    make.__signature__ = inspect.Signature([*arguments, resume], return_annotation=Task)  # pyright: ignore[reportFunctionMemberAccess]
    make.__name__ = make.__qualname__ = benchmark.task
    make.__module__, make.__doc__ = module, f"{benchmark.title}. {benchmark.summary}"
    return task(make)


def make_task(benchmark: AnyBenchmark, given: Mapping[str, object], *, resume: bool) -> Task:
    """The task for options given by their names on the command line."""
    words = find_wordings(benchmark, str(given.get("wordings") or ""))
    given = {**given, "wordings": words.label}
    selection = read_options(benchmark.selection_class, given)
    with words.used(benchmark):
        options, cases = benchmark.cases(selection, read_options(benchmark.options_class, given))
    about = {"options": recorded(options), WORDINGS_KEY: words.digest}
    samples = [
        Sample(
            id=benchmark.case_id(case),
            input=benchmark.label(case),
            target=benchmark.target(case),
            metadata={"case": canonical_json(benchmark.case_to_dict(case)), **about},
        )
        for case in cases
    ]
    return Task(
        dataset=MemoryDataset(samples, name=benchmark.task),
        solver=run_case(benchmark.name, recorded(selection), recorded(options), resume, words.replaced),
        scorer=headline_scores(benchmark.name),
        name=f"{benchmark.task}_{benchmark.condition(options)}",
        config=GenerateConfig(temperature=0.0 if getattr(selection, "greedy", False) else None),
        metadata={**about, VERSION_KEY: __version__, COMMIT_KEY: own_commit()},
    )


@solver
def run_case(
    benchmark: str,
    selection: Mapping[str, object],
    options: Mapping[str, object],
    resume: bool = False,
    wordings: Mapping[str, str] | None = None,
) -> Solver:
    """Runs one case of the named benchmark; `wordings` are the texts, by name, that replace ours in its prompts."""
    found = _BENCHMARKS[benchmark]
    words = WordingsInForce("", replaced=wordings or {})
    selected = from_record(found.selection_class, selection)
    chosen = from_record(found.options_class, options)

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        del generate
        logged: Any = await anyio.to_thread.run_sync(_read, found, state)
        model = get_model()

        def keep(record: BaseModel) -> None:
            state.store.set(STORE_KEY, record.model_dump_json())

        again = f" epoch {state.epoch}" if state.epoch > 1 else ""
        given = reply_args(str(model), model.model_args)
        under = digest([recorded(chosen), given] if given else recorded(chosen))[:12]
        scope = {"options": under, "scene": f"{found.case_id(logged.case)}{again}"}
        context = CaseContext(model, scope, resume, keep)
        with words.used(found):
            summary = await found.run(logged.case, chosen, selected, context)
        state.messages = [ChatMessageUser(content=state.input_text), ChatMessageAssistant(content=summary)]
        state.output = ModelOutput.from_content(str(model), summary)
        return state

    return solve


def _read(benchmark: AnyBenchmark, state: TaskState) -> object:
    return benchmark.read(state.metadata, state.store.get(STORE_KEY))


@scorer(metrics={"*": [mean(), stderr()]})
def headline_scores(benchmark: str) -> Scorer:
    """The main numbers of a case; `tolman show` prints the tables from its record."""
    found = _BENCHMARKS[benchmark]

    async def score(state: TaskState, target: Target) -> Score:
        del target
        return await anyio.to_thread.run_sync(_score, found, state)

    return score


def _score(benchmark: AnyBenchmark, state: TaskState) -> Score:
    return Score(value=cast("Any", benchmark.headline_scores(_read(benchmark, state))))
