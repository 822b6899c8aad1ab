"""An episode: one agent in one world, immutable, with `step` giving the next one; and the history that an agent may
know of it.
"""

from dataclasses import dataclass, field, replace
from typing import Protocol

from tolman.core.errors import SettingsError
from tolman.core.geometry import Heading
from tolman.core.rules import STRICT, Rules
from tolman.explore.actions import COST, ROTATIONS, Actions, Goto, Move, Observe, Phase, Rotate, Term
from tolman.explore.grammar import FormatFailure
from tolman.sense import Location, Observation, in_view, observe, query
from tolman.world import START, ChangedWorld, Scene
from tolman.world.drawing import AGENT, WALL, CellDrawing, scene_parts

PUBLISHED_TURNS: dict[Phase, int] = {"explore": 20, "revise": 15}
"""The published turn budgets, for three rooms."""


TURNS_PER_ROOM: dict[Phase, int] = {"explore": 8, "revise": 5}
"""Turns that each room beyond the third adds by default."""


def default_turns(phase: Phase, rooms: int) -> int:
    """The turn budget of a phase: the published one for up to three rooms, and more for each further room."""
    return PUBLISHED_TURNS[phase] + TURNS_PER_ROOM[phase] * max(0, rooms - 3)


@dataclass(frozen=True)
class EpisodeSettings:
    """Turn budgets, as published, and the rule set of the world."""

    explore_turns: int = PUBLISHED_TURNS["explore"]
    revise_turns: int = PUBLISHED_TURNS["revise"]
    answer_queries: bool = True
    """Whether Query is answered. In the released vision runs none was."""
    rules: Rules = STRICT

    def __post_init__(self) -> None:
        if min(self.explore_turns, self.revise_turns) < 1:
            raise SettingsError("the budget of a phase must be at least one turn")

    def budget(self, phase: Phase) -> int:
        return self.explore_turns if phase == "explore" else self.revise_turns


@dataclass(frozen=True, slots=True)
class ActionFailure:
    """An action that could not be carried out, and why."""

    action: str
    reason: str


Feedback = Observation | Location | None


@dataclass(frozen=True, slots=True)
class Turn:
    """One reply of the agent and its outcome. The pose is the one after the turn."""

    phase: Phase
    asked: Actions | FormatFailure
    """The reply as parsed."""
    done: tuple[Move, ...]
    """Moves that were carried out."""
    failure: ActionFailure | None
    feedback: Feedback
    """The observation or the location that the turn returned."""
    cost: int
    forced: bool
    """Whether the phase was ended because its turn budget was exhausted."""
    standing_on: str
    heading: Heading

    @property
    def parsed(self) -> bool:
        """Whether the reply was parsed as actions (a forced end counts, as published)."""
        return self.forced or isinstance(self.asked, Actions)

    @property
    def ended_phase(self) -> bool:
        return self.forced or (isinstance(self.asked, Actions) and isinstance(self.asked.final, Term))


@dataclass(frozen=True, slots=True)
class Brief:
    """What an agent is told before its first turn: the number of rooms, and all names."""

    rooms: int
    things: tuple[str, ...]
    doors: tuple[str, ...]

    @property
    def names(self) -> tuple[str, ...]:
        return (*self.things, *self.doors)


@dataclass(frozen=True)
class Episode:
    """The state of an exploration: the world as it is now, the pose, and every turn so far."""

    scene: Scene
    settings: EpisodeSettings = field(default_factory=EpisodeSettings)
    phase: Phase = "explore"
    over: bool = False
    standing_on: str = START
    heading: Heading = Heading.NORTH
    seen: tuple[str, ...] = ()
    turns: tuple[Turn, ...] = ()
    before: Scene | None = None
    """The world before it changed, once the revision phase has begun."""

    def __repr__(self) -> str:
        count, cost = len(self.turns), sum(turn.cost for turn in self.turns)
        where = f"on {self.standing_on!r} facing {self.heading.word}"
        state = "over" if self.over else f"in phase {self.phase}"
        return f"Episode({self.scene!r}: {count} turn{'s' * (count != 1)}, cost {cost}, {where}, {state})"

    def _repr_svg_(self) -> str:
        """The floor plan with the agent's path and pose; what it has seen is green."""
        canvas = CellDrawing(*self.scene.bounds)
        stops = [move.name for turn in self.turns for move in turn.done if isinstance(move, Goto)]
        path = canvas.path([self.scene.pose_at(name, self.heading).cell for name in (START, *stops)])
        here = self.scene.pose_at(self.standing_on, self.heading).cell
        agent = canvas.arrow(here, self.heading, AGENT, "agent")
        return canvas.svg([*scene_parts(self.scene, canvas, self.seen), path, agent], repr(self), WALL)

    @property
    def brief(self) -> Brief:
        return brief(self.scene)

    @property
    def turns_left(self) -> int:
        """Turns that remain in this phase before its budget is exhausted."""
        return max(0, self.settings.budget(self.phase) - sum(turn.phase == self.phase for turn in self.turns))

    def cost(self, phase: Phase = "explore") -> int:
        """One for each Observe, two for each Query: the "steps" of the paper's tables."""
        return sum(turn.cost for turn in self.turns if turn.phase == phase)

    def steps(self, phase: Phase = "explore") -> int:
        """Turns that were parsed as actions, without the one that ended the phase."""
        return sum(turn.parsed and not turn.ended_phase for turn in self.turns if turn.phase == phase)


