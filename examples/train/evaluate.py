"""Quick tables of checkpoints on scenes of the evaluation: what `tolman eval` measures, all tests in one batch.

    python evaluate.py runs/supervised/* --tests 3-rooms,4-rooms,map,answers --out scores.csv

Every row of the CSV is one scene. `tolman eval` measures the same, reply by reply, with all its tables.
"""

import argparse
import csv
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import torch
from data import EXPERT
from decoding import Decoder
from model import Llama
from tokens import ChatTokens
from variations import renamed

from tolman.core.parallel import parallel_map
from tolman.env.demonstrations import Reasoning, demonstrated_reply
from tolman.env.exploration import Exploration
from tolman.env.options import EnvironmentOptions
from tolman.env.rollouts import PendingReply, failed_turns, roll_out
from tolman.explore.actions import Actions, Query
from tolman.explore.agents.registry import make_explorer
from tolman.explore.episode import default_turns
from tolman.world import Scene, generate

TESTS = {
    "3-rooms": EnvironmentOptions(),
    "2-rooms": EnvironmentOptions(rooms=2),
    "4-rooms": EnvironmentOptions(rooms=4, budget=default_turns("explore", 4)),
    "6-rooms": EnvironmentOptions(rooms=6, budget=default_turns("explore", 6)),
    "8-rooms": EnvironmentOptions(rooms=8, budget=default_turns("explore", 8)),
    "unseen-names": EnvironmentOptions(),
    "map": EnvironmentOptions(reward="map"),
    "answers": EnvironmentOptions(reward="answers"),
    "expert-map": EnvironmentOptions(reward="map"),
    "expert-answers": EnvironmentOptions(reward="answers"),
}
"""With `expert-`, the model states a map or answers after what the expert explored and said."""
UNSEEN_NAMES = (
    "accordion",
    "anvil",
    "birdcage",
    "cello",
    "chessboard",
    "compass",
    "cradle",
    "drum",
    "easel",
    "globe",
    "hammock",
    "harp",
    "jukebox",
    "kettle",
    "ladder",
    "loom",
    "mannequin",
    "pinball",
    "quilt",
    "saddle",
    "scarecrow",
    "sundial",
    "telescope",
    "trampoline",
    "trumpet",
    "typewriter",
    "violin",
    "weathervane",
    "xylophone",
)
"""Names that no generated scene has."""
COLUMNS = ("run", "test", "scene", "gain", "cost", "turns", "failed", "queries", "score", "in_context")


def with_unseen_names(scene: Scene, seed: int) -> Scene:
    """The same scene with names of things that were never trained on."""
    order = np.random.default_rng(seed).permutation(len(UNSEEN_NAMES))
    names = {thing.name: UNSEEN_NAMES[place] for thing, place in zip(scene.things, order.tolist(), strict=False)}
    return renamed(scene, {**{door.name: door.name for door in scene.doors}, **names})


