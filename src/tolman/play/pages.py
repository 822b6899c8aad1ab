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
from tolman.models.human import NotebookEntry
from tolman.play.grid import measure
from tolman.play.page_content import Block, Page, Parts, TurnParts, page_of, parts_of
from tolman.play.replies import Fields, SessionProgress, SessionStore, first
from tolman.play.results import LogWriter, PlayResult, last_map, map_against_truth, play_result
from tolman.play.session import PlaySetup, slug

_TYPES = {"css": "text/css", "js": "text/javascript"}
_SCRIPTS = ("captions.js", "drawing.js", "grid.js", "instruments.js", "moves.js", "page.js", "wait.js")
_FILES = {
    "style.css": ("tolman.report.site", "style.css"),
    **{name: ("tolman.play", f"static/{name}") for name in ("play.css", *_SCRIPTS)},
}
"""Static files by name, with package and path. The common style sheet is that of the report."""


@cache
def _environment() -> Environment:
    loader = PackageLoader("tolman.play")
    return Environment(loader=loader, autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)


def rendered(template: str, status: int = 200, **values: object) -> HTMLResponse:
    """A page from a template."""
    return HTMLResponse(_environment().get_template(template).render(**values), status)


def static_file(name: str) -> Response | None:
    """A style sheet or a script; None for any other name."""
    if name not in _FILES:
        return None
    package, path = _FILES[name]
    content = files(package).joinpath(path).read_bytes()
    return Response(content, media_type=_TYPES[name.rpartition(".")[2]])


def sentence(error: object) -> str:
    """The message of an error as a sentence."""
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
    """The images on the pages, rendered in another thread."""

    def __init__(self, setup: PlaySetup) -> None:
        self._setup = setup
        self._caches: dict[str, PictureCache] = {}

    async def get(self, scene: str, key: PictureKey) -> bytes:
        """The bytes of an image in the format of the options."""
        from tolman.benchmarks.theory_of_space.protocol.pictures import PictureCache  # noqa: PLC0415 loads all that renders

        if scene not in self._caches:
            self._caches[scene] = PictureCache(self._setup.cases[scene], self._setup.options)
        return await self._caches[scene].get(key)


def picture_name(case: Case, key: PictureKey) -> str:
    """The name of an image in its URL."""
    return digest(["picture", case.scene.digest, picture_mark(key)])[:20]


def picture_alt(key: PictureKey) -> str:
    """The alternative text of an image, which does not reveal its content."""
    return _ALTS[type(key)]


def pictures_on(page: Page, parts: Parts) -> Iterator[PictureKey]:
    """All images that a page shows; no other is served."""
    shown: list[Iterable[Block]] = [page.request, *(turn.feedback for turn in page.past)]
    shown += (section.blocks for section in page.rules)
    shown += [parts.feedback] if isinstance(parts, TurnParts) else []
    for block in (block for blocks in shown for block in blocks):
        if block.picture is not None:
            yield block.picture


_FIELDS = 1000
_NOTEBOOK = TypeAdapter(dict[str, NotebookEntry])
_FARTHEST = 1000


