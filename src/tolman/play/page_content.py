"""What each page of a session shows, as plain values for its template; only what the person may know."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import Literal

from tolman.belief.cognitive_map import unexplored_prompt
from tolman.belief.unexplored import CandidatePoints
from tolman.benchmarks.theory_of_space.case import Case, question_calls
from tolman.benchmarks.theory_of_space.options import Options
from tolman.benchmarks.theory_of_space.protocol.picture_marks import PictureKey, PointPlan, split_at_marks
from tolman.benchmarks.theory_of_space.protocol.prompts import (
    explore_page,
    in_pictures,
    observation_wording,
    reason_page,
)
from tolman.explore.actions import Actions, Phase
from tolman.explore.episode import Turn
from tolman.explore.messages import describe_turn
from tolman.models.human_sessions import SavedSession
from tolman.play.grid import grid_data
from tolman.play.replies import AnswerForm, answer_form
from tolman.play.session import PlaySession, PlaySetup, RequestedReply
from tolman.sense import Observation

_BULLET = "- "


@dataclass(frozen=True)
class Block:
    """Some lines: the items of a list, or paragraphs. Or a picture, and no lines."""

    listed: bool
    lines: tuple[str, ...]
    picture: PictureKey | None = None


@dataclass(frozen=True)
class Section:
    """A heading and what stands under it."""

    heading: str
    blocks: tuple[Block, ...]


def blocks(text: str) -> tuple[Block, ...]:
    """A text as paragraphs, lists and pictures; a line that begins with a hyphen is an item."""
    return tuple(_blocks(text))


def _blocks(text: str) -> Iterator[Block]:
    for piece in split_at_marks(text):
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


PlayStage = Literal["explore", "probe", "ask", "revise", "points"]


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
    stage: PlayStage
    stages: tuple[PlayStage, ...]
    """Parts of a scene, in their order."""
    request: tuple[Block, ...]
    past: tuple[PastTurn, ...]
    rules: tuple[Section, ...]
    grid: dict[str, object]
    tools: bool
    passive: bool


def page_of(playroom: PlaySetup, saved: SavedSession, wanted: RequestedReply) -> Page:
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


def _stage(wanted: RequestedReply) -> PlayStage:
    if wanted.question is not None:
        return "ask"
    if wanted.call.startswith("revise/"):
        return "revise"
    return "explore" if wanted.is_turn else "points" if wanted.probe == "points" else "probe"


def _stages(playroom: PlaySetup, scene: str) -> Iterator[PlayStage]:
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


def _rules(case: Case, options: Options, wanted: RequestedReply) -> tuple[Section, ...]:
    """The words, and the pictures to go by, with which a model is sent on its way."""
    pictured = in_pictures(case, options)
    if options.mode == "passive":
        return sections(reason_page(wanted.episode, options, (), pictured=pictured))
    return sections(explore_page(wanted.episode, options, pictured=pictured))


def told_of(turn: Turn, case: Case, options: Options) -> tuple[Block, ...]:
    """What came of a turn, in words or by a picture, as a model is told it."""
    scene = case.changed if turn.phase == "revise" and case.changed else case.scene
    return blocks(describe_turn(turn, observation_wording(case, options, scene, turn.phase)))


def past_turns(turns: Iterable[Turn], case: Case, options: Options) -> Iterator[PastTurn]:
    """Turns as a person looks back on them."""
    counts = {"explore": 0, "revise": 0}
    for turn in turns:
        counts[turn.phase] += 1
        asked = ", ".join(map(str, (*turn.asked.moves, turn.asked.final))) if isinstance(turn.asked, Actions) else "–"
        yield PastTurn(turn.phase, counts[turn.phase], asked, told_of(turn, case, options))


_START = "You stand at your starting point and face north."


@dataclass(frozen=True)
class TurnParts:
    """A turn to be taken."""

    phase: Phase
    told: tuple[Block, ...]
    """What the world said last."""
    pictured: bool
    """Whether views are shown. What is in them is then for the person to say, and nothing can be asked for."""
    names: tuple[str, ...]
    """Everything that one could go to some time."""
    in_view: tuple[str, ...]
    """At the last look, from here; nothing where the person has moved since, or has not looked."""
    seen: tuple[str, ...]
    """Everything that has been in view so far, and is not now."""
    things: tuple[str, ...]
    left: int
    cost: int
    first: bool
    """Whether it is the first of its phase."""
    template = "turn.html"


@dataclass(frozen=True)
class QuestionParts:
    """A question, the `number`th of `count`."""

    form: AnswerForm | None
    kind: str
    number: int
    count: int
    names: tuple[str, ...]
    template = "question.html"


@dataclass(frozen=True)
class MapParts:
    """A map to be drawn after a turn."""

    frame: Literal["global", "local"]
    phase: str
    turn: int
    template = "map.html"


@dataclass(frozen=True)
class PointsParts:
    """A plan, row by row from the north, with letters to choose from. A plan that is a picture has no rows."""

    rows: tuple[tuple[str, ...], ...]
    letters: tuple[str, ...]
    turn: int
    template = "points.html"


Parts = TurnParts | QuestionParts | MapParts | PointsParts


def parts_of(sitting: PlaySession, wanted: RequestedReply) -> Parts:
    """What the page has that asks for this reply."""
    if wanted.is_turn:
        return _turn_parts(sitting, wanted)
    if wanted.question is not None:
        calls = [call for mode in sitting.options.maps for call, _ in question_calls(mode, sitting.case.questions)]
        kind, names = wanted.question.kind.replace("_", " "), wanted.episode.brief.names
        return QuestionParts(answer_form(wanted.question), kind, calls.index(wanted.call) + 1, len(calls), names)
    phase, turn, *_ = wanted.call.split("/")
    if wanted.probe == "points":
        return _points_parts(wanted, int(turn))
    return MapParts("local" if wanted.probe == "local" else "global", phase, int(turn))


def _turn_parts(sitting: PlaySession, wanted: RequestedReply) -> TurnParts:
    episode, pictured = wanted.episode, in_pictures(sitting.case, sitting.options)
    last = episode.turns[-1] if episode.turns and episode.turns[-1].phase == episode.phase else None
    in_view = last.told.names if last and isinstance(last.told, Observation) else ()
    return TurnParts(
        phase=episode.phase,
        told=told_of(last, sitting.case, sitting.options) if last else blocks(_START),
        pictured=pictured,
        names=episode.brief.names,
        in_view=() if pictured else in_view,
        seen=() if pictured else tuple(n for n in episode.brief.names if n in episode.seen and n not in in_view),
        things=episode.brief.things,
        left=episode.turns_left,
        cost=episode.cost(episode.phase),
        first=last is None,
    )


def _points_parts(wanted: RequestedReply, turn: int) -> PointsParts:
    """The plan out of the words that show it. A cell is two characters wide where there are many letters."""
    for block in blocks(wanted.request):
        if isinstance(block.picture, PointPlan):
            return PointsParts((), tuple(CandidatePoints(block.picture.points, frozenset()).letters), turn)
    before, after = unexplored_prompt("\0").split("\0")
    plan = wanted.request.removeprefix(before).removesuffix(after)
    width = 2 if " " in plan else 1
    rows = tuple(tuple(row[at : at + width].strip() for at in range(0, len(row), width)) for row in plan.splitlines())
    letters = sorted((mark for row in rows for mark in row if mark.isalpha()), key=lambda mark: (len(mark), mark))
    return PointsParts(rows, tuple(letters), turn)
