"""Explorations of the expert on disk.

    python data.py --scenes 100000-115999 --out data/planner

Some turns are random instead: the model reads them, but does not learn to say them, so it learns how to go on after a
mistake. Files hold actions only; `conversations.py` makes a conversation of them in milliseconds.
"""

import argparse
import json
import multiprocessing
from collections.abc import Sequence
from functools import partial
from itertools import islice
from pathlib import Path

import numpy as np
from settings import read_options

from tolman.core.seeds import rng
from tolman.env.exploration import Exploration
from tolman.env.options import EnvironmentOptions
from tolman.explore.actions import Actions, Goto, Move, Observe, Rotate
from tolman.explore.agents.registry import make_explorer
from tolman.explore.episode import Episode, default_turns
from tolman.models.scripted.reply import formatted_reply

SHARD = 250
EXPERT = "cautious-planner"
QUARTERS = (-90, 90, 180)


def expert_actions(
    seed: int, rooms: int, things: int = 4, agent: str = EXPERT, mistakes: float = 0.0
) -> dict[str, object]:
    """The turns of the expert in world `seed`, with the numbers of those that are random mistakes instead."""
    budget = default_turns("explore", rooms)
    exploration = Exploration(seed, EnvironmentOptions(rooms=rooms, things=things, budget=budget))
    expert, stream = make_explorer(agent, exploration.case.scene, seed), rng(seed, "mistakes")
    turns: list[str] = []
    wrong: list[int] = []
    while not exploration.over:
        actions = expert.act(exploration.episode)
        if stream.random() < mistakes:
            wrong.append(len(turns))
            actions = mistaken(actions, exploration.episode, stream)
        turns.append(str(actions))
        exploration.reply(formatted_reply("", turns[-1], think=True))
    where = {"seed": seed, "rooms": rooms, "things": things, "budget": budget}
    return {**where, "turns": turns, "mistakes": wrong}


def mistaken(actions: Actions, episode: Episode, stream: np.random.Generator) -> Actions:
    """The same turn with one rotation or one place changed, or a random one; it often leads to where nothing is."""
    moves: list[Move] = list(actions.moves)
    if not moves or stream.random() < 0.4:
        moves = [Rotate(int(stream.choice(QUARTERS))), *([Goto("")] if episode.seen else []), Rotate(90)]
    for place in stream.permutation(len(moves))[: int(stream.integers(1, 3))].tolist():
        moves[place] = Goto("") if isinstance(moves[place], Goto) else Rotate(int(stream.choice(QUARTERS)))
    moves = [Goto(str(stream.choice(episode.seen))) if move == Goto("") else move for move in moves]
    return Actions(tuple(moves), Observe())


def make(
    seeds: Sequence[int],
    rooms: int,
    things: int,
    out: Path,
    workers: int,
    agent: str = EXPERT,
    mistakes: float = 0.0,
) -> None:
    """Write the expert's actions, in files of 250 worlds; what is there already is kept."""
    out.mkdir(parents=True, exist_ok=True)
    with multiprocessing.get_context("fork").Pool(workers) as pool:
        for first in range(0, len(seeds), SHARD):
            file = out / f"{rooms}-rooms-{seeds[first]}.jsonl"
            if file.exists():
                continue
            act = partial(expert_actions, rooms=rooms, things=things, agent=agent, mistakes=mistakes)
            write_rows(file, pool.map(act, seeds[first : first + SHARD], chunksize=4))
            print(f"{file.name}: {min(first + SHARD, len(seeds)):,} of {len(seeds):,} worlds", flush=True)


def write_rows(file: Path, rows: Sequence[dict]) -> None:
    unfinished = file.with_suffix(".part")
    unfinished.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    unfinished.rename(file)


def stored(folder: Path, count: int | None = None) -> list[dict]:
    """The first worlds of a folder, or all, in the order of their files."""
    lines = (line for file in sorted(folder.glob("*.jsonl")) for line in file.read_text().splitlines())
    return [json.loads(line) for line in islice(lines, count)]


def seeds_in(text: str) -> list[int]:
    first, _, last = text.partition("-")
    return list(range(int(first), int(last or first) + 1))


def main() -> None:
    parser = argparse.ArgumentParser(description="Make demonstrations of the planner.")
    parser.add_argument("--scenes", default="100000-100999")
    parser.add_argument("--rooms", type=int, default=3)
    parser.add_argument("--things", type=int, default=4, help="objects per room")
    parser.add_argument("--out", type=Path, default=Path("data/planner"))
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--agent", default=EXPERT)
    parser.add_argument("--mistakes", type=float, default=0.08, help="share of turns that are random instead")
    given = read_options(parser, "data")
    worlds = seeds_in(given.scenes)
    make(worlds, given.rooms, given.things, given.out, given.workers, given.agent, given.mistakes)


if __name__ == "__main__":
    main()
