"""The application that serves the pages, and how errors look on them."""

from fastapi import FastAPI, Request
from starlette.exceptions import HTTPException
from starlette.responses import Response

from tolman.errors import SettingsError, TolmanError
from tolman.play.guard import Guard
from tolman.play.looks import rendered, sentence
from tolman.play.pages import Pages
from tolman.play.playroom import Playroom, UnknownSittingError


def build_app(playroom: Playroom, host: str = "127.0.0.1") -> FastAPI:
    """The application that serves a playroom on an address."""
    app, pages = FastAPI(docs_url=None, redoc_url=None, openapi_url=None), Pages(playroom)
    for method, path, answer in (
        ("GET", "/", pages.start),
        ("POST", "/begin", pages.begin),
        ("GET", "/people/{name}", pages.person),
        ("GET", "/people/{name}/{scene}", pages.wanted),
        ("POST", "/people/{name}/{scene}/reply", pages.reply),
        ("POST", "/people/{name}/{scene}/notebook", pages.notebook),
        ("GET", "/people/{name}/{scene}/pictures/{picture}", pages.seen),
        ("GET", "/result/{name}", pages.result),
        ("GET", "/result/{name}/{scene}.png", pages.picture),
        ("GET", "/measure", pages.measure),
        ("GET", "/static/{name}", pages.static),
    ):
        app.add_api_route(path, answer, methods=[method], response_model=None)
    app.add_exception_handler(TolmanError, _problem)
    app.add_exception_handler(HTTPException, _problem)
    app.add_middleware(Guard, host=host)
    return app


def _problem(request: Request, error: Exception) -> Response:
    """An error as a page."""
    del request
    if isinstance(error, HTTPException):
        return rendered("problem.html", error.status_code, problem=sentence(error.detail))
    status = 404 if isinstance(error, UnknownSittingError) else 409 if isinstance(error, SettingsError) else 500
    return rendered("problem.html", status, problem=sentence(error))
