"""`tolman eval sparrta`: ask a model about pictures of SpaRRTa, then print its tables."""

from typing import Annotated, Any, Literal

from cyclopts import Parameter
from rich.console import Console

from tolman.benchmarks.sparrta.dataset.make import GeneratedPictures, prepare_pictures
from tolman.benchmarks.sparrta.options import Options
from tolman.benchmarks.sparrta.relations import parse_viewpoints
from tolman.benchmarks.sparrta.task import sparrta
from tolman.cli.arguments import progress_bar
from tolman.cli.evaluate.model_options import OPTIONS, ModelOptions
from tolman.cli.evaluate.run import run_and_show
from tolman.core.errors import SettingsError
from tolman.models.scripted.reply import check_answer_agent


def evaluate(
    *,
    options: ModelOptions,
    data: Annotated[
        str, Parameter(help="Folder of pictures: of `tolman make sparrta`, or the authors'.", show_default=False)
    ] = "",
    environment: Annotated[
        str,
        Parameter(help="forest, desert, winter_town, bridge, city, several, or (by default) all.", show_default=False),
    ] = "",
    triple: Annotated[
        str,
        Parameter(
            help="Which source and target: 1, 2, 3, several, or all. By default 1; of --data, all.", show_default=False
        ),
    ] = "",
    images: Annotated[
        str,
        Parameter(help="Numbers of the pictures of each triple, by default 0-99; of --data, all.", show_default=False),
    ] = "",
    max_pictures: Annotated[int | None, Parameter(help="At most so many pictures, from all triples in turn.")] = None,
    viewpoint: Annotated[str, Parameter(help="As seen from the camera (ego), the person (allo), or both.")] = "both",
    think: Annotated[
        tuple[bool, ...],
        Parameter(
            help="Reason before each answer, or not; give both to run both.", negative_iterable=(), show_default=False
        ),
    ] = (False,),
    size: Annotated[int, Parameter(group=OPTIONS, help="Pixels along a side of a picture, at most.")] = 224,
    ambiguity: Annotated[
        float, Parameter(group=OPTIONS, help="Degrees to both sides of a diagonal that are not asked about.")
    ] = 15.0,
    point: Annotated[
        Literal["auto", "always", "never"],
        Parameter(group=OPTIONS, help="Say where the source stands: where others look like it, always, never."),
    ] = "auto",
    blind: Annotated[bool, Parameter(group=OPTIONS, negative="", help="Send no picture.")] = False,
    balanced: Annotated[
        bool, Parameter(group=OPTIONS, negative="", help="Let relations take turns, in pictures of our own.")
    ] = False,
    preset: Annotated[
        Literal["draft", "standard", "reference"], Parameter(group=OPTIONS, help="Quality of pictures of our own.")
    ] = "standard",
    models: Annotated[
        str, Parameter(group=OPTIONS, help="Models in pictures of our own: auto, pack or built-in.")
    ] = "auto",
    greedy: Annotated[
        bool, Parameter(group=OPTIONS, help="Temperature 0, unless --temperature says otherwise.")
    ] = True,
    workers: Annotated[int, Parameter(help="Processes that make pictures; -1 for all cores.")] = 1,
) -> None:
    """Ask where the target is to the source, then print tables. The same command again goes on where this one stopped.

    Pictures of our own are made before the first question, and kept. The exit code is 1 where a picture is missing.
    """
    if options.agent is not None:
        check_answer_agent(options.agent)
    if workers == 0 or workers < -1:
        raise SettingsError(f"--workers is at least 1, or -1 for all cores, not {workers}")
    settings: dict[str, Any] = {
        "viewpoint": ",".join(parse_viewpoints(viewpoint)),
        "size": size,
        "ambiguity": ambiguity,
        "point": point,
        "blind": blind,
        "max_pictures": max_pictures,
        "greedy": greedy,
        "resume": not options.is_replay,
    }
    Options(parse_viewpoints(viewpoint), ambiguity=ambiguity, size=size)
    settings |= {"environment": environment, "triple": triple, "images": images}
    if data:
        settings["data"] = data
    else:
        _make(GeneratedPictures(environment, triple, images, size, ambiguity, balanced, preset, models), workers)
        settings |= {"balanced": balanced, "preset": preset, "models": models}
    run_and_show("sparrta", [sparrta(think=each, **settings) for each in dict.fromkeys(think)], options)


def _make(own: GeneratedPictures, workers: int) -> None:
    """Make what is missing, and show how far it has come."""
    with progress_bar(Console(stderr=True)) as progress:
        task = progress.add_task("pictures", total=None, visible=False)
        prepare_pictures(
            own.plan,
            lambda done, total: progress.update(task, completed=done, total=total, visible=True),
            workers,
        )
