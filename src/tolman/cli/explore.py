"""`tolman explore` and `tolman replay`: scripted explorers let loose, and their episodes read again."""

import json
import sys
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter
from rich.console import Console

from tolman.cli.shared import Force, Rooms, RoomSize, Things, check_new, progress_bar, write_text
from tolman.errors import ReplayError, SettingsError
from tolman.explore.agents.registry import explorer_names, make_explorer
from tolman.explore.files import episode_from_line, episode_to_line
from tolman.explore.many import explore_many
from tolman.explore.record import ExplorationRow, episode_of, gain_per_turn
from tolman.explore.words import say_episode
from tolman.limits import EPISODES_FILE, read_file
from tolman.report.exploration import exploration_table
from tolman.world import Scene, WorldSettings
from tolman.world.select import choose_scenes


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
    force: Force = False,
) -> None:
    """Let scripted explorers loose in scenes, and print what they paid and what they learned."""
    check_new(out, episodes, force=force)
    choices = choose_scenes(scenes, WorldSettings(rooms, room_size, things))
    agents = _agents(agent, choices[0].load())
    rows: list[ExplorationRow] = []
    console = Console(stderr=True)
    with progress_bar(console) as progress:
        for name in agents:
            task = progress.add_task(name, total=len(choices))
            for row in explore_many(name, choices, workers):
                rows.append(row)
                progress.advance(task)
    if out is not None:
        write_text(out, "".join(json.dumps(row.as_dict()) + "\n" for row in rows))
    if episodes is not None:
        worlds = (choice.load() for _ in agents for choice in choices)
        played = (episode_of(row, scene) for row, scene in zip(rows, worlds, strict=True))
        write_text(episodes, "".join(episode_to_line(episode) + "\n" for episode in played))
    title = f"Exploration of {len(choices)} scenes: means with 95 % intervals over scenes"
    Console().print(exploration_table(rows, title))


def replay(
    file: Annotated[Path, Parameter(help="Episodes that `explore --episodes` wrote.")],
    *,
    number: Annotated[int | None, Parameter(help="Only this line, counted from 1.")] = None,
) -> None:
    """Replay recorded episodes, check that they come out as recorded, and print what was said."""
    try:
        lines = read_file(file, EPISODES_FILE).decode("utf-8").splitlines()
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


def _agents(text: str, scene: Scene) -> tuple[str, ...]:
    """Names of explorers, each known to exist."""
    names = explorer_names() if text == "all" else tuple(dict.fromkeys(part.strip() for part in text.split(",")))
    for name in names:
        make_explorer(name, scene)
    order = ("random", "scout", "strategist", "planner", "oracle")
    return tuple(sorted(names, key=lambda name: (order.index(name) if name in order else len(order), name)))
