"""Theory of Space as an Inspect task: one sample a scene. `inspect eval tolman/theory_of_space -T scenes=0-9`."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from statistics import fmean
from typing import Any, cast

import anyio
from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.log import transcript
from inspect_ai.model import ChatMessageAssistant, ChatMessageUser, Model, ModelOutput, get_model
from inspect_ai.scorer import Score, Scorer, Target, mean, scorer, stderr
from inspect_ai.solver import Generate, Solver, TaskState, solver

from tolman.benchmarks.theory_of_space.case import Case, case_of, case_to_dict
from tolman.benchmarks.theory_of_space.columns import columns
from tolman.benchmarks.theory_of_space.options import Options, check_pictures
from tolman.benchmarks.theory_of_space.protocol.inspect_stage import InspectStage, PictureMessages
from tolman.benchmarks.theory_of_space.protocol.pictures import PictureCache
from tolman.benchmarks.theory_of_space.protocol.prompts import in_pictures
from tolman.benchmarks.theory_of_space.protocol.run_scene import SceneRun
from tolman.benchmarks.theory_of_space.record import STORE_KEY, SceneRecord, ScoredCase, read_record
from tolman.benchmarks.theory_of_space.released.cases import released_cases
from tolman.core.rules import PUBLISHED, STRICT
from tolman.core.seeds import canonical_json, digest
from tolman.explore.agents.registry import run_explorer
from tolman.explore.episode import Episode
from tolman.explore.messages import describe_episode
from tolman.world import WorldSettings
from tolman.world.select import choose_scenes

Listed = str | Sequence[str]
"""Several values: a list, or one string with commas."""


@task
def theory_of_space(
    scenes: str = "0-99",
    mode: str = "active",
    world: str = "text",
    rooms: int = 3,
    things: int = 4,
    phases: Listed = "explore,probe,ask,revise",
    explorer: str = "",
    maps: Listed = "none",
    probe: str | None = None,
    repeats: int = 1,
    questions: int = 3,
    kinds: Listed = "",
    budget: int = 20,
    revise_budget: int = 15,
    think: bool = True,
    history: int | None = None,
    image_size: int = 384,
    image_budget: int | None = None,
    image_format: str = "png",
    image_quality: int = 85,
    eye_height: float = 0.8,
    preset: str = "standard",
    assets: str = "auto",
    captions: bool = False,
    rules: str = "strict",
    resume: bool = False,
) -> Task:
    """Theory of Space. Options are those of `Options`; `scenes`, `rooms` and `things` say which worlds.

    `resume` keeps every reply in Inspect's cache, so that a run that was cut off sends no call twice.
    """
    options = Options(
        **cast(
            "Any",
            {
                "mode": mode,
                "world": world,
                "phases": _listed(phases),
                "explorer": explorer,
                "maps": _listed(maps),
                "probe": probe,
                "repeats": repeats,
                "questions": questions,
                "kinds": _listed(kinds),
                "budget": budget,
                "revise_budget": revise_budget,
                "think": think,
                "history": history,
                "image_size": image_size,
                "image_budget": image_budget,
                "image_format": image_format,
                "image_quality": image_quality,
                "eye_height": eye_height,
                "preset": preset,
                "assets": assets,
                "captions": captions,
                "rules": rules,
            },
        )
    )
    cases = released_cases(str(scenes), options)
    if cases is not None:
        options = replace(options, rules="published")
    else:
        check_pictures(options)
        chosen = choose_scenes(str(scenes), WorldSettings(rooms=rooms, things_per_room=things))
        cases = [case_of(choice, options) for choice in chosen]
    return Task(
        dataset=MemoryDataset([_sample(case, options) for case in cases], name="theory_of_space"),
        solver=explore_and_answer(options, resume),
        scorer=scene_scores(),
        name=f"theory_of_space_{mode}",
        metadata={"options": options.as_dict()},
    )


def _listed(value: Listed) -> tuple[str, ...]:
    parts = value.split(",") if isinstance(value, str) else value
    return tuple(part.strip() for part in parts if part.strip())


def _sample(case: Case, options: Options) -> Sample:
    label = f"Scene {case.id}: {len(case.scene.rooms)} rooms, {len(case.questions)} questions"
    return Sample(
        id=case.id, input=label, metadata={"case": canonical_json(case_to_dict(case)), "options": options.as_dict()}
    )


@solver
def explore_and_answer(options: Options, resume: bool = False) -> Solver:
    """Explore, state maps, answer and revise: everything that happens in one scene."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        del generate
        case = (await anyio.to_thread.run_sync(_read, state)).case
        scope = {"options": digest(options.as_dict())[:12], "scene": case.id}
        model: Model = get_model()
        shown: PictureMessages | None = None
        if in_pictures(case, options):
            gallery = PictureCache(case, options)
            shown = PictureMessages(gallery, options.image_budget)
            transcript().info({**(await gallery.made_with())}, source="pictures")
        stage = InspectStage(model, case, scope, resume=resume, illustrated=shown)
        log = await anyio.to_thread.run_sync(partial(_log, case, options)) if options.mode == "passive" else None
        try:
            async with stage.scene():
                episode = await SceneRun(case, options, stage).run(log)
        finally:
            actions = [] if log is None else [str(turn.asked) for turn in log.turns]
            calls = sorted(stage.calls, key=lambda call: _order(call.name))
            state.store.set(STORE_KEY, SceneRecord(log=actions, calls=calls).model_dump_json())
        told = describe_episode(episode)
        state.messages = [ChatMessageUser(content=state.input_text), ChatMessageAssistant(content=told)]
        state.output = ModelOutput.from_content(str(model), told)
        return state

    return solve


def _log(case: Case, options: Options) -> Episode:
    return run_explorer(case.explorer or options.passive_explorer, case.scene, case.seed)


def _order(call: str) -> tuple[object, ...]:
    """Calls in the order of the protocol; numbers in names count as numbers."""
    phase, *rest = call.split("/")
    return ("explore", "ask", "revise").index(phase), *((p.isdecimal(), int(p) if p.isdecimal() else p) for p in rest)


def _read(state: TaskState) -> ScoredCase:
    return read_record(state.metadata, state.store.get(STORE_KEY))


@scorer(metrics={"*": [mean(), stderr()]})
def scene_scores() -> Scorer:
    """The headline numbers of a scene under both rule sets; `tolman show` prints the tables from the record."""

    async def score(state: TaskState, target: Target) -> Score:
        del target
        return await anyio.to_thread.run_sync(_score, state)

    return score


def _score(state: TaskState) -> Score:
    scored = _read(state)
    value: dict[str, float] = {}
    for rules in (STRICT, PUBLISHED):
        mark = "" if rules is STRICT else " (published)"
        found = columns(scored.scores(rules))
        for name, column in _HEADLINES.items():
            values = found.get(column, ())
            value[f"{name}{mark}"] = fmean(values) if values else float("nan")
    return Score(value=cast("Any", value))


_HEADLINES = {
    "accuracy": "ask/none",
    "cost": "explore/cost",
    "information gain": "explore/gain",
    "map correctness": "map/correctness/overall",
    "uncertainty": "map/uncertainty",
    "revision F1": "revise/f1",
}
