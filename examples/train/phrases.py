"""Phrases that conversations repeat word for word, each as one token.

    python phrases.py --start smollm2 --data data/planner --out smollm2-phrases

Half of a conversation is sentences that never change: the instructions, and the lines around each reply. As one token
each they cost next to nothing, while the texts stay those of the evaluation, to the letter. A new token begins as the
mean of the tokens that it replaces.
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
COUNTDOWN = re.compile(r"(?<=Replies left: )\d+")


def phrases(conversations: Sequence[Conversation]) -> list[str]:
    """The longest runs of lines that many conversations have in what is told to the model, the longest first."""
    lines = [[text.splitlines(keepends=True) for text in _told(each)] for each in conversations]
    times = Counter(line for each in lines for line in {line for text in each for line in text})
    often = {line for line, count in times.items() if count >= SHARE * len(lines)}
    runs = Counter(run for each in lines for run in {run for text in each for run in _runs(text, often)})
    found = [run for run, count in runs.items() if count >= SHARE * len(lines) and _is_phrase(run)]
    return sorted(found, key=lambda phrase: (-len(phrase), phrase))


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
    pieces = [tokenizer.encode(phrase, add_special_tokens=False).ids for phrase in found]
    tokenizer.add_tokens([AddedToken(phrase, normalized=False, special=False) for phrase in found])
    weights = load_file(start / "model.safetensors")
    name = "model.embed_tokens.weight"
    size = tokenizer.get_vocab_size()
    rows = [weights[name][ids].float().mean(0, keepdim=True).to(weights[name].dtype) for ids in pieces]
    weights[name] = torch.cat([weights[name], *rows])[:size]
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
