"""Phrases that conversations repeat word for word, each as one token.

    python phrases.py --start smollm2 --data data/planner --out smollm2-phrases

Nearly half of a conversation is sentences that never change: the instructions, and the lines around each reply. As one
token each they cost next to nothing, while the texts stay those of the evaluation, to the letter. A new token begins as
the mean of the tokens that it replaces.
"""

import argparse
import json
import re
import shutil
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import Path

import torch
from conversations import Conversation, Curriculum, conversation
from data import stored
from safetensors.torch import load_file, save_file
from tokenizers import AddedToken, Tokenizer

from tolman.core.seeds import FIRST_TRAINING_SEED
from tolman.env.exploration import Exploration
from tolman.env.options import EnvironmentOptions
from tolman.world.vocabulary import COLOURS, VOCABULARY_V1

LEAST = 6
"""Characters of a phrase."""
SHARE = 0.3
"""Of the conversations, in which a phrase occurs at least."""
NAMES = "|".join(
    sorted([*(kind.name for kind in VOCABULARY_V1), *(f"{colour} door" for colour in COLOURS)], key=len, reverse=True)
)
VARIES = re.compile(rf"{NAMES}|\d")
"""What makes a line one of many alike."""
OTHER_ROOMS = (1, 2, 4)
"""Numbers of rooms of worlds with whose instructions those of the conversations are compared."""
COUNTDOWN = re.compile(r"(?<=Replies left: )\d+")


def phrases(conversations: Sequence[Conversation]) -> list[str]:
    """The longest runs of lines that many conversations have in what is told to the model, the longest first."""
    lines = [[text.splitlines(keepends=True) for text in _told(each)] for each in conversations]
    times = Counter(line for each in lines for line in {line for text in each for line in text})
    often = {line for line, count in times.items() if count >= SHARE * len(lines)}
    often -= _of_settings(conversations)
    runs = Counter(run for each in lines for run in {run for text in each for run in _runs(text, often)})
    found = [run for run, count in runs.items() if count >= SHARE * len(lines) and _is_phrase(run)]
    return sorted(found, key=lambda phrase: (-len(phrase), phrase))


def _of_settings(conversations: Sequence[Conversation]) -> set[str]:
    """Lines of instructions that other numbers of rooms or replies would change, so that they must not be learnt."""
    options = [EnvironmentOptions(rooms=rooms, budget=10 + rooms) for rooms in OTHER_ROOMS]
    others = [Exploration(FIRST_TRAINING_SEED, each).messages for each in options]
    always = set.intersection(*({line for m in said for line in m.text.splitlines(keepends=True)} for said in others))
    own = {line for each in conversations for piece in each.trunk[:2] for line in piece.text.splitlines(keepends=True)}
    return own - always


def _told(made: Conversation) -> Iterator[str]:
    for piece in (*made.trunk, *(piece for _, branch in made.branches for piece in branch)):
        if piece.role != "assistant":
            yield from COUNTDOWN.split(piece.text)


def _runs(lines: Sequence[str], often: set[str]) -> Iterator[str]:
    for fixed, run in groupby(lines, key=often.__contains__):
        if fixed:
            yield "".join(run)


def _is_phrase(run: str) -> bool:
    said = run.strip()
    return len(said) >= LEAST and ("\n" in said or not VARIES.search(said))


def with_phrases(start: Path, out: Path, found: Sequence[str]) -> None:
    """The checkpoint with a token for each phrase."""
    tokenizer = Tokenizer.from_file(str(start / "tokenizer.json"))
    encoded = {phrase: tokenizer.encode(phrase, add_special_tokens=False).ids for phrase in found}
    pieces = {phrase: ids for phrase, ids in encoded.items() if len(ids) > 1}
    tokenizer.add_tokens([AddedToken(phrase, normalized=False, special=False) for phrase in pieces])
    weights = load_file(start / "model.safetensors")
    name = "model.embed_tokens.weight"
    if len(weights[name]) + len(pieces) != tokenizer.get_vocab_size():
        raise SystemExit(f"the tokenizer in {start} has another number of tokens than the model")
    rows = [weights[name][ids].float().mean(0, keepdim=True).to(weights[name].dtype) for ids in pieces.values()]
    weights[name] = torch.cat([weights[name], *rows])
    out.mkdir(parents=True, exist_ok=True)
    for file in start.iterdir():
        if file.suffix in (".json", ".jinja"):
            shutil.copy(file, out / file.name)
    tokenizer.save(str(out / "tokenizer.json"))
    save_file(weights, out / "model.safetensors", metadata={"format": "pt"})
    config = json.loads((start / "config.json").read_text())
    (out / "config.json").write_text(json.dumps({**config, "vocab_size": len(weights[name])}, indent=2))


def main() -> None:
    parser = argparse.ArgumentParser(description="Give a checkpoint tokens for phrases that never change.")
    parser.add_argument("--start", type=Path, required=True, help="checkpoint to begin with")
    parser.add_argument("--data", type=Path, required=True, help="folder that data.py wrote")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--worlds", type=int, default=50, help="conversations in which phrases are looked for")
    given = parser.parse_args()
    curriculum = Curriculum("ranges", maps=2, questions=3)
    worlds = enumerate(stored(given.data, given.worlds))
    found = phrases([conversation(row, curriculum, reading=n) for n, row in worlds])
    with_phrases(given.start, given.out, found)
    print(f"{len(found)} phrases, {sum(map(len, found)):,} characters")


if __name__ == "__main__":
    main()
