"""`tolman scene`, `ask`, `explore`, `replay`, `seal` and `unseal`: one scene and its questions; scripted explorers in
scenes, and their recorded episodes; secret scenes and their verification.
"""

import json
import math
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from statistics import fmean
from typing import Annotated, Literal, NoReturn

from cyclopts import Parameter
from rich.console import Console
from rich.text import Text

from tolman import __version__
from tolman.ask import find_kind, oracle_reply, question_to_dict, sample_questions
from tolman.cli.arguments import (
    Force,
    Format,
    Rooms,
    RoomSize,
    Things,
    WorldVersion,
    check_new,
    one_scene,
    print_in_format,
    progress_bar,
    write_text,
)
from tolman.core.errors import ReplayError, SettingsError, TolmanError
from tolman.core.files import atomic_path
from tolman.core.limits import EPISODES_FILE, read_file
from tolman.explore.agents.registry import check_horizon, explorer_names, make_explorer
from tolman.explore.episode_files import episode_from_line, episode_to_line
from tolman.explore.messages import describe_episode
from tolman.explore.summary import ExplorationRow, episode_of, explore_many, gain_per_turn
from tolman.harness.names import counted
from tolman.report.statistics import mean_interval
from tolman.report.table import Cell, Column, Row, RowGroup, Table, number
from tolman.world import Scene, WorldSettings, perturb, scene_to_dict
from tolman.world.select import SceneChoice, SealedSplit, choose_scenes, read_sealed, sealed_choices, write_sealed
from tolman.world.select import seal as draw


def scene(
    choice: Annotated[str, Parameter(help="A seed, one of the authors' scene folders, or a scene file.")],
    *,
    rooms: Rooms = 3,
    things: Things = 4,
    world_version: WorldVersion = 1,
    room_size: RoomSize = (6, 6),
    changed: Annotated[int | None, Parameter(help="Show the world after the false-belief change of this seed.")] = None,
    png: Annotated[Path | None, Parameter(help="Draw the floor plan into this PNG file.")] = None,
    pixels: Annotated[int, Parameter(help="Width of the picture, in pixels.")] = 1200,
    format: Annotated[Literal["map", "json"], Parameter(help="What to print.")] = "map",  # noqa: A002
    force: Force = False,
) -> None:
    """Show one scene: a map in text, a floor plan as PNG, or its JSON."""
    check_new(png, force=force)
    world = one_scene(choice, WorldSettings(rooms, room_size, things, version=world_version)).load()
    if changed is not None:
        world = perturb(world, changed).scene
    from tolman.render import floorplan_png, text_map  # noqa: PLC0415 loads matplotlib

    if png is not None:
        try:
            with atomic_path(png) as file:
                floorplan_png(world, file, pixels=pixels)
        except OSError as error:
            raise SettingsError(f"{png} can't be written: {error.strerror}") from None
    shown = json.dumps(scene_to_dict(world), indent=2) if format == "json" else text_map(world)
    sys.stdout.write(shown.rstrip("\n") + "\n")


def ask(
    choice: Annotated[str, Parameter(help="A seed, one of the authors' scene folders, or a scene file.")],
    *,
    rooms: Rooms = 3,
    things: Things = 4,
    world_version: WorldVersion = 1,
    room_size: RoomSize = (6, 6),
    kind: Annotated[str | None, Parameter(help="Only this kind of question, or several with commas.")] = None,
    per_kind: Annotated[int, Parameter(help="Questions of each kind.")] = 3,
    answers: Annotated[bool, Parameter(help="Also print the right answers.")] = False,
    out: Annotated[Path | None, Parameter(help="Write the questions to this file, one JSON line each.")] = None,
    force: Force = False,
) -> None:
    """Print the questions of a scene, as models get them."""
    check_new(out, force=force)
    chosen = one_scene(choice, WorldSettings(rooms, room_size, things, version=world_version))
    kinds = None if kind is None else [find_kind(name.strip()).name for name in kind.split(",")]
    questions = sample_questions(chosen.load(), chosen.seed, per_kind, kinds)
    if out is not None:
        write_text(out, "".join(json.dumps(question_to_dict(question)) + "\n" for question in questions))
    for question in questions:
        answer = f"\nRight answer: {oracle_reply(question)}" if answers else ""
        sys.stdout.write(f"--- {question.kind} {question.id}\n{question.text.rstrip()}{answer}\n\n")


