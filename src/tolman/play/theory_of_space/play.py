"""Theory of Space as people play it: explore, draw, answer, and find out what changed; and a person's result beside
scripted explorers, and in one scene: scores, answers, and the map against the truth.
"""

import asyncio
import math
from collections.abc import Awaitable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Self

from inspect_ai import Task
from starlette.concurrency import run_in_threadpool

from tolman.ask import grade, oracle_reply
from tolman.benchmarks.theory_of_space.case import Case, case_of, elicit_call, question_calls
from tolman.benchmarks.theory_of_space.options import Options, Selection, check_pictures
from tolman.benchmarks.theory_of_space.protocol.picture_marks import (
    DistanceCalibration,
    NameCalibration,
    PictureKey,
    PointPlan,
    ViewPicture,
    caption,
    picture_mark,
    split_at_marks,
)
from tolman.benchmarks.theory_of_space.protocol.prompts import Message
from tolman.benchmarks.theory_of_space.protocol.run_scene import SceneRun, explorer_log
from tolman.benchmarks.theory_of_space.record import Call, SceneRecord, ScoredCase
from tolman.benchmarks.theory_of_space.runs import TheoryOfSpaceRun, score_record
from tolman.benchmarks.theory_of_space.scores import plain_map, views_of
from tolman.benchmarks.theory_of_space.tables import read_runs, summarise_run
from tolman.benchmarks.theory_of_space.tables.run_summary import ANSWERS, CORRECTNESS, GAIN
from tolman.benchmarks.theory_of_space.task import theory_of_space
from tolman.core.geometry import Heading
from tolman.core.rules import STRICT
from tolman.core.seeds import digest
from tolman.explore.episode import Episode
from tolman.harness.options import read_options
from tolman.models.replay import NotebookEntry, SavedSession
from tolman.models.scripted.reply import reply_to
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
    options_for_people,
)
from tolman.play.theory_of_space.grid import LARGEST, measure, notebook_of
from tolman.play.theory_of_space.page_content import Block, Parts, SessionPage, TurnParts, page_of, parts_of
from tolman.play.theory_of_space.session import PlaySession, RequestedReply, compose_reply, problem, requests
from tolman.world import AGENT, WorldSettings
from tolman.world.select import SceneChoice, choose_scenes

if TYPE_CHECKING:
    from tolman.benchmarks.theory_of_space.protocol.pictures import PictureCache

_ALTS = {
    ViewPicture: "Your view",
    PointPlan: "Plan of the place",
    DistanceCalibration: "Distances",
    NameCalibration: "Names of all objects",
}
TRUTH = "truth"
"""Name of the picture of the true map."""


