"""The desk at which people sit: what is wanted of whom, and replies taken one at a time."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from threading import RLock

from tolman.models.sittings import Mark, SavedSitting
from tolman.play.compose import Fields, composed
from tolman.play.grid import LARGEST, notebook_of
from tolman.play.order import Wanted, wanted
from tolman.play.playroom import Playroom
from tolman.play.readable import problem
from tolman.play.sitting import Sitting
from tolman.world import AGENT


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
