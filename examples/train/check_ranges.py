"""How well a model that was trained with `--reasoning ranges` computes: its statements against what follows from them.

    python check_ranges.py transcripts/supervised-27268/3-rooms.txt --out ranges.csv

Every reply of the transcripts (`evaluate.py --transcripts`) is carried out again. A step such as
"sink (-1 to 2, 4 to 9) from yellow door (0, 3) is (-1 to 2, 1 to 6), north front-slight-right, slightly far, so (1 to
2, 5 to 6): sink (1 to 2, 8 to 9)" states again the ranges of both, the displacements between them, what was told, the
displacements that fit, and what remains; each part is checked against those before it.
"""

import argparse
import csv
import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from tolman.env.exploration import Exploration
from tolman.env.options import EnvironmentOptions
from tolman.env.range_steps import Ranges, RangeTracker, told_in_words
from tolman.world import START

BOX = r"\([^)]*\)"
NAME = r"[a-z][a-z ]*?"
RANGES = re.compile(r"\((-?\d+)(?: to (-?\d+))?, (-?\d+)(?: to (-?\d+))?\)")
STEP = re.compile(
    rf"({NAME})(?: ({BOX}))? from (?:the )?({NAME})(?: ({BOX}) is ({BOX}))?, ([a-z ,-]+), so ({BOX}): ([^;]*)"
)
LEFT = re.compile(rf"(?:^| and )({NAME}) ({BOX})")
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
    for name, known_said, origin_said, at_said, between_said, words, fits_said, left_said in (
        STEP.findall(said[1]) if said else ()
    ):
        origin = START if origin_said == "start" else origin_said
        known, at = ranges(known_said), stated[START] if origin == START else ranges(at_said) or stated.get(origin)
        fits = ranges(fits_said)
        counts["steps"] += 1
        if at is None or fits is None or name not in belief.names:
            counts["steps from what was never stated, or without ranges"] += 1
            continue
        for again, before in ((known_said, stated.get(name)), (at_said, stated.get(origin))):
            counts["stated again"] += bool(again)
            counts["stated again as before"] += bool(again) and ranges(again) == before
        if between_said and known is not None:
            counts["between two ranges"] += 1
            counts["between two ranges, right"] += ranges(between_said) == known.minus(at)
        relation = told.told.get((name, origin))
        counts["told of the two"] += relation is not None
        if relation is not None:
            counts["told of the two in these words"] += words == told_in_words(relation)
            counts["displacements that fit, right"] += fits == told.displacement(relation, at, known)
        remains = {name: at.plus(fits) if known is None else at.plus(fits).both(known)}
        remains[origin] = remains[name].minus(fits).both(at)
        for each, box in LEFT.findall(left_said):
            left = ranges(box)
            counts["what remains"] += 1
            counts["what remains, right"] += left == remains.get(each)
            if left is not None:
                stated[each] = left
                counts["points"] += left.is_point
                counts["points that are certain"] += left.is_point and list(belief.positions(each)) == [left.low]


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