def seal(
    *,
    scenes: Annotated[int, Parameter(help="How many scenes.")],
    out: Annotated[Path, Parameter(name=("--out", "-o"), help="The file to keep secret.")],
    rooms: Rooms = 3,
    things: Things = 4,
    world_version: WorldVersion = 1,
) -> None:
    """Draw secret scenes, write them to a file that only you can read, and print a commitment to publish now.

    `tolman eval theory-of-space --scenes FILE` runs on them. Logs hold the scenes, so keep those secret too.
    """
    split = draw(scenes, WorldSettings(rooms=rooms, things_per_room=things, version=world_version), __version__)
    write_sealed(split, out)
    Console(stderr=True).print(
        Text(f"{out} holds {counted(scenes, 'secret scene')}; keep it, and all logs, to yourself. Publish this line:"),
        soft_wrap=True,
    )
    sys.stdout.write(f"{split.commitment}\n")


def unseal(
    file: Annotated[Path, Parameter(help="The file that `tolman seal` wrote.")],
    *,
    commitment: Annotated[str, Parameter(help="The commitment that was published when the scenes were sealed.")],
    entry: Annotated[
        list[Path] | None, Parameter(negative="", help="Entries whose scenes must be exactly these.")
    ] = None,
) -> None:
    """Verify that scenes are the ones that were sealed, and print their seeds.

    The exit code is 1 where the commitment, a generated scene or the scenes of an entry differ.
    """
    split = read_sealed(file)
    if commitment.strip().lower() != split.commitment:
        _end(f"no match: {file} gives the commitment {split.commitment}")
    with progress_bar(Console(stderr=True)) as progress:
        for choice in progress.track(sealed_choices(split), description="making"):
            _check(choice)
    for path in entry or ():
        _check_entry(path, split)
    settings = f"{counted(split.settings.rooms, 'room')} with {counted(split.settings.things_per_room, 'thing')} each"
    result = Text(f"match: {counted(len(split.seeds), 'scene')}, {settings}, as sealed with Tolman {split.tolman}")
    Console(stderr=True).print(result)
    sys.stdout.write("".join(f"{seed:032x}\n" for seed in split.seeds))


def _check(choice: SceneChoice) -> None:
    try:
        choice.load()
    except TolmanError as error:
        _end(f"no match: {error}")


def _check_entry(path: Path, split: SealedSplit) -> None:
    """The scenes of an entry are all those of the split, and no others."""
    from tolman.benchmarks.theory_of_space.leaderboard.entry import read_entry  # noqa: PLC0415
    from tolman.report.leaderboard.entry_file import EntryRefused  # noqa: PLC0415

    try:
        found = read_entry(path)
    except EntryRefused as error:
        raise SettingsError(f"{path}: {error}") from None
    if found.split.commitment != split.commitment:
        _end(f"no match: the entry {path} is not of this split")
    named = {scene.id: scene.digest for scene in found.scenes}
    if named != dict(zip(split.names, split.digests, strict=True)) or len(named) != len(found.scenes):
        _end(f"no match: the entry {path} has other scenes than the split")


def _end(line: str) -> NoReturn:
    Console(stderr=True).print(Text(line, "red"), soft_wrap=True)
    sys.exit(1)


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
        (replace(REGRET_COLUMN, group=""), lambda row: math.nan if row.regret is None else row.regret),
        (replace(GAIN_COLUMN, group="", unit="%"), lambda row: row.info_gain[-1]),
        (_NODES, lambda row: row.node_coverage),
        (_EDGES, lambda row: row.edge_coverage),
    )


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
