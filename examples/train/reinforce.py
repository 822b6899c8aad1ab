"""Reinforcement learning from exact rewards, after supervised training.

    python reinforce.py --start runs/supervised/16000 --out runs/reinforced --steps 40

Each step: explore new worlds with sampled replies; the return after each turn is what was gained from then on, less the
cost of looking, so that ending is worth 0 and a look that shows nothing new less than 0. It is predicted from what the
exact observer knows of the state by least squares over the batch, and a reply counts by how much better it did. Then
some updates of a clipped policy gradient (PPO), each on another part of the explorations. Probabilities are those at
which replies were sampled: the same tokens before them, the same temperature. Worlds are never seen twice. Now and then
the model explores other worlds without sampling, and is saved. The same command resumes after the last checkpoint.
"""

import argparse
import json
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import torch
from conversations import Document
from decoding import Decoder
from model import Llama
from packing import Packer
from settings import read_options
from tokens import ChatTokens
from training import Trainer, add_options

from tolman.env.exploration import Exploration
from tolman.env.options import EnvironmentOptions
from tolman.env.rollouts import failed_turns, roll_out

FIRST_WORLD = 800_000
"""Demonstrations come from the seeds below."""
FIRST_CHECK = 700_000
"""Worlds in which checkpoints are compared; neither trained on nor evaluated on."""
LARGEST = 4.0
"""Advantages beyond so many standard deviations are cut."""


def rewards_of(exploration: Exploration, penalty: float) -> np.ndarray:
    """The reward of each reply; a failed turn takes off `penalty`."""
    turns = [turn for turn in exploration.episode.turns if not turn.forced]
    failed = np.array([turn.failure is not None or not turn.parsed for turn in turns], dtype=float)
    return np.array(exploration.rewards) - penalty * failed


def advantages(explorations: Sequence[Exploration], penalty: float, decay: float) -> list[np.ndarray]:
    """For each exploration, by how much each reply was better than predicted; scaled to variance 1.

    The return after a reply is predicted from what the observer knew before it, by least squares over all of them. What
    a reply gained beyond that counts at once, what later ones did `decay` times less for each reply in between (GAE).
    """
    rewards = [rewards_of(exploration, penalty) for exploration in explorations]
    returns = np.concatenate([np.cumsum(each[::-1])[::-1] for each in rewards])
    features = [_features(each) for each in explorations]
    solution, *_ = np.linalg.lstsq(np.concatenate(features), returns, rcond=None)
    made: list[np.ndarray] = []
    for reward, known in zip(rewards, features, strict=True):
        expected = known @ solution
        surprise = reward + np.append(expected[1:], 0.0) - expected
        later = 0.0
        for place in range(len(surprise) - 1, -1, -1):
            surprise[place] = later = surprise[place] + decay * later
        made.append(surprise)
    scale = np.concatenate(made).std() + 1e-8
    return [np.clip(each / scale, -LARGEST, LARGEST) for each in made]


def _features(exploration: Exploration) -> np.ndarray:
    """What is known before each reply: a constant, the gain so far, the turn, the objects not seen, whether the last
    turn failed, and products.
    """
    replies = len(exploration.rewards)
    turns = [turn for turn in exploration.episode.turns if not turn.forced]
    beliefs = exploration.beliefs[:replies]
    gain = np.array([belief.information_gain for belief in beliefs])
    unseen = np.array([np.mean([not belief.is_constrained(n) for n in belief.names]) for belief in beliefs])
    turn = np.arange(replies) / exploration.options.budget
    failed = np.array([0.0, *(float(t.failure is not None or not t.parsed) for t in turns)])[:replies]
    ones = np.ones(replies)
    return np.stack([ones, gain, gain**2, turn, turn**2, unseen, unseen**2, gain * turn, failed], axis=1)


def documents(decoder: Decoder, weights: Sequence[np.ndarray]) -> list[Document]:
    """The conversations as they were sampled, each token of a reply weighted by the reply's advantage.

    What is read after a reply begins with the token that ends it. That token has a weight if it was sampled; a reply
    that was cut off did not choose its end. A reply for which there was no room has no tokens.
    """
    made: list[Document] = []
    for slot, advantage in enumerate(weights):
        tokens: list[int] = []
        weight: list[float] = []
        sampled: list[float] = []
        for said, value in zip(decoder.said[slot], advantage, strict=False):
            read = said.read[1:] if tokens else said.read
            chosen = len(said.log_probabilities)
            reply = [*said.reply, decoder.tokens.end]
            tokens += [*read, *reply]
            weight += [*[0.0] * len(read), *[float(value) or 1e-12] * chosen, *[0.0] * (len(reply) - chosen)]
            sampled += [*[0.0] * len(read), *said.log_probabilities, *[0.0] * (len(reply) - chosen)]
        made.append(Document((tokens, weight), sampled=tuple(sampled)))
    return made


def summary(explorations: Sequence[Exploration], penalty: float) -> dict[str, float]:
    """Means over explorations; `objective` is what is maximised."""
    return {
        "objective": float(np.mean([rewards_of(each, penalty).sum() for each in explorations])),
        "gain": float(np.mean([each.information_gain for each in explorations])),
        "cost": float(np.mean([each.episode.cost() for each in explorations])),
        "failed": failed_turns(explorations),
        "turns": float(np.mean([len(each.rewards) for each in explorations])),
    }


