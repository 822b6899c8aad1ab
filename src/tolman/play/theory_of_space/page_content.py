"""The content of each page of a session, as values for its template; only what the person may know."""

from collections.abc import Iterable, Iterator, Mapping
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
from tolman.models.replay import SavedSession
from tolman.play.theory_of_space.grid import grid_data
from tolman.play.theory_of_space.session import AnswerForm, PlaySession, RequestedReply, answer_form
from tolman.sense import Observation

_BULLET = "- "


@dataclass(frozen=True)
class Block:
    """The lines of a list, or paragraphs; or an image without lines."""

    listed: bool
    lines: tuple[str, ...]
    picture: PictureKey | None = None


@dataclass(frozen=True)
class Section:
    """A heading and its content."""

    heading: str
    blocks: tuple[Block, ...]


def blocks(text: str) -> tuple[Block, ...]:
    """A text as paragraphs, lists and images; a line that begins with a hyphen is an item."""
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
    """A past turn: its number in its phase, its actions, and the feedback."""

    phase: str
    number: int
    actions: str
    feedback: tuple[Block, ...]


@dataclass(frozen=True)
class SessionPage:
    """The content common to all pages of a session."""

    name: str
    scene: str
    number: int
    scenes: int
    call: str
    stage: PlayStage
    stages: tuple[PlayStage, ...]
    """The stages of a scene, in order."""
    request: tuple[Block, ...]
    past: tuple[PastTurn, ...]
    rules: tuple[Section, ...]
    grid: dict[str, object]
    tools: bool
    passive: bool


def page_of(
    cases: Mapping[str, Case], options: Options, saved: SavedSession, requested: RequestedReply, *, tools: bool
) -> SessionPage:
    """The page on which a requested reply is given."""
    names, case = list(cases), cases[saved.scene]
    return SessionPage(
        name=saved.name,
        scene=saved.scene,
        number=names.index(saved.scene) + 1,
        scenes=len(names),
        call=requested.call,
        stage=_stage(requested),
        stages=tuple(_stages(case, options)),
        request=blocks(requested.request),
        past=tuple(past_turns(requested.past, case, options)),
        rules=_rules(case, options, requested),
        grid=grid_data(requested, saved, tools=tools, described=not in_pictures(case, options)),
        tools=tools,
        passive=options.mode == "passive",
    )


def _stage(requested: RequestedReply) -> PlayStage:
    if requested.question is not None:
        return "ask"
    if requested.call.startswith("revise/"):
        return "revise"
    return "explore" if requested.is_turn else "points" if requested.elicits == "points" else "probe"


def _stages(case: Case, options: Options) -> Iterator[PlayStage]:
    yield "explore"
    if options.probe_turns != "off":
        yield "probe"
    if case.questions:
        yield "ask"
    if options.revises and case.changed is not None:
        yield "revise"
    if options.probe_turns == "every":
        yield "points"


def _rules(case: Case, options: Options, requested: RequestedReply) -> tuple[Section, ...]:
    """The instructions that a model gets, with their images."""
    pictured = in_pictures(case, options)
    if options.mode == "passive":
        return sections(reason_page(requested.episode, options, (), pictured=pictured))
    return sections(explore_page(requested.episode, options, pictured=pictured))


def turn_feedback(turn: Turn, case: Case, options: Options) -> tuple[Block, ...]:
    """The outcome of a turn as a model gets it, in text or as an image."""
    scene = case.changed if turn.phase == "revise" and case.changed else case.scene
    return blocks(describe_turn(turn, observation_wording(case, options, scene, turn.phase)))


def past_turns(turns: Iterable[Turn], case: Case, options: Options) -> Iterator[PastTurn]:
    """Past turns for display."""
    counts = {"explore": 0, "revise": 0}
    for turn in turns:
        counts[turn.phase] += 1
        actions = ", ".join(map(str, (*turn.asked.moves, turn.asked.final))) if isinstance(turn.asked, Actions) else "–"
        yield PastTurn(turn.phase, counts[turn.phase], actions, turn_feedback(turn, case, options))


