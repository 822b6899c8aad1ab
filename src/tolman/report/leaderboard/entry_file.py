"""Files of the leaderboard, written by anyone: read with bounds on everything, or refused with one line."""

import gzip
from pathlib import Path

from pydantic import ValidationError
from pydantic_core import from_json

from tolman.errors import SettingsError
from tolman.limits import ENTRY, UNPACKING_ERRORS, TooLargeError, check_json, unpacking
from tolman.report.leaderboard.entry import FORMAT, Entry
from tolman.report.leaderboard.refused import EntryRefused
from tolman.report.names import printable
from tolman.whole_file import write_whole

SUFFIXES = (".json", ".json.gz")


def write_entry(entry: Entry, path: Path) -> None:
    """Write an entry as JSON, packed where the name ends in `.gz`."""
    text = (entry.model_dump_json() + "\n").encode()
    if len(text) > ENTRY.most:
        raise SettingsError(
            f"this entry would have {len(text)} bytes, and {ENTRY.most} is the most; submit fewer scenes"
        )
    try:
        write_whole(path, gzip.compress(text, mtime=0) if path.name.endswith(".gz") else text)
    except OSError as error:
        raise SettingsError(f"{path} can't be written: {error.strerror}") from None


def read_values(path: Path) -> object:
    """The JSON value in a file; refused where it is too large, holds NaN, or is not JSON at all."""
    return parsed(read_entry_bytes(path))


def read_entry_bytes(path: Path) -> bytes:
    """The JSON in a file, unpacked; refused where that is more than an entry can be, or too many values."""
    try:
        with unpacking(path, ENTRY) as stream:
            found = stream.read()
        check_json(found, "it")
    except TooLargeError as error:
        raise EntryRefused(str(error).replace(str(path), "it")) from None
    except UNPACKING_ERRORS:
        raise EntryRefused("it can't be unpacked: it is damaged") from None
    except OSError as error:
        raise EntryRefused(f"it can't be read: {error.strerror or 'it is damaged'}") from None
    return found


def parsed(data: bytes) -> object:
    """The value that JSON holds."""
    try:
        return from_json(data, allow_inf_nan=False)
    except ValueError as error:
        if "recursion limit" in str(error):
            raise EntryRefused("it is nested too deeply to be an entry") from None
        raise EntryRefused(f"it is not valid JSON: {error}") from None


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
