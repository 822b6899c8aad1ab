"""The desk at which people sit: what is wanted of whom, whether a reply can be read, replies taken one at a time.

Nothing here depends on whether a reply is right.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from threading import RLock

from tolman.ask import grade
from tolman.belief.read_map import NoMap, read_global_map, read_local_map
from tolman.belief.read_points import read_points
from tolman.belief.unexplored import Points
from tolman.explore.actions import ROTATIONS, Goto, Query, Rotate
from tolman.explore.grammar import Refusal, read_actions
from tolman.models.sittings import Mark, SavedSitting
from tolman.play.answer_forms import Fields, composed
from tolman.play.grid import LARGEST, notebook_of
from tolman.play.playroom import Playroom
from tolman.play.sitting import Sitting, Wanted, wanted
from tolman.rules import STRICT
from tolman.world import AGENT, START

LONGEST = 20_000
"""Characters of a reply; no person types more by themselves."""


def problem(wanted: Wanted, reply: str) -> str | None:
    """What to tell a person whose reply can't be used; None where it can."""
    if not reply.strip():
        return "Something is still missing. Fill in every part, then send it."
    if len(reply) > LONGEST:
        return f"That is too long; keep it under {LONGEST:,} characters."
    if wanted.is_turn:
        return _turn_problem(wanted, reply)
    if wanted.question is not None:
        unread = grade(wanted.question, reply, STRICT).format_failure
        return "That could not be read as an answer. Keep to the answer format." if unread else None
    return _probe_problem(wanted, reply)


def _turn_problem(wanted: Wanted, reply: str) -> str | None:
    """Slips that the rules of the world name beforehand; whether a move is possible is for the world to say."""
    episode = wanted.episode
    asked = read_actions(reply, episode.settings.rules, episode.phase)
    if isinstance(asked, Refusal):
        return asked.message
    for action in (*asked.moves, asked.final):
        if isinstance(action, Rotate) and action.degrees not in ROTATIONS:
            return f"{action}: turns are 0, 90, 180 or 270 degrees either way."
        if isinstance(action, Goto | Query) and not _known(action, episode.brief.names):
            return f"{action}: there is no such thing or door; names are spelt as you were told them."
    return None


def _known(action: Goto | Query, names: tuple[str, ...]) -> bool:
    return action.name in names or (isinstance(action, Query) and action.name == START)


def _probe_problem(wanted: Wanted, reply: str) -> str | None:
    names = (*wanted.episode.brief.names, AGENT)
    if wanted.probe == "points":
        found = read_points(reply, Points((), frozenset()), STRICT)
    elif wanted.probe == "local":
        found = read_local_map(reply, names, wanted.past[-1].heading, STRICT)
    else:
        found = read_global_map(reply, names, STRICT)
    return f"That could not be used: {found.reason}." if isinstance(found, NoMap) else None


@dataclass(frozen=True)
class Place:
    """How far a person has come in a scene. Nothing is wanted where it is finished."""

    saved: SavedSitting
    sitting: Sitting
    wanted: Wanted | None


@dataclass
class Desk:
    """Takes what people say. Two replies never come in at once, and none is taken twice."""

    playroom: Playroom
    _lock: RLock = field(default_factory=RLock)

    def place(self, name: str, scene: str) -> Place:
        """How far a person has come in a scene."""
        saved = self.playroom.saved(name, scene)
        sitting = self.playroom.sitting(saved)
        return Place(saved, sitting, wanted(sitting))

    def next_scene(self, name: str) -> str | None:
        """The first scene that a person has not finished."""
        return next((scene for scene in self.playroom.cases if self.place(name, scene).wanted), None)

    def begin(self, name: str) -> None:
        """Let a person sit down, or go on."""
        with self._lock:
            self.playroom.begin(name)

    def take(self, name: str, scene: str, call: str, fields: Fields) -> str | None:
        """Take a reply to a call, unless there is one already; else say what is wrong with it."""
        with self._lock:
            place = self.place(name, scene)
            if place.wanted is None or place.wanted.call != call:
                return None
            reply = composed(place.wanted, fields)
            trouble = problem(place.wanted, reply)
            if trouble is None:
                saved = self.playroom.keep_reply(place.saved, call, reply)
                if place.wanted.probe == "global":
                    self.playroom.keep_notebook(saved, notebook_of(reply, place.wanted))
            return trouble

    def note(self, name: str, scene: str, notebook: Mapping[str, Mark]) -> None:
        """Keep a scratch map; names of other worlds and places off the grid are left out."""
        with self._lock:
            saved = self.playroom.saved(name, scene)
            names = {*self.playroom.cases[scene].scene.names, AGENT}
            kept = {
                name: mark
                for name, mark in notebook.items()
                if name in names and max(map(abs, mark.position)) <= LARGEST
            }
            self.playroom.keep_notebook(saved, kept)

    def logged(self, name: str, scene: str, log: str) -> None:
        """Remember the log of a finished sitting."""
        with self._lock:
            self.playroom.keep(self.playroom.saved(name, scene).model_copy(update={"log": log}))
