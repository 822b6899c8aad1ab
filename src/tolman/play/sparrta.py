"""SpaRRTa as people play it: look at a picture, and say where one object is relative to another."""

import base64
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import groupby
from pathlib import Path
from statistics import fmean
from typing import Any, ClassVar, Self, cast

from inspect_ai import Task
from rich.console import Console
from rich.progress import Progress
from starlette.concurrency import run_in_threadpool

from tolman.benchmarks.sparrta.case import VIEWERS, Case, RelationQuestion, seen_from_above
from tolman.benchmarks.sparrta.options import Options, Selection
from tolman.benchmarks.sparrta.prompts import picture_url, question_parts, question_prompt, read_relation
from tolman.benchmarks.sparrta.questions.runs import answered_questions, read_runs
from tolman.benchmarks.sparrta.sample import RELATIONS
from tolman.benchmarks.sparrta.task import Sparrta, sparrta
from tolman.core.errors import SettingsError
from tolman.core.seeds import digest
from tolman.harness.options import read_options, recorded
from tolman.models.replay import SavedSession
from tolman.play.playable import (
    Fields,
    PageContent,
    Playable,
    PlayResult,
    PlaySetting,
    ResultRow,
    Review,
    ReviewedAnswer,
    ServedPicture,
    first,
    options_for_people,
)

PICTURE = "picture"
_MARGIN = 16.0
"""Of a plan, whose square has a side of 100."""


@dataclass(frozen=True)
class PictureRequest:
    """The answer to one question about a picture."""

    case: Case
    question: RelationQuestion

    @property
    def call(self) -> str:
        return self.question.viewpoint


