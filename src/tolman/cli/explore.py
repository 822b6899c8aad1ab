"""`tolman explore` and `tolman replay`: scripted explorers in scenes, and their recorded episodes."""

import json
import math
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from statistics import fmean
from typing import Annotated

from cyclopts import Parameter
from rich.console import Console

from tolman.cli.arguments import (
    Force,
    Format,
    Rooms,
    RoomSize,
    Things,
    WorldVersion,
    check_new,
    print_in_format,
    progress_bar,
    write_text,
)
from tolman.core.errors import ReplayError, SettingsError
from tolman.core.limits import EPISODES_FILE, read_file
from tolman.explore.agents.registry import check_horizon, explorer_names, make_explorer
from tolman.explore.episode_files import episode_from_line, episode_to_line
from tolman.explore.messages import describe_episode
from tolman.explore.summary import ExplorationRow, episode_of, explore_many, gain_per_turn
from tolman.harness.names import counted
from tolman.report.statistics import mean_interval
from tolman.report.table import Cell, Column, Row, RowGroup, Table, number
from tolman.world import Scene, WorldSettings
from tolman.world.select import choose_scenes

Value = Callable[[ExplorationRow], float]

_NOTE = "Information gain, nodes and edges in %; certain: scenes after which every position is certain."
_STEPS = Column(
    "explore/steps",
    "steps",
    style=number(1),
    better="lower",
    definition="Turns without the last one, which only ends the exploration.",
)
_NODES = Column(
    "explore/nodes",
    "nodes",
    better="higher",
    definition="Share of objects and doors that were seen.",
    unit="%",
)
_EDGES = Column(
    "explore/edges",
    "edges",
    better="higher",
    definition="Share of pairs in one room, the start included, of which one was seen from the other.",
    unit="%",
)
_CERTAIN = Column(
    "explore/certain",
    "certain",
    better="higher",
    definition="Scenes after which every position is certain, of all scenes.",
)


def _columns() -> tuple[tuple[Column, Value], ...]:
    """Columns of the table, and what a row holds in them; those of Theory of Space are that benchmark's own."""
    from tolman.benchmarks.theory_of_space.columns import (  # noqa: PLC0415 brings Inspect
        COST_COLUMN,
        GAIN_COLUMN,
        REGRET_COLUMN,
    )

    return (
        (_STEPS, lambda row: row.steps),
        (replace(COST_COLUMN, group=""), lambda row: row.cost),
        (replace(REGRET_COLUMN, group=""), lambda row: _known(row.regret)),
        (replace(GAIN_COLUMN, group="", unit="%"), lambda row: row.info_gain[-1]),
        (_NODES, lambda row: row.node_coverage),
        (_EDGES, lambda row: row.edge_coverage),
    )


def _known(value: int | None) -> float:
    return math.nan if value is None else value


def exploration_table(rows: Sequence[ExplorationRow], title: str) -> Table:
    """Means over scenes by agent, each with its 95 % bootstrap interval below; fits a terminal of 80 columns."""
    columns = _columns()
    entries = (
        RowGroup(agent, (_summary([row for row in rows if row.agent == agent], columns),))
        for agent in dict.fromkeys(row.agent for row in rows)
    )
    shown = (*(column for column, _ in columns), _CERTAIN)
    return Table("exploration", title, "agent", shown, tuple(entries), (_NOTE, *_cheapest_note(rows)), compact=True)


def _cheapest_note(rows: Sequence[ExplorationRow]) -> list[str]:
    """The mean cost that explorations are compared with."""
    cheapest = {row.digest: row.cheapest for row in rows if row.cheapest is not None}
    if not cheapest:
        return []
    return [
        f"Regret: cost above the cheapest exploration after which all is certain, {fmean(cheapest.values()):.1f} on "
        "average; a run that ended early is thought to go on without a detour."
    ]


def _summary(rows: Sequence[ExplorationRow], columns: Sequence[tuple[Column, Value]]) -> Row:
    certain = sum(math.isclose(row.info_gain[-1], 1.0) for row in rows)
    means = (column.style(mean_interval([value(row) for row in rows])) for column, value in columns)
    return Row((*means, Cell(f"{certain}/{len(rows)}")))


def explore(
    *,
    agent: Annotated[str, Parameter(help="A scripted explorer, several with commas, or `all`.")] = "all",
    scenes: Annotated[str, Parameter(help="Seeds such as `0-49`, or a folder of the authors' scenes.")] = "0-9",
    rooms: Rooms = 3,
    things: Things = 4,
    world_version: WorldVersion = 1,
    room_size: RoomSize = (6, 6),
    horizon: Annotated[
        int | None,
        Parameter(help="How far `planner` looks ahead, in action cost; 0: not at all. To the end if left out."),
    ] = None,
    out: Annotated[Path | None, Parameter(help="Write one JSON line per scene and agent to this file.")] = None,
    episodes: Annotated[Path | None, Parameter(help="Write the whole episodes to this file, for `replay`.")] = None,
    workers: Annotated[int, Parameter(help="Processes to use; -1 for all cores.")] = -1,
    form: Format = "text",
    force: Force = False,
) -> None:
    """Run scripted explorers in scenes, and print their action costs and what they learned."""
    check_new(out, episodes, force=force)
    choices = choose_scenes(scenes, WorldSettings(rooms, room_size, things, version=world_version))
    agents = _agents(agent, choices[0].load())
    if horizon is not None:
        for name in agents:
            check_horizon(name, horizon)
    rows: list[ExplorationRow] = []
    console = Console(stderr=True)
    with progress_bar(console) as progress:
        for name in agents:
            task = progress.add_task(name, total=len(choices))
            for row in explore_many(name, choices, workers, horizon):
                rows.append(row)
                progress.advance(task)
    if out is not None:
        write_text(out, "".join(json.dumps(row.as_dict()) + "\n" for row in rows))
    if episodes is not None:
        worlds = (choice.load() for _ in agents for choice in choices)
        played = (episode_of(row, scene) for row, scene in zip(rows, worlds, strict=True))
        write_text(episodes, "".join(episode_to_line(episode) + "\n" for episode in played))
    title = f"Exploration of {counted(len(choices), 'scene')}: means with 95 % intervals over scenes"
    print_in_format([exploration_table(rows, title)], form)


def replay(
    file: Annotated[Path, Parameter(help="Episodes that `explore --episodes` wrote.")],
    *,
    number: Annotated[int | None, Parameter(help="Only this line, counted from 1.")] = None,
) -> None:
    """Replay recorded episodes, check that they end as recorded, and print their messages."""
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
            cost = f"cost {episode.cost()}, information gain {100 * gain[0]:.1f} %"
            sys.stdout.write(f"--- {at}: scene {episode.scene.label}, {cost}\n{describe_episode(episode)}\n\n")


def _agents(text: str, scene: Scene) -> tuple[str, ...]:
    """Names of explorers, each checked to exist."""
    names = explorer_names() if text == "all" else tuple(dict.fromkeys(part.strip() for part in text.split(",")))
    for name in names:
        make_explorer(name, scene)
    order = ("random", "scout", "strategist", "greedy-planner", "planner", "oracle", "perfect")
    return tuple(sorted(names, key=lambda name: (order.index(name) if name in order else len(order), name)))
