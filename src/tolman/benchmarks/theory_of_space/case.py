"""A case: one scene of an evaluation with its questions and its later change, and the names of the calls in it.

Records, logs and replays find a reply by the name of its call.
"""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import cast

from tolman.ask import Question, sample_questions
from tolman.ask.question import Json
from tolman.belief.cognitive_map import ElicitationKind
from tolman.benchmarks.theory_of_space.options import MapMode, Options
from tolman.core.errors import GenerationError, SceneFileError
from tolman.explore.actions import Phase
from tolman.explore.episode import Episode
from tolman.world import Change, ChangedWorld, Scene, changes_between, perturb, scene_from_dict, scene_to_dict
from tolman.world.select import SceneChoice

Position = tuple[float, float]


@dataclass(frozen=True)
class Case:
    """Everything about a scene that an evaluation needs, without any reply of a model."""

    id: str
    seed: int
    scene: Scene
    changed: Scene | None
    """The scene after the change; None where there is no revision, or no change is possible."""
    questions: tuple[Question, ...]
    explorer: str = ""
    """Agent whose log a passive model reads; overrides the options unless empty."""
    released: bool = False
    """Whether it is a case of the authors' released runs, with their marked points."""
    refused: tuple[str, ...] | None = None
    """Calls of turns whose query the released environment refused; None: the options decide."""
    old_positions: Mapping[str, Position | None] = field(default_factory=dict[str, Position | None])
    """Positions in the last map before the change as a released log quotes them; None: not on that map."""
    old_is_lost: bool = False
    """Whether the last map of the exploration that the released log was scored with is missing from the files."""

    @property
    def changes(self) -> tuple[Change, ...]:
        return changes_between(self.scene, self.changed) if self.changed else ()

    @property
    def changed_world(self) -> ChangedWorld | None:
        return ChangedWorld(self.changed, self.changes) if self.changed else None

    def at_turn(self, episode: Episode, call: str) -> Episode:
        """The episode with queries refused in the turn of this call if the released environment refused one there."""
        if self.refused is None:
            return episode
        return replace(episode, settings=replace(episode.settings, answer_queries=call not in self.refused))


def case_of(choice: SceneChoice, options: Options) -> Case:
    """The case of a chosen scene."""
    scene = choice.load()
    return case_in(scene, choice.seed, _id(choice, scene), options)


def case_in(scene: Scene, seed: int, name: str, options: Options) -> Case:
    """The case of a scene, with its questions and its change drawn from the seed."""
    questions = (
        sample_questions(scene, seed, options.questions, options.kinds or None) if "ask" in options.phases else ()
    )
    changed: Scene | None = None
    if options.revises:
        try:
            changed = perturb(scene, seed).scene
        except GenerationError:
            changed = None
    return Case(name, seed, scene, changed, questions)


def _id(choice: SceneChoice, scene: Scene) -> str:
    name = choice.name or (str(choice.seed) if choice.path is None else choice.path.name)
    return re.sub(r"[^\w.-]", "_", name) or scene.digest[:12]


def case_to_dict(case: Case) -> dict[str, object]:
    """JSON-compatible values; the scene is stored once, not with each question."""
    return {
        "id": case.id,
        "seed": case.seed,
        "scene": scene_to_dict(case.scene),
        "changed": None if case.changed is None else scene_to_dict(case.changed),
        "questions": [
            {"kind": q.kind, "text": q.text, "parameters": q.parameters, "truth": q.truth} for q in case.questions
        ],
        "explorer": case.explorer,
        "released": case.released,
        "refused": None if case.refused is None else list(case.refused),
        "old_positions": {name: None if at is None else list(at) for name, at in case.old_positions.items()},
        "old_is_lost": case.old_is_lost,
    }


def case_from_dict(values: Mapping[str, object]) -> Case:
    """The inverse of `case_to_dict`; raises `SceneFileError` for anything else."""
    try:
        scene = scene_from_dict(values["scene"])
        changed = values["changed"]
        old = cast("Mapping[str, list[float] | None]", values["old_positions"])
        refused = cast("list[str] | None", values.get("refused"))
        return Case(
            id=str(values["id"]),
            seed=int(cast("int", values["seed"])),
            scene=scene,
            changed=None if changed is None else scene_from_dict(changed),
            questions=tuple(_question(q, scene) for q in cast("list[Mapping[str, object]]", values["questions"])),
            explorer=str(values.get("explorer", "")),
            released=bool(values["released"]),
            refused=None if refused is None else tuple(map(str, refused)),
            old_positions={name: None if at is None else (float(at[0]), float(at[1])) for name, at in old.items()},
            old_is_lost=bool(values.get("old_is_lost", False)),
        )
    except (KeyError, TypeError, ValueError) as error:
        raise SceneFileError(f"not a case of a Theory of Space evaluation: {error!r}") from None


def _question(values: Mapping[str, object], scene: Scene) -> Question:
    parameters = cast("dict[str, Json]", values["parameters"])
    truth = cast("dict[str, Json]", values["truth"])
    return Question(str(values["kind"]), parameters, truth, scene, str(values["text"]))


def turn_call(phase: Phase, number: int) -> str:
    """Name of the call for one turn; turns of a phase count from 1. For example `explore/3`."""
    return f"{phase}/{number}"


def elicit_call(phase: Phase, number: int, kind: ElicitationKind, repeat: int = 1) -> str:
    """Name of the call that elicits a map or points after a turn. For example `explore/3/global/1`."""
    return f"{phase}/{number}/{kind}/{repeat}"


def question_calls(mode: MapMode, questions: Sequence[Question]) -> list[tuple[str, Question]]:
    """Questions with the names of their calls, such as `ask/none/direction/2`; each kind counts from 1."""
    counts: Counter[str] = Counter()
    named: list[tuple[str, Question]] = []
    for question in questions:
        counts[question.kind] += 1
        named.append((f"ask/{mode}/{question.kind}/{counts[question.kind]}", question))
    return named
