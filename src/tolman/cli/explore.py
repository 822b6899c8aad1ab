"""`tolman explore` and `tolman replay`: scripted explorers in scenes, and their episodes read again."""

import json
import math
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter
from rich.console import Console
from rich.table import Table

from tolman.cli.arguments import Force, Rooms, RoomSize, Things, check_new, progress_bar, write_text
from tolman.core.errors import ReplayError, SettingsError
from tolman.core.limits import EPISODES_FILE, read_file
from tolman.explore.agents.registry import explorer_names, make_explorer
from tolman.explore.episode_files import episode_from_line, episode_to_line
from tolman.explore.messages import describe_episode
from tolman.explore.summary import ExplorationRow, episode_of, explore_many, gain_per_turn
from tolman.report.statistics import Interval, mean_interval
from tolman.world import Scene, WorldSettings
from tolman.world.select import choose_scenes

Column = tuple[str, Callable[[ExplorationRow], float], str]

COLUMNS: tuple[Column, ...] = (
    ("Steps", lambda row: row.steps, ".1f"),
    ("Cost", lambda row: row.cost, ".1f"),
    ("Info. gain", lambda row: row.info_gain[-1], ".3f"),
    ("Nodes", lambda row: row.node_coverage, ".2f"),
    ("Edges", lambda row: row.edge_coverage, ".2f"),
)


def summarise(rows: Sequence[ExplorationRow]) -> dict[str, dict[str, Interval]]:
    """Agent to column to mean with its 95 % interval over scenes; agents in order of first appearance."""
    agents = dict.fromkeys(row.agent for row in rows)
    return {
        agent: {title: mean_interval([value(row) for row in rows if row.agent == agent]) for title, value, _ in COLUMNS}
        for agent in agents
    }


def exploration_table(rows: Sequence[ExplorationRow], title: str) -> Table:
    """Means over scenes, each with its 95 % bootstrap interval below; fits a terminal of 80 columns."""
    table = Table(title=title, title_justify="left", title_style="bold", box=None, padding=(0, 2, 0, 0))
    table.add_column("Agent", no_wrap=True)
    for name in (*(name for name, _, _ in COLUMNS), "Certain"):
        table.add_column(name, justify="right", no_wrap=True)
    for agent, cells in summarise(rows).items():
        own = [row for row in rows if row.agent == agent]
        certain = sum(math.isclose(row.info_gain[-1], 1.0) for row in own)
        shown = [_cell(cells[name], style) for name, _, style in COLUMNS]
        table.add_row(agent, *shown, f"{certain}/{len(own)}")
    return table


def _cell(interval: Interval, style: str) -> str:
    mean = format(interval.mean, style)
    if math.isnan(interval.low) or interval.low == interval.high:
        return mean
    return f"{mean}\n[dim]{interval.low:{style}}–{interval.high:{style}}[/dim]"


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
            sys.stdout.write(f"--- {at}: scene {episode.scene.label}, {cost}\n{describe_episode(episode)}\n\n")


def _agents(text: str, scene: Scene) -> tuple[str, ...]:
    """Names of explorers, each known to exist."""
    names = explorer_names() if text == "all" else tuple(dict.fromkeys(part.strip() for part in text.split(",")))
    for name in names:
        make_explorer(name, scene)
    order = ("random", "scout", "strategist", "planner", "oracle")
    return tuple(sorted(names, key=lambda name: (order.index(name) if name in order else len(order), name)))