def train(arguments: argparse.Namespace) -> None:
    device = "cuda" if torch.cuda.is_available() else "cpu"
    tokens, model = ChatTokens(arguments.start), Llama.load(arguments.start, device, arguments.precision)
    trainer = Trainer(model, temperature=arguments.temperature, clip=arguments.clip, optimizer=arguments.optimizer)
    begun = trainer.load_state(arguments.out / "resume")
    torch.manual_seed(arguments.seed * 1_000_000 + begun)
    decoder = Decoder(
        model, tokens, arguments.episodes, arguments.context, arguments.reply_tokens, arguments.temperature
    )
    options = EnvironmentOptions(
        rooms=arguments.rooms, things=arguments.things, budget=arguments.budget, cost_weight=arguments.cost_weight
    )
    first = FIRST_WORLD + arguments.seed * 1_000_000
    log = Log(arguments, begun)
    if not begun:
        log.add("checks", {"step": 0, **check(decoder, options, arguments)})
    started = time.perf_counter()
    for step in range(begun, arguments.steps):
        begin = time.perf_counter()
        seeds = [first + step * arguments.episodes + n for n in range(arguments.episodes)]
        decoder.refresh()
        decoder.heat.fill_(arguments.temperature)
        explorations = roll_out(decoder, seeds, options)
        sampled = time.perf_counter()
        conversations = documents(decoder, advantages(explorations, arguments.penalty, arguments.decay))
        rate = arguments.rate * min(1.0, (step + 1) / 5)
        drifts = []
        for part in range(arguments.updates):
            packer = Packer(arguments.length, arguments.packed_rows)
            trainer.step(packer.all_of(conversations[part :: arguments.updates]), rate)
            drifts.append(float(trainer.drift))
        seconds = {"sampling_seconds": sampled - begin, "seconds": time.perf_counter() - begin}
        drift = {"first_drift": drifts[0], "last_drift": drifts[-1]}
        log.add("steps", {"step": step + 1, **summary(explorations, arguments.penalty), **drift, **seconds})
        last = step + 1 == arguments.steps or time.perf_counter() - started > arguments.seconds
        if (step + 1) % arguments.save_every == 0 or last:
            log.add("checks", {"step": step + 1, **check(decoder, options, arguments)})
            model.save(arguments.out / str(step + 1), arguments.start)
            trainer.save_state(arguments.out / "resume", step + 1)
            log.save()
        if last:
            return


def check(decoder: Decoder, options: EnvironmentOptions, arguments: argparse.Namespace) -> dict[str, float]:
    """Explorations without sampling, always of the same worlds."""
    worlds = min(arguments.check_worlds, arguments.episodes)
    decoder.refresh()
    decoder.heat.fill_(0.0)
    return summary(roll_out(decoder, range(FIRST_CHECK, FIRST_CHECK + worlds), options), arguments.penalty)


class Log:
    """What was measured at each step and each check, printed, and in OUT/training.json at each checkpoint."""

    def __init__(self, arguments: argparse.Namespace, begun: int) -> None:
        self.file = arguments.out / "training.json"
        earlier = json.loads(self.file.read_text()) if begun else {"steps": [], "checks": []}
        self.kept: dict[str, list[dict[str, float]]] = {name: earlier[name] for name in ("steps", "checks")}
        self.settings = {name: str(value) for name, value in vars(arguments).items()}

    def add(self, what: str, measured: dict[str, float]) -> None:
        self.kept[what].append(measured)
        print(f"{what}: {' '.join(f'{name} {value:.3f}' for name, value in measured.items())}", flush=True)

    def save(self) -> None:
        self.file.write_text(json.dumps({"settings": self.settings, **self.kept}, indent=1))


def best_checkpoint(folder: Path) -> Path:
    """The checkpoint with the largest objective in the checked worlds."""
    checks = json.loads((folder / "training.json").read_text())["checks"]
    return folder / str(max((each for each in checks if each["step"]), key=lambda each: each["objective"])["step"])


def options() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description="Reinforcement learning from exact rewards.")
    parser.add_argument("--start", type=Path, required=True, help="checkpoint to begin with")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--steps", type=int, default=40)
    parser.add_argument("--seconds", type=float, default=1e9, help="no step begins after so many seconds")
    parser.add_argument("--episodes", type=int, default=256, help="explorations per step, each of another world")
    parser.add_argument("--updates", type=int, default=2, help="updates per step, each on its part of the explorations")
    parser.add_argument("--decay", type=float, default=0.9, help="by which later surprises count less for a reply")
    parser.add_argument("--clip", type=float, default=0.2, help="how far a ratio of probabilities may pull")
    parser.add_argument("--rooms", type=int, default=3)
    parser.add_argument("--things", type=int, default=4, help="objects per room")
    parser.add_argument("--budget", type=int, default=20, help="most turns of an exploration")
    parser.add_argument("--reply-tokens", type=int, default=1024, help="most tokens of a reply")
    parser.add_argument("--cost-weight", type=float, default=0.01, help="taken off for each unit of action cost")
    parser.add_argument("--penalty", type=float, default=0.02, help="taken off for each failed turn")
    parser.add_argument("--temperature", type=float, default=1.0)
    add_options(parser, rate=1e-5)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--context", type=int, default=7680, help="most tokens of a conversation")
    parser.add_argument("--length", type=int, default=16384, help="tokens of a packed row")
    parser.add_argument("--packed-rows", type=int, default=2)
    parser.add_argument("--save-every", type=int, default=5)
    parser.add_argument("--check-worlds", type=int, default=64, help="worlds explored without sampling at checkpoints")
    return parser


if __name__ == "__main__":
    train(read_options(options(), "reinforce"))
