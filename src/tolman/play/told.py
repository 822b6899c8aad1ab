"""Words of the world for a page: paragraphs, lists and headings, as the text has them. The words stay as they are."""

from dataclasses import dataclass
from itertools import groupby

_BULLET = "- "


@dataclass(frozen=True)
class Block:
    """Some lines: the items of a list, or paragraphs."""

    listed: bool
    lines: tuple[str, ...]


@dataclass(frozen=True)
class Section:
    """A heading and what stands under it."""

    heading: str
    blocks: tuple[Block, ...]


def blocks(text: str) -> tuple[Block, ...]:
    """A text as paragraphs and lists; a line that begins with a hyphen is an item."""
    lines = [line for line in text.splitlines() if line.strip()]
    grouped = groupby(lines, lambda line: line.startswith(_BULLET))
    return tuple(Block(listed, tuple(line.removeprefix(_BULLET) for line in part)) for listed, part in grouped)


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
