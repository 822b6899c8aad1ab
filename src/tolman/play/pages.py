"""The handler of each address of the play server, with its templates, static files and pictures."""

from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

from fastapi import Request
from jinja2 import Environment, PackageLoader, StrictUndefined
from pydantic import TypeAdapter, ValidationError
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response

from tolman.benchmarks.theory_of_space.case import Case
from tolman.benchmarks.theory_of_space.protocol.picture_marks import (
    DistanceCalibration,
    NameCalibration,
    PictureKey,
    PointPlan,
    ViewPicture,
    picture_mark,
)
from tolman.core.errors import SettingsError, TolmanError
from tolman.core.geometry import Heading
from tolman.core.seeds import digest
from tolman.models.human_sessions import NotebookEntry
from tolman.play.grid import measure
from tolman.play.page_content import Block, Page, Parts, TurnParts, page_of, parts_of
from tolman.play.replies import Fields, ReplyDesk, SessionProgress, first
from tolman.play.results import LogWriter, last_map, map_against_truth
from tolman.play.session import PlaySetup, slug

_TYPES = {"css": "text/css", "js": "text/javascript"}
_SCRIPTS = ("captions.js", "drawing.js", "grid.js", "instruments.js", "moves.js", "page.js", "wait.js")
_FILES = {
    "style.css": ("tolman.report.site", "style.css"),
    **{name: ("tolman.play", f"static/{name}") for name in ("play.css", *_SCRIPTS)},
}
"""What may be asked for, and where it lies. The shared look is the report's."""


@cache
def _environment() -> Environment:
    loader = PackageLoader("tolman.play")
    return Environment(loader=loader, autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)


def rendered(template: str, status: int = 200, **values: object) -> HTMLResponse:
    """A page."""
    return HTMLResponse(_environment().get_template(template).render(**values), status)


def static_file(name: str) -> Response | None:
    """A style sheet or a script; None for any other name."""
    if name not in _FILES:
        return None
    package, path = _FILES[name]
    content = files(package).joinpath(path).read_bytes()
    return Response(content, media_type=_TYPES[name.rpartition(".")[2]])


def sentence(error: object) -> str:
    """What an error says, as a sentence on a page."""
    text = " ".join(str(error).split())
    return f"{text[:1].upper()}{text[1:].rstrip('.')}."


if TYPE_CHECKING:
    from tolman.benchmarks.theory_of_space.protocol.pictures import PictureCache

_ALTS = {
    ViewPicture: "Your view",
    PointPlan: "Plan of the place",
    DistanceCalibration: "Distances",
    NameCalibration: "Names of all objects",
}


class PagePictures:
    """The pictures of a playroom. They are made in another thread, so that nobody else waits."""

    def __init__(self, playroom: PlaySetup) -> None:
        self._playroom = playroom
        self._galleries: dict[str, PictureCache] = {}

    async def get(self, scene: str, key: PictureKey) -> bytes:
        """The bytes of a picture, as the options of the playroom want it."""
        from tolman.benchmarks.theory_of_space.protocol.pictures import PictureCache  # noqa: PLC0415 loads all that renders

        if scene not in self._galleries:
            self._galleries[scene] = PictureCache(self._playroom.cases[scene], self._playroom.options)
        return await self._galleries[scene].get(key)


def picture_name(case: Case, key: PictureKey) -> str:
    """The name of a picture in its address."""
    return digest(["picture", case.scene.digest, picture_mark(key)])[:20]


def picture_alt(key: PictureKey) -> str:
    """What a picture is, without telling what is in it."""
    return _ALTS[type(key)]


def pictures_on(page: Page, parts: Parts) -> Iterator[PictureKey]:
    """All pictures that a page shows: whoever asks for another is not given it."""
    shown: list[Iterable[Block]] = [page.request, *(turn.told for turn in page.past)]
    shown += (section.blocks for section in page.rules)
    shown += [parts.told] if isinstance(parts, TurnParts) else []
    for block in (block for blocks in shown for block in blocks):
        if block.picture is not None:
            yield block.picture


_FIELDS = 1000
_NOTEBOOK = TypeAdapter(dict[str, NotebookEntry])
_FARTHEST = 1000


if TYPE_CHECKING:
    from tolman.play.results import PlayResult


