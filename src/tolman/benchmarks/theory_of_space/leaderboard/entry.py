"""An entry of Theory of Space: one run with every reply and every claimed score."""

from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field, JsonValue

from tolman.benchmarks.theory_of_space.record import SceneRecord
from tolman.core.limits import BOARD_ROOMS, BOARD_SCENES, BOARD_THINGS
from tolman.core.rules import RuleSetName
from tolman.report.leaderboard.entry_file import (
    MOST_ITEMS,
    EntryHeader,
    Hex,
    Line,
    Number,
    StrictModel,
    Summary,
    parse_entry,
    read_json,
)

ScoreItems = Annotated[dict[str, Number], Field(max_length=MOST_ITEMS)]
"""Scores by name; see `verify.score_items`."""


class EntryWorlds(StrictModel):
    """What the scenes are made of."""

    rooms: int = Field(ge=1, le=BOARD_ROOMS)
    things: int = Field(ge=1, le=BOARD_THINGS)


class EntrySplit(StrictModel):
    """Where the scenes come from: public seeds, a sealed split, or files that nobody can make again."""

    kind: Literal["seeds", "sealed", "files"]
    commitment: Hex | Literal[""] = ""


class EntryScene(StrictModel):
    """What a model said in one scene, and the scores that are claimed for it."""

    id: Line
    seed: int | None = Field(ge=0, lt=2**63)
    """None where it is not the seed that makes the scene, or where it is a secret."""
    digest: Hex
    case: dict[str, JsonValue] | None
    """The scene and its questions, where they can't be made from a seed."""
    record: SceneRecord
    scores: dict[RuleSetName, ScoreItems]


class LeaderboardEntry(EntryHeader):
    """A whole run. Nothing in it is believed: see `verify`."""

    benchmark: Literal["theory-of-space"]  # pyright: ignore[reportIncompatibleVariableOverride]
    options: dict[str, JsonValue]
    worlds: EntryWorlds
    generation: dict[str, JsonValue]
    """Temperature and the like, as the log has them."""
    split: EntrySplit
    scenes: list[EntryScene] = Field(min_length=1, max_length=BOARD_SCENES)
    summary: Summary


def entry_from_values(values: object) -> LeaderboardEntry:
    """The entry that some JSON holds; refused with the first thing that is wrong with it."""
    return parse_entry(LeaderboardEntry, values)


def read_entry(path: Path) -> LeaderboardEntry:
    """The entry in a file."""
    return entry_from_values(read_json(path))
