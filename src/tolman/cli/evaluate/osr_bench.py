"""`tolman eval osr-bench`: run OSR-Bench on a model, then print its tables."""

from itertools import product
from typing import Annotated, Any, Literal

from cyclopts import Parameter

from tolman.benchmarks.osr_bench.task import osr_bench
from tolman.cli.evaluate.model_options import PROTOCOL, ModelOptions
from tolman.cli.evaluate.run import run_and_show
from tolman.harness.cost import set_price
from tolman.models.scripted.reply import check_answer_agent


def evaluate(
    *,
    options: ModelOptions,
    data: Annotated[
        str, Parameter(help="Seeds of our own rooms, or a folder of scenes: the authors', or of `tolman make`.")
    ] = "0-99",
    mode: Annotated[
        str, Parameter(help="State a map first, none, or be given the true one: first, none, true; or several.")
    ] = "first",
    think: Annotated[
        tuple[bool, ...],
        Parameter(
            help="Reason before each answer, or not; give both to run both.", negative_iterable=(), show_default=False
        ),
    ] = (False,),
    asked: Annotated[
        str, Parameter(help="Questions of what is there (standard), with absent things among them (negative), or both.")
    ] = "standard",
    turns: Annotated[
        str, Parameter(group=PROTOCOL, help="Degrees that the camera is turned by; several, and answers are compared.")
    ] = "0",
    views: Annotated[
        Literal["panorama", "four", "six", "blind"],
        Parameter(group=PROTOCOL, help="One picture, cut into views of 90 degrees, or none."),
    ] = "panorama",
    width: Annotated[int, Parameter(group=PROTOCOL, help="Pixels of the panorama, at most.")] = 1024,
    each: Annotated[int, Parameter(group=PROTOCOL, help="Questions of a kind, in rooms of our own.")] = 10,
    distractors: Annotated[
        Literal["code", "paper"], Parameter(group=PROTOCOL, help="Whose way to choose absent things that fit in.")
    ] = "code",
    class_list: Annotated[
        Literal["distractors", "exact"] | None,
        Parameter(
            group=PROTOCOL,
            help="Classes named for the map: half of them not there, or exactly the true ones, as released. By default "
            "distractors in rooms of our own under strict rules.",
        ),
    ] = None,
    grid: Annotated[int, Parameter(group=PROTOCOL, help="Cells along a side of the map, in rooms of our own.")] = 10,
    handedness: Annotated[
        Literal["true", "released"] | None, Parameter(group=PROTOCOL, help="Maps as seen from above, or mirrored.")
    ] = None,
    preset: Annotated[
        Literal["draft", "standard", "reference"], Parameter(group=PROTOCOL, help="Quality of rendered pictures.")
    ] = "standard",
    assets: Annotated[
        str, Parameter(group=PROTOCOL, help="Models in rendered pictures: auto, pack, built-in, or a folder.")
    ] = "auto",
    rules: Annotated[
        Literal["strict", "published"], Parameter(group=PROTOCOL, help="How questions are made and told.")
    ] = "strict",
    greedy: Annotated[
        bool, Parameter(group=PROTOCOL, help="Temperature 0, unless --temperature says otherwise.")
    ] = True,
    judge: Annotated[str, Parameter(help="A model that grades the answers too, beside the rules.")] = "",
) -> None:
    """Run OSR-Bench on a model, then print its tables. The same command again goes on where this one stopped.

    Every combination of --mode, --think and --asked is run. The exit code is 1 where a scene is missing.
    """
    if options.agent is not None:
        check_answer_agent(options.agent)
    settings: dict[str, Any] = {
        "turns": turns,
        "views": views,
        "width": width,
        "each": each,
        "distractors": distractors,
        "class_list": class_list,
        "grid": grid,
        "handedness": handedness,
        "preset": preset,
        "assets": assets,
        "rules": rules,
        "judge": judge,
        "greedy": greedy,
        "resume": not options.is_replay,
    }
    if judge:
        set_price(judge, options.prices, needed=options.limit_cost is not None)
    runs = product(_listed(mode), dict.fromkeys(think), _listed(asked))
    tasks = [osr_bench(data=data, mode=m, think=t, asked=a, **settings) for m, t, a in runs]
    run_and_show("osr-bench", tasks, options)


def _listed(text: str) -> list[str]:
    return list(dict.fromkeys(part.strip() for part in text.split(",")))
