"""Templates and files of the pages. Everything that is put into a template is escaped."""

from functools import cache
from importlib.resources import files

from jinja2 import Environment, PackageLoader, StrictUndefined
from starlette.responses import HTMLResponse, Response

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