def brief(scene: Scene) -> Brief:
    """What the agent is told of a scene before its first turn."""
    return Brief(len(scene.rooms), tuple(t.name for t in scene.things), tuple(d.name for d in scene.doors))


def begin_revision(episode: Episode, changed: ChangedWorld) -> Episode:
    """Start the revision phase: the world has changed, and the agent is back at the start with its history."""
    if episode.phase == "revise":
        raise ValueError("this episode is already in its revision phase")
    return replace(
        episode,
        scene=changed.scene,
        before=episode.scene,
        phase="revise",
        over=False,
        standing_on=START,
        heading=Heading.NORTH,
    )


def step(episode: Episode, asked: Actions | FormatFailure) -> Episode:
    """The episode after one reply. Beyond the budget any reply ends the phase; an unparseable one costs a turn."""
    if episode.over:
        raise ValueError("this phase is over; begin a revision or a new episode")
    if episode.turns_left == 0:
        return _record(episode, _still(episode, asked, forced=True))
    if isinstance(asked, FormatFailure) or isinstance(asked.final, Term):
        return _record(episode, _still(episode, asked))
    standing_on, heading, done, failure = _walk(episode, asked.moves)
    final = asked.final if failure is None else Observe()
    feedback: Feedback
    if isinstance(final, Observe):
        feedback = observe(episode.scene, standing_on, heading)
    else:
        failure = _query_failure(episode, final.name)
        feedback = None if failure else query(episode.scene, final.name, episode.settings.rules)
    cost = COST[type(final)] if feedback is not None else 0
    return _record(episode, Turn(episode.phase, asked, done, failure, feedback, cost, False, standing_on, heading))


def _still(episode: Episode, asked: Actions | FormatFailure, forced: bool = False) -> Turn:
    """A turn without moves and without feedback."""
    return Turn(episode.phase, asked, (), None, None, 0, forced, episode.standing_on, episode.heading)


def _record(episode: Episode, turn: Turn) -> Episode:
    seen = episode.seen
    if isinstance(turn.feedback, Observation):
        seen += tuple(name for name in turn.feedback.names if name not in seen)
    return replace(
        episode,
        turns=(*episode.turns, turn),
        standing_on=turn.standing_on,
        heading=turn.heading,
        seen=seen,
        over=turn.ended_phase,
    )


def _walk(episode: Episode, moves: tuple[Move, ...]) -> tuple[str, Heading, tuple[Move, ...], ActionFailure | None]:
    """Carry out moves until one fails; returns the pose, the moves done, and the failure if any."""
    standing_on, heading = episode.standing_on, episode.heading
    for i, move in enumerate(moves):
        if isinstance(move, Rotate):
            if move.degrees not in ROTATIONS:
                failure = ActionFailure(str(move), "turns are 0, 90, 180 or 270 degrees either way")
                return standing_on, heading, moves[:i], failure
            heading = heading.turned(move.degrees)
        else:
            reason = goto_problem(episode.scene, standing_on, heading, move, episode.seen)
            if reason:
                return standing_on, heading, moves[:i], ActionFailure(str(move), reason)
            standing_on = move.name
    return standing_on, heading, moves, None


def goto_problem(scene: Scene, standing_on: str, heading: Heading, move: Goto, seen: tuple[str, ...]) -> str | None:
    """Why a move can't be made from here, or None if it can."""
    if move.name not in scene:
        return "there is no such thing or door"
    if move.name not in seen:
        return "you have not seen it yet"
    here, target = scene.pose_at(standing_on, heading), scene.item(move.name)
    apart = (target.cell[0] - here.cell[0], target.cell[1] - here.cell[1])
    if not any(room in here.rooms for room in target.rooms) or not in_view(apart, heading):
        return "it is not in view from here"
    return None


def _query_failure(episode: Episode, name: str) -> ActionFailure | None:
    if not episode.settings.answer_queries:
        reason = "queries are not answered here"
    elif name == START or name in episode.seen:
        return None
    else:
        reason = "you have not seen it yet" if name in episode.scene else "there is no such thing or door"
    return ActionFailure(f"Query({name})", reason)


class AgentHistory(Protocol):
    """All messages to and from an agent, parsed. Both `Episode` and `TextHistory` are one."""

    @property
    def brief(self) -> Brief:
        """What the agent was told before its first turn."""
        ...

    @property
    def turns(self) -> tuple[Turn, ...]:
        """All turns so far, of both phases."""
        ...

    @property
    def standing_on(self) -> str:
        """The thing or door under the agent, or `START`."""
        ...

    @property
    def heading(self) -> Heading:
        """The heading of the agent, which follows from its own actions."""
        ...

    @property
    def seen(self) -> tuple[str, ...]:
        """Names that have been in view, in the order of first sight."""
        ...

    @property
    def phase(self) -> Phase:
        """Whether the agent explores, or revises its belief after a change."""
        ...


@dataclass(frozen=True)
class TextHistory:
    """An episode rebuilt from its messages alone, by the parsers of `tolman.explore.messages`."""

    brief: Brief
    turns: tuple[Turn, ...] = ()
    standing_on: str = START
    heading: Heading = Heading.NORTH
    seen: tuple[str, ...] = ()
    phase: Phase = "explore"
