"""What `tolman show` was asked for, and what it found."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

from rich.text import Text

from tolman.core.rules import RuleSetName
from tolman.report.table import Table

References = Literal["none", "baselines", "all"]


@dataclass(frozen=True)
class Wanted:
    """What is to be shown."""

    rules: tuple[RuleSetName, ...] = ("strict", "published")
    references: References = "baselines"
    ceilings: bool = False
    failures: bool = False


@dataclass
class Tables:
    """What to print, and all numbers by benchmark."""

    printed: list[Text | Table] = field(default_factory=list[Text | Table])
    numbers: dict[str, dict[str, object]] = field(default_factory=dict[str, dict[str, object]])

    @property
    def plain(self) -> dict[str, object]:
        """The numbers of the one benchmark there is; those of several under the name of each."""
        return next(iter(self.numbers.values())) if len(self.numbers) == 1 else {**self.numbers}

    @property
    def tables(self) -> list[Table]:
        return [one for one in self.printed if isinstance(one, Table)]

    def add(self, tables: Iterator[Text | Table]) -> None:
        """More to print, an empty line below what there is."""
        self.printed += [Text()] * bool(self.printed)
        self.printed += tables
