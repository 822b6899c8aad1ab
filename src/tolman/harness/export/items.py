"""What a benchmark gives for an export: its cases as single-turn questions with one right answer."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Generic, TypeVar

from pydantic import BaseModel

from tolman.harness.calls import Call
from tolman.harness.options import OptionsClass

S = TypeVar("S", bound=OptionsClass)
O = TypeVar("O", bound=OptionsClass)  # noqa: E741
C = TypeVar("C")


@dataclass(frozen=True)
class Picture:
    """One picture of a question. Two of the same key are the same picture."""

    key: str
    load: Callable[[], bytes]
    """Reads or renders its PNG or JPEG file."""


@dataclass(frozen=True)
class PassiveItem:
    """One question that a model answers in a single turn."""

    case: str
    """Id of its case, by which errors are clustered."""
    call: str
    """Name of the reply in the record of the case."""
    kind: str
    content: tuple[str | Picture, ...]
    """Text and pictures in the order in which they are read, without the choices."""
    answer: str
    distractors: Iterator[str] | None = None
    """Wrong answers; None where they are answers to other questions of the same kind."""
    spare: tuple[str, ...] = ()
    """Wrong answers for a set in which other questions have too few different ones."""
    least: int = 3
    """Number of wrong answers among the choices."""
    seed: int = 0
    """Seed of all draws about it; a secret for a sealed scene, so that the order of its choices tells nothing."""
    score: Callable[[str], float] = lambda answer: float("nan")  # noqa: ARG005
    """The benchmark's own grade of an answer, from 0 to 1; 1 for the right one only."""
    shared: bool = False
    """Whether `answer` is one of the few that all questions of the kind have, so that a frequent one can be guessed."""

    @property
    def id(self) -> str:
        return f"{self.case}/{self.call}"


@dataclass(frozen=True)
class Provenance:
    """Where the cases come from, and under which licence they may be passed on."""

    source: str
    licence: str
    """An SPDX identifier, or `other`."""


class ItemSource(ABC, Generic[S, O, C]):
    """The passive questions of one benchmark."""

    version: ClassVar[str]
    """Task version `N-X`: N changes with the scoring, X with the data."""
    paper: ClassVar[str]
    """The paper that the questions follow, in one line."""
    paper_address: ClassVar[str]
    """Where that paper is."""
    fixed: ClassVar[tuple[str, ...]] = ()
    """Options that have one value, or no effect, in a set; the command line leaves them out."""

    @abstractmethod
    def passive(self, options: O) -> O:
        """The options of a single-turn evaluation that come nearest to the given ones."""

    @abstractmethod
    def items(self, case: C, options: O) -> Sequence[PassiveItem]:
        """The questions of a case."""

    @abstractmethod
    def provenance(self, selection: S) -> Provenance: ...

    @abstractmethod
    def answered(self, case: C, options: O, replies: Mapping[str, Call], choices: int) -> "AnsweredCase[C, O]":
        """The record of a case from replies by call; in them a choice was replaced by its text.

        `choices` is the number of choices of a question.
        """


@dataclass(frozen=True)
class AnsweredCase(Generic[C, O]):
    """A case with the record of its replies, as a log keeps them."""

    case: C
    options: O
    record: BaseModel


AnySource = ItemSource[Any, Any, Any]
