"""Find the answer in a reply.

Published: what stands after the first `FINAL ANSWER:`, inside answer tags if there are any. Strict: the place where a
person would look, in Markdown, LaTeX or plain words, as long as there is only one answer to be found.
"""

import re
from collections.abc import Callable
from typing import TypeVar

from tolman.explore.grammar import final_answer
from tolman.rules import PUBLISHED, STRICT

A = TypeVar("A")
Reader = Callable[[str], A | None]
"""Reads a piece of text as an answer; None where it holds none, or more than one."""

_FENCED_OBJECT = re.compile(r"```(?:json)?\s*+\{[^`]*+```", re.IGNORECASE)


def published_answer(reply: str) -> str:
    """The text that the released reader looks at: answer tags win, and a map in a code block is passed over."""
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
_SAID = re.compile(r"\banswer\b[\s*_]*+(?:is\b|:|=)", re.IGNORECASE)
HEDGE = re.compile(r"\b(?:or|maybe|perhaps|possibly|alternatively|either|unsure|uncertain)\b", re.IGNORECASE)
_SENTENCE = re.compile(r"(?<=[.!?])\s++|\n++")


def plain(text: str) -> str:
    """Text without Markdown and LaTeX marks, with plain minus signs and hyphens."""
    text = _without_maps(_FENCED_OBJECT.sub(" ", text))
    text = re.sub(r"</?answer>|<br ?/?>", "\n", text, flags=re.IGNORECASE)
    text = re.sub(r"[−–‐‑‒]", "-", text).replace("\u00a0", " ")
    text = _BULLET.sub("", text)
    return _DELIMITERS.sub("", _SPACES.sub(" ", _COMMANDS.sub("", text)))


def _without_maps(text: str) -> str:
    """Text without what stands in `<cogmap>` tags, from the first opening to the last closing one."""
    start, end = re.search(r"<cogmap>", text, re.IGNORECASE), text.lower().rfind("</cogmap>")
    return text[: start.start()] + " " + text[end + len("</cogmap>") :] if start and start.end() <= end else text


def strict_answer(reply: str, read: Reader[A], read_bare: Reader[A]) -> A | None:
    """The one answer of a reply, or None.

    `read` looks for an answer anywhere in a piece of text; `read_bare` takes a line only if it is nothing but an
    answer. Places are tried from the plainest: a box, the whole text, lines that are bare answers (which must agree),
    what follows "the answer is", and the first sentence after `FINAL ANSWER:` if nothing in the text hedges.
    """
    answer = final_answer(reply, STRICT)
    boxes: list[str] = _BOXED.findall(answer)
    for box in boxes[-1:]:
        value = read(plain(box))
        if value is not None:
            return value
    text = plain(answer).strip()
    value = read(text)
    if value is not None:
        return value
    bare = [found for line in text.split("\n") if (found := read_bare(line)) is not None]
    if bare:
        return bare[0] if all(found == bare[0] for found in bare) else None
    return _remarked(text, read, explicit=answer is not reply and answer != reply)


def _remarked(text: str, read: Reader[A], *, explicit: bool) -> A | None:
    """An answer with remarks around it."""
    said = list(_SAID.finditer(text))
    for place in [text[said[-1].end() :]] if said else [text] if explicit else []:
        first = next((part for part in _SENTENCE.split(place.strip(), maxsplit=8) if part.strip()), "")
        if not HEDGE.search(place):
            return read(first)
    return None