@dataclass(frozen=True)
class SpacePlay(Playable[RequestedReply]):
    """Scenes of Theory of Space for people."""

    title: ClassVar[str] = "Theory of Space"
    unit: ClassVar[str] = "place"
    has_tools: ClassVar[bool] = True
    flags: ClassVar[Mapping[str, object]] = options_for_people(
        (Selection, Options),
        (
            *("scenes", "rooms", "things", "questions", "kinds", "probe", "mode", "world", "phases", "image_size"),
            *("preset", "assets"),
        ),
        scenes="0-2",
        kinds="",
        probe="last",
        phases="explore,probe,ask,revise",
    )

    scenes: str
    """Seeds such as `0-2`, a folder of scenes, or a scene file, as on the command line."""
    worlds: WorldSettings
    options: Options
    setting: PlaySetting

    @classmethod
    def opened(cls, given: Mapping[str, object], setting: PlaySetting) -> Self:
        selection = read_options(Selection, given)
        options = read_options(Options, given).for_rooms(selection.rooms)
        check_pictures(options)
        worlds = WorldSettings(rooms=selection.rooms, things_per_room=selection.things, version=selection.world_version)
        return cls(selection.scenes, worlds, options, setting)

    @cached_property
    def choices(self) -> Mapping[str, SceneChoice]:
        """Scene choices by case name, in the order of play."""
        return {case.id: choice for case, choice in self._cases_and_choices}

    @cached_property
    def cases(self) -> Mapping[str, Case]:
        return {case.id: case for case, _ in self._cases_and_choices}

    @cached_property
    def _cases_and_choices(self) -> list[tuple[Case, SceneChoice]]:
        return [(case_of(choice, self.options), choice) for choice in choose_scenes(self.scenes, self.worlds)]

    def under(self, scene: str) -> dict[str, object]:
        return {**self.options.as_dict(), "scene": self.cases[scene].scene.digest}

    def session(self, saved: SavedSession) -> PlaySession:
        """The session of a saved one."""
        return PlaySession(self.cases[saved.scene], self.options, saved.replies)

    # ---- pages ----

    def start(self) -> PageContent:
        return PageContent("theory_of_space/start.html", {"setup": self})

    def requests(self, saved: SavedSession) -> Iterator[RequestedReply]:
        return requests(self.session(saved))

    def page(self, saved: SavedSession, requested: RequestedReply) -> PageContent:
        page, parts = self._page(saved, requested), parts_of(self.session(saved), requested)
        case = self.cases[saved.scene]
        names = {key: (picture_name(case, key), _ALTS[type(key)]) for key in _pictures_on(page, parts)}
        return PageContent(parts.template, {"page": page, "parts": parts, "pictures": names})

    def _page(self, saved: SavedSession, requested: RequestedReply) -> SessionPage:
        return page_of(self.cases, self.options, saved, requested, tools=self.tools)

    def compose(self, requested: RequestedReply, fields: Fields) -> str:
        return compose_reply(requested, fields)

    def problem(self, requested: RequestedReply, reply: str) -> str | None:
        return problem(requested, reply)

    def notebook_after(self, requested: RequestedReply, reply: str) -> Mapping[str, NotebookEntry] | None:
        return notebook_of(reply, requested) if requested.elicits == "global" else None

    def checked_notebook(self, scene: str, notebook: Mapping[str, NotebookEntry]) -> Mapping[str, NotebookEntry]:
        names = {*self.cases[scene].scene.names, AGENT}
        return {
            name: mark for name, mark in notebook.items() if name in names and max(map(abs, mark.position)) <= LARGEST
        }

    def measured(self, start: tuple[int, int], end: tuple[int, int], facing: int | None) -> dict[str, object] | None:
        return asdict(measure(start, end, None if facing is None else Heading(facing)))

    # ---- pictures ----

    @cached_property
    def _caches(self) -> dict[str, "PictureCache"]:
        return {}

    async def picture(self, saved: SavedSession, requested: RequestedReply | None, name: str) -> ServedPicture | None:
        """A picture that the page shows, and no other; it is rendered at the first request."""
        if requested is None:
            truth = name == TRUTH
            return ServedPicture(await run_in_threadpool(map_against_truth, self.session(saved))) if truth else None
        page, parts = self._page(saved, requested), parts_of(self.session(saved), requested)
        case = self.cases[saved.scene]
        key = next((key for key in _pictures_on(page, parts) if picture_name(case, key) == name), None)
        return None if key is None else ServedPicture(await self._rendered(case, key), self._image_type)

    async def _rendered(self, case: Case, key: PictureKey) -> bytes:
        from tolman.benchmarks.theory_of_space.protocol.pictures import PictureCache  # noqa: PLC0415 loads all that renders

        if case.id not in self._caches:
            self._caches[case.id] = PictureCache(case, self.options)
        return await self._caches[case.id].get(key)

    @property
    def _image_type(self) -> str:
        return f"image/{self.options.image_format}"

    # ---- results ----

    def task(self, scene: str) -> Task:
        choice = self.choices[scene]
        options: dict[str, Any] = {**self.options.as_dict(), "resume": False}
        by_seed = choice.path is None and not choice.name  # the seed of a named scene is secret
        scenes = str(choice.seed) if by_seed else self.scenes
        return theory_of_space(scenes=scenes, rooms=self.worlds.rooms, things=self.worlds.things_per_room, **options)

    def review(self, saved: SavedSession) -> Review:
        session = self.session(saved)
        values = {"picture": TRUTH, "drawn": last_map(session) is not None}
        return session_review(session, PageContent("theory_of_space/truth.html", values))

    def result(self, name: str, logs: Sequence[Path]) -> PlayResult:
        return play_result(self.model(name), logs, list(self.cases.values()), self.options)


def picture_name(case: Case, key: PictureKey) -> str:
    """The name of an image in its URL."""
    return digest(["picture", case.scene.digest, picture_mark(key)])[:20]


def _pictures_on(page: SessionPage, parts: Parts) -> Iterator[PictureKey]:
    """All images that a page shows; no other is served."""
    shown: list[Iterable[Block]] = [page.request, *(turn.feedback for turn in page.past)]
    shown += (section.blocks for section in page.rules)
    shown += [parts.feedback] if isinstance(parts, TurnParts) else []
    for block in (block for blocks in shown for block in blocks):
        if block.picture is not None:
            yield block.picture


class _ScriptedStage:
    """The stage of a scene for a scripted agent; see `Stage`."""

    def __init__(self, agent: str, case: Case) -> None:
        self._agent, self._case = agent, case
        self.calls: list[Call] = []

    async def speak(self, call: str, messages: Sequence[Message], episode: Episode) -> str:
        del episode
        reply = reply_to(self._agent, [(message.role, self._in_words(message)) for message in messages])
        self.calls.append(Call(name=call, reply=reply))
        return reply

    def _in_words(self, message: Message) -> str:
        """The text of a message, with captions in place of its images."""
        if message.role != "user":
            return message.text
        pieces = (
            piece if isinstance(piece, str) else caption(self._case, piece) for piece in split_at_marks(message.text)
        )
        return "\n".join(filter(None, pieces))

    async def together(self, heading: str, awaitables: Sequence[Awaitable[None]]) -> None:
        del heading
        for awaitable in awaitables:
            await awaitable