class Pages:
    """The handler of each URL. Sessions are stored on disk; only logs being written and results are kept in memory."""

    def __init__(self, setup: PlaySetup) -> None:
        self._setup, self._store = setup, SessionStore(setup)
        self._writer = LogWriter(setup, self._store.record_log)
        self._pictures = PagePictures(setup)
        self._results: dict[str, PlayResult] = {}

    # ---- begin ----

    def start(self) -> HTMLResponse:
        """The first page: the name of the person, and what to expect."""
        return rendered("start.html", setup=self._setup, problem="", name=self._setup.name)

    async def begin(self, request: Request) -> Response:
        """Begin or continue the sessions of a person."""
        given = first(await _fields(request), "name")
        try:
            name = slug(given)
            await run_in_threadpool(self._store.begin, name)
        except SettingsError as error:
            return rendered("start.html", 422, setup=self._setup, problem=sentence(error), name=given[:80])
        return _redirect(f"/people/{name}")

    def person(self, name: str) -> Response:
        """Redirects to the first unfinished scene of a person, or to the result."""
        scene = self._store.next_scene(name)
        return _redirect(f"/result/{name}" if scene is None else f"/people/{name}/{scene}")

    # ---- one scene ----

    def next_page(self, name: str, scene: str) -> Response:
        """The page on which the next reply is given, or the notice that the scene is finished."""
        return self._page(self._store.progress(name, scene), "", {})

    async def reply(self, name: str, scene: str, request: Request) -> Response:
        """Store a reply. An invalid one is shown again with its problem; a repeated one is ignored."""
        fields = await _fields(request)
        note = first(fields, "notebook")
        if note:
            await run_in_threadpool(self._save_notebook, name, scene, note.encode())
        fault = await run_in_threadpool(self._store.submit, name, scene, first(fields, "call"), fields)
        if fault is None:
            return _redirect(f"/people/{name}/{scene}")
        progress = await run_in_threadpool(self._store.progress, name, scene)
        return self._page(progress, fault, fields)

    async def notebook(self, name: str, scene: str, request: Request) -> Response:
        """Save a scratch map."""
        body = await request.body()
        await run_in_threadpool(self._save_notebook, name, scene, body)
        return Response(status_code=204)

    def _save_notebook(self, name: str, scene: str, body: bytes) -> None:
        try:
            self._store.save_notebook(name, scene, _NOTEBOOK.validate_json(body))
        except ValidationError:
            raise HTTPException(422, "that is not a notebook") from None

    def _page(self, progress: SessionProgress, problem: str, fields: Fields) -> HTMLResponse:
        saved, requested = progress.saved, progress.requested
        if requested is None:
            with suppress(TolmanError):  # the result page tries again and reports it
                self._writer.state(saved)
            following = self._store.next_scene(saved.name)
            return rendered("finished.html", setup=self._setup, saved=saved, following=following)
        parts = parts_of(progress.session, requested)
        page = page_of(self._setup, saved, requested)
        given = {name: list(values) for name, values in fields.items()}
        names = {key: (picture_name(progress.session.case, key), picture_alt(key)) for key in pictures_on(page, parts)}
        values = {"page": page, "parts": parts, "problem": problem, "given": given, "pictures": names}
        return rendered(parts.template, 422 if problem else 200, **values)

    async def view(self, name: str, scene: str, picture: str) -> Response:
        """An image of the person's current page, and no other; it is rendered at the first request."""
        key = await run_in_threadpool(self._on_page, name, scene, picture)
        kind = self._setup.options.image_format
        return Response(await self._pictures.get(scene, key), media_type=f"image/{kind}")

    def _on_page(self, name: str, scene: str, picture: str) -> PictureKey:
        progress = self._store.progress(name, scene)
        session, requested = progress.session, progress.requested
        if requested is not None:
            page, parts = page_of(self._setup, progress.saved, requested), parts_of(session, requested)
            for key in pictures_on(page, parts):
                if picture_name(session.case, key) == picture:
                    return key
        raise HTTPException(404, "there is no such picture on this page")

    # ---- results ----

    def result(self, name: str) -> Response:
        """The table of results, once all scenes are finished and logged."""
        if self._store.next_scene(name) is not None:
            return _redirect(f"/people/{name}")
        saved = [self._setup.saved(name, scene) for scene in self._setup.cases]
        if any(self._writer.state(one) != "written" for one in saved):
            return rendered("wait.html", name=name)
        if name not in self._results:
            self._results[name] = play_result(self._setup, name)
        maps = [one.scene for one in saved if last_map(self._setup.session(one))]
        return rendered("result.html", setup=self._setup, name=name, result=self._results[name], maps=maps)

    def map_picture(self, name: str, scene: str) -> Response:
        """The last map of a scene drawn over the truth, once all scenes are finished."""
        if self._store.next_scene(name) is not None:
            raise HTTPException(404, "there is no picture before all scenes are finished")
        drawn = map_against_truth(self._store.progress(name, scene).session)
        if drawn is None:
            raise HTTPException(404, "no map was drawn in this scene")
        return Response(drawn, media_type="image/png")

    # ---- tools and files ----

    def measure(self, x0: int, y0: int, x1: int, y1: int, facing: int | None = None) -> Response:
        """The measurement between two cells of a person's own map."""
        valid = max(map(abs, (x0, y0, x1, y1))) <= _FARTHEST and facing in (None, *Heading)
        if not self._setup.tools or not valid:
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


def _redirect(path: str) -> RedirectResponse:
    return RedirectResponse(path, 303)
