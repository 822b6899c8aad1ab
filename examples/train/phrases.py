"""Phrases that conversations repeat word for word, and numbers, each as one token.

    python phrases.py --start smollm2 --data data/planner --out smollm2-phrases

Most of a conversation is text that says nothing new: the instructions, and the words around names and numbers. As one
token each they cost next to nothing, while the texts stay those of the evaluation, to the letter. Words become one
token only where the second always follows the first, so a token never takes a choice away. Names keep their own
tokens, so that others can be told and said. A new token begins as a mean of the tokens that it replaces.
"""

import argparse
import json
import re
import shutil
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import groupby, pairwise
from pathlib import Path

import torch
from conversations import Conversation, Curriculum, Piece, conversation
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
"""Of the conversations, in which a phrase occurs at least; and occurrences of other words per conversation."""
ALWAYS = 0.97
"""Share of the occurrences of words in which the same words follow, so that both are one token."""
MULTIPLE = 128
"""Of which the number of rows of the embedding is one, since a GPU multiplies such matrices several times faster."""
FURTHEST = 40
"""Largest number of steps that has tokens."""
NAMES = "|".join(
    sorted([*(kind.name for kind in VOCABULARY_V1), *(f"{colour} door" for colour in COLOURS)], key=len, reverse=True)
)
NUMBER = r"(?:,? \(|\(|\[|, ?| to | )?-?\d+[)\]]?"
VARIES = re.compile(rf"{NAMES}|\d")
"""What makes a line one of many alike."""
BETWEEN = re.compile(rf"( ?(?:{NAMES})|{NUMBER})")
"""Names and numbers, with what belongs to a number."""
CLAUSE = re.compile(r"[.,;:]?[^.,;:\n]+|[.,;:]|\n-?")
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


def words_and_numbers(conversations: Sequence[Conversation], known: Sequence[str]) -> list[str]:
    """Numbers with what belongs to them, and what else stands beside names and the phrases that are `known`."""
    apart = re.compile("|".join(map(re.escape, known)))
    said = [piece.text for each in conversations for piece in _after_instructions(each)]
    runs: list[list[str]] = []
    numbers: Counter[tuple[str, str]] = Counter()
    others: Counter[str] = Counter()
    for text in said:
        for part in apart.split(text):
            for place, found in enumerate(BETWEEN.split(part)):
                if place % 2 == 0:
                    runs.append(CLAUSE.findall(found))
                elif number := re.search(r"-?\d+", found):
                    numbers[found[: number.start()], found[number.end() :]] += 1
                    others[found] += 1
    least = SHARE * len(conversations)
    words = Counter(word for run in joined(runs, least) for word in run)
    around = [each for each, count in numbers.items() if count >= least]
    steps = {f"{before}{n}{after}" for before, after in around for n in range(-FURTHEST, FURTHEST + 1)}
    often = {each for counts in (words, others) for each, count in counts.items() if count >= least}
    return sorted(
        {each for each in steps | often if len(each) > 1 and each != ", "}, key=lambda each: (-len(each), each)
    )


def _after_instructions(made: Conversation) -> Iterator[Piece]:
    yield from made.trunk[2:]
    for _, branch in made.branches:
        yield from branch


def joined(runs: Sequence[list[str]], least: float) -> list[list[str]]:
    """The same runs of words, with those in one that always follow each other."""
    made = list(runs)
    while True:
        first = Counter(word for run in made for word in run)
        pairs = Counter(pair for run in made for pair in pairwise(run))
        always = {pair for pair, count in pairs.items() if count >= max(least, ALWAYS * first[pair[0]])}
        if not always:
            return made
        made = [list(_joined(run, always)) for run in made]


def _joined(run: list[str], always: set[tuple[str, str]]) -> Iterator[str]:
    place = 0
    while place < len(run):
        together = tuple(run[place : place + 2]) in always
        yield "".join(run[place : place + 2]) if together else run[place]
        place += 2 if together else 1


def with_tokens(start: Path, out: Path, found: Sequence[str]) -> int:
    """The checkpoint with a token for each text that has several; returns how many these are."""
    tokenizer = Tokenizer.from_file(str(start / "tokenizer.json"))
    encoded = {text: tokenizer.encode(text, add_special_tokens=False).ids for text in found}
    pieces = {text: ids for text, ids in encoded.items() if len(ids) > 1}
    tokenizer.add_tokens([AddedToken(text, normalized=False, special=False) for text in pieces])
    weights = load_file(start / "model.safetensors")
    name = "model.embed_tokens.weight"
    if len(weights[name]) + len(pieces) != tokenizer.get_vocab_size():
        raise SystemExit(f"the tokenizer in {start} has another number of tokens than the model")
    rows = [_mean(weights[name][ids]) for ids in pieces.values()]
    unused = weights[name].float().mean(0, keepdim=True).to(weights[name].dtype)
    weights[name] = torch.cat([weights[name], *rows, *[unused] * (-tokenizer.get_vocab_size() % MULTIPLE)])
    out.mkdir(parents=True, exist_ok=True)
    for file in start.iterdir():
        if file.suffix in (".json", ".jinja"):
            shutil.copy(file, out / file.name)
    tokenizer.save(str(out / "tokenizer.json"))
    save_file(weights, out / "model.safetensors", metadata={"format": "pt"})
    config = json.loads((start / "config.json").read_text())
    (out / "config.json").write_text(json.dumps({**config, "vocab_size": len(weights[name])}, indent=2))
    return len(pieces)


def _mean(rows: torch.Tensor) -> torch.Tensor:
    """Later pieces count more, so that 12 and 21 do not begin as the same."""
    share = torch.arange(1, len(rows) + 1)[:, None] / sum(range(len(rows) + 1))
    return (rows.float() * share).sum(0, keepdim=True).to(rows.dtype)


def main() -> None:
    parser = argparse.ArgumentParser(description="Give a checkpoint tokens for what conversations repeat.")
    parser.add_argument("--start", type=Path, required=True, help="checkpoint to begin with")
    parser.add_argument("--data", type=Path, required=True, help="folder that data.py wrote")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--worlds", type=int, default=100, help="conversations in which phrases are looked for")
    parser.add_argument("--reasoning", default="ranges", help="of the conversations")
    given = parser.parse_args()
    curriculum = Curriculum(given.reasoning, maps=2, questions=3)
    worlds = stored(given.data)
    worlds = worlds[:: max(1, len(worlds) // given.worlds)]
    made = [conversation(row, curriculum, reading=n) for n, row in enumerate(worlds)]
    lines = phrases(made)
    count = with_tokens(given.start, given.out, [*lines, *words_and_numbers(made, lines)])
    print(f"{count} tokens more, {len(lines)} of them for {sum(map(len, lines)):,} characters of lines")


if __name__ == "__main__":
    main()