def scripted_run(agent: str, cases: Sequence[Case], options: Options) -> TheoryOfSpaceRun:
    """The run of a scripted agent on some cases."""
    scenes = [score_record(_scripted_case(agent, case, options)) for case in cases]
    return TheoryOfSpaceRun(f"tolman/{agent}", options, scenes, [], len(scenes))


def _scripted_case(agent: str, case: Case, options: Options) -> ScoredCase:
    log, stage = explorer_log(case, options), _ScriptedStage(agent, case)
    asyncio.run(SceneRun(case, options, stage).run(log))
    read = [str(turn.asked) for turn in log.turns] if log else []
    return ScoredCase(case, options, SceneRecord(log=read, calls=stage.calls))


def last_map(session: PlaySession) -> str | None:
    """The reply with a person's last map of the exploration."""
    turns = range(len(session.explored.turns), 0, -1)
    replies = (session.replies.get(elicit_call("explore", number, "global")) for number in turns)
    return next((reply for reply in replies if reply is not None), None)


def map_against_truth(session: PlaySession) -> bytes:
    """The true map as a PNG, with the last map of the person drawn over it where one was elicited."""
    from tolman.render import map_picture  # noqa: PLC0415 - drawing takes a second to load

    reply = last_map(session) or ""
    scene, last = session.case.scene, session.explored.turns[-1]
    seen = {name for names in views_of(session.explored.turns) for name in names}
    pose = scene.pose_at(last.standing_on, last.heading)
    return map_picture(scene, pose, plain_map(reply, scene, STRICT) or {}, seen=seen)


REFERENCES = ("scout", "strategist")
COLUMNS = {
    "cost": "explore/cost",
    "information gain": GAIN,
    "answers": ANSWERS,
    "last map": CORRECTNESS,
    "changes found": "revise/f1",
}
MEANINGS = {
    "cost": "one for each look, two for each question to the world; less is better",
    "information gain": "how much of what could be known followed from what was seen",
    "answers": "questions answered right, near misses counted in part",
    "last map": "how much of the place was seen, and drawn right on the last map",
    "changes found": "which things had been moved or turned (F1)",
}
_PERCENT = {"information gain", "answers", "last map", "changes found"}


def play_result(model: str, logs: Sequence[Path], cases: Sequence[Case], options: Options) -> PlayResult:
    """The mean scores of a person over all scenes under the strict rules, beside reference agents."""
    warnings: list[str] = []
    own = [run for run in read_runs(logs, warnings.append) if run.model == model]
    runs = [*own, *(scripted_run(agent, cases, options) for agent in REFERENCES)]
    return _table(runs, warnings)


def session_review(session: PlaySession, figure: PageContent) -> Review:
    """The scores of a finished session under the strict rules, each answer, and the figure with the truth."""
    calls = [Call(name=call, reply=reply) for call, reply in session.replies.items()]
    read = [str(turn.asked) for turn in session.explored.turns] if session.options.mode == "passive" else []
    record = ScoredCase(session.case, session.options, SceneRecord(log=read, calls=calls))
    run = TheoryOfSpaceRun("", session.options, [score_record(record)], [], 1)
    measured = summarise_run(run).measured["strict"]
    means = {head: measured.interval(column).mean for head, column in COLUMNS.items()}
    scores = {head: _shown(head, mean) for head, mean in means.items() if not math.isnan(mean)}
    return Review(scores, tuple(_answers(session)), figure)


def _answers(session: PlaySession) -> Iterator[ReviewedAnswer]:
    for mode in session.options.maps:
        for call, question in question_calls(mode, session.case.questions):
            said = session.replies.get(call, "")
            score = grade(question, said, STRICT).score
            yield ReviewedAnswer(question.text, said, oracle_reply(question), score)


def _table(runs: Sequence[TheoryOfSpaceRun], warnings: Sequence[str]) -> PlayResult:
    """Columns without values are left out."""
    measured = [summarise_run(run).measured["strict"] for run in runs]
    means = {head: [of.interval(column).mean for of in measured] for head, column in COLUMNS.items()}
    heads = tuple(head for head, values in means.items() if not all(map(math.isnan, values)))
    rows = tuple(
        ResultRow(run.name, tuple(_shown(head, means[head][number]) for head in heads))
        for number, run in enumerate(runs)
    )
    return PlayResult(heads, rows, len(runs[0].cases), MEANINGS, "two scripted explorers", tuple(warnings))


def _shown(head: str, mean: float) -> str:
    if math.isnan(mean):
        return "–"
    return f"{100 * mean:.1f} %" if head in _PERCENT else f"{mean:.1f}"
