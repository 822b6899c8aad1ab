"""How well a model that was trained with `--reasoning ranges` computes: its statements against what follows from them.

    python check_ranges.py transcripts/supervised-12000/3-rooms.txt --out ranges.csv

Every reply of the transcripts (`evaluate.py --transcripts`) is carried out again. A step such as
"sink from yellow door by (1 to 2, -3): (0 to 2, 4 to 5) = (1 to 2, 4 to 5)" has the displacements that what was told
and the ranges that the model stated before leave possible, their sum with the ranges of the origin, and what remains.
"""

import argparse
import csv
import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from tolman.env.exploration import Exploration
from tolman.env.options import EnvironmentOptions
from tolman.env.range_steps import Ranges, RangeTracker
from tolman.world import START

RANGES = re.compile(r"\((-?\d+)(?: to (-?\d+))?, (-?\d+)(?: to (-?\d+))?\)")
STEP = re.compile(r"([a-z][a-z ]*?) from (?:the )?([a-z ]+?) by (\([^)]*\)): (\([^)]*\))(?: = (\([^)]*\)))?")
NOW = re.compile(r"Now: (.*?)\. (?:Open|Not seen|Next)")
REPLY = re.compile(r"--assistant \(gain [\d.]+\)\n(.*?)(?=\n--user|\n--assistant|\Z)", re.DOTALL)


def ranges(text: str | None) -> Ranges | None:
    """Ranges as they are written; None where there are none, or they are empty."""
    found = RANGES.fullmatch(text or "")
    if found is None:
        return None
    x0, x1, y0, y1 = (int(each) if each else None for each in found.groups())
    low, high = (x0, y0), (x0 if x1 is None else x1, y0 if y1 is None else y1)
    return Ranges(low, high) if low[0] <= high[0] and low[1] <= high[1] else None


def count(transcripts: str) -> Counter[str]:
    """How many steps there are, and how many parts of them are right."""
    counts: Counter[str] = Counter()
    for text in transcripts.split("==== scene ")[1:]:
        seed, _, body = text.partition("\n")
        exploration = Exploration(int(seed), EnvironmentOptions(allow_test_scenes=True))
        stated = {START: Ranges((0, 0), (0, 0))}
        for reply in REPLY.findall(body):
            if exploration.over:
                break
            _count_reply(reply, exploration, stated, counts)
            exploration.reply(reply)
    return counts


def _count_reply(reply: str, exploration: Exploration, stated: dict[str, Ranges], counts: Counter[str]) -> None:
    belief = exploration.belief
    told = RangeTracker(exploration.episode, belief.extent)
    said = NOW.search(reply)
    for name, origin, *parts in STEP.findall(said[1]) if said else ():
        start = START if origin == "start" else origin
        displacement, total, joined = map(ranges, parts)
        left, at, known = joined or total, stated.get(start), stated.get(name)
        counts["steps"] += 1
        if at is None or displacement is None or total is None or left is None or name not in belief.names:
            counts["steps from what was never stated, or without ranges"] += 1
            continue
        right = told.displacement(name, start, at, known)
        counts["displacements of what was told"] += right is not None
        counts["displacements right"] += right == displacement
        counts["sums right"] += total == at.plus(displacement)
        if known is not None:
            counts["joined"] += 1
            counts["what remains right"] += left == total.both(known)
        if left.low == left.high:
            counts["points"] += 1
            counts["points that are certain"] += list(belief.positions(name)) == [left.low]
        stated[name] = left


def check(count: Callable[[str], Counter[str]], description: str, out: str) -> None:
    """The program: count what is stated in a file of transcripts, print it, and write it to a table."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("transcripts", type=Path)
    parser.add_argument("--out", type=Path, default=Path(out))
    arguments = parser.parse_args()
    counts = count(arguments.transcripts.read_text())
    with arguments.out.open("w", newline="") as file:
        csv.writer(file).writerows([("what", "statements"), *sorted(counts.items())])
    for what, number in sorted(counts.items()):
        print(f"{what:52} {number:6,}")


if __name__ == "__main__":
    check(count, "Statements of positions against what follows from them.", "ranges.csv")
