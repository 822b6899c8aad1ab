"""Mutated replies through every reader of every benchmark, under both rule sets: nothing may raise or take long.

    python benchmarks/fuzz_readers.py --replies 300000

Replies are those of the authors' released runs where these lie beside the checkout, else templates; each is mutated by
cutting, doubling and swapping pieces, and by putting in scraps of what models write. The table gives the slowest reply
of each reader in CPU milliseconds.
"""

import argparse
import random
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import cast

from tolman.ask import VISION_KINDS, grade, sample_questions
from tolman.ask.kinds.change_report import change_question
from tolman.ask.question import Question
from tolman.belief.map_parsing import read_global_map, read_local_map
from tolman.belief.unexplored import CandidatePoints, read_unexplored_points
from tolman.benchmarks.osr_bench import rules as osr_rules
from tolman.benchmarks.osr_bench.maps.grid import read_map
from tolman.benchmarks.osr_bench.questions.question import SPECIAL
from tolman.benchmarks.osr_bench.questions.question import Question as OsrQuestion
from tolman.benchmarks.osr_bench.questions.question import grade as grade_osr
from tolman.benchmarks.osr_bench.released.rescore import find_results, read_results
from tolman.benchmarks.sparrta.case import RelationQuestion
from tolman.benchmarks.sparrta.prompts import read_relation
from tolman.benchmarks.theory_of_space.released.run_files import find_runs
from tolman.core.geometry import Heading
from tolman.core.reading import asserted_objects, final_part
from tolman.core.rules import PUBLISHED, STRICT
from tolman.explore.grammar import read_actions
from tolman.world import generate, perturb

RELEASED = Path(__file__).parents[2] / "shared" / "published"
LIMIT_MS = 100.0
LONGEST = 6_000
"""Characters of a released reply that is mutated: its end, where answers stand."""
TEMPLATES = (
    "{}",
    "THINK:\nLet me see. It can't be that one.\n\nFINAL ANSWER:\n{}",
    "**FINAL ANSWER:** {}",
    "<think>{} or not?</think>\n<answer>{}</answer>",
    "{} … wait, no: {}",
    "I would say {}, but it could be {}.",
    "$\\boxed{{\\text{{{}}}}}$",
    "```json\n{}\n```",
    "not {}; {}",
)
ANSWERS = (
    "north east, near",
    "front-left, slightly far",
    "(2, -1); (3, 4)",
    "x = 1, y = -2",
    "Rotate(90), Goto(sofa)",
    "Actions: [Rotate(90), Observe()]",
    'Term(changes="sofa: position, lamp: not moved")',
    '{{"sofa": {{"position": [1, 2], "facing": "north"}}, "agent": {{"position": [0, 0]}}}}',
    "{{'bed': [(1, 2), (3, 4),], 'tv': []}} // done",
    '{{"unexplored": ["A", "B"]}}',
    "three",
    "more than 2",
    "trash can",
    "B. left",
    "Front Left",
    *SPECIAL,
)
SCRAPS = (
    *"()[]{},;:.!?\n\t`$*-+'\"\\/#<>=%|&^~_0123456789",
    *(" not ", " no, ", " wait, ", " or ", " nor ", " and ", " n't ", "isn't ", " cannot ", " opposite of ", " maybe "),
    *(
        "FINAL ANSWER:",
        "<answer>",
        "</answer>",
        "<think>",
        "</think>",
        "```",
        "```json",
        "\\boxed{",
        "\\text{",
        "//",
        "/*",
    ),
    *("north", "front", "left", "right", "near", "far", "slightly ", "A", "B.", "Rotate(", "Goto(sofa)", "Observe()"),
    *("position", "facing", "moved", "null", "NaN", "1e999", "9" * 40, "1,000", "½", "−", "–", "…", "İ", "ﬀ", "\x00"),
    *("\udcff", "\u202e", "🛋", "    ", "\n\n\n", "''''", '""""', "((((", "}}}}", "{{{{", "]]]]", "[[[["),
)
HOSTILE = (
    *(
        "{",
        "}",
        "{}",
        "[",
        "(",
        "\n",
        " ",
        "'",
        ".",
        "9",
        "a ",
        "A ",
        "1, ",
        "**",
        "```",
        "[A] ",
        "{'a': 1,} ",
        "\\boxed{",
    ),
    *("no, ", "wait ", "not east, ", "answer ", "<think>", "FINAL ANSWER:", "Rotate("),
)