def run_tests(
    names: Sequence[str],
    model: Llama,
    tokens: ChatTokens,
    scenes: Sequence[int],
    arguments: argparse.Namespace,
    transcripts: Path | None,
) -> list[dict]:
    """One row for each test and scene, all explored at once."""
    options, worlds = [], []
    for name in names:
        options += [replace(TESTS[name], allow_test_scenes=True)] * len(scenes)
        for seed in scenes:
            scene = generate(seed, TESTS[name].world_settings)
            worlds.append(with_unseen_names(scene, seed) if name == "unseen-names" else scene)
    seeds = [*scenes] * len(names)
    decoder = Decoder(model, tokens, len(seeds), arguments.context, reply_tokens=arguments.reply_tokens)
    after = [slot for slot in range(len(seeds)) if names[slot // len(scenes)].startswith("expert-")]
    explored = parallel_map(expert_replies, [(seeds[slot], options[slot], arguments.reasoning) for slot in after])
    policy = AfterTheExpert(decoder, dict(zip(after, explored, strict=True)))
    explorations = roll_out(policy, seeds, options, scenes=worlds)
    if transcripts:
        transcripts.mkdir(parents=True, exist_ok=True)
    for place, name in enumerate(names if transcripts else ()):
        own = explorations[place * len(scenes) : (place + 1) * len(scenes)]
        (transcripts / f"{name}.txt").write_text("\n\n".join(map(transcript, own)))
        lines = [f"{scene},{turn},{cost},{gain:.3f}\n" for each in own for scene, turn, cost, gain in by_turn(each)]
        (transcripts / f"{name}.csv").write_text("scene,turn,cost,gain\n" + "".join(lines))
    return [
        _row(names[slot // len(scenes)], each, slot not in decoder.exceeded) for slot, each in enumerate(explorations)
    ]


def expert_replies(world: tuple[int, EnvironmentOptions, Reasoning]) -> list[str]:
    """What the expert of the demonstrations says while it explores a scene."""
    seed, options, reasoning = world
    exploration = Exploration(seed, replace(options, reward="dense"))
    expert = make_explorer(EXPERT, exploration.case.scene, seed)
    replies: list[str] = []
    while not exploration.over:
        replies.append(demonstrated_reply(exploration, expert.act(exploration.episode), reasoning))
        exploration.reply(replies[-1])
    return replies


@dataclass
class AfterTheExpert:
    """A policy that says given replies in some slots, and after them what the model says, as in all others."""

    decoder: Decoder
    given: dict[int, list[str]]

    def __call__(self, turns: Sequence[PendingReply]) -> list[str | None]:
        said: dict[int, str | None] = {}
        own: list[PendingReply] = []
        for turn in turns:
            replies = self.given.get(turn.slot, [])
            number = sum(message.role == "assistant" for message in turn.messages)
            if number < len(replies):
                said[turn.slot] = replies[number]
            elif replies:
                own.append(replace(turn, new=turn.messages))
            else:
                own.append(turn)
        if own:
            said |= dict(zip((turn.slot for turn in own), self.decoder(own), strict=True))
        return [said[turn.slot] for turn in turns]


def by_turn(exploration: Exploration) -> Iterator[tuple[int, int, int, float]]:
    """Scene, turn, action cost so far and information gain so far, after each turn."""
    cost = 0
    turns = [turn for turn in exploration.episode.turns if not turn.forced]
    for number, (turn, belief) in enumerate(zip(turns, exploration.beliefs[1:], strict=False), start=1):
        cost += turn.cost
        yield exploration.seed, number, cost, belief.information_gain


def transcript(exploration: Exploration) -> str:
    """What was said after the instructions, with the information gain after each reply."""
    gains = iter(exploration.beliefs[1:])
    lines = [f"==== scene {exploration.seed}"]
    for message in exploration.messages[2:]:
        after = f" (gain {next(gains).information_gain:.3f})" if message.role == "assistant" else ""
        lines.append(f"--{message.role}{after}\n{message.text.partition(chr(10) * 2 + 'Replies left')[0]}")
    return "\n".join(lines)


def _row(test: str, exploration: Exploration, in_context: bool) -> dict:
    turns = [turn for turn in exploration.episode.turns if not turn.forced]
    return {
        "test": test,
        "scene": exploration.seed,
        "gain": round(exploration.information_gain, 6),
        "cost": exploration.episode.cost(),
        "turns": len(turns),
        "failed": round(failed_turns([exploration]), 6),
        "queries": sum(isinstance(t.asked, Actions) and isinstance(t.asked.final, Query) for t in turns),
        "score": round(exploration.rewards[-1], 6) if exploration.options.reward in ("map", "answers") else "",
        "in_context": int(in_context),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description="Tables of checkpoints.")
    parser.add_argument("checkpoints", type=Path, nargs="+")
    parser.add_argument("--tests", default="3-rooms")
    parser.add_argument("--scenes", default="0-99")
    parser.add_argument("--context", type=int, default=8192, help="most tokens of a conversation")
    parser.add_argument("--reply-tokens", type=int, default=1024, help="most tokens of a reply")
    parser.add_argument("--precision", choices=["bfloat16", "float32"], help="in which to compute")
    parser.add_argument("--reasoning", default="ranges", help="of the expert, in tests whose names begin with expert-")
    parser.add_argument("--out", type=Path, default=Path("scores.csv"))
    parser.add_argument("--transcripts", type=Path, help="folder for conversations, and for gain and cost by turn")
    arguments = parser.parse_args()
    device = "cuda" if torch.cuda.is_available() else "cpu"
    first, _, last = arguments.scenes.partition("-")
    scenes = range(int(first), int(last or first) + 1)
    new = not arguments.out.exists()
    with arguments.out.open("a", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS)
        if new:
            writer.writeheader()
        for checkpoint in arguments.checkpoints:
            model, tokens = Llama.load(checkpoint, device, arguments.precision), ChatTokens(checkpoint)
            begin = time.perf_counter()
            run = f"{checkpoint.parent.name}/{checkpoint.name}"
            said = arguments.transcripts / run.replace("/", "-") if arguments.transcripts else None
            tests = arguments.tests.split(",")
            rows = run_tests(tests, model, tokens, scenes, arguments, said)
            writer.writerows({"run": run, **row} for row in rows)
            file.flush()
            for test in tests:
                own = [row for row in rows if row["test"] == test]
                means = {key: float(np.mean([float(row[key] or 0) for row in own])) for key in COLUMNS[3:]}
                text = " ".join(f"{key} {value:.3f}" for key, value in means.items())
                print(f"{checkpoint} {test}: {text}", flush=True)
            print(f"{len(rows)} explorations in {time.perf_counter() - begin:.0f} s", flush=True)


if __name__ == "__main__":
    main()
