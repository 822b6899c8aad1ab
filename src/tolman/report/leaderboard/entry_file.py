"""Files of the leaderboard, written by anyone: read with bounds on everything, or refused with one line."""

import gzip
import json
import zlib
from pathlib import Path
from typing import NoReturn

from pydantic import ValidationError

from tolman.errors import SettingsError
from tolman.report.leaderboard.entry import FORMAT, Entry
from tolman.report.leaderboard.refused import EntryRefused
from tolman.report.names import printable

LARGEST = 256 * 2**20
"""Bytes of an entry, unpacked."""
SUFFIXES = (".json", ".json.gz")


def write_entry(entry: Entry, path: Path) -> None:
    """Write an entry as JSON, packed where the name ends in `.gz`."""
    text = (entry.model_dump_json() + "\n").encode()
    if len(text) > LARGEST:
        raise SettingsError(f"this entry would have {len(text)} bytes, and {LARGEST} is the most; submit fewer scenes")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(gzip.compress(text, mtime=0) if path.name.endswith(".gz") else text)
    except OSError as error:
        raise SettingsError(f"{path} can't be written: {error.strerror}") from None


def read_values(path: Path) -> object:
    """The JSON value in a file; refused where it is too large, holds NaN, or is not JSON at all."""
    try:
        text = _bytes(path).decode("utf-8")
        return json.loads(text, parse_constant=_no_number)
    except OSError as error:
        raise EntryRefused(f"it can't be read: {error.strerror or 'it is damaged'}") from None
    except (EOFError, zlib.error):
        raise EntryRefused("it can't be unpacked: it is damaged") from None
    except RecursionError:
        raise EntryRefused("it is nested too deeply to be an entry") from None
    except ValueError as error:
        raise EntryRefused(f"it is not valid JSON: {error}") from None


def _bytes(path: Path) -> bytes:
    with path.open("rb") as file:
        unpacked = gzip.GzipFile(fileobj=file) if path.name.endswith(".gz") else file
        found = unpacked.read(LARGEST + 1)
    if len(found) > LARGEST:
        raise EntryRefused(f"it has more than {LARGEST} bytes")
    return found


def _no_number(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is not a number")


def entry_from_values(values: object) -> Entry:
    """The entry that some JSON holds; refused with the first thing that is wrong with it."""
    told = values.get("format") if isinstance(values, dict) else None  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]
    if told != FORMAT:
        raise EntryRefused(f"its format is {printable(str(told))[:60]}, not {FORMAT}")  # pyright: ignore[reportUnknownArgumentType]
    try:
        return Entry.model_validate(values)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        place = printable(".".join(map(str, first["loc"])))[:100]
        raise EntryRefused(f"it is not a whole entry: {place}: {first['msg']}") from None


def read_entry(path: Path) -> Entry:
    """The entry in a file."""
    return entry_from_values(read_values(path))