# ---- replies ----


@cache
def corpus(*, released: bool = True) -> tuple[str, ...]:
    """Templates filled with answers of all sorts and, where they are wanted and there, the released replies."""
    made = tuple(
        template.format(*(answer.format(),) * template.count("{}")) for template in TEMPLATES for answer in ANSWERS
    )
    return made + tuple(reply[-LONGEST:] for reply in (_released() if released else ()))


def _released() -> Iterator[str]:
    for archive in sorted((RELEASED / "theory-of-space").glob("*.tar.xz")):
        for run in find_runs(archive):
            for turn in (*run.exploration_turns, *run.revision_turns):
                yield turn.reply
                logs = (*turn.cogmap_log.values(), turn.false_belief_log.get("cogmap_log"))
                probes = [cast("dict[str, object]", log) for log in logs if isinstance(log, dict)]
                yield from (str(probe["original_response"]) for probe in probes if "original_response" in probe)
            for mode in run.evaluation_modes:
                yield from (answer.reply for answer in run.answers(mode))
    if (RELEASED / "osr-bench").is_dir():
        for file in find_results(RELEASED / "osr-bench"):
            yield from (row.reply for row in read_results(file))


def mutated(reply: str, others: Sequence[str], stream: random.Random) -> str:
    """A reply with some pieces of it cut, doubled, swapped, or replaced by scraps; now and then by a very long run."""
    text = reply
    for _ in range(stream.randint(1, 6)):
        at, cut = stream.randrange(len(text) + 1), stream.choice((0, 1, 3, 12, 80, 400))
        piece = text[at : at + cut]
        kind = stream.random()
        if kind < 0.45:
            text = text[:at] + stream.choice(SCRAPS) + text[at + cut :]
        elif kind < 0.6:
            text = text[:at] + text[at + cut :]
        elif kind < 0.75:
            text = text[:at] + piece * stream.choice((2, 3, 8)) + text[at + cut :]
        elif kind < 0.9:
            other = stream.choice(others)
            start = stream.randrange(len(other) + 1)
            text = text[:at] + other[start : start + 200] + text[at:]
        elif kind < 0.97:
            text = text[:at]
        else:
            text = text[:at] + stream.choice(SCRAPS) * stream.choice((50, 500, 2_000)) + text[at:]
    return text


