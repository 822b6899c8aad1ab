"""Corrections: explorations of the model itself, and at each turn what the expert would have done.

    python correct.py --start runs/supervised/16000 --scenes 500000-501999 --out data/corrections

`supervised.py --data data/corrections` trains on them (DAgger: Ross, Gordon and Bagnell, 2011). Demonstrations alone
show only where the expert gets to; corrections show what to do where the model itself gets to.
"""

import argparse
import multiprocessing
import time
from functools import partial
from pathlib import Path

import numpy as np
import torch
from conversations import environment
from data import EXPERT, SHARD, seeds_in, write_rows
from decoding import Decoder
from model import Llama
from settings import read_options
from tokens import ChatTokens

from tolman.env.exploration import Exploration
from tolman.env.options import EnvironmentOptions
from tolman.env.rollouts import failed_turns, roll_out
from tolman.explore.agents.registry import make_explorer


def corrected(explored: tuple[dict, list[str]], agent: str) -> dict[str, object]:
    """The row of one exploration: the model's replies, and the expert's actions in place of each."""
    where, replies = explored
    exploration = Exploration(where["seed"], environment(where))
    expert = make_explorer(agent, exploration.case.scene, where["seed"])
    turns: list[str] = []
    for reply in replies:
        turns.append(str(expert.act(exploration.episode)))
        exploration.reply(reply)
    return {**where, "replies": replies, "turns": turns}


def explore(arguments: argparse.Namespace) -> None:
    """Explore with the model, in batches, and write what the expert would have done."""
    device = "cuda" if torch.cuda.is_available() else "cpu"
    tokens, model = ChatTokens(arguments.start), Llama.load(arguments.start, device)
    options = EnvironmentOptions(rooms=arguments.rooms, things=arguments.things, budget=arguments.budget)
    worlds = seeds_in(arguments.scenes)
    arguments.out.mkdir(parents=True, exist_ok=True)
    torch.manual_seed(arguments.seed)
    slots = min(arguments.episodes, len(worlds))
    decoder = Decoder(model, tokens, slots, arguments.context, arguments.reply_tokens, arguments.temperature)
    with multiprocessing.get_context("spawn").Pool(arguments.workers) as pool:
        act = partial(corrected, agent=arguments.agent)
        where = {"rooms": arguments.rooms, "things": arguments.things, "budget": arguments.budget}
        for first in range(0, len(worlds), slots):
            begin = time.perf_counter()
            explorations = roll_out(decoder, worlds[first : first + slots], options)
            sampled = time.perf_counter() - begin
            said = [[m.text for m in each.messages if m.role == "assistant"] for each in explorations]
            worlds_said = [({"seed": e.seed, **where}, texts) for e, texts in zip(explorations, said, strict=True)]
            rows = pool.map(act, worlds_said, chunksize=4)
            for start in range(0, len(rows), SHARD):
                write_rows(arguments.out / f"corrections-{rows[start]['seed']}.jsonl", rows[start : start + SHARD])
            gain = float(np.mean([each.information_gain for each in explorations]))
            print(
                f"{first + len(rows):,} of {len(worlds):,} worlds: gain {gain:.3f}, failed "
                f"{failed_turns(explorations):.3f}, {sampled:.1f} s to explore, "
                f"{time.perf_counter() - begin - sampled:.1f} s for the expert",
                flush=True,
            )


def main() -> None:
    parser = argparse.ArgumentParser(description="What the expert would have done in the model's own explorations.")
    parser.add_argument("--start", type=Path, required=True, help="checkpoint that explores")
    parser.add_argument("--scenes", default="500000-500999")
    parser.add_argument("--rooms", type=int, default=3)
    parser.add_argument("--things", type=int, default=4, help="objects per room")
    parser.add_argument("--budget", type=int, default=20, help="most turns of an exploration")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--agent", default=EXPERT)
    parser.add_argument("--episodes", type=int, default=500, help="explorations at once")
    parser.add_argument("--temperature", type=float, default=0.5)
    parser.add_argument("--context", type=int, default=7680, help="most tokens of a conversation")
    parser.add_argument("--reply-tokens", type=int, default=1024, help="most tokens of a reply")
    parser.add_argument("--workers", type=int, default=2, help="processes of the expert")
    parser.add_argument("--seed", type=int, default=0)
    explore(read_options(parser, "correct"))


if __name__ == "__main__":
    main()
