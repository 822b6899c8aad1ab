"""A scripted model for any harness: right to seven questions of ten, in the words that models use.

It imports nothing of Tolman, since it runs in the environment of the harness. `replies.json` holds its reply to each
question by index.
"""

import json
import re
from pathlib import Path

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


def reply(index: int, choices: list[str], right: int) -> str:
    """The reply to one question: a letter alone, in brackets, with its choice, or in a sentence."""
    said = right if index % 10 < 7 else (right + 1) % len(choices)
    letter = LETTERS[said]
    # VLMEvalKit's exact matching reads a letter only among the last five words
    long = len(re.findall(r"[^\s.()\[\],:;!*#{}]+", choices[said])) > 3
    spelt = letter if long else f"{letter}. {choices[said]}"
    return (f"{letter}", f"({letter})", spelt, f"The answer is {letter}.")[index // 10 % 4]


def read_replies(folder: Path) -> dict[int, str]:
    """The replies to a set by index."""
    return {int(index): said for index, said in json.loads((folder / "replies.json").read_text()).items()}
