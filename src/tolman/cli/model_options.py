"""Options of every evaluation: which model, how it is reached, what it may cost, where logs go."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

from cyclopts import Group, Parameter

from tolman.core.errors import SettingsError
from tolman.harness.evaluation import RunPlan
from tolman.harness.names import folder_name, usual_log_dir
from tolman.harness.server_health import GIVE_UP_AFTER

PROTOCOL = Group("Protocol (the defaults are the paper's)", sort_key=1)
_MODEL = Group("Model (Inspect's own options)", sort_key=2)


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class ModelChoice:
    """Options that select the model, and how it is reached."""

    model: Annotated[
        str,
        Parameter(
            help="A model as Inspect names it (openai/gpt-5.2, vllm/..., ollama/...), a scripted one (tolman/oracle), "
            "`local` for SmolLM2-135M on this machine, or replay/SOURCE."
        ),
    ]
    prices: Annotated[
        Path | None, Parameter(help="File of prices: {MODEL: {input: USD, output: USD}} per million tokens.")
    ] = None
    base_url: Annotated[str | None, Parameter(group=_MODEL, help="Address of the model's server.")] = None
    model_arg: Annotated[
        list[str] | None,
        Parameter(name=("--model-arg", "-M"), negative="", group=_MODEL, help="NAME=VALUE for the provider."),
    ] = None
    temperature: Annotated[float | None, Parameter(group=_MODEL, help="Sampling temperature.")] = None
    max_tokens: Annotated[int | None, Parameter(group=_MODEL, help="Maximum number of tokens in a reply.")] = None
    reasoning_effort: Annotated[str | None, Parameter(group=_MODEL, help="Such as none, low, medium or high.")] = None
    set_option: Annotated[
        list[str] | None,
        Parameter(name="--set", negative="", group=_MODEL, help="NAME=VALUE, for any other option of Inspect."),
    ] = None

    @property
    def name(self) -> str:
        """The model's name in Inspect."""
        return "local/smollm2" if self.model == "local" else self.model

    @property
    def folder_name(self) -> str:
        """The model's name without characters that have a meaning in paths."""
        return folder_name(self.model)

    @property
    def agent(self) -> str | None:
        """The name of the scripted agent, if it is one."""
        return self.name.removeprefix("tolman/") if self.name.startswith("tolman/") else None

    @property
    def is_replay(self) -> bool:
        return self.name.startswith("replay/")

    @property
    def generation(self) -> dict[str, Any]:
        """Generation settings for Inspect that were given."""
        given: dict[str, Any] = {
            "temperature": self.temperature,
            "max_tokens": self.max_tokens,
            "reasoning_effort": self.reasoning_effort,
            **pairs(self.set_option),
        }
        return {name: value for name, value in given.items() if value is not None}


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class ModelOptions(ModelChoice):
    """Options of the command line that are the same for every benchmark."""

    log_dir: Annotated[
        Path | None,
        Parameter(
            help="Folder of logs; the same command continues from there. Default: logs/BENCHMARK/MODEL.",
        ),
    ] = None
    epochs: Annotated[
        int,
        Parameter(
            help="Run every scene this many times, if more than once at the model's own temperature unless one is "
            "given; tables then show pass^k and split the variance."
        ),
    ] = 1
    limit_cost: Annotated[float | None, Parameter(help="Stop when the run has cost this many US dollars.")] = None
    tables: Annotated[bool, Parameter(help="Print the tables when the run is over.")] = True
    give_up_after: Annotated[
        float, Parameter(group=_MODEL, help="Stop after this many seconds without any reply from the model's server.")
    ] = GIVE_UP_AFTER
    max_connections: Annotated[int | None, Parameter(group=_MODEL, help="Maximum number of concurrent calls.")] = None
    scenes_at_once: Annotated[int | None, Parameter(group=_MODEL, help="Maximum number of concurrent scenes.")] = None
    batch: Annotated[bool, Parameter(group=_MODEL, help="Use the provider's batch API: cheaper, slower.")] = False
    display: Annotated[
        Literal["full", "rich", "plain", "none"],
        Parameter(group=_MODEL, help="Progress: Inspect's own screen (full), a bar (rich), lines (plain), or nothing."),
    ] = "rich"

    def folder(self, benchmark: str) -> Path:
        """Where the logs go."""
        return self.log_dir or usual_log_dir(benchmark, self.model)

    def plan(self, benchmark: str) -> RunPlan:
        """How the benchmark is run. Weights of llama.cpp answer one call at a time, a checkpoint many in one batch."""
        one_at_a_time = self.name.startswith("local/") and not Path(self.name.removeprefix("local/")).is_dir()
        usual = 1 if one_at_a_time else None
        more = {"max_connections": self.max_connections or usual, "batch": self.batch or None}
        return RunPlan(
            model=self.name,
            log_dir=self.folder(benchmark),
            model_args=pairs(self.model_arg),
            base_url=self.base_url,
            generation={**{name: value for name, value in more.items() if value is not None}, **self.generation},
            scenes_at_once=self.scenes_at_once or usual,
            epochs=self.epochs,
            prices=self.prices,
            limit_cost=self.limit_cost,
            give_up_after=self.give_up_after,
            display=self.display,
        )

    def __post_init__(self) -> None:
        for name in ("max_connections", "scenes_at_once", "max_tokens", "epochs"):
            if (value := getattr(self, name)) is not None and value < 1:
                raise SettingsError(f"--{name.replace('_', '-')} is at least 1, not {value}")
        for name in ("limit_cost", "give_up_after"):
            if (amount := getattr(self, name)) is not None and not amount > 0:
                raise SettingsError(f"--{name.replace('_', '-')} is more than 0, not {amount:g}")


def pairs(given: list[str] | None) -> dict[str, Any]:
    """Values by name from NAME=VALUE; values are read as YAML: 3 is a number, true a boolean."""
    import yaml  # noqa: PLC0415

    pairs: dict[str, Any] = {}
    for text in given or ():
        name, equals, value = text.partition("=")
        if not equals or not name.isidentifier():
            raise SettingsError(f"{text!r} is not of the form NAME=VALUE")
        try:
            pairs[name] = yaml.safe_load(value)
        except yaml.YAMLError:
            pairs[name] = value
    return pairs
