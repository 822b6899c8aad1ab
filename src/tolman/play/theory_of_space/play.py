"""Theory of Space as people play it: explore, draw, answer, and find out what changed."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Self

from inspect_ai import Task
from starlette.concurrency import run_in_threadpool

from tolman.benchmarks.theory_of_space.case import Case, case_of
from tolman.benchmarks.theory_of_space.options import Options, Selection, check_pictures
from tolman.benchmarks.theory_of_space.protocol.picture_marks import (
    DistanceCalibration,
    NameCalibration,
    PictureKey,
    PointPlan,
    ViewPicture,
    picture_mark,
)
from tolman.benchmarks.theory_of_space.task import theory_of_space
from tolman.core.geometry import Heading
from tolman.core.seeds import digest
from tolman.harness.options import read_options
from tolman.models.human import NotebookEntry, SavedSession
from tolman.play.playable import Fields, PageContent, Playable, PlayResult, PlaySetting, Review, ServedPicture
from tolman.play.theory_of_space.grid import LARGEST, measure, notebook_of
from tolman.play.theory_of_space.page_content import Block, Page, Parts, TurnParts, page_of, parts_of
from tolman.play.theory_of_space.replies import compose_reply, problem
from tolman.play.theory_of_space.results import last_map, map_against_truth, play_result, session_review
from tolman.play.theory_of_space.session import PlaySession, RequestedReply, next_request
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
    flags: ClassVar[Mapping[str, object]] = {
        "scenes": "0-2",
        "rooms": 3,
        "things": 4,
        "questions": 3,
        "kinds": "",
        "probe": "last",
        "mode": "active",
        "world": "text",
        "phases": "explore,probe,ask,revise",
        "image_size": 384,
        "preset": "standard",
        "assets": "auto",
    }

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

    def requested(self, saved: SavedSession) -> RequestedReply | None:
        return next_request(self.session(saved))

    def page(self, saved: SavedSession, requested: RequestedReply) -> PageContent:
        page, parts = self._page(saved, requested), parts_of(self.session(saved), requested)
        case = self.cases[saved.scene]
        names = {key: (picture_name(case, key), _ALTS[type(key)]) for key in _pictures_on(page, parts)}
        return PageContent(parts.template, {"page": page, "parts": parts, "pictures": names})

    def _page(self, saved: SavedSession, requested: RequestedReply) -> Page:
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


def _pictures_on(page: Page, parts: Parts) -> Iterator[PictureKey]:
    """All images that a page shows; no other is served."""
    shown: list[Iterable[Block]] = [page.request, *(turn.feedback for turn in page.past)]
    shown += (section.blocks for section in page.rules)
    shown += [parts.feedback] if isinstance(parts, TurnParts) else []
    for block in (block for blocks in shown for block in blocks):
        if block.picture is not None:
            yield block.picture
