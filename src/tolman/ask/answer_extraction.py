"""Extraction of the final answer from a reply.

Published: the text after the first `FINAL ANSWER:`, inside answer tags if there are any. Strict: the most explicit
statement, in Markdown, LaTeX or plain text, provided that there is only one answer. What the reply itself negates or
retracts does not count.
"""

import re
from collections.abc import Callable
from typing import TypeVar

from tolman.core.reading import ParseFailure, Stance, after_correction, final_answer, retracts, stance
from tolman.core.rules import PUBLISHED, STRICT

A = TypeVar("A")
Reader = Callable[[str], A | ParseFailure]
"""Parses a piece of text as an answer, or returns why it holds none."""

_FENCED_OBJECT = re.compile(r"```(?:json)?\s*+\{[^`]*+```", re.IGNORECASE)


def published_answer(reply: str) -> str:
    """The text that the released parser uses: answer tags take precedence, and a map in a code block is removed."""
    answer = final_answer(reply, PUBLISHED)
    inside = _tagged(answer)
    return _FENCED_OBJECT.sub("", answer).strip() if inside is None else inside.strip()


def _tagged(text: str) -> str | None:
    start = re.search(r"<answer>", text, re.IGNORECASE)
    end = re.compile(r"</answer>", re.IGNORECASE).search(text, start.end()) if start else None
    return text[start.end() : end.start()] if start and end else None


# ---- strict ----

_COMMANDS = re.compile(r"\\(?:text|textbf|textit|mathrm|mathbf|mathit|mathsf|texttt|emph|operatorname)\b\s*+")
_SPACES = re.compile(r"\\[,;:! ]|\\q?quad\b|~")
_DELIMITERS = re.compile(r"\\(?:left|right|[()\[\]])|[$`*{}]|\\")
_BULLET = re.compile(r"^[ \t]*+(?:[-+•>][ \t]++|\#++[ \t]++)", re.MULTILINE)
_BOXED = re.compile(r"\\(?:boxed|fbox)\s*+\{((?:[^{}]|\{[^{}]*+\})*+)\}")
_ANSWER_IS = re.compile(r"\banswer\b[\s*_]*+(?:is\b|:|=)", re.IGNORECASE)
HEDGE = re.compile(r"\b(?:or|maybe|perhaps|possibly|alternatively|either|unsure|uncertain)\b", re.IGNORECASE)
_SENTENCE = re.compile(r"(?<=[.!?])\s++|\n++")
_LONGEST = 10_000
"""Most characters of an answer that are parsed, counted from the end."""
_LINES = 50
"""Most lines at its beginning, and at its end, that may be bare answers."""


def without_markup(text: str) -> str:
    """Text without Markdown and LaTeX markup, with ASCII minus signs and hyphens."""
    text = _without_maps(_FENCED_OBJECT.sub(" ", text))
    text = re.sub(r"</?answer>|<br ?/?>", "\n", text, flags=re.IGNORECASE)
    text = re.sub(r"[−–‐‑‒﹣－]", "-", text).replace("\u00a0", " ").replace("’", "'")
    text = _BULLET.sub("", text)
    return _DELIMITERS.sub("", _SPACES.sub(" ", _COMMANDS.sub("", text)))


def _without_maps(text: str) -> str:
    """Text without `<cogmap>` elements, from the first opening to the last closing tag."""
    start, end = re.search(r"<cogmap>", text, re.IGNORECASE), text.lower().rfind("</cogmap>")
    return text[: start.start()] + " " + text[end + len("</cogmap>") :] if start and start.end() <= end else text


def strict_answer(reply: str, read: Reader[A], read_bare: Reader[A]) -> A | ParseFailure:
    """The one answer of a reply, or why there is none.

    `read` finds an answer anywhere in a piece of text; `read_bare` accepts a line only if it is an answer and nothing
    else. Sources are tried in the order of explicitness: a box, the whole text, lines that are bare answers (which must
    agree), the text after "the answer is", and the first sentence after `FINAL ANSWER:` if nothing in it hedges. What
    the text retracts is left out; where it only negates, or leaves a choice open, no other source is tried.
    """
    answer = final_answer(reply, STRICT)
    explicit = answer != reply
    answer = answer[-_LONGEST:]
    value = _boxed_answer(answer, read)
    if value is not None:
        return value
    text = without_markup(answer).strip()
    value = read(text)
    if value not in (ParseFailure.SEVERAL, ParseFailure.INCOMPLETE, ParseFailure.NO_ANSWER):
        return value
    text = after_correction(text)
    for found in (_bare_line_answer(text, read, read_bare), _answer_in_sentence(text, read, explicit=explicit)):
        if not isinstance(found, ParseFailure):
            return found
    return value


def _boxed_answer(answer: str, read: Reader[A]) -> A | None:
    """The content of the last box, unless the text after it retracts it."""
    boxes = [*_BOXED.finditer(answer)][-1:]
    for box in boxes:
        value = read(without_markup(box[1]))
        denied = stance(answer, *box.span()) is Stance.DENIED or retracts(answer[box.end() :])
        if not isinstance(value, ParseFailure) and not denied:
            return value
    return None


def _bare_line_answer(text: str, read: Reader[A], read_bare: Reader[A]) -> A | ParseFailure:
    """The answer of the lines that are bare answers, if they agree and no later line leaves a choice open."""
    lines = [line for line in text.split("\n") if line.strip()]
    kept = lines if len(lines) <= 2 * _LINES else [*lines[:_LINES], *lines[-_LINES:]]
    found = [
        (place, value) for place, line in enumerate(kept) if not isinstance(value := read_bare(line), ParseFailure)
    ]
    if not found or any(value != found[0][1] for _, value in found):
        return ParseFailure.SEVERAL if found else ParseFailure.NO_ANSWER
    rest = "\n".join(kept[found[-1][0] + 1 :])
    open_choice = HEDGE.search(rest) and read(rest) is not ParseFailure.NO_ANSWER
    return ParseFailure.SEVERAL if open_choice else found[0][1]


def _answer_in_sentence(text: str, read: Reader[A], *, explicit: bool) -> A | ParseFailure:
    """An answer within a sentence."""
    said = list(_ANSWER_IS.finditer(text))
    for place in [text[said[-1].end() :]] if said else [text] if explicit else []:
        first = next((part for part in _SENTENCE.split(place.strip(), maxsplit=8) if part.strip()), "")
        if not HEDGE.search(place):
            return read(first)
    return ParseFailure.NO_ANSWER
