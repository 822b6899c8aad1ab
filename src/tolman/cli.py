"""The command line: `tolman COMMAND --help` tells what each command takes."""

import json
import sys
from pathlib import Path
from typing import Annotated, Literal

from cyclopts import App, CycloptsError, Parameter
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from tolman import __version__
from tolman.errors import ReplayError, SettingsError, TolmanError
from tolman.explore.agents.registry import explorer_names, make_explorer
from tolman.explore.files import episode_from_line, episode_to_line
from tolman.explore.many import explore_many
from tolman.explore.record import ExplorationRow, episode_of, gain_per_turn
from tolman.explore.words import say_episode
from tolman.world import Scene, WorldSettings, perturb, scene_to_dict
from tolman.world.select import SceneChoice, choose_scenes

app = App(
    name="tolman",
    version=__version__,
    help="Measure spatial cognition: worlds from a seed, exact belief about them, and agents that explore.",
)

Rooms = Annotated[int, Parameter(help="Rooms in a generated world, 1 to 32.")]
Things = Annotated[int, Parameter(help="Things in each room of a generated world.")]
RoomSize = Annotated[
    tuple[int, int], Parameter(negative="", help="Floor cells of a generated room, north-south and east-west.")
]


@app.command
def explore(
    *,
    agent: Annotated[str, Parameter(help="A scripted explorer, several with commas, or `all`.")] = "all",
    scenes: Annotated[str, Parameter(help="Seeds such as `0-49`, or a folder of the authors' scenes.")] = "0-9",
    rooms: Rooms = 3,
    things: Things = 4,
    room_size: RoomSize = (6, 6),
    out: Annotated[Path | None, Parameter(help="Write one JSON line a scene and agent to this file.")] = None,
    episodes: Annotated[Path | None, Parameter(help="Write the whole episodes to this file, for `replay`.")] = None,
    workers: Annotated[int, Parameter(help="Processes to use; -1 for all cores.")] = -1,
) -> None:
    """Let scripted explorers loose in scenes, and print what they paid and what they learned."""
    choices = choose_scenes(scenes, WorldSettings(rooms, room_size, things))
    agents = _agents(agent, choices[0].load())
    rows: list[ExplorationRow] = []
    console = Console(stderr=True)
    with _progress(console) as progress:
        for name in agents:
            task = progress.add_task(name, total=len(choices))
            for row in explore_many(name, choices, workers):
                rows.append(row)
                progress.advance(task)
    if out is not None:
        _write(out, "".join(json.dumps(row.as_dict()) + "\n" for row in rows))
    if episodes is not None:
        worlds = (choice.load() for _ in agents for choice in choices)
        played = (episode_of(row, scene) for row, scene in zip(rows, worlds, strict=True))
        _write(episodes, "".join(episode_to_line(episode) + "\n" for episode in played))
    from tolman.report.exploration import exploration_table

    title = f"Exploration of {len(choices)} scenes: means with 95 % intervals over scenes"
    Console().print(exploration_table(rows, title))


@app.command
def replay(
    file: Annotated[Path, Parameter(help="Episodes that `explore --episodes` wrote.")],
    *,
    number: Annotated[int | None, Parameter(help="Only this line, counted from 1.")] = None,
) -> None:
    """Replay recorded episodes, check that they come out as recorded, and print what was said."""
    try:
        lines = file.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise ReplayError(f"{file} can't be read: {error}") from None
    if number is not None and not 1 <= number <= len(lines):
        raise SettingsError(f"{file} has {len(lines)} lines, so there is no line {number}")
    for at, line in enumerate(lines, start=1):
        if number in (None, at):
            episode = episode_from_line(line)
            gain = gain_per_turn(episode)[-1:] or [0.0]
            cost = f"cost {episode.cost()}, information gain {gain[0]:.3f}"
            sys.stdout.write(f"--- {at}: scene {episode.scene.label}, {cost}\n{say_episode(episode)}\n\n")


