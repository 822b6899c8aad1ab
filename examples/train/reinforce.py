"""Reinforcement learning from exact rewards, after supervised training.

    python reinforce.py --start runs/supervised/16000 --out runs/reinforced --steps 40

Each step: explore new worlds with sampled replies; the return after each turn is what was gained from then on, less the
cost of looking; its baseline is predicted from what the exact observer knows of the state (information gain, turn,
objects not seen) by least squares over the batch; one step of policy gradient. Worlds are never seen twice.
"""

import argparse
import json
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import torch
from data import Document, Packer
from decoding import Decoder
from model import Llama
from settings import read_options
from tokens import ChatTokens
from training import Trainer

from tolman.env.exploration import Exploration
from tolman.env.options import EnvironmentOptions
from tolman.env.rollouts import failed_turns, roll_out

FIRST_WORLD = 800_000
"""Demonstrations come from the seeds below."""


def advantages(explorations: Sequence[Exploration], penalty: float) -> list[np.ndarray]:
    """For each exploration, by how much the return after each reply was above its prediction; scaled to variance 1."""
    returns, features = [], []
    for exploration in explorations:
        turns = [turn for turn in exploration.episode.turns if not turn.forced]
        failed = np.array([turn.failure is not None or not turn.parsed for turn in turns], dtype=float)
        rewards = np.array(exploration.rewards) - penalty * failed
        returns.append(np.cumsum(rewards[::-1])[::-1])
        features.append(_features(exploration, len(rewards)))
    x, y = np.concatenate(features), np.concatenate(returns)
    solution, *_ = np.linalg.lstsq(x, y, rcond=None)
    above = y - x @ solution
    ends = np.cumsum([len(each) for each in returns])[:-1]
    return np.split(above / (above.std() + 1e-8), ends)


def _features(exploration: Exploration, replies: int) -> np.ndarray:
    """What is known before each reply: a constant, the gain so far, the turn, the objects not seen, and products."""
    names = len(exploration.episode.brief.names)
    gain = np.array([belief.information_gain for belief in exploration.beliefs[:replies]])
    unseen = np.array(
        [sum(not belief.is_constrained(n) for n in belief.names) for belief in exploration.beliefs[:replies]]
    )
    turn = np.arange(replies) / exploration.options.budget
    unseen = unseen / names
    return np.stack([np.ones(replies), gain, gain**2, turn, turn**2, unseen, unseen**2, gain * turn], axis=1)


def documents(decoder: Decoder, weights: Sequence[np.ndarray]) -> list[Document]:
    """The conversations that were sampled, each reply's tokens weighted by its advantage."""
    made: list[Document] = []
    for slot, advantage in enumerate(weights):
        tokens: list[int] = []
        weight: list[float] = []
        for (before, reply), value in zip(
            decoder.said[slot], advantage, strict=False
        ):  # a reply without room has no tokens
            tokens += before
            weight += [0.0] * len(before)
            ended = [*reply, decoder.tokens.end]
            tokens += ended
            weight += [float(value) or 1e-12] * len(ended)
        made.append(Document((tokens, weight)))
    return made


def train(arguments: argparse.Namespace) -> None:
    torch.manual_seed(arguments.seed)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    tokens, model = ChatTokens(arguments.start), Llama.load(arguments.start, device)
    trainer = Trainer(model)
    decoder = Decoder(
        model, tokens, arguments.episodes, arguments.context, arguments.reply_tokens, arguments.temperature
    )
    options = EnvironmentOptions(
        rooms=arguments.rooms, things=arguments.things, budget=arguments.budget, cost_weight=arguments.cost_weight
    )
    first = FIRST_WORLD + arguments.seed * 1_000_000
    log: list[dict] = []
    started = time.perf_counter()
    for step in range(arguments.steps):
        begin = time.perf_counter()
        last = step + 1 == arguments.steps or begin - started > arguments.seconds
        seeds = [first + step * arguments.episodes + n for n in range(arguments.episodes)]
        decoder.refresh()
        explorations = roll_out(decoder, seeds, options)
        sampled = time.perf_counter()
        weights = advantages(explorations, arguments.penalty)
        rows = Packer(arguments.length, arguments.packed_rows).all_of(documents(decoder, weights))
        rate = arguments.rate * min(1.0, (step + 1) / 5)
        trainer.step(rows, rate)
        log.append(
            {
                "step": step,
                "gain": float(np.mean([each.information_gain for each in explorations])),
                "cost": float(np.mean([each.episode.cost() for each in explorations])),
                "failed": failed_turns(explorations),
                "turns": float(np.mean([len(each.rewards) for each in explorations])),
                "sampling_seconds": sampled - begin,
                "seconds": time.perf_counter() - begin,
            }
        )
        print(" ".join(f"{name} {value:.3f}" for name, value in log[-1].items()), flush=True)
        if (step + 1) % arguments.save_every == 0 or last:
            model.save(arguments.out / str(step + 1), arguments.start)
            settings = {name: str(value) for name, value in vars(arguments).items()}
            (arguments.out / "training.json").write_text(json.dumps({"settings": settings, "steps": log}, indent=1))
        if last:
            return


def options() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description="Reinforcement learning from exact rewards.")
    parser.add_argument("--start", type=Path, required=True, help="checkpoint to begin with")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--steps", type=int, default=40)
    parser.add_argument("--seconds", type=float, default=1e9, help="no step begins after so many seconds, but the last")
    parser.add_argument("--episodes", type=int, default=256, help="explorations per step, each of another world")
    parser.add_argument("--rooms", type=int, default=3)
    parser.add_argument("--things", type=int, default=4, help="objects per room")
    parser.add_argument("--budget", type=int, default=20, help="most turns of an exploration")
    parser.add_argument("--reply-tokens", type=int, default=384, help="most tokens of a reply")
    parser.add_argument("--cost-weight", type=float, default=0.01, help="taken off for each unit of action cost")
    parser.add_argument("--penalty", type=float, default=0.02, help="taken off for each failed turn")
    parser.add_argument("--temperature", type=float, default=1.0)
    parser.add_argument("--rate", type=float, default=1e-5)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--context", type=int, default=6144, help="most tokens of a conversation")
    parser.add_argument("--length", type=int, default=16384, help="tokens of a packed row")
    parser.add_argument("--packed-rows", type=int, default=2)
    parser.add_argument("--save-every", type=int, default=10)
    return parser


if __name__ == "__main__":
    train(read_options(options(), "reinforce"))
