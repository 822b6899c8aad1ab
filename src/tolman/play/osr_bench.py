"""OSR-Bench as people play it: look around in a panorama, put its objects on a grid, and answer questions."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from threading import Lock
from typing import Any, ClassVar, Self

from inspect_ai import Task
from starlette.concurrency import run_in_threadpool

from tolman.belief.unexplored import letters_in_order
from tolman.benchmarks.osr_bench.case import Case, LoggedCase, Record, map_call, question_call
from tolman.benchmarks.osr_bench.cases import choose_cases, resolve_options
from tolman.benchmarks.osr_bench.maps.grid import find_map, read_map
from tolman.benchmarks.osr_bench.maps.scores import scored_places
from tolman.benchmarks.osr_bench.options import Options, Selection
from tolman.benchmarks.osr_bench.pages.scenes import match_objects, objects_of
from tolman.benchmarks.osr_bench.panoramas import sent_pictures
from tolman.benchmarks.osr_bench.prompts import map_prompt, question_prompt
from tolman.benchmarks.osr_bench.questions.question import (
    DIRECTIONS,
    NO_CANDIDATE,
    NO_OTHER,
    NOT_FOUND,
    NOT_UNIQUE,
    Question,
    find_answer,
)
from tolman.benchmarks.osr_bench.results import RESULTS
from tolman.benchmarks.osr_bench.rules import STRICT, find_rules
from tolman.benchmarks.osr_bench.scores import score_case
from tolman.benchmarks.osr_bench.task import osr_bench
from tolman.core.errors import SettingsError
from tolman.core.reading import ParseFailure
from tolman.core.seeds import digest
from tolman.harness.options import read_options
from tolman.harness.records import Call
from tolman.models.replay import NotebookEntry, SavedSession
from tolman.play.pages import headline_result
from tolman.play.playable import (
    Fields,
    PageContent,
    Playable,
    PlayResult,
    PlaySetting,
    Review,
    ReviewedAnswer,
    ServedPicture,
    first,
    options_for_people,
)
from tolman.world.select import seeds_in

TURN = 0
"""People look around by themselves, so the camera is not turned for them."""
PANORAMA = "panorama"
_MOST_PLACED = 400
_MOST = 999
"""Largest count that can be entered."""
_STAGES = {"map": "Map", "ask": "Answer"}


@dataclass(frozen=True)
class OsrRequest:
    """The map of a case, or the answer to one of its questions."""

    case: Case
    question: Question | None = None

    @property
    def call(self) -> str:
        return map_call(TURN) if self.question is None else question_call(TURN, self.question)


@dataclass(frozen=True)
class OsrPlay(Playable[OsrRequest]):
    """Panoramas of OSR-Bench for people."""

    title: ClassVar[str] = "OSR-Bench"
    unit: ClassVar[str] = "room"
    flags: ClassVar[Mapping[str, object]] = options_for_people(
        (Selection, Options),
        ("data", "mode", "asked", "each", "width", "class_list", "rules", "preset", "assets"),
        data="0-2",
        each=3,
    )

    data: str
    """Seeds of generated rooms, or a folder of scenes."""
    options: Options
    setting: PlaySetting

    @classmethod
    def opened(cls, given: Mapping[str, object], setting: PlaySetting) -> Self:
        options = read_options(Options, given)
        if options.mode == "true":
            raise SettingsError("people are not given the true map; choose --mode first or none")
        data = read_options(Selection, given).data
        playable = cls(data, resolve_options(data, options), setting)
        if not playable.cases:
            raise SettingsError(f"{data!r} holds no rooms")
        return playable

    @cached_property
    def cases(self) -> Mapping[str, Case]:
        return {case.id: case for case in choose_cases(self.data, self.options)}

    def under(self, scene: str) -> dict[str, object]:
        case = self.cases[scene]
        asked = [[question.turn, question.text] for question in case.questions]
        return {**self.options.as_dict(), "scene": digest([case.truth.as_lists, list(case.pool), asked])}

    # ---- pages ----

    def start(self) -> PageContent:
        return PageContent("osr_bench/start.html", {"options": self.options})

    def requests(self, saved: SavedSession) -> Iterator[OsrRequest]:
        case = self.cases[saved.scene]
        if self.options.mode == "first":
            yield OsrRequest(case)
        yield from (OsrRequest(case, question) for question in case.questions)

    def page(self, saved: SavedSession, requested: OsrRequest) -> PageContent:
        case, question = requested.case, requested.question
        values: dict[str, object] = {
            **self.frame(saved, requested),
            "stages": [_STAGES["ask"]] if self.options.mode == "none" else list(_STAGES.values()),
            "stage": _STAGES["map" if question is None else "ask"],
            "panorama": PANORAMA,
            "case": case,
        }
        if question is None:
            ahead = case.corner is not None and self.options.map_handedness == "true"
            values |= {"grid": self._draft(saved, case), "ahead": ahead, "prompt": map_prompt(case, self.options)}
            return PageContent("osr_bench/map.html", values)
        turns = [each.turn for each in case.questions]
        values |= {
            "question": question,
            "count": turns.index(question.turn) + 1,
            "questions": len(turns),
            "choices": self._choices(question),
            "prompt": question_prompt(question, self.options),
            "grid": self._own_map(saved, case),
        }
        return PageContent("osr_bench/question.html", values)

    def _choices(self, question: Question) -> dict[str, Sequence[str]]:
        """Answers to choose from, and the sentences for what is absent or not unique, where a model is told them."""
        told = find_rules(self.options.rules).special_answers_are_told
        match question.kind:
            case "counting":
                return {"words": (), "sentences": ()}
            case "distance":
                return {"words": question.names[1:], "sentences": (NO_CANDIDATE, NOT_FOUND, NOT_UNIQUE) * told}
            case "direction":
                return {"words": DIRECTIONS, "sentences": (NO_OTHER, NOT_FOUND, NOT_UNIQUE) * told}

    def _draft(self, saved: SavedSession, case: Case) -> dict[str, object]:
        """The grid with what the person has put there so far."""
        placed = [[_class_of(name), *mark.position] for name, mark in saved.notebook.items()]
        return _grid(case, placed) | {"edit": True}

    def _own_map(self, saved: SavedSession, case: Case) -> dict[str, object] | None:
        """The map that the person stated, to look at; None where none was asked for."""
        stated = read_map(saved.replies.get(map_call(TURN), ""), STRICT, case.truth.size)
        if stated is None:
            return None
        return _grid(case, [[name, column, row] for name, places in stated.items() for row, column in places])

    # ---- replies ----

    def compose(self, requested: OsrRequest, fields: Fields) -> str:
        said = first(fields, "reply").strip()
        if said or requested.question is None:
            return said
        answer = first(fields, "answer").strip()
        if requested.question.kind == "counting":
            return str(int(answer)) if answer.isascii() and answer.isdecimal() and int(answer) <= _MOST else ""
        offered = self._choices(requested.question)
        return answer if answer in (*offered["words"], *offered["sentences"]) else ""

    def problem(self, requested: OsrRequest, reply: str) -> str | None:
        if requested.question is None:
            found = find_map(reply)
            return f"That could not be used as a map. {found.sentence}" if isinstance(found, ParseFailure) else None
        unread = isinstance(find_answer(requested.question, reply), ParseFailure)
        return "That could not be read as an answer. Choose one, or keep to the answer format." if unread else None

    def checked_notebook(self, scene: str, notebook: Mapping[str, NotebookEntry]) -> Mapping[str, NotebookEntry]:
        case = self.cases[scene]
        kept = [
            (name, mark)
            for name, mark in notebook.items()
            if _class_of(name) in case.pool and all(0 <= at < case.truth.size for at in mark.position)
        ]
        return dict(kept[:_MOST_PLACED])

    # ---- pictures ----

    @cached_property
    def _pictures(self) -> tuple[dict[str, bytes], Lock]:
        return {}, Lock()

    async def picture(self, saved: SavedSession, requested: OsrRequest | None, name: str) -> ServedPicture | None:
        """The panorama as a model is sent it; it is rendered at the first request."""
        del requested
        return ServedPicture(await run_in_threadpool(self._panorama, saved.scene)) if name == PANORAMA else None

    def _panorama(self, scene: str) -> bytes:
        made, lock = self._pictures
        with lock:
            if scene not in made:
                made[scene] = sent_pictures(self.cases[scene], self.options, TURN)[0].png
            return made[scene]

    # ---- results ----

    def task(self, scene: str) -> Task:
        options: dict[str, Any] = {**self.options.as_dict(), "resume": False}
        return osr_bench(data=scene if seeds_in(self.data) is not None else self.data, **options)

    def review(self, saved: SavedSession) -> Review:
        case = self.cases[saved.scene]
        calls = [Call(name=call, reply=reply) for call, reply in saved.replies.items()]
        (scores,) = score_case(LoggedCase(case, self.options, Record(calls=calls)), STRICT)
        answers = [
            ReviewedAnswer(each.question.text, each.reply or "", each.question.answer, each.score)
            for each in scores.answers
        ]
        shown: dict[str, str] = {}
        if answers:
            right = sum(answer.score for answer in answers)
            shown["answers"] = f"{right:g} of {len(answers)} right"
        grid = _truth(case)
        if scores.map is not None:
            shown |= {"map F1": f"{100 * scores.map.f1:.1f} %", "cells off": f"{scores.map.distance:.1f}"}
            grid |= _against_truth(case, saved.replies.get(map_call(TURN), ""), scores.map.quarters)
        figure = PageContent("osr_bench/truth.html", {"grid": grid, "panorama": PANORAMA})
        return Review(shown, tuple(answers), figure)

    def result(self, name: str, logs: Sequence[Path]) -> PlayResult:
        return headline_result(RESULTS, self.model(name), logs, len(self.cases))


def _class_of(name: str) -> str:
    """The class of an object that is called by class and number, such as `chair 2`."""
    return re.sub(r" \d+$", "", name)


def _grid(case: Case, placed: Sequence[Sequence[object]]) -> dict[str, object]:
    """JSON values for the page's script: the classes of the prompt, and objects as class, column and row."""
    names = sorted(case.pool)
    items = [{"name": name, "letter": letter} for name, letter in zip(names, letters_in_order(), strict=False)]
    return {"size": case.truth.size, "items": items, "placed": list(placed), "edit": False, "truth": None, "links": []}


def _truth(case: Case) -> dict[str, object]:
    truth = [[name, column, row] for name, (row, column) in objects_of(case.truth)]
    return _grid(case, ()) | {"truth": truth}


def _against_truth(case: Case, reply: str, quarters: int) -> dict[str, object]:
    """The stated objects with their verdicts, turned as they score best, and the true object of each."""
    stated = read_map(reply, STRICT, case.truth.size)
    used = {} if stated is None else scored_places(case.truth, stated, STRICT)
    matched = match_objects(case.truth, used, quarters)
    placed = [[each.name, each.place[1], each.place[0], each.verdict] for each in matched]
    links = [[number, each.partner] for number, each in enumerate(matched) if each.partner is not None]
    return {"placed": placed, "links": links}