@app.command
def scene(
    choice: Annotated[str, Parameter(help="A seed, one of the authors' scene folders, or a scene file.")],
    *,
    rooms: Rooms = 3,
    things: Things = 4,
    room_size: RoomSize = (6, 6),
    changed: Annotated[int | None, Parameter(help="Show the world after the false-belief change of this seed.")] = None,
    png: Annotated[Path | None, Parameter(help="Draw the floor plan into this PNG file.")] = None,
    pixels: Annotated[int, Parameter(help="Width of the picture.")] = 1200,
    format: Annotated[Literal["map", "json"], Parameter(help="What to print.")] = "map",  # noqa: A002
) -> None:
    """Show one scene: a map in text, a floor plan as PNG, or its JSON."""
    from tolman.render import floorplan_png, text_map

    world = _one_scene(choice, WorldSettings(rooms, room_size, things)).load()
    if changed is not None:
        world = perturb(world, changed).scene
    if png is not None:
        try:
            floorplan_png(world, png, pixels=pixels)
        except OSError as error:
            raise SettingsError(f"{png} can't be written: {error.strerror}") from None
    shown = json.dumps(scene_to_dict(world), indent=2) if format == "json" else text_map(world)
    sys.stdout.write(shown.rstrip("\n") + "\n")


@app.command
def ask(
    choice: Annotated[str, Parameter(help="A seed, one of the authors' scene folders, or a scene file.")],
    *,
    rooms: Rooms = 3,
    things: Things = 4,
    room_size: RoomSize = (6, 6),
    kind: Annotated[str | None, Parameter(help="Only this kind, or several with commas.")] = None,
    per_kind: Annotated[int, Parameter(help="Questions of each kind.")] = 3,
    answers: Annotated[bool, Parameter(help="Show the right answers, too.")] = False,
    out: Annotated[Path | None, Parameter(help="Write the questions to this file, one JSON line each.")] = None,
) -> None:
    """Print the questions of a scene as a model is asked them."""
    from tolman.ask import ask_all, find_kind, oracle_reply, question_to_dict

    chosen = _one_scene(choice, WorldSettings(rooms, room_size, things))
    kinds = None if kind is None else [find_kind(name.strip()).name for name in kind.split(",")]
    questions = ask_all(chosen.load(), chosen.seed, per_kind, kinds)
    if out is not None:
        _write(out, "".join(json.dumps(question_to_dict(question)) + "\n" for question in questions))
    for question in questions:
        answer = f"\nRight answer: {oracle_reply(question)}" if answers else ""
        sys.stdout.write(f"--- {question.kind} {question.id}\n{question.text.rstrip()}{answer}\n\n")


@app.command
def rescore(
    path: Annotated[Path, Parameter(help="A folder of the authors' released experiments, or a tar archive of one.")],
    *,
    json_file: Annotated[
        Path | None, Parameter(name="--json", help="Write counts, scores and differences to this file.")
    ] = None,
) -> None:
    """Score the authors' released runs again: is every stored number the same here, and what are the strict ones?"""
    from tolman.benchmarks.theory_of_space.released_runs import find_runs
    from tolman.benchmarks.theory_of_space.rescore import Rescored
    from tolman.report.rescored import rescored_tables

    runs, outcome = find_runs(path), Rescored()
    with _progress(Console(stderr=True)) as progress:
        for run in progress.track(runs, description="rescoring"):
            outcome.add(run)
    if json_file is not None:
        _write(json_file, json.dumps(outcome.as_dict(), indent=2) + "\n")
    for table in rescored_tables(outcome):
        Console().print(table)


def main() -> None:
    """Run the command line; bad input ends with one line that says what to do, and exit code 2."""
    try:
        app(exit_on_error=False, print_error=False)
    except (TolmanError, CycloptsError) as error:
        message = " ".join(str(error).split()) or type(error).__name__
        sys.stderr.write(f"tolman: {message} (see tolman --help)\n")
        sys.exit(2)
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(141)
    except KeyboardInterrupt:
        sys.exit(130)


def _agents(text: str, scene: Scene) -> tuple[str, ...]:
    """Names of explorers, each known to exist."""
    names = explorer_names() if text == "all" else tuple(dict.fromkeys(part.strip() for part in text.split(",")))
    for name in names:
        make_explorer(name, scene)
    order = ("random", "scout", "strategist", "planner")
    return tuple(sorted(names, key=lambda name: (order.index(name) if name in order else len(order), name)))


def _one_scene(text: str, settings: WorldSettings) -> SceneChoice:
    choices = choose_scenes(text, settings)
    if len(choices) != 1:
        raise SettingsError(f"{text!r} names {len(choices)} scenes; give one")
    return choices[0]


def _write(path: Path, text: str) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise SettingsError(f"{path} can't be written: {error.strerror}") from None


def _progress(console: Console) -> Progress:
    columns = (TextColumn("{task.description:<12}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    return Progress(*columns, console=console, transient=True)
