"""An entry of the leaderboard: one run of one model, with every reply and every score that is claimed for it."""

from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, JsonValue

from tolman.benchmarks.theory_of_space.record import SceneRecord
from tolman.limits import BOARD_ROOMS, BOARD_SCENES, BOARD_THINGS
from tolman.rules import RuleSetName

FORMAT: Literal["tolman.entry/1"] = "tolman.entry/1"
MOST_CALLS, MOST_ITEMS = 5_000, 20_000
"""Of a scene, and of the scores of a scene."""
LONGEST_REPLY = 4_000_000
"""Characters."""


def _plain(text: str) -> str:
    if not all(sign.isprintable() for sign in text):
        raise ValueError("it holds signs that can't be printed")
    return text


Line = Annotated[str, Field(max_length=300), AfterValidator(_plain)]
"""A line of text for people."""
Hex = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
Number = Annotated[float, Field(allow_inf_nan=False)]
Items = Annotated[dict[str, Number], Field(max_length=MOST_ITEMS)]
"""Scores by name; see `items`."""


class _Closed(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class Worlds(_Closed):
    """What the scenes are made of."""

    rooms: int = Field(ge=1, le=BOARD_ROOMS)
    things: int = Field(ge=1, le=BOARD_THINGS)


class Split(_Closed):
    """Where the scenes come from: public seeds, a sealed split, or files that nobody can make again."""

    kind: Literal["seeds", "sealed", "files"]
    commitment: Hex | Literal[""] = ""


class EntryScene(_Closed):
    """What a model said in one scene, and the scores that are claimed for it."""

    id: Line
    seed: int | None = Field(ge=0, lt=2**63)
    """None where it is not the seed that makes the scene, or where it is a secret."""
    digest: Hex
    case: dict[str, JsonValue] | None
    """The scene and its questions, where they can't be made from a seed."""
    record: SceneRecord
    scores: dict[RuleSetName, Items]


class Claim(_Closed):
    """A mean over scenes with its 95 % interval, where there is one."""

    mean: Number
    low: Number | None
    high: Number | None


class Entry(_Closed):
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
    worlds: Worlds
    generation: dict[str, JsonValue]
    """Temperature and the like, as the log has them."""
    split: Split
    scenes: list[EntryScene] = Field(min_length=1, max_length=BOARD_SCENES)
    summary: dict[RuleSetName, Annotated[dict[str, Claim], Field(max_length=MOST_ITEMS)]]
