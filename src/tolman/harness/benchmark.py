"""A benchmark as the harness runs it: its options, the cases they give, how a case is run, recorded and scored."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Generic, TypeVar

from inspect_ai.model import Model
from pydantic import BaseModel

from tolman.harness.model_calls import ModelCalls
from tolman.harness.options import OptionsClass

S = TypeVar("S", bound=OptionsClass)
O = TypeVar("O", bound=OptionsClass)  # noqa: E741
C = TypeVar("C")
L = TypeVar("L")

ShowProgress = Callable[[int, int], None]
"""Takes how many are done, and of how many."""


@dataclass(frozen=True)
class CaseContext:
    """The model that is given a case, and where what it says is kept."""

    model: Model
    scope: dict[str, str]
    """Tells the calls of this case from all others of the run."""
    resume: bool
    """Whether replies are kept on disk, so that a run that was cut off sends no call twice."""
    keep: Callable[[BaseModel], None]
    """Puts a record into the log; called even where a case fails, with what there is."""

    def calls(self) -> ModelCalls:
        """Calls to the evaluated model."""
        return ModelCalls(self.model, self.scope, resume=self.resume)

    def calls_to(self, model: Model, name: str) -> ModelCalls:
        """Calls to another model, such as a judge."""
        return ModelCalls(model, {**self.scope, "judge": name}, resume=self.resume)


class Benchmark(ABC, Generic[S, O, C, L]):
    """One benchmark. `S` are the options that select cases, `O` those of the protocol; `C` a case, `L` a logged one."""

    name: ClassVar[str]
    """On the command line, such as `osr-bench`."""
    title: ClassVar[str]
    summary: ClassVar[str]
    """What a model does in it, in one line."""
    unit: ClassVar[str] = "scene"
    """What one case is called."""
    several: ClassVar[tuple[str, ...]] = ()
    """Options of which the command line takes several values: each combination is a task of its own."""

    @property
    @abstractmethod
    def selection_class(self) -> type[S]:
        """Options that say which cases are run, and who else is asked; they are arguments of the task."""

    @property
    @abstractmethod
    def options_class(self) -> type[O]:
        """Options of the protocol; they are recorded with every case."""

    @property
    def task(self) -> str:
        """As Inspect names it."""
        return self.name.replace("-", "_")

    @abstractmethod
    def cases(self, selection: S, options: O) -> tuple[O, Sequence[C]]:
        """The cases, and the options with what they leave to the data."""

    @abstractmethod
    def case_id(self, case: C) -> str: ...

    @abstractmethod
    def case_to_dict(self, case: C) -> Mapping[str, object]:
        """Plain values, ready for JSON."""

    @abstractmethod
    def label(self, case: C) -> str:
        """The case in one line, for Inspect's viewer."""

    def target(self, case: C) -> str:
        """The right answers in one line, for Inspect's viewer."""
        del case
        return ""

    @abstractmethod
    def condition(self, options: O) -> str:
        """What tells tasks of one benchmark apart, as part of a task's name."""

    @abstractmethod
    async def run(self, case: C, options: O, selection: S, context: CaseContext) -> str:
        """Everything that happens in one case; returns what was done, for Inspect's viewer."""

    @abstractmethod
    def read(self, metadata: Mapping[str, object], stored: object) -> L:
        """The record of a logged sample, from its metadata and what its store holds."""

    @abstractmethod
    def headline_scores(self, logged: L) -> dict[str, float]:
        """The main numbers of one case, for Inspect's viewer; NaN where there was nothing to score."""

    # ---- what the command line asks before a run ----

    @abstractmethod
    def check_scripted(self, agent: str) -> None:
        """Refuse a scripted model that does not exist, or does not take this benchmark."""

    def default_selection(self, model: str) -> Mapping[str, object]:
        """Selection that follows from the model where a user gives none."""
        del model
        return {}

    def prepare(self, selection: S, options: O, show: ShowProgress) -> None:
        """Make what cases need, such as pictures, before the first call."""

    def other_models(self, selection: S) -> tuple[str, ...]:
        """Models that are asked beside the evaluated one, whose prices must be known as well."""
        del selection
        return ()


AnyBenchmark = Benchmark[Any, Any, Any, Any]
