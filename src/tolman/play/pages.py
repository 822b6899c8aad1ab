"""The handler of each address of the play server, with its templates and static files, the same for all benchmarks;
and logs of finished sessions, written by the Inspect task itself in the background.
"""

from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from pathlib import Path
from threading import Lock
from typing import Literal

from fastapi import Request
from jinja2 import Environment, PackageLoader, StrictUndefined
from pydantic import TypeAdapter, ValidationError
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response

from tolman.core.errors import SettingsError, TolmanError
from tolman.core.parallel import untracked
from tolman.harness.evaluation import RunPlan, evaluate
from tolman.models.replay import NotebookEntry, SavedSession
from tolman.play.playable import (
    AnyPlayable,
    Fields,
    PageContent,
    PlayResult,
    ResultRow,
    SessionProgress,
    SessionStore,
    first,
    slug,
)
from tolman.report.results import ResultReader

_ONE_AT_A_TIME = Lock()
"""Inspect runs one evaluation at a time per process."""


def write_log(playable: AnyPlayable, saved: SavedSession) -> str:
    """Write the log of a finished session and return its file name. A second call reuses the log."""
    plan = RunPlan(
        playable.model(saved.name),
        playable.logs(saved),
        model_args={"sittings": str(playable.folder)},
        generation={"sample_id": saved.scene},
        scene_retries=0,
        display="none",
    )
    with _ONE_AT_A_TIME:
        outcome = evaluate([playable.task(saved.scene)], plan)
    if not outcome.complete:
        raise TolmanError(f"the log of scene {saved.scene} could not be written; the session itself is saved")
    return Path(outcome.logs[0].location).name


LogState = Literal["written", "being written"]


@dataclass
class LogWriter:
    """Writes logs in a background thread, one at a time."""

    playable: AnyPlayable
    done: Callable[[str, str, str], None]
    """Called with name, scene and file name of each log written."""
    _worker: ThreadPoolExecutor = field(default_factory=lambda: ThreadPoolExecutor(1, "log-writer"))
    _begun: dict[tuple[str, str], Future[None]] = field(default_factory=dict[tuple[str, str], Future[None]])

    def state(self, saved: SavedSession) -> LogState:
        """The state of the log of a finished session; starts writing it where that was not done yet.

        A failure is raised once; the next call starts again.
        """
        if saved.log:
            return "written"
        key = saved.name, saved.scene
        begun = self._begun.get(key)
        if begun is None:
            self._begun[key] = self._worker.submit(self._write, saved)
        elif begun.done():
            del self._begun[key]
            if (failure := begun.exception()) is not None:
                raise TolmanError(f"the log could not be written: {' '.join(str(failure).split())[:300]}")
            return "written"
        return "being written"

    def _write(self, saved: SavedSession) -> None:
        self.done(saved.name, saved.scene, write_log(self.playable, saved))


def headline_result(reader: ResultReader, model: str, logs: Sequence[Path], scenes: int) -> PlayResult:
    """The main numbers of a person, as `tolman show` and the front page of a report have them."""
    warnings: list[str] = []
    found = reader.read(logs, warnings.append, untracked)
    own = [each for each in found.headlines() if each.model == model]
    columns = [column for column in reader.headline_columns if any(column.key in each.cells for each in own)]
    cells = {column.key: own[0].cells[column.key] for column in columns}
    rows = tuple(ResultRow(each.model, tuple(_shown(cells[column.key].text) for column in columns)) for each in own)
    meanings = {column.title: column.definition for column in columns}
    return PlayResult(tuple(column.title for column in columns), rows, scenes, meanings, warnings=tuple(warnings))


def _shown(text: str) -> str:
    return f"{text} %" if text.replace(".", "").isdecimal() else text


_TYPES = {"css": "text/css", "js": "text/javascript"}
_OWN = (
    *("play.css", "captions.js", "cells.js", "drawing.js", "grid.js", "instruments.js", "moves.js", "page.js"),
    *("panorama.js", "wait.js"),
)
_VIEWER = ("dom.js", "look.js", "sphere.js", "strip.js", "seen.js", "seen.css")
_FILES = {
    "style.css": ("tolman.report.site", "style.css"),
    **{name: ("tolman.play", f"static/{name}") for name in _OWN},
    **{name: ("tolman.benchmarks.osr_bench.pages", f"scene/{name}") for name in _VIEWER},
}
"""Static files by name, with package and path. The common style and the panorama viewer are those of the report."""


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


_FIELDS = 1000
_NOTEBOOK = TypeAdapter(dict[str, NotebookEntry])
_FARTHEST = 1000


