"""Words of the world for a page: paragraphs, lists, headings and pictures, as the text has them."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby

from tolman.benchmarks.theory_of_space.picture_marks import Key, split

_BULLET = "- "


@dataclass(frozen=True)
class Block:
    """Some lines: the items of a list, or paragraphs. Or a picture, and no lines."""

    listed: bool
    lines: tuple[str, ...]
    picture: Key | None = None


@dataclass(frozen=True)
class Section:
    """A heading and what stands under it."""

    heading: str
    blocks: tuple[Block, ...]


def blocks(text: str) -> tuple[Block, ...]:
    """A text as paragraphs, lists and pictures; a line that begins with a hyphen is an item."""
    return tuple(_blocks(text))


def _blocks(text: str) -> Iterator[Block]:
    for piece in split(text):
        if not isinstance(piece, str):
            yield Block(False, (), piece)
            continue
        lines = [line for line in piece.splitlines() if line.strip()]
        for listed, part in groupby(lines, lambda line: line.startswith(_BULLET)):
            yield Block(listed, tuple(line.removeprefix(_BULLET) for line in part))


def sections(text: str) -> tuple[Section, ...]:
    """A page of instructions by its headings, which are lines in capitals; empty sections are left out."""
    parts: list[tuple[str, list[str]]] = [("", [])]
    for line in text.splitlines():
        if line.isupper():
            parts.append((line.capitalize(), []))
        else:
            parts[-1][1].append(line)
    found = (Section(heading, blocks("\n".join(lines))) for heading, lines in parts)
    return tuple(section for section in found if section.blocks)