def hostile(length: int) -> Iterator[str]:
    """Very long replies of one scrap."""
    for scrap in HOSTILE:
        yield (scrap * (length // len(scrap) + 1))[:length]


# ---- readers ----

Reader = Callable[[str], object]


@cache
def readers() -> dict[str, Reader]:
    """Every reader under every rule set it knows."""
    scene = generate(1)
    asked: list[Question] = [
        *sample_questions(scene, 1, 1),
        *sample_questions(scene, 1, 1, kinds=VISION_KINDS),
    ]
    asked.append(change_question(perturb(scene, 5)))
    points = CandidatePoints(tuple((x, 0) for x in range(6)), frozenset({(0, 0)}))
    osr = (
        OsrQuestion(1, "counting", ("chair",), "3", ""),
        OsrQuestion(2, "distance", ("bed", "cabinet", "bottom_cabinet", "trash_can", "box"), "box", ""),
        OsrQuestion(3, "direction", ("bed", "tv", "sofa"), "Front Left", ""),
    )
    options = RelationQuestion("ego", "left", ("right", "front", "left", "back"))
    found: dict[str, Reader] = {}
    for rules in (STRICT, PUBLISHED):
        for question in asked:
            found[f"{question.kind}, {rules.name}"] = lambda text, q=question, r=rules: grade(q, text, r)
        found[f"global map, {rules.name}"] = lambda text, r=rules: read_global_map(text, (*scene.names, "agent"), r)
        found[f"local map, {rules.name}"] = lambda text, r=rules: read_local_map(text, scene.names, Heading.EAST, r)
        found[f"unexplored points, {rules.name}"] = lambda text, r=rules: read_unexplored_points(text, points, r)
        found[f"turn, {rules.name}"] = lambda text, r=rules: read_actions(text, r)
        found[f"turn of a revision, {rules.name}"] = lambda text, r=rules: read_actions(text, r, "revise")
    for of_osr in (osr_rules.STRICT, osr_rules.PUBLISHED):
        for each in osr:
            found[f"OSR {each.kind}, {of_osr.name}"] = lambda text, q=each, r=of_osr: grade_osr(q, text, r, think=True)
        found[f"OSR map, {of_osr.name}"] = lambda text, r=of_osr: read_map(text, r)
    found["SpaRRTa relation, strict"] = lambda text: read_relation(options, text)
    found["final part"] = final_part
    found["JSON objects"] = asserted_objects
    return found


# ---- measuring ----


@dataclass
class Found:
    """What came of it."""

    replies: int = 0
    readings: int = 0
    errors: list[str] = field(default_factory=list[str])
    slow: list[str] = field(default_factory=list[str])
    slowest: dict[str, float] = field(default_factory=dict[str, float])
    """CPU milliseconds by reader."""

    def read(self, text: str, names: Sequence[str]) -> None:
        """Give a reply to some readers. What takes long is read again: the machine may have been busy."""
        self.replies += 1
        for name in names:
            taken = self._once(text, name)
            taken = taken if taken <= LIMIT_MS else min(self._once(text, name) for _ in range(3))
            self.slowest[name] = max(self.slowest.get(name, 0.0), taken)
            if taken > LIMIT_MS:
                self.slow.append(f"{name}: {taken:.0f} ms for {len(text)} characters: {text[:60]!r}")

    def _once(self, text: str, name: str) -> float:
        self.readings += 1
        begin = time.process_time()
        try:
            readers()[name](text)
        except Exception as error:
            self.errors.append(f"{name}: {type(error).__name__}: {error}: {text[:200]!r}")
        return 1000 * (time.process_time() - begin)


def fuzz(replies: int, seed: int = 0, each: int = 6, *, released: bool = True) -> Found:
    """So many mutated replies, each given to some of the readers: all of them in turn."""
    stream, found, names = random.Random(seed), Found(), [*readers()]  # noqa: S311
    source = corpus(released=released)
    for number in range(replies):
        text = mutated(stream.choice(source), source, stream)
        found.read(text, [names[(number * each + place) % len(names)] for place in range(each)])
    return found


def fuzz_long(length: int) -> Found:
    """Very long replies, each given to every strict reader: the published ones read all of it, as released."""
    found = Found()
    for text in hostile(length):
        found.read(text, [name for name in readers() if "published" not in name])
    return found


def report(title: str, found: Found) -> None:
    """Print what was found."""
    worst = sorted(found.slowest.items(), key=lambda item: -item[1])[:8]
    print(f"{title}: {found.replies:,} replies, {found.readings:,} readings")
    print(f"  exceptions: {len(found.errors)}; over {LIMIT_MS:.0f} ms of CPU: {len(found.slow)}")
    for line in (*found.errors[:20], *found.slow[:20]):
        print(f"  {line}")
    for name, taken in worst:
        print(f"  slowest: {taken:6.1f} ms  {name}")


def main() -> None:
    """Fuzz as many replies as asked for, and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--replies", type=int, default=300_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--each", type=int, default=6, help="readers that each reply is given to")
    parser.add_argument("--long", type=int, default=1_000_000, help="characters of the very long replies; 0 for none")
    parser.add_argument("--templates", action="store_true", help="leave the released replies out")
    given = parser.parse_args()
    found = [fuzz(given.replies, given.seed, given.each, released=not given.templates)]
    report("mutated", found[0])
    if given.long:
        found.append(fuzz_long(given.long))
        report(f"{given.long:,} characters", found[1])
    sys.exit(any(each.errors or each.slow for each in found))


if __name__ == "__main__":
    main()