class Pages:
    """The handler of each URL. Sessions are stored on disk; only logs being written and results are kept in memory."""

    def __init__(self, playable: AnyPlayable) -> None:
        self._playable, self._store = playable, SessionStore(playable)
        self._writer = LogWriter(playable, self._store.record_log)
        self._results: dict[str, PlayResult] = {}

    # ---- begin ----

    def start(self) -> HTMLResponse:
        """The first page: the name of the person, and what to expect."""
        return self._start(200, "", self._playable.setting.name)

    def _start(self, status: int, problem: str, name: str) -> HTMLResponse:
        content = self._playable.start()
        return _page_of(content, status, playable=self._playable, problem=problem, name=name)

    async def begin(self, request: Request) -> Response:
        """Begin or continue the sessions of a person."""
        given = first(await _fields(request), "name")
        try:
            name = slug(given)
            await run_in_threadpool(self._store.begin, name)
        except SettingsError as error:
            return self._start(422, sentence(error), given[:80])
        return _redirect(f"/people/{name}")

    def person(self, name: str) -> Response:
        """Redirects to the first unfinished scene of a person, or to the result."""
        scene = self._store.next_scene(name)
        return _redirect(f"/result/{name}" if scene is None else f"/people/{name}/{scene}")

    # ---- one scene ----

    def next_page(self, name: str, scene: str) -> Response:
        """The page on which the next reply is given, or how the person did in the scene."""
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
        return await run_in_threadpool(self._page, progress, fault, fields)

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
            return self._finished(saved)
        content = self._playable.page(saved, requested)
        given = {name: list(values) for name, values in fields.items()}
        return _page_of(content, 422 if problem else 200, problem=problem, given=given)

    def _finished(self, saved: SavedSession) -> HTMLResponse:
        """A finished scene: the log is begun, and the person sees how they did, unless feedback comes at the end."""
        with suppress(TolmanError):  # the result page tries again and reports it
            self._writer.state(saved)
        following = self._store.next_scene(saved.name)
        review = self._playable.review(saved) if self._playable.setting.feedback or following is None else None
        return rendered(
            "finished.html",
            playable=self._playable,
            saved=saved,
            review=review,
            following=following,
            **self._playable.position(saved),
        )

    async def view(self, name: str, scene: str, picture: str) -> Response:
        """A picture of the person's current page, or of the review of a finished scene, and no other."""
        progress = await run_in_threadpool(self._store.progress, name, scene)
        if progress.requested is None and not await run_in_threadpool(self._shows_truth, name):
            raise HTTPException(404, "there is no such picture on this page")
        found = await self._playable.picture(progress.saved, progress.requested, picture)
        if found is None:
            raise HTTPException(404, "there is no such picture on this page")
        return Response(found.data, media_type=found.kind)

    def _shows_truth(self, name: str) -> bool:
        return self._playable.setting.feedback or self._store.next_scene(name) is None

    # ---- results ----

    def result(self, name: str) -> Response:
        """The table of results, once all scenes are finished and logged."""
        if self._store.next_scene(name) is not None:
            return _redirect(f"/people/{name}")
        saved = [self._playable.saved(name, scene) for scene in self._playable.cases]
        if any(self._writer.state(one) != "written" for one in saved):
            return rendered("wait.html", name=name)
        if name not in self._results:
            logs = [self._playable.logs(one) / self._playable.saved(name, one.scene).log for one in saved]
            self._results[name] = self._playable.result(name, logs)
        return rendered("result.html", playable=self._playable, name=name, result=self._results[name])

    # ---- tools and files ----

    def measure(self, x0: int, y0: int, x1: int, y1: int, facing: int | None = None) -> Response:
        """The measurement between two cells of a person's own map."""
        valid = max(map(abs, (x0, y0, x1, y1))) <= _FARTHEST and facing in (None, 0, 1, 2, 3)
        found = self._playable.measured((x0, y0), (x1, y1), facing) if self._playable.tools and valid else None
        if found is None:
            raise HTTPException(404, "there are no such instruments here")
        return JSONResponse(found)

    def static(self, name: str) -> Response:
        found = static_file(name)
        if found is None:
            raise HTTPException(404, "there is no such file")
        return found


def _page_of(content: PageContent, status: int, **more: object) -> HTMLResponse:
    return rendered(content.template, status, **{**content.values, **more})


async def _fields(request: Request) -> Fields:
    """The fields of a form, text only."""
    form = await request.form(max_files=0, max_fields=_FIELDS)
    return {name: [value for value in form.getlist(name) if isinstance(value, str)] for name in form}


def _redirect(path: str) -> RedirectResponse:
    return RedirectResponse(path, 303)
