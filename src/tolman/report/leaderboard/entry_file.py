"""The file of an entry, read with bounds: what all entries say about themselves, and the scores that they claim."""

import gzip
import math
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar, cast

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError
from pydantic_core import from_json

from tolman import __version__
from tolman.core.errors import SettingsError, TolmanError
from tolman.core.files import atomic_write
from tolman.core.limits import ENTRY, UNPACKING_ERRORS, TooLargeError, check_json, unpacking
from tolman.core.rules import RuleSetName
from tolman.harness.names import printable

FORMAT: Literal["tolman.entry/1"] = "tolman.entry/1"
MOST_CALLS, MOST_ITEMS = 5_000, 20_000
"""Of a case, and of the scores of a case."""
LONGEST_REPLY = 4_000_000
"""Characters."""


class EntryRefused(TolmanError):
    """An entry is damaged, or does not say what its own replies say."""


def _printable(text: str) -> str:
    if not all(sign.isprintable() for sign in text):
        raise ValueError("it holds signs that can't be printed")
    return text


Line = Annotated[str, Field(max_length=300), AfterValidator(_printable)]
"""A line of text for people."""
Hex = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
Number = Annotated[float, Field(allow_inf_nan=False)]


class StrictModel(BaseModel):
    """Values of exactly these types, and nothing beside them."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class ClaimedMean(StrictModel):
    """A mean over cases with its 95 % interval, where there is one."""

    mean: Number
    low: Number | None
    high: Number | None


ClaimedColumns = Annotated[dict[str, ClaimedMean], Field(max_length=MOST_ITEMS)]
Summary = dict[RuleSetName, ClaimedColumns]
"""All columns of a run, as an entry claims them."""


class EntryHeader(StrictModel):
    """What every entry says about itself. Nothing in it is believed."""

    format: Literal["tolman.entry/1"]
    tolman: Line
    """Version that wrote it."""
    benchmark: Line
    name: Line = Field(min_length=1)
    """What the board calls it."""
    model: Line
    contact: Line = ""
    link: Annotated[Line, Field(pattern=r"^(https?://\S+)?$")] = ""
    note: Line = ""


# ---- claims ----

SCORE_TOLERANCE = 1e-9
"""Numbers closer than this differ by rounding on another machine."""


def score_differences(
    place: str, claimed: Mapping[str, float], found: Mapping[str, float], rules: RuleSetName
) -> Iterator[str]:
    """A line for each number that is claimed and is not so, or is so and not claimed."""
    for name in dict.fromkeys((*found, *claimed)):
        where = f"{place}, {name} under {rules}"
        if name not in claimed:
            yield f"{where}: nothing is claimed, recomputed {_written(found[name])}"
        elif name not in found:
            yield f"{where}: claimed {_written(claimed[name])}, but there is no such item"
        elif not math.isclose(claimed[name], found[name], rel_tol=0.0, abs_tol=SCORE_TOLERANCE):
            yield f"{where}: claimed {_written(claimed[name])}, recomputed {_written(found[name])}"


def _written(value: float) -> str:
    return f"{value:.10g}" if value != round(value, 1) else f"{value:.1f}"


def summary_differences(claimed: Summary, found: Summary) -> Iterator[str]:
    """A line for each mean, or end of an interval, that is not as claimed."""
    for rules in found:
        yield from score_differences("summary", _flat(claimed.get(rules, {})), _flat(found[rules]), rules)


def _flat(claims: Mapping[str, ClaimedMean]) -> dict[str, float]:
    ends = {
        (column, part): getattr(claim, part) for column, claim in claims.items() for part in ClaimedMean.model_fields
    }
    return {f"{part} of {column}": value for (column, part), value in ends.items() if value is not None}


def refuse_faults(entry: EntryHeader, faults: list[str]) -> None:
    """Refuse an entry by the first thing that is wrong with it, and the number of all."""
    if not faults:
        return
    others = f" ({len(faults)} items differ)" if len(faults) > 1 else ""
    version = "" if entry.tolman == __version__ else f"; it was written by Tolman {entry.tolman}, this is {__version__}"
    raise EntryRefused(f"{printable(faults[0])[:300]}{others}{version}")


# ---- the file ----

SUFFIXES = (".json", ".json.gz")


def write_entry(entry: EntryHeader, path: Path) -> None:
    """Write an entry as JSON, packed where the name ends in `.gz`."""
    text = (entry.model_dump_json() + "\n").encode()
    if len(text) > ENTRY.max_bytes:
        raise SettingsError(
            f"this entry would have {len(text)} bytes, and {ENTRY.max_bytes} is the most; submit fewer scenes"
        )
    try:
        atomic_write(path, gzip.compress(text, mtime=0) if path.name.endswith(".gz") else text)
    except OSError as error:
        raise SettingsError(f"{path} can't be written: {error.strerror}") from None


def read_json(path: Path) -> object:
    """The JSON value in a file; refused where it is too large, holds NaN, or is not JSON at all."""
    return parse_json(read_entry_bytes(path))


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


def parse_json(data: bytes) -> object:
    """The value that JSON holds."""
    try:
        return from_json(data, allow_inf_nan=False)
    except ValueError as error:
        if "recursion limit" in str(error):
            raise EntryRefused("it is nested too deeply to be an entry") from None
        raise EntryRefused(f"it is not valid JSON: {error}") from None


def field_of(values: object, name: str) -> object:
    """A field of a JSON object; None where there is none."""
    return cast("Mapping[str, object]", values).get(name) if isinstance(values, dict) else None


def is_entry(values: object) -> bool:
    """Whether some JSON says that it is an entry."""
    return field_of(values, "format") == FORMAT


E = TypeVar("E", bound=EntryHeader)


def parse_entry(cls: type[E], values: object) -> E:
    """The entry of one benchmark that some JSON holds; refused with the first thing that is wrong with it."""
    check_format(values)
    try:
        return cls.model_validate(values)
    except ValidationError as error:
        first = cast("Any", error.errors(include_url=False, include_input=False)[0])
        place = printable(".".join(map(str, first["loc"])))[:100]
        raise EntryRefused(f"it is not a whole entry: {place}: {first['msg']}") from None


def check_format(values: object) -> None:
    """Refuse what does not say that it is an entry."""
    if not is_entry(values):
        raise EntryRefused(f"its format is {printable(str(field_of(values, 'format')))[:60]}, not {FORMAT}")
