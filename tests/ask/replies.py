"""Replies for tests of readers: real-looking ones, and ways to spoil them."""

from hypothesis import strategies as st

from tolman.ask import Question, constant_reply, oracle_reply, wrong_reply

WRAPPERS = (
    "{}",
    "THINK:\nLet me see.\n\nFINAL ANSWER:\n{}",
    "**FINAL ANSWER:** {}",
    'FINAL ANSWER:\n<cogmap>\n```json\n{{"agent": {{"position": [0, 0]}}}}\n```\n</cogmap>\n<answer>\n{}\n</answer>',
    "<answer>{}</answer>",
    "$\\boxed{{\\text{{{}}}}}$",
    "FINAL ANSWER: `{}`.",
    "FINAL ANSWER:\n**{}**\n\nNote that I am fairly sure of this.",
)

SCRAPS = (
    *"()[]{},;\n`$-",
    *("**", "\\boxed{", "\\text{", "<answer>", "</answer>", "FINAL ANSWER:", "```json{", "<cogmap>", "answer is "),
    *("north", "front", "slightly ", "far", "near, ", "(1, 2)", "x = 3", "Rotate(90)", "JumpTo(", "not ", "or ", "'s "),
    *("−", "9" * 40, "1.5.2", "\x00", "\udcff", "İ"),
)
PIECES = st.sampled_from(SCRAPS)


EDITS = st.lists(st.tuples(st.integers(0, 150), st.integers(0, 12), PIECES), max_size=5)
"""A few places in a reply, how much to cut out there, and what to put in."""


def edited(text: str, edits: list[tuple[int, int, str]]) -> str:
    """A text in which, place by place, so many characters are replaced by a piece."""
    for place, cut, piece in edits:
        text = text[:place] + piece + text[place + cut :]
    return text


def wrapped_replies(question: Question) -> list[str]:
    """Right, wrong and constant answers, each in every wrapper."""
    answers = (oracle_reply(question), wrong_reply(question), constant_reply(question))
    return [wrapper.format(answer) for wrapper in WRAPPERS for answer in answers]
