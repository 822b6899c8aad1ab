"""A scripted agent before its doctor: it reads Tolman's own pages only, so one of them is what it is asked."""

from inspect_ai.model import Model

from tolman.benchmarks.doctor.findings import Finding
from tolman.benchmarks.model_calls import ModelCalls
from tolman.benchmarks.theory_of_space.case import case_of
from tolman.benchmarks.theory_of_space.inspect_stage import InspectStage
from tolman.benchmarks.theory_of_space.options import Options
from tolman.benchmarks.theory_of_space.run_scene import SceneRun
from tolman.models.handed import HandedAnswers
from tolman.models.scripted.choose import CHOOSERS
from tolman.world import WorldSettings
from tolman.world.select import choose_scenes

_SCOPE = {"options": "doctor", "scene": "doctor"}
_FREE = Finding("price", "works", "costs nothing")


async def examine_scripted(model: Model) -> tuple[Finding, ...]:
    """What a scripted agent does; it costs nothing, and thinks aloud if it does."""
    agent = model.name
    found = [await _answers(model)] if agent in CHOOSERS else []
    if agent != "constant":
        found.append(await _explores(model))
    unseen = Finding("pictures", "none", "a scripted agent does not look: it reads captions, or is handed answers")
    return (*found, unseen, Finding("reasoning", "none", "none: what it thinks is part of its replies"), _FREE)


async def _explores(model: Model) -> Finding:
    options = Options(phases=("explore",), budget=1)
    (choice,) = choose_scenes("0", WorldSettings(rooms=1, things_per_room=2))
    case = case_of(choice, options)
    episode = await SceneRun(case, options, InspectStage(model, case, _SCOPE, resume=False)).run()
    turn = episode.turns[0]
    if turn.parsed:
        return Finding("text", "works", f"begins a scene of Theory of Space with {turn.asked}")
    return Finding("text", "fails", "its first turn in a scene of Theory of Space can't be parsed")


async def _answers(model: Model) -> Finding:
    handed = HandedAnswers("doctor", "doctor", true="left", constant="left", guesses=("left",))
    reply = await ModelCalls(model, _SCOPE, resume=False).send([], handed)
    told = "answers questions of OSR-Bench and SpaRRTa"
    return Finding("answers", "works" if reply else "fails", told if reply else "has no answer to a question")
