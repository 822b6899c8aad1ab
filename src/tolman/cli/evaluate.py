"""`tolman eval`: run a benchmark on a model, go on where the last run was cut off, and print its tables."""

import re
import sys
from pathlib import Path
from typing import Annotated, Any, Literal

from cyclopts import Group, Parameter
from rich.console import Console

from tolman.benchmarks.evaluation import Plan
from tolman.benchmarks.evaluation import evaluate as run
from tolman.benchmarks.theory_of_space.task import theory_of_space
from tolman.cli.show import print_tables
from tolman.errors import SettingsError

_PROTOCOL = Group("Protocol (the defaults are the paper's)", sort_key=1)
_MODEL = Group("Model (Inspect's own options)", sort_key=2)


def evaluate(
    benchmark: Annotated[Literal["theory-of-space"], Parameter(help="What to run.")],
    *,
    model: Annotated[
        str,
        Parameter(
            help="A model as Inspect names it (openai/gpt-5.2, vllm/..., ollama/...), a scripted one (tolman/scout), "
            "`local` for a small one that comes along, or replay/SOURCE."
        ),
    ],
    scenes: Annotated[
        str | None, Parameter(help="Seeds (0-99 unless told otherwise), a folder of scenes, or RUNS:MODEL.")
    ] = None,
    mode: Annotated[str, Parameter(help="active, passive, or both with a comma.")] = "active,passive",
    log_dir: Annotated[Path | None, Parameter(help="Where logs go; the same command goes on from there.")] = None,
    limit_cost: Annotated[float | None, Parameter(help="Stop when the run has cost so many US dollars.")] = None,
    prices: Annotated[
        Path | None, Parameter(help="File of prices: {MODEL: {input: USD, output: USD}} a million tokens.")
    ] = None,
    # ---- protocol ----
    world: Annotated[Literal["text", "vision"], Parameter(group=_PROTOCOL, help="How the world is seen.")] = "text",
    rooms: Annotated[int, Parameter(group=_PROTOCOL, help="Rooms in a generated world, 1 to 32.")] = 3,
    things: Annotated[int, Parameter(group=_PROTOCOL, help="Things in each room of a generated world.")] = 4,
    phases: Annotated[str, Parameter(group=_PROTOCOL, help="What to do.")] = "explore,probe,ask,revise",
    explorer: Annotated[str, Parameter(group=_PROTOCOL, help="Whose log a passive model reads.")] = "",
    maps: Annotated[
        str, Parameter(group=_PROTOCOL, help="Ask with no map, or with one: none, say, own, true.")
    ] = "none",
    probe: Annotated[
        Literal["every", "last", "off"] | None, Parameter(group=_PROTOCOL, help="After which turns maps are asked for.")
    ] = None,
    repeats: Annotated[int, Parameter(group=_PROTOCOL, help="How often each map is asked for.")] = 1,
    questions: Annotated[int, Parameter(group=_PROTOCOL, help="Questions of each kind.")] = 3,
    kinds: Annotated[str, Parameter(group=_PROTOCOL, help="Only these kinds of question.")] = "",
    budget: Annotated[int, Parameter(group=_PROTOCOL, help="Replies to explore with.")] = 20,
    revise_budget: Annotated[int, Parameter(group=_PROTOCOL, help="Replies to revise with.")] = 15,
    think: Annotated[bool, Parameter(group=_PROTOCOL, help="Ask for written thoughts.")] = True,
    history: Annotated[
        int | None, Parameter(group=_PROTOCOL, help="Turns that are sent along; all if left out.")
    ] = None,
    image_size: Annotated[int, Parameter(group=_PROTOCOL, help="Pixels of a picture's side (vision).")] = 384,
    image_budget: Annotated[
        int | None, Parameter(group=_PROTOCOL, help="Most pictures in one request (vision).")
    ] = None,
    image_format: Annotated[
        Literal["png", "jpeg"], Parameter(group=_PROTOCOL, help="Files of pictures (vision).")
    ] = "png",
    image_quality: Annotated[int, Parameter(group=_PROTOCOL, help="Of JPEG files, 1 to 95 (vision).")] = 85,
    eye_height: Annotated[float, Parameter(group=_PROTOCOL, help="Metres of the camera (vision).")] = 0.8,
    preset: Annotated[
        Literal["draft", "standard", "reference"], Parameter(group=_PROTOCOL, help="Quality of pictures (vision).")
    ] = "standard",
    assets: Annotated[
        str, Parameter(group=_PROTOCOL, help="Models in pictures: auto, pack, built-in, or a folder (vision).")
    ] = "auto",
    rules: Annotated[
        Literal["strict", "published"], Parameter(group=_PROTOCOL, help="How the world reads replies.")
    ] = "strict",
    # ---- model ----
    base_url: Annotated[str | None, Parameter(group=_MODEL, help="Address of the model's server.")] = None,
    model_arg: Annotated[
        list[str] | None,
        Parameter(name=("--model-arg", "-M"), negative="", group=_MODEL, help="NAME=VALUE for the provider."),
    ] = None,
    temperature: Annotated[float | None, Parameter(group=_MODEL)] = None,
    max_tokens: Annotated[int | None, Parameter(group=_MODEL, help="Most tokens in a reply.")] = None,
    reasoning_effort: Annotated[str | None, Parameter(group=_MODEL, help="none, low, medium, high, ...")] = None,
    max_connections: Annotated[int | None, Parameter(group=_MODEL, help="Calls at once.")] = None,
    scenes_at_once: Annotated[int | None, Parameter(group=_MODEL, help="Scenes at once.")] = None,
    batch: Annotated[bool, Parameter(group=_MODEL, help="Use the provider's batches: cheaper, slower.")] = False,
    set_option: Annotated[
        list[str] | None,
        Parameter(name="--set", negative="", group=_MODEL, help="NAME=VALUE, any other of Inspect's options."),
    ] = None,
    display: Annotated[
        Literal["full", "rich", "plain", "none"], Parameter(group=_MODEL, help="How progress is shown.")
    ] = "rich",
    tables: Annotated[bool, Parameter(help="Print the tables when the run is over.")] = True,
) -> None:
    """Run a benchmark on a model, then print its tables. The same command again goes on where this one stopped.

    The exit code is 1 where a scene is missing.
    """
    name = "local/smollm2" if model == "local" else model
    chosen = scenes or (name.removeprefix("replay/") if _is_released(name) else "0-99")
    folder = log_dir or Path("logs") / benchmark / re.sub(r"[^\w.-]+", "-", model).strip("-")
    options: dict[str, Any] = {
        "world": world,
        "rooms": rooms,
        "things": things,
        "phases": phases,
        "explorer": explorer,
        "maps": maps,
        "probe": probe,
        "repeats": repeats,
        "questions": questions,
        "kinds": kinds,
        "budget": budget,
        "revise_budget": revise_budget,
        "think": think,
        "history": history,
        "image_size": image_size,
        "image_budget": image_budget,
        "image_format": image_format,
        "image_quality": image_quality,
        "eye_height": eye_height,
        "preset": preset,
        "assets": assets,
        "rules": rules,
        "resume": not name.startswith("replay/"),
    }
    modes = dict.fromkeys(part.strip() for part in mode.split(","))
    tasks = [theory_of_space(scenes=chosen, mode=each, **options) for each in modes]
    generation: dict[str, Any] = {
        "temperature": temperature,
        "max_tokens": max_tokens,
        "reasoning_effort": reasoning_effort,
        "max_connections": max_connections or (1 if name.startswith("local/") else None),
        "batch": batch or None,
        **_pairs(set_option),
    }
    plan = Plan(
        model=name,
        log_dir=folder,
        model_args=_pairs(model_arg),
        base_url=base_url,
        generation={key: value for key, value in generation.items() if value is not None},
        scenes_at_once=scenes_at_once,
        prices=prices,
        limit_cost=limit_cost,
        display=display,
    )
    complete = run(tasks, plan).complete
    Console(stderr=True).print(f"Logs are in {folder}; to look at them: inspect view --log-dir {folder}", markup=False)
    if tables:
        print_tables([folder], Console())
    if not complete:
        sys.exit(1)


def _is_released(model: str) -> bool:
    path, colon, _ = model.removeprefix("replay/").rpartition(":")
    return model.startswith("replay/") and bool(colon) and Path(path).exists()


def _pairs(given: list[str] | None) -> dict[str, Any]:
    """NAME=VALUE, a value read as YAML would: 3 is a number, true a truth."""
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
