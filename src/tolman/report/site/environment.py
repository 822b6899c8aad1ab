"""Templates of pages: all values are escaped, and an undefined name in a template is an error."""

from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from tolman.report.table.formats import json_text

TEMPLATES = Path(__file__).parent / "templates"

_SCRIPT_ESCAPES = tuple((sign, f"\\u{ord(sign):04x}") for sign in "<>&\u2028\u2029")


def environment(*folders: Path) -> Environment:
    """Templates of these folders, then those of the site. `| data` writes a value as JSON inside a script element."""
    loader = FileSystemLoader([*folders, TEMPLATES])
    made = Environment(loader=loader, autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    made.filters["data"] = script_json
    return made


def script_json(value: object) -> Markup:
    """JSON for a script element: no text in it, from any source, can end that element or open another.

    NaN and infinity become null; JSON has neither.
    """
    text = json_text(value)
    for sign, escape in _SCRIPT_ESCAPES:
        text = text.replace(sign, escape)
    return Markup(text)  # noqa: S704 all that could be markup is escaped
