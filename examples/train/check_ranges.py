"""How well a model that was trained with `--reasoning ranges` computes: its statements against what follows from them.

    python check_ranges.py transcripts/supervised-12000/3-rooms.txt --out ranges.csv

Every reply of the transcripts (`evaluate.py --transcripts`) is carried out again. A statement such as
"sink (-5 to -1, -4 to 0) and (-4 to -2, -3 to 3) = (-3 to -2, -3 to 0)" has a sum (where the agent says that it stands,
and what it was just told), what it said was known, and what it says remains.
"""

import argparse
import csv
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tolman.belief.possible_positions import displacements
from tolman.env.exploration import Exploration
from tolman.env.options import EnvironmentOptions
from tolman.sense import Observation, Sighting

RANGE = re.compile(r"\((-?\d+)(?: to (-?\d+))?, (-?\d+)(?: to (-?\d+))?\)")
POSE = re.compile(r"I am at (?:the )?([a-z ]+?) (\([^)]*\)), facing")
NOW = re.compile(r"Now: (.*?)\. (?:Open|Not seen|Next)")
REPLY = re.compile(r"--assistant \(gain [\d.]+\)\n(.*?)(?=\n--user|\n--assistant|\Z)", re.DOTALL)
Box = tuple[tuple[int, int], tuple[int, int]]
"""Ranges of x and y."""


def boxes(text: str) -> list[Box]:
    found = ((int(a), int(b or a), int(c), int(d or c)) for a, b, c, d in RANGE.findall(text))
    return [((x0, x1), (y0, y1)) for x0, x1, y0, y1 in found]


@dataclass(frozen=True)
class Statement:
    """What a reply says of one name."""

    name: str
    ranges: list[Box]
    joins: bool
    """Whether what remains is stated after an equals sign."""


def statements(reply: str, names: tuple[str, ...]) -> Iterator[Statement]:
    now = NOW.search(reply)
    for text in re.split(r", (?=[a-z])", now[1]) if now else ():
        name = max((each for each in names if text.startswith(f"{each} ")), key=len, default="")
        if name and (ranges := boxes(text)):
            yield Statement(name, ranges, "=" in text)


def count(transcripts: str) -> Counter[str]:
    """How many statements there are, and how many of them are right."""
    counts: Counter[str] = Counter()
    for text in transcripts.split("==== scene ")[1:]:
        seed, _, body = text.partition("\n")
        exploration = Exploration(int(seed), EnvironmentOptions(allow_test_scenes=True))
        stated: dict[str, Box] = {}
        for reply in REPLY.findall(body):
            if exploration.over:
                break
            _count_reply(reply, exploration, stated, counts)
            exploration.reply(reply)
    return counts


def _count_reply(reply: str, exploration: Exploration, stated: dict[str, Box], counts: Counter[str]) -> None:
    episode, belief = exploration.episode, exploration.belief
    feedback = episode.turns[-1].feedback if episode.turns else None
    told = {each.name: each for each in feedback.sightings} if isinstance(feedback, Observation) else {}
    pose = POSE.search(reply)
    here, own = (pose[1], boxes(pose[2])[0]) if pose and boxes(pose[2]) else ("", None)
    for each in statements(reply, exploration.case.scene.names):
        if each.name == here:
            own = each.ranges[-1]
        elif own and each.name in told:
            _count_told(each, _sum(own, told[each.name], exploration), stated, counts)
        if all(low == high for low, high in each.ranges[-1]):
            counts["points"] += 1
            position = each.ranges[-1][0][0], each.ranges[-1][1][0]
            counts["points that are certain"] += list(belief.positions(each.name)) == [position]
        stated[each.name] = each.ranges[-1]


def _sum(own: Box, sighting: Sighting, exploration: Exploration) -> tuple[tuple[int, int], ...]:
    """The ranges of what is told from these."""
    heading, extent = exploration.episode.heading, exploration.belief.extent
    steps = zip(*displacements(sighting.direction, sighting.distance, heading, extent), strict=True)
    return tuple((low + min(step), high + max(step)) for (low, high), step in zip(own, steps, strict=True))


def _count_told(
    each: Statement, total: tuple[tuple[int, int], ...], stated: dict[str, Box], counts: Counter[str]
) -> None:
    kind = "again" if each.name in stated else "first"
    counts[f"told {kind}"] += 1
    counts[f"sum right, told {kind}"] += each.ranges[0] == total
    if each.joins and len(each.ranges) == 3:
        alone, known, left = each.ranges
        both = [(max(a[0], k[0]), min(a[1], k[1])) for a, k in zip(alone, known, strict=True)]
        counts["joined"] += 1
        counts["known as stated before"] += stated.get(each.name) == known
        counts["nothing in both"] += any(low > high for low, high in both)
        counts["what remains is in both"] += all(b[0] <= n[0] <= n[1] <= b[1] for b, n in zip(both, left, strict=True))


def main() -> None:
    parser = argparse.ArgumentParser(description="Statements of positions against what follows from them.")
    parser.add_argument("transcripts", type=Path)
    parser.add_argument("--out", type=Path, default=Path("ranges.csv"))
    arguments = parser.parse_args()
    counts = count(arguments.transcripts.read_text())
    with arguments.out.open("w", newline="") as file:
        csv.writer(file).writerows([("what", "statements"), *sorted(counts.items())])
    for what, number in sorted(counts.items()):
        print(f"{what:28} {number:6,}")


if __name__ == "__main__":
    main()
