"""Cases of the authors' released runs: their scenes before and after the change, and their questions."""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from pathlib import Path

from tolman.ask import Question, find_kind
from tolman.belief.map_scores import MapScale
from tolman.benchmarks.theory_of_space.case import Case, turn_call
from tolman.benchmarks.theory_of_space.options import PASSIVE_EXPLORERS, Options
from tolman.benchmarks.theory_of_space.released.log_schema import (
    LoggedAnswer,
    LoggedRoom,
    LoggedThing,
    LoggedTurn,
    Point,
)
from tolman.benchmarks.theory_of_space.released.old_map import OldBelief, old_belief
from tolman.benchmarks.theory_of_space.released.questions import released_question
from tolman.benchmarks.theory_of_space.released.run_files import ReleasedRun, ReleasedRunError, find_runs
from tolman.core.errors import SceneFileError
from tolman.core.geometry import Cell, Heading, heading_of
from tolman.core.rules import PUBLISHED
from tolman.explore.actions import Actions, Phase, Query
from tolman.explore.grammar import read_actions
from tolman.world import Door, Scene, Thing, changes_between
from tolman.world.grid import door_spots, rooms_of


def scene_of(run: ReleasedRun) -> Scene:
    """The scene of a run before the change."""
    history = run.history
    return _scene_from_log(run, history.room, history.agent.init_pos)


def changed_scene_of(run: ReleasedRun) -> Scene | None:
    """The scene after the change; None if the revision phase was not run."""
    return _first_revision_scene(run, run.revision_turns)


def _first_revision_scene(run: ReleasedRun, revised: Sequence[LoggedTurn]) -> Scene | None:
    return _scene_from_log(run, revised[0].room, revised[0].agent.init_pos) if revised else None


def _scene_from_log(run: ReleasedRun, room: LoggedRoom, start: Point) -> Scene:
    names = {_cell(gate.pos): gate.name for gate in room.gates}
    try:
        spots = door_spots(room.mask)
        if {cell for cell, *_ in spots} != set(names):
            raise SceneFileError("its list of doors does not match its mask")
        return Scene(
            rooms=rooms_of(room.mask),
            doors=tuple(Door(names[cell], cell, sides, axis) for cell, sides, axis in spots),
            things=tuple(map(_thing, room.objects)),
            start=_cell(start),
            label=run.scene_hash,
        )
    except (SceneFileError, ValueError) as error:
        raise ReleasedRunError(f"the scene of the run {run} can't be rebuilt: {error}") from None


def _thing(thing: LoggedThing) -> Thing:
    front: Heading | None = heading_of(thing.ori) if thing.has_orientation else None
    return Thing(thing.name, thing.name, _cell(thing.pos), front, thing.room_id)


def _cell(point: Point) -> Cell:
    return round(point[0]), round(point[1])


def released_cases(source: str, options: Options) -> list[Case] | None:
    """The cases of a model's released runs in the world and mode of the options; None for any other source."""
    runs = released_runs(source)
    if runs is None:
        return None
    cases = [
        released_case(run, options) for run in runs if (run.world, run.exploration) == (options.world, options.mode)
    ]
    if not cases:
        raise ReleasedRunError(f"{source} holds no {options.mode} run in the {options.world} world")
    return cases


def released_runs(source: str) -> tuple[ReleasedRun, ...] | None:
    """The runs of one model, by scene; None if the source is not of the form `RUNS:MODEL`."""
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
    """Id of the case of a run, including settings that differ from the default."""
    unusual = run.proxy if run.proxy != PASSIVE_EXPLORERS[run.world] else None
    parts = (f"{run.seed:02}", run.world, run.exploration, unusual, None if run.thinking else "nothink")
    return "-".join(filter(None, parts))


QuestionId = tuple[str, str]
"""The authors' name of the kind of question, and their id of the question."""


def asked_questions(run: ReleasedRun, kinds: tuple[str, ...] = ()) -> list[tuple[QuestionId, Question]]:
    """The questions of a run in all map modes, each once; without `kinds`, those that need no picture."""
    scene = scene_of(run)
    answers = (answer for mode in run.evaluation_modes for answer in run.answers(mode))
    logged: dict[QuestionId, LoggedAnswer] = {}
    for answer in answers:
        logged.setdefault((answer.task, answer.question_id), answer)
    asked = ((key, released_question(answer.task, answer.question, scene)) for key, answer in logged.items())
    return [
        (key, question)
        for key, question in asked
        if question is not None and (question.kind in kinds if kinds else not find_kind(question.kind).in_pictures)
    ]


def released_case(run: ReleasedRun, options: Options) -> Case:
    """The case of a released run."""
    scene, changed = scene_of(run), changed_scene_of(run) if options.revises else None
    old = None if changed is None else _old_belief(run, scene, changed)
    questions = asked_questions(run, options.kinds) if "ask" in options.phases else []
    return Case(
        id=case_id(run),
        seed=run.seed,
        scene=scene,
        changed=changed,
        questions=tuple(question for _, question in questions),
        explorer=run.proxy if run.proxy and run.proxy in PASSIVE_EXPLORERS.values() else "",
        released=True,
        refused=tuple(_refused(run)),
        old_positions={} if old is None else old.positions,
        old_is_lost=old is not None and old.is_lost,
    )


def _old_belief(run: ReleasedRun, scene: Scene, changed: Scene) -> OldBelief:
    replies = (turn.cogmap_log.get("global", {}).get("original_response") for turn in reversed(run.exploration_turns))
    last = next((reply for reply in replies if reply is not None), None)
    return old_belief(scene, changes_between(scene, changed), last, run.revision_turns, MapScale.of(scene).length)


def _refused(run: ReleasedRun) -> Iterator[str]:
    """Calls of turns whose query was refused according to the log."""
    phases: tuple[tuple[Phase, tuple[LoggedTurn, ...]], ...] = (
        ("explore", run.exploration_turns),
        ("revise", run.revision_turns),
    )
    for phase, turns in phases:
        for number, (turn, answer) in enumerate(pairwise(turns), start=1):
            asked = read_actions(turn.reply, PUBLISHED, phase)
            if isinstance(asked, Actions) and isinstance(asked.final, Query) and "Cannot query" in answer.user_message:
                yield turn_call(phase, number)
