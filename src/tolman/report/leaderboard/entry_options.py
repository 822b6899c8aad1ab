"""The options that an entry says it was run with, checked: everything else follows from them."""

import json
from collections.abc import Mapping
from dataclasses import fields

from pydantic import TypeAdapter, ValidationError

from tolman.benchmarks.theory_of_space.options import Options
from tolman.errors import TolmanError
from tolman.limits import BOARD_OPTIONS
from tolman.report.leaderboard.refused import EntryRefused
from tolman.report.names import printable

_OPTIONS = TypeAdapter(Options)
_KNOWN = {field.name for field in fields(Options)}


def read_options(values: Mapping[str, object]) -> Options:
    """Options as plain values tell of them; refused where one is unknown, of another type, or beyond all bounds."""
    for name in values.keys() - _KNOWN:
        raise EntryRefused(f"there is no option {printable(name)[:60]!r}")
    try:
        options = _OPTIONS.validate_json(json.dumps(values), strict=True)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        raise EntryRefused(f"its option {first['loc'][0]} is not one: {first['msg']}") from None
    except TolmanError as error:
        raise EntryRefused(f"its options can't be: {printable(str(error))}") from None
    _check(options)
    return options


def _check(options: Options) -> None:
    for name, most in BOARD_OPTIONS.items():
        if getattr(options, name) > most:
            raise EntryRefused(f"its option {name} is {getattr(options, name)}, and {most} is the most")
    for name in ("phases", "maps", "kinds"):
        given: tuple[str, ...] = getattr(options, name)
        if len(set(given)) != len(given):
            raise EntryRefused(f"its option {name} names something twice")
    if options.captions:
        raise EntryRefused("the files of its pictures held the words for them, which is for tests only")
