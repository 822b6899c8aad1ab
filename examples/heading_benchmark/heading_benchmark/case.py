"""Options, cases and their record."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, cast

from tolman.core.errors import SettingsError
from tolman.core.seeds import rng
from tolman.harness import records
from tolman.harness.options import RecordedOptions
from tolman.harness.records import CaseRecord, RecordFormat

HEADINGS = ("north", "east", "south", "west")
FORMAT: Literal["heading_benchmark/1"] = "heading_benchmark/1"


@dataclass(frozen=True)
class Selection:
    """Which cases are run."""

    cases: int = 20
    """Number of cases, from seed 0 on."""


@dataclass(frozen=True)
class Options(RecordedOptions):
    """How a case is made."""

    turns: int = 3
    """Turns of 90 degrees in each case."""

    def __post_init__(self) -> None:
        if not 1 <= self.turns <= 20:
            raise SettingsError(f"turns is from 1 to 20, not {self.turns}")


@dataclass(frozen=True)
class Case:
    """One chain of turns, which begins facing north."""

    id: str
    turns: tuple[str, ...]

    @property
    def answer(self) -> str:
        """The heading after all turns."""
        return HEADINGS[sum(1 if turn == "right" else -1 for turn in self.turns) % 4]


class Record(CaseRecord):
    """What a model said to one case."""

    format: Literal["heading_benchmark/1"] = FORMAT


def make_case(seed: int, options: Options) -> Case:
    """The case of a seed."""
    stream = rng(seed, "headings")
    return Case(str(seed), tuple(("left", "right")[int(stream.integers(2))] for _ in range(options.turns)))


def case_from_dict(values: Mapping[str, object]) -> Case:
    """The case that a log holds."""
    return Case(str(values["id"]), tuple(map(str, cast("list[object]", values["turns"]))))


LoggedCase = records.LoggedCase[Case, Options, Record]
RECORDS = RecordFormat(FORMAT, Record, Options, case_from_dict)
