"""What single pages show besides what every page has: moves that can be made, a form, a plan with letters."""

from dataclasses import dataclass
from typing import Literal

from tolman.belief.probes import ask_unexplored
from tolman.belief.unexplored import Points
from tolman.benchmarks.theory_of_space.calls import question_calls
from tolman.benchmarks.theory_of_space.picture_marks import PointPlan
from tolman.benchmarks.theory_of_space.telling import in_pictures
from tolman.explore.actions import Phase
from tolman.play.answer_forms import AnswerForm, answer_form
from tolman.play.sitting import Sitting, Wanted
from tolman.play.view import Block, blocks, told_of
from tolman.sense import Observation

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


def parts_of(sitting: Sitting, wanted: Wanted) -> Parts:
    """What the page has that asks for this reply."""
    if wanted.is_turn:
        return _turn(sitting, wanted)
    if wanted.question is not None:
        calls = [call for mode in sitting.options.maps for call, _ in question_calls(mode, sitting.case.questions)]
        kind, names = wanted.question.kind.replace("_", " "), wanted.episode.brief.names
        return QuestionParts(answer_form(wanted.question), kind, calls.index(wanted.call) + 1, len(calls), names)
    phase, turn, *_ = wanted.call.split("/")
    if wanted.probe == "points":
        return _points(wanted, int(turn))
    return MapParts("local" if wanted.probe == "local" else "global", phase, int(turn))


def _turn(sitting: Sitting, wanted: Wanted) -> TurnParts:
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


def _points(wanted: Wanted, turn: int) -> PointsParts:
    """The plan out of the words that show it. A cell is two characters wide where there are many letters."""
    for block in blocks(wanted.request):
        if isinstance(block.picture, PointPlan):
            return PointsParts((), tuple(Points(block.picture.points, frozenset()).letters), turn)
    before, after = ask_unexplored("\0").split("\0")
    plan = wanted.request.removeprefix(before).removesuffix(after)
    width = 2 if " " in plan else 1
    rows = tuple(tuple(row[at : at + width].strip() for at in range(0, len(row), width)) for row in plan.splitlines())
    letters = sorted((mark for row in rows for mark in row if mark.isalpha()), key=lambda mark: (len(mark), mark))
    return PointsParts(rows, tuple(letters), turn)
