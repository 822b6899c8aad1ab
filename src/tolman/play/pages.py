"""What is answered to each address: begin, show what is wanted, take a reply, keep a notebook, show the result."""

from contextlib import suppress
from typing import TYPE_CHECKING

from fastapi import Request
from pydantic import TypeAdapter, ValidationError
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response

from tolman.benchmarks.theory_of_space.picture_marks import Key
from tolman.errors import SettingsError, TolmanError
from tolman.geometry import Heading
from tolman.models.sittings import Mark
from tolman.play.answer_forms import Fields, first
from tolman.play.desk import Desk, Place
from tolman.play.grid import measure
from tolman.play.logs import LogWriter
from tolman.play.playroom import Playroom, slug
from tolman.play.result import last_map, map_against_truth
from tolman.play.showing import Showing, picture_alt, picture_name, pictures_on
from tolman.play.templating import rendered, sentence, static_file
from tolman.play.view import page_of
from tolman.play.view_parts import parts_of

_FIELDS = 1000
_NOTEBOOK = TypeAdapter(dict[str, Mark])
_FARTHEST = 1000


if TYPE_CHECKING:
    from tolman.play.result import Result


class Pages:
    """What is answered to each address. State is on disk; here are only the desk, and logs being written."""

    def __init__(self, playroom: Playroom) -> None:
        self._playroom, self._desk = playroom, Desk(playroom)
        self._writer = LogWriter(playroom, self._desk.logged)
        self._showing = Showing(playroom)
        self._results: dict[str, Result] = {}

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

    def _page(self, place: Place, problem: str, fields: Fields) -> HTMLResponse:
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

    def _on_page(self, name: str, scene: str, picture: str) -> Key:
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
            from tolman.play.result import result  # noqa: PLC0415

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
