"""An entry of the leaderboard, one run with every reply and claimed score, and its file, read with bounds."""

import gzip
import math
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, JsonValue, ValidationError
from pydantic_core import from_json

from tolman.benchmarks.theory_of_space.record import SceneRecord
from tolman.core.errors import SettingsError, TolmanError
from tolman.core.files import atomic_write
from tolman.core.limits import (
    BOARD_ROOMS,
    BOARD_SCENES,
    BOARD_THINGS,
    ENTRY,
    UNPACKING_ERRORS,
    TooLargeError,
    check_json,
    unpacking,
)
from tolman.core.rules import RuleSetName
from tolman.harness.names import printable

FORMAT: Literal["tolman.entry/1"] = "tolman.entry/1"
MOST_CALLS, MOST_ITEMS = 5_000, 20_000
"""Of a scene, and of the scores of a scene."""
LONGEST_REPLY = 4_000_000
"""Characters."""


def _printable(text: str) -> str:
    if not all(sign.isprintable() for sign in text):
        raise ValueError("it holds signs that can't be printed")
    return text


Line = Annotated[str, Field(max_length=300), AfterValidator(_printable)]
"""A line of text for people."""
Hex = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
Number = Annotated[float, Field(allow_inf_nan=False)]
ScoreItems = Annotated[dict[str, Number], Field(max_length=MOST_ITEMS)]
"""Scores by name; see `items`."""


class _StrictModel(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class EntryWorlds(_StrictModel):
    """What the scenes are made of."""

    rooms: int = Field(ge=1, le=BOARD_ROOMS)
    things: int = Field(ge=1, le=BOARD_THINGS)


class EntrySplit(_StrictModel):
    """Where the scenes come from: public seeds, a sealed split, or files that nobody can make again."""

    kind: Literal["seeds", "sealed", "files"]
    commitment: Hex | Literal[""] = ""


class EntryScene(_StrictModel):
    """What a model said in one scene, and the scores that are claimed for it."""

    id: Line
    seed: int | None = Field(ge=0, lt=2**63)
    """None where it is not the seed that makes the scene, or where it is a secret."""
    digest: Hex
    case: dict[str, JsonValue] | None
    """The scene and its questions, where they can't be made from a seed."""
    record: SceneRecord
    scores: dict[RuleSetName, ScoreItems]


class ClaimedMean(_StrictModel):
    """A mean over scenes with its 95 % interval, where there is one."""

    mean: Number
    low: Number | None
    high: Number | None


class LeaderboardEntry(_StrictModel):
    """A whole run. Nothing in it is believed: see `verify`."""

    format: Literal["tolman.entry/1"]
    tolman: Line
    """Version that wrote it."""
    benchmark: Literal["theory-of-space"]
    name: Line = Field(min_length=1)
    """What the board calls it."""
    model: Line
    contact: Line = ""
    link: Annotated[Line, Field(pattern=r"^(https?://\S+)?$")] = ""
    note: Line = ""
    options: dict[str, JsonValue]
    worlds: EntryWorlds
    generation: dict[str, JsonValue]
    """Temperature and the like, as the log has them."""
    split: EntrySplit
    scenes: list[EntryScene] = Field(min_length=1, max_length=BOARD_SCENES)
    summary: dict[RuleSetName, Annotated[dict[str, ClaimedMean], Field(max_length=MOST_ITEMS)]]


SCORE_TOLERANCE = 1e-9
"""Numbers closer than this differ by rounding on another machine."""


class EntryRefused(TolmanError):
    """An entry is damaged, or does not say what its own replies say."""


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
        elif not _is_same(claimed[name], found[name]):
            yield f"{where}: claimed {_written(claimed[name])}, recomputed {_written(found[name])}"


def _is_same(one: float, other: float) -> bool:
    return math.isclose(one, other, rel_tol=0.0, abs_tol=SCORE_TOLERANCE)


def _written(value: float) -> str:
    return f"{value:.10g}" if value != round(value, 1) else f"{value:.1f}"


SUFFIXES = (".json", ".json.gz")


def write_entry(entry: LeaderboardEntry, path: Path) -> None:
    """Write an entry as JSON, packed where the name ends in `.gz`."""
    text = (entry.model_dump_json() + "\n").encode()
    if len(text) > ENTRY.most:
        raise SettingsError(
            f"this entry would have {len(text)} bytes, and {ENTRY.most} is the most; submit fewer scenes"
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


def entry_from_values(values: object) -> LeaderboardEntry:
    """The entry that some JSON holds; refused with the first thing that is wrong with it."""
    told = values.get("format") if isinstance(values, dict) else None  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]
    if told != FORMAT:
        raise EntryRefused(f"its format is {printable(str(told))[:60]}, not {FORMAT}")  # pyright: ignore[reportUnknownArgumentType]
    try:
        return LeaderboardEntry.model_validate(values)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        place = printable(".".join(map(str, first["loc"])))[:100]
        raise EntryRefused(f"it is not a whole entry: {place}: {first['msg']}") from None


def read_entry(path: Path) -> LeaderboardEntry:
    """The entry in a file."""
    return entry_from_values(read_json(path))