class Pages:
    """What is answered to each address. State is on disk; here are only the desk, and logs being written."""

    def __init__(self, playroom: PlaySetup) -> None:
        self._playroom, self._desk = playroom, ReplyDesk(playroom)
        self._writer = LogWriter(playroom, self._desk.logged)
        self._showing = PagePictures(playroom)
        self._results: dict[str, PlayResult] = {}

    # ---- begin ----

    def start(self) -> HTMLResponse:
        """The first page: who is playing, and what to expect."""
        return rendered("start.html", room=self._playroom, problem="", name=self._playroom.name)

    async def begin(self, request: Request) -> Response:
        """Let a person sit down, and lead them to where they left off."""
        given = first(await _fields(request), "name")
        try:
            name = slug(given)
            await run_in_threadpool(self._desk.begin, name)
            self._writer.prepare()
        except SettingsError as error:
            return rendered("start.html", 422, room=self._playroom, problem=sentence(error), name=given[:80])
        return _to(f"/people/{name}")

    def person(self, name: str) -> Response:
        """The scene where a person is, or the result of someone who has been through all."""
        scene = self._desk.next_scene(name)
        return _to(f"/result/{name}" if scene is None else f"/people/{name}/{scene}")

    # ---- one scene ----

    def wanted(self, name: str, scene: str) -> Response:
        """The page on which the next reply is given, or the news that the scene is finished."""
        return self._page(self._desk.place(name, scene), "", {})

    async def reply(self, name: str, scene: str, request: Request) -> Response:
        """Take a reply. One that can't be read is handed back; one that came before is passed over."""
        fields = await _fields(request)
        note = first(fields, "notebook")
        if note:
            await run_in_threadpool(self._note, name, scene, note.encode())
        trouble = await run_in_threadpool(self._desk.take, name, scene, first(fields, "call"), fields)
        if trouble is None:
            return _to(f"/people/{name}/{scene}")
        place = await run_in_threadpool(self._desk.place, name, scene)
        return self._page(place, trouble, fields)

    async def notebook(self, name: str, scene: str, request: Request) -> Response:
        """Keep a scratch map."""
        body = await request.body()
        await run_in_threadpool(self._note, name, scene, body)
        return Response(status_code=204)

    def _note(self, name: str, scene: str, body: bytes) -> None:
        try:
            self._desk.note(name, scene, _NOTEBOOK.validate_json(body))
        except ValidationError:
            raise HTTPException(422, "that is not a notebook") from None

    def _page(self, place: SessionProgress, problem: str, fields: Fields) -> HTMLResponse:
        saved, wanted = place.saved, place.wanted
        if wanted is None:
            with suppress(TolmanError):  # the result page tries again, and tells
                self._writer.state(saved)
            following = self._desk.next_scene(saved.name)
            return rendered("finished.html", room=self._playroom, saved=saved, following=following)
        parts = parts_of(place.sitting, wanted)
        page = page_of(self._playroom, saved, wanted)
        given = {name: list(values) for name, values in fields.items()}
        names = {key: (picture_name(place.sitting.case, key), picture_alt(key)) for key in pictures_on(page, parts)}
        values = {"page": page, "parts": parts, "problem": problem, "given": given, "pictures": names}
        return rendered(parts.template, 422 if problem else 200, **values)

    async def seen(self, name: str, scene: str, picture: str) -> Response:
        """A picture of the page that the person is at, and no other: it is made when it is first asked for."""
        key = await run_in_threadpool(self._on_page, name, scene, picture)
        kind = self._playroom.options.image_format
        return Response(await self._showing.get(scene, key), media_type=f"image/{kind}")

    def _on_page(self, name: str, scene: str, picture: str) -> PictureKey:
        place = self._desk.place(name, scene)
        if place.wanted is not None:
            page, parts = page_of(self._playroom, place.saved, place.wanted), parts_of(place.sitting, place.wanted)
            for key in pictures_on(page, parts):
                if picture_name(place.sitting.case, key) == picture:
                    return key
        raise HTTPException(404, "there is no such picture on this page")

    # ---- the end ----

    def result(self, name: str) -> Response:
        """The table, once everything is finished and logged."""
        if self._desk.next_scene(name) is not None:
            return _to(f"/people/{name}")
        saved = [self._playroom.saved(name, scene) for scene in self._playroom.cases]
        if any(self._writer.state(one) != "written" for one in saved):
            return rendered("wait.html", name=name)
        if name not in self._results:
            from tolman.play.results import result  # noqa: PLC0415

            self._results[name] = result(self._playroom, name)
        maps = [one.scene for one in saved if last_map(self._playroom.sitting(one))]
        return rendered("result.html", room=self._playroom, name=name, result=self._results[name], maps=maps)

    def picture(self, name: str, scene: str) -> Response:
        """The last map of a scene over the truth; nobody sees it before they are through."""
        if self._desk.next_scene(name) is not None:
            raise HTTPException(404, "there is no picture before all scenes are finished")
        drawn = map_against_truth(self._desk.place(name, scene).sitting)
        if drawn is None:
            raise HTTPException(404, "no map was drawn in this scene")
        return Response(drawn, media_type="image/png")

    # ---- beside ----

    def measure(self, x0: int, y0: int, x1: int, y1: int, facing: int | None = None) -> Response:
        """What ruler and protractor read between two cells of a person's own map."""
        sane = max(map(abs, (x0, y0, x1, y1))) <= _FARTHEST and facing in (None, *Heading)
        if not self._playroom.tools or not sane:
            raise HTTPException(404, "there are no such instruments here")
        return JSONResponse(measure((x0, y0), (x1, y1), None if facing is None else Heading(facing)).__dict__)

    def static(self, name: str) -> Response:
        found = static_file(name)
        if found is None:
            raise HTTPException(404, "there is no such file")
        return found


async def _fields(request: Request) -> Fields:
    """The fields of a form, text only."""
    form = await request.form(max_files=0, max_fields=_FIELDS)
    return {name: [value for value in form.getlist(name) if isinstance(value, str)] for name in form}


def _to(path: str) -> RedirectResponse:
    return RedirectResponse(path, 303)
