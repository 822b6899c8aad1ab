"""What a page shows of a sitting, as plain values for its template. Only what the person may know goes in here."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import Literal

from tolman.benchmarks.theory_of_space.case import Case
from tolman.benchmarks.theory_of_space.options import Options
from tolman.benchmarks.theory_of_space.pages import explore_page, reason_page
from tolman.benchmarks.theory_of_space.picture_marks import Key, split
from tolman.benchmarks.theory_of_space.telling import in_pictures, telling
from tolman.explore.actions import Actions
from tolman.explore.episode import Turn
from tolman.explore.words import say_turn
from tolman.models.sittings import SavedSitting
from tolman.play.grid import grid_data
from tolman.play.playroom import Playroom
from tolman.play.sitting import Wanted

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


Stage = Literal["explore", "probe", "ask", "revise", "points"]


@dataclass(frozen=True)
class PastTurn:
    """A turn to look back on: its number in its phase, what was asked, and what came of it."""

    phase: str
    number: int
    asked: str
    told: tuple[Block, ...]


@dataclass(frozen=True)
class Page:
    """What every page of a sitting has."""

    name: str
    scene: str
    number: int
    scenes: int
    call: str
    stage: Stage
    stages: tuple[Stage, ...]
    """Parts of a scene, in their order."""
    request: tuple[Block, ...]
    past: tuple[PastTurn, ...]
    rules: tuple[Section, ...]
    grid: dict[str, object]
    tools: bool
    passive: bool


def page_of(playroom: Playroom, saved: SavedSitting, wanted: Wanted) -> Page:
    """The page on which a reply is given."""
    names, case = list(playroom.cases), playroom.cases[saved.scene]
    return Page(
        name=saved.name,
        scene=saved.scene,
        number=names.index(saved.scene) + 1,
        scenes=len(names),
        call=wanted.call,
        stage=_stage(wanted),
        stages=tuple(_stages(playroom, saved.scene)),
        request=blocks(wanted.request),
        past=tuple(past_turns(wanted.past, case, playroom.options)),
        rules=_rules(case, playroom.options, wanted),
        grid=grid_data(wanted, saved, tools=playroom.tools, told=not in_pictures(case, playroom.options)),
        tools=playroom.tools,
        passive=playroom.options.mode == "passive",
    )


def _stage(wanted: Wanted) -> Stage:
    if wanted.question is not None:
        return "ask"
    if wanted.call.startswith("revise/"):
        return "revise"
    return "explore" if wanted.is_turn else "points" if wanted.probe == "points" else "probe"


def _stages(playroom: Playroom, scene: str) -> Iterator[Stage]:
    case, options = playroom.cases[scene], playroom.options
    yield "explore"
    if options.probe_turns != "off":
        yield "probe"
    if case.questions:
        yield "ask"
    if options.revises and case.changed is not None:
        yield "revise"
    if options.probe_turns == "every":
        yield "points"


def _rules(case: Case, options: Options, wanted: Wanted) -> tuple[Section, ...]:
    """The words, and the pictures to go by, with which a model is sent on its way."""
    pictured = in_pictures(case, options)
    if options.mode == "passive":
        return sections(reason_page(wanted.episode, options, (), pictured=pictured))
    return sections(explore_page(wanted.episode, options, pictured=pictured))


def told_of(turn: Turn, case: Case, options: Options) -> tuple[Block, ...]:
    """What came of a turn, in words or by a picture, as a model is told it."""
    scene = case.changed if turn.phase == "revise" and case.changed else case.scene
    return blocks(say_turn(turn, telling(case, options, scene, turn.phase)))


def past_turns(turns: Iterable[Turn], case: Case, options: Options) -> Iterator[PastTurn]:
    """Turns as a person looks back on them."""
    counts = {"explore": 0, "revise": 0}
    for turn in turns:
        counts[turn.phase] += 1
        asked = ", ".join(map(str, (*turn.asked.moves, turn.asked.final))) if isinstance(turn.asked, Actions) else "–"
        yield PastTurn(turn.phase, counts[turn.phase], asked, told_of(turn, case, options))
