"""A benchmark as the harness runs it: its options, the cases they select, how a case is run, recorded and scored."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Generic, TypeVar, cast

from inspect_ai.model import Model
from pydantic import BaseModel

from tolman.harness.model_calls import ModelCalls
from tolman.harness.options import OptionsClass

S = TypeVar("S", bound=OptionsClass)
O = TypeVar("O", bound=OptionsClass)  # noqa: E741
C = TypeVar("C")
L = TypeVar("L")

ShowProgress = Callable[[int, int], None]
"""Called with the number of finished items and the total."""


@dataclass(frozen=True)
class CaseContext:
    """The evaluated model, and where its replies to a case are stored."""

    model: Model
    scope: dict[str, str]
    """Distinguishes the calls of this case from all others of the run."""
    resume: bool
    """Whether replies are cached on disk, so that an interrupted run repeats no call."""
    keep: Callable[[BaseModel], None]
    """Writes a record to the log; also called when a case fails, with the replies so far."""

    def calls(self) -> ModelCalls:
        """Calls to the evaluated model."""
        return ModelCalls(self.model, self.scope, resume=self.resume)

    def calls_to(self, model: Model, name: str) -> ModelCalls:
        """Calls to another model, such as a judge."""
        return ModelCalls(model, {**self.scope, "judge": name}, resume=self.resume)


class Benchmark(ABC, Generic[S, O, C, L]):
    """One benchmark. `S` are the options that select cases, `O` those of the protocol; `C` a case, `L` a logged one."""

    name: ClassVar[str]
    """Name on the command line, such as `osr-bench`."""
    title: ClassVar[str]
    summary: ClassVar[str]
    """What a model does in it, in one line."""
    unit: ClassVar[str] = "scene"
    """What one case is called."""
    several: ClassVar[Mapping[str, str]] = {}
    """Options that take several values on the command line, each combination being one task, with their defaults there;
    an empty string stands for the option's own default."""

    wording_packages: ClassVar[tuple[str, ...]] = ()
    """Packages whose folders `wordings` hold the texts of its prompts, which a user may replace."""
    optional_gaps: ClassVar[Mapping[str, tuple[str, ...]]] = {}
    """Gaps of its texts, by name of the text, that another text may leave out."""

    selection_class: type[S]
    """Options that select cases and further models, such as a judge; they are arguments of the task."""
    options_class: type[O]
    """Options of the protocol; they are recorded with every case."""

    @property
    def task(self) -> str:
        """Name of its Inspect task."""
        return self.name.replace("-", "_")

    @abstractmethod
    def cases(self, selection: S, options: O) -> tuple[O, Sequence[C]]:
        """The cases, and the options with all defaults that depend on the data filled in."""

    def case_id(self, case: C) -> str:
        """Name of a case in logs: its `id`, unless a benchmark says otherwise."""
        return str(cast("Any", case).id)

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
        """The part of a task's name that distinguishes the tasks of one benchmark."""

    @abstractmethod
    async def run(self, case: C, options: O, selection: S, context: CaseContext) -> str:
        """Run one case; returns a summary for Inspect's viewer."""

    @abstractmethod
    def read(self, metadata: Mapping[str, object], stored: object) -> L:
        """The record of a logged sample, from its metadata and what its store holds."""

    @abstractmethod
    def headline_scores(self, logged: L) -> dict[str, float]:
        """The main numbers of one case, for Inspect's viewer; NaN where there was nothing to score."""

    # ---- called by the command line before a run ----

    @abstractmethod
    def check_scripted(self, agent: str) -> None:
        """Refuse a scripted model that does not exist, or does not support this benchmark."""

    def default_selection(self, model: str) -> Mapping[str, object]:
        """Selection options that depend on the model, for those that the user leaves at their defaults."""
        del model
        return {}

    def prepare(self, selection: S, options: O, show: ShowProgress) -> None:
        """Make what cases need, such as pictures, before the first call."""

    def other_models(self, selection: S) -> tuple[str, ...]:
        """Models called besides the evaluated one, whose prices must be known as well."""
        del selection
        return ()


AnyBenchmark = Benchmark[Any, Any, Any, Any]
