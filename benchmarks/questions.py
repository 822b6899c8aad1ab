"""How fast questions are: sampling the 27 of a scene, and grading replies under both rule sets.

Figures are CPU time of this process, so that a busy machine does not change them much. The reference figure is that
measured of the authors' released code, in CPU time too, on another machine.
"""

import argparse
import time
from itertools import cycle, islice
from statistics import fmean

from rich.console import Console
from rich.table import Table

from tolman.ask import (
    PAPER_KINDS,
    Question,
    blind_reply,
    constant_reply,
    grade,
    oracle_reply,
    sample_questions,
    wrong_reply,
)
from tolman.core.rules import PUBLISHED, STRICT, Rules
from tolman.world import Scene, generate

REFERENCE_MS = 880.0
THOUGHT = "THINK:\nThe room to the east holds it, some way behind the door, I believe.\n\nFINAL ANSWER:\n"


def main() -> None:
    parser = argparse.ArgumentParser(description="Speed of sampling and grading questions")
    parser.add_argument("--scenes", type=int, default=50, help="scenes to ask about")
    parser.add_argument("--replies", type=int, default=10_000, help="replies to grade under each rule set")
    options = parser.parse_args()
    scenes = [generate(seed) for seed in range(options.scenes)]
    sample_questions(generate(options.scenes), 0)
    table = Table(title="Questions (CPU time)", box=None, padding=(0, 2, 0, 0), title_justify="left")
    for heading in ("what", "mean", "worst"):
        table.add_column(heading, justify="left" if heading == "what" else "right")
    times = [_seconds_to_ask(scene, seed) for seed, scene in enumerate(scenes)]
    table.add_row("27 questions of a scene", f"{1e3 * fmean(times):.2f} ms", f"{1e3 * max(times):.2f} ms")
    for name in PAPER_KINDS:
        times = [_seconds_to_ask(scene, seed, (name,)) for seed, scene in enumerate(scenes)]
        table.add_row(f"  3 {name}", f"{1e3 * fmean(times):.2f} ms", f"{1e3 * max(times):.2f} ms")
    questions = [question for seed, scene in enumerate(scenes) for question in sample_questions(scene, seed)]
    for rules in (STRICT, PUBLISHED):
        seconds = _seconds_to_grade(questions, rules, options.replies)
        table.add_row(f"grading {options.replies:,} replies, {rules.name}", f"{seconds:.2f} s", "")
    console = Console(width=110)
    console.print(table)
    console.print(f"reference: 27 questions of a scene {REFERENCE_MS:.0f} ms", style="dim")


def _seconds_to_ask(scene: Scene, seed: int, kinds: tuple[str, ...] | None = None) -> float:
    begin = time.process_time()
    sample_questions(scene, seed, kinds=kinds)
    return time.process_time() - begin


def _seconds_to_grade(questions: list[Question], rules: Rules, count: int) -> float:
    """A quarter each of right, wrong, constant and blind answers, every one after a thought."""
    replies = [
        (question, THOUGHT + reply)
        for question in questions
        for reply in (
            oracle_reply(question),
            wrong_reply(question),
            constant_reply(question),
            blind_reply(question, 0),
        )
    ]
    graded = list(islice(cycle(replies), count))
    begin = time.process_time()
    for question, reply in graded:
        grade(question, reply, rules)
    return time.process_time() - begin


if __name__ == "__main__":
    main()