_START = "You stand at your starting point and face north."


@dataclass(frozen=True)
class TurnParts:
    """The content of a page that asks for a turn."""

    phase: Phase
    feedback: tuple[Block, ...]
    """The outcome of the last turn."""
    pictured: bool
    """Whether views are images; what is in them is then not listed, and Query is not offered."""
    names: tuple[str, ...]
    """All things and doors."""
    in_view: tuple[str, ...]
    """Names in the last observation, if the last turn of the phase had one."""
    seen: tuple[str, ...]
    """Names seen before that are not in view now."""
    things: tuple[str, ...]
    left: int
    cost: int
    first: bool
    """Whether it is the first turn of its phase."""
    template = "theory_of_space/turn.html"


@dataclass(frozen=True)
class QuestionParts:
    """The content of a page with a question, number `number` of `count`."""

    form: AnswerForm | None
    kind: str
    number: int
    count: int
    names: tuple[str, ...]
    template = "theory_of_space/question.html"


@dataclass(frozen=True)
class MapParts:
    """The content of a page on which a map is drawn after a turn."""

    frame: Literal["global", "local"]
    phase: str
    turn: int
    template = "theory_of_space/map.html"


@dataclass(frozen=True)
class PointsParts:
    """The content of a page with a lettered plan, row by row from the north; no rows where the plan is an image."""

    rows: tuple[tuple[str, ...], ...]
    letters: tuple[str, ...]
    turn: int
    template = "theory_of_space/points.html"


Parts = TurnParts | QuestionParts | MapParts | PointsParts


def parts_of(session: PlaySession, requested: RequestedReply) -> Parts:
    """The content specific to the page of a requested reply."""
    if requested.is_turn:
        return _turn_parts(session, requested)
    if requested.question is not None:
        calls = [call for mode in session.options.maps for call, _ in question_calls(mode, session.case.questions)]
        kind, names = requested.question.kind.replace("_", " "), requested.episode.brief.names
        return QuestionParts(answer_form(requested.question), kind, calls.index(requested.call) + 1, len(calls), names)
    phase, turn, *_ = requested.call.split("/")
    if requested.elicits == "points":
        return _points_parts(requested, int(turn))
    return MapParts("local" if requested.elicits == "local" else "global", phase, int(turn))


def _turn_parts(session: PlaySession, requested: RequestedReply) -> TurnParts:
    episode, pictured = requested.episode, in_pictures(session.case, session.options)
    last = episode.turns[-1] if episode.turns and episode.turns[-1].phase == episode.phase else None
    in_view = last.feedback.names if last and isinstance(last.feedback, Observation) else ()
    return TurnParts(
        phase=episode.phase,
        feedback=turn_feedback(last, session.case, session.options) if last else blocks(_START),
        pictured=pictured,
        names=episode.brief.names,
        in_view=() if pictured else in_view,
        seen=() if pictured else tuple(n for n in episode.brief.names if n in episode.seen and n not in in_view),
        things=episode.brief.things,
        left=episode.turns_left,
        cost=episode.cost(episode.phase),
        first=last is None,
    )


def _points_parts(requested: RequestedReply, turn: int) -> PointsParts:
    """The plan in the text of a request. A cell is two characters wide where there are many letters."""
    for block in blocks(requested.request):
        if isinstance(block.picture, PointPlan):
            return PointsParts((), tuple(CandidatePoints(block.picture.points, frozenset()).letters), turn)
    before, after = unexplored_prompt("\0").split("\0")
    plan = requested.request.removeprefix(before).removesuffix(after)
    width = 2 if " " in plan else 1
    rows = tuple(tuple(row[at : at + width].strip() for at in range(0, len(row), width)) for row in plan.splitlines())
    letters = sorted((mark for row in rows for mark in row if mark.isalpha()), key=lambda mark: (len(mark), mark))
    return PointsParts(rows, tuple(letters), turn)