@dataclass(frozen=True)
class SparrtaPlay(Playable[PictureRequest]):
    """Pictures of SpaRRTa for people."""

    title: ClassVar[str] = "SpaRRTa"
    unit: ClassVar[str] = "picture"
    flags: ClassVar[Mapping[str, object]] = options_for_people(
        (Selection, Options),
        (
            *("data", "environment", "triple", "images", "max_pictures", "viewpoint", "size", "point", "ambiguity"),
            *("preset", "assets"),
        ),
        images="0-1",
    )

    selection: Selection
    options: Options
    setting: PlaySetting

    @classmethod
    def opened(cls, given: Mapping[str, object], setting: PlaySetting) -> Self:
        playable = cls(read_options(Selection, given), read_options(Options, given), setting)
        if playable.options.blind:
            raise SettingsError("people are shown the picture; leave out --blind")
        with Progress(console=Console(stderr=True), transient=True) as progress:
            bar = progress.add_task("pictures", total=None, visible=False)
            Sparrta().prepare(
                playable.selection,
                playable.options,
                lambda done, total: progress.update(bar, completed=done, total=total, visible=True),
            )
        return playable

    @cached_property
    def cases(self) -> Mapping[str, Case]:
        return {case.id: case for case in Sparrta().cases(self.selection, self.options)[1]}

    def under(self, scene: str) -> dict[str, object]:
        case = self.cases[scene]
        places = {name: list(place) for name, place in case.places.items()}
        return {**self.options.as_dict(), "scene": digest([case.id, places])}

    # ---- pages ----

    def start(self) -> PageContent:
        return PageContent("sparrta/start.html", {"options": self.options})

    def requests(self, saved: SavedSession) -> list[PictureRequest]:
        case = self.cases[saved.scene]
        return [PictureRequest(case, question) for question in case.questions]

    def page(self, saved: SavedSession, requested: PictureRequest) -> PageContent:
        case, question = requested.case, requested.question
        values: dict[str, object] = {
            **self.frame(saved, requested),
            "stages": [_stage(each) for each in case.questions],
            "stage": _stage(question),
            "picture": PICTURE,
            "case": case,
            "question": question,
            "asked": f"Where is the {case.target} in relation to the {case.source}?",
            "viewer": VIEWERS[question.viewpoint],
            "blocks": _blocks(question_parts(case, question, self.options)),
            "pointed": None if case.pointed is None else [round(100 * share, 1) for share in case.pointed],
            "prompt": question_prompt(case, question, self.options),
        }
        return PageContent("sparrta/question.html", values)

    # ---- replies ----

    def compose(self, requested: PictureRequest, fields: Fields) -> str:
        said, answer = first(fields, "reply").strip(), first(fields, "answer")
        if said:
            return said
        return requested.question.lettered(answer) if answer in RELATIONS else ""

    def problem(self, requested: PictureRequest, reply: str) -> str | None:
        if read_relation(requested.question, reply) is None:
            return "That could not be read as an answer. Choose one, or write one of the letters or words."
        return None

    async def picture(self, saved: SavedSession, requested: PictureRequest | None, name: str) -> ServedPicture | None:
        """The picture as a model is sent it."""
        del requested
        if name != PICTURE:
            return None
        url = await run_in_threadpool(picture_url, Path(self.cases[saved.scene].picture), self.options.size)
        kind, _, data = url.removeprefix("data:").partition(";base64,")
        return ServedPicture(base64.b64decode(data), kind)

    # ---- results ----

    def task(self, scene: str) -> Task:
        del scene  # the task has all pictures, of which one is run
        options: dict[str, Any] = {**self.options.as_dict(), "resume": False}
        options["viewpoint"] = ",".join(cast("Sequence[str]", options.pop("viewpoints")))
        return sparrta(**{**recorded(replace(self.selection, workers=1)), **options})

    def review(self, saved: SavedSession) -> Review:
        case = self.cases[saved.scene]
        answers: list[ReviewedAnswer] = []
        for question in case.questions:
            said = saved.replies.get(question.viewpoint, "")
            asked = f"From {VIEWERS[question.viewpoint]}: where is the {case.target} relative to the {case.source}?"
            relation = read_relation(question, said)
            answers.append(ReviewedAnswer(asked, relation or said, question.answer, float(relation == question.answer)))
        right = sum(answer.score for answer in answers)
        plan = {"picture": PICTURE, "case": case, **ground_plan(case)}
        scores = {"answers": f"{right:g} of {len(answers)} right"}
        return Review(scores, tuple(answers), PageContent("sparrta/truth.html", plan))

    def result(self, name: str, logs: Sequence[Path]) -> PlayResult:
        """The share of right answers: a few pictures seldom have all relations, which balanced accuracy needs."""
        warnings: list[str] = []
        runs = [run for run in read_runs(logs, warnings.append) if run.model == self.model(name)]
        answers = [each for run in runs for each in answered_questions(run.cases)]
        means: dict[str, str] = {}
        for viewpoint in self.options.viewpoints:
            if right := [each.right for each in answers if each.viewpoint == viewpoint]:
                means[f"from {VIEWERS[viewpoint]}"] = f"{100 * fmean(right):.1f} %"
        meanings = dict.fromkeys(means, "questions answered right; guessing gives 25 %")
        rows = (ResultRow(self.model(name), tuple(means.values())),)
        return PlayResult(tuple(means), rows, len(self.cases), meanings, warnings=tuple(warnings))


def _blocks(parts: Sequence[str]) -> list[tuple[bool, list[str]]]:
    """Lines of a prompt, with whether they are a list."""
    lines = [line for part in parts for line in part.splitlines() if line.strip()]
    grouped = groupby(lines, lambda line: line.startswith("- "))
    return [(listed, [line.removeprefix("- ") for line in group]) for listed, group in grouped]


def _stage(question: RelationQuestion) -> str:
    return f"From {VIEWERS[question.viewpoint]}"


def ground_plan(case: Case) -> dict[str, object]:
    """The ground seen from above, the camera looking up: marks by role, in units from the upper left corner."""
    return {"marks": seen_from_above(case, _MARGIN, 2), "sights": [("camera", "ego"), ("human", "allo")]}
