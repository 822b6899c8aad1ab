"""A play session: a person in a scene as a value, the order in which they are asked, and the setup and storage of all
sessions.

A person is asked for maps right after the turn, and for unexplored points only at the very end, as the plan shown
there gives the walls away.
"""

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import cached_property, lru_cache
from itertools import chain
from pathlib import Path

from tolman.ask import Question
from tolman.belief.cognitive_map import revision_map_prompt
from tolman.benchmarks.theory_of_space.case import Case, case_of, elicit_call, question_calls, turn_call
from tolman.benchmarks.theory_of_space.options import Options
from tolman.benchmarks.theory_of_space.protocol.elicit import elicitations
from tolman.benchmarks.theory_of_space.protocol.prompts import Conversation, in_pictures, question_prompt
from tolman.benchmarks.theory_of_space.protocol.run_scene import OUT_OF_BUDGET
from tolman.core.errors import SettingsError, TolmanError
from tolman.explore.agents.registry import run_explorer
from tolman.explore.episode import Episode, Turn, begin_revision, step
from tolman.explore.grammar import read_actions
from tolman.explore.messages import describe_change
from tolman.models.human_sessions import (
    NAME,
    NotebookEntry,
    SavedSession,
    SessionReply,
    read_session,
    session_file,
    write_session,
)
from tolman.world import Scene, WorldSettings
from tolman.world.select import SceneChoice, choose_scenes


@dataclass(frozen=True)
class PlaySession:
    """The case, the options, and the replies so far by name of the call."""

    case: Case
    options: Options
    replies: Mapping[str, str]

    def answered(self, call: str, reply: str) -> "PlaySession":
        """The sitting after one more reply. What was said once stays said."""
        return replace(self, replies={call: reply, **self.replies})

    @cached_property
    def explored(self) -> Episode:
        """The exploration as far as it has come; for a passive person, all of the log that they read."""
        if self.options.mode == "passive":
            explorer = self.case.explorer or self.options.passive_explorer
            return _explorer_log(explorer, self.case.scene, self.case.seed)
        return self._followed(Episode(self.case.scene, self.options.episode))

    @cached_property
    def revised(self) -> Episode | None:
        """The exploration of the changed world as far as it has come; None where there is none, or not yet."""
        changed = self.case.changed_world
        if changed is None or not self.options.revises or not self.explored.over:
            return None
        return self._followed(begin_revision(self.explored, changed))

    def _followed(self, episode: Episode) -> Episode:
        """Carry out the replies of a phase until one is missing."""
        number = 1
        while not episode.over:
            if episode.turns_left == 0:
                return step(episode, OUT_OF_BUDGET)
            reply = self.replies.get(turn_call(episode.phase, number))
            if reply is None:
                return episode
            episode = step(episode, read_actions(reply, episode.settings.rules, episode.phase))
            number += 1
        return episode


@lru_cache(maxsize=64)
def _explorer_log(explorer: str, scene: Scene, seed: int) -> Episode:
    return run_explorer(explorer, scene, seed)


_ALONE = Conversation("", "", "")
"""Stands for the conversation that a model's probe branches off; a person has turns to look back on instead."""


@dataclass(frozen=True)
class RequestedReply:
    """One reply that is wanted: the name of the call, what is asked, and what the person may look back on."""

    call: str
    request: str
    """In the words in which a model is asked; for a turn, only what there is to say of the change."""
    episode: Episode
    past: tuple[Turn, ...]
    question: Question | None = None

    @property
    def is_turn(self) -> bool:
        return self.call.count("/") == 1

    @property
    def probe(self) -> str:
        """`global`, `local` or `points`; empty for anything else."""
        return "" if self.is_turn or self.question else self.call.split("/")[2]


def wanted(sitting: PlaySession) -> RequestedReply | None:
    """The first call that has no reply yet; None when the scene is finished."""
    return next((each for each in _order(sitting) if each.call not in sitting.replies), None)


def _order(sitting: PlaySession) -> Iterator[RequestedReply]:
    """Calls in order, up to the first turn that is still to be taken."""
    explored, revised = sitting.explored, sitting.revised
    maps, points = _elicited_maps(sitting)
    yield from maps
    if not explored.over:
        yield _turn_request(explored, "")
        return
    for call, question in chain.from_iterable(question_calls(m, sitting.case.questions) for m in sitting.options.maps):
        text = question_prompt(question) if in_pictures(sitting.case, sitting.options) else question.text
        yield RequestedReply(call, text, explored, explored.turns, question)
    if revised is not None:
        yield from _revision_maps(sitting, revised)
        if not revised.over:
            yield _turn_request(revised, describe_change(len(sitting.case.changes), sitting.options.revise_budget))
            return
    yield from points


def _turn_request(episode: Episode, news: str) -> RequestedReply:
    number = 1 + sum(turn.phase == episode.phase for turn in episode.turns)
    return RequestedReply(turn_call(episode.phase, number), news, episode, episode.turns)


def _elicited_maps(sitting: PlaySession) -> tuple[Sequence[RequestedReply], Sequence[RequestedReply]]:
    """Maps and points that are asked for after turns of the exploration so far."""
    episode, options = sitting.explored, sitting.options
    if options.probe_turns == "off" or (options.probe_turns == "last" and not episode.over):
        return (), ()
    history = dict.fromkeys(range(len(episode.turns) + 1), _ALONE)
    asked = [
        RequestedReply(branch.call, branch.request, episode, episode.turns[: int(branch.call.split("/")[1])])
        for branch in elicitations(sitting.case, episode, history, options)
    ]
    return [each for each in asked if each.probe != "points"], [each for each in asked if each.probe == "points"]


def _revision_maps(sitting: PlaySession, revised: Episode) -> Iterator[RequestedReply]:
    if sitting.options.probe_turns != "every":
        return
    before = len(sitting.explored.turns)
    for number, turn in enumerate(revised.turns[before:], start=1):
        if turn.parsed and not turn.ended_phase:
            for repeat in range(1, sitting.options.repeats + 1):
                call = elicit_call("revise", number, "global", repeat)
                yield RequestedReply(call, revision_map_prompt(), revised, revised.turns[: before + number])


_LONGEST_NAME = 40


def slug(name: str) -> str:
    """A name in small letters, digits and hyphens: `Zoë B.` is `zoe-b`."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode("ascii").lower()
    safe = re.sub(r"[^a-z0-9]+", "-", plain)[:_LONGEST_NAME].strip("-")
    if not safe:
        raise SettingsError("a name needs at least one letter from a to z, or a digit")
    return safe


class UnknownSessionError(TolmanError):
    """Nobody of that name has begun that scene here."""


@dataclass(frozen=True)
class PlaySetup:
    """What is played, under which options, and where everything is kept."""

    scenes: str
    """As on the command line: seeds such as `0-2`, a folder of scenes, or a scene file."""
    worlds: WorldSettings
    options: Options
    log_dir: Path
    tools: bool = False
    """Whether people have a ruler and a protractor."""
    name: str = ""
    """Offered on the first page."""

    @cached_property
    def choices(self) -> Mapping[str, SceneChoice]:
        """Scenes by the name of their case, in the order in which they are played."""
        return {case.id: choice for case, choice in self._drawn}

    @cached_property
    def cases(self) -> Mapping[str, Case]:
        """Cases by name, in the order in which they are played."""
        return {case.id: case for case, _ in self._drawn}

    @cached_property
    def _drawn(self) -> list[tuple[Case, SceneChoice]]:
        return [(case_of(choice, self.options), choice) for choice in choose_scenes(self.scenes, self.worlds)]

    @property
    def folder(self) -> Path:
        return self.log_dir / ("sittings-with-tools" if self.tools else "sittings")

    def logs(self, saved: SavedSession) -> Path:
        """Folder for the log of one sitting."""
        return self.log_dir / f"{saved.name}{'-with-tools' * self.tools}" / saved.scene

    def model(self, name: str) -> str:
        """What tables call a person."""
        return f"{'human-with-tools' if self.tools else 'human'}/{name}"

    # ---- sittings on disk ----

    def begin(self, name: str) -> None:
        """Let a person sit down; whoever sat here before goes on."""
        for scene in self.cases:
            file = session_file(self.folder, name, scene)
            if read_session(file) is None:
                write_session(file, SavedSession(name=name, scene=scene, under=self._under(scene)))
            self.saved(name, scene)

    def saved(self, name: str, scene: str) -> SavedSession:
        """What is on disk of a sitting under the options of today."""
        known = scene in self.cases and NAME.fullmatch(name)
        found = read_session(session_file(self.folder, name, scene)) if known else None
        if found is None:
            raise UnknownSessionError("nobody of that name has begun that scene here; begin on the first page")
        if found.under != self._under(scene):
            raise SettingsError(f"{name} began scene {scene} under other options; use them again, or another name")
        return found

    def sitting(self, saved: SavedSession) -> PlaySession:
        """The value behind a saved sitting."""
        return PlaySession(self.cases[saved.scene], self.options, saved.replies)

    def keep_reply(self, saved: SavedSession, call: str, reply: str) -> SavedSession:
        """Save one more reply."""
        said = SessionReply(call=call, reply=reply, at=datetime.now(UTC).isoformat(timespec="milliseconds"))
        return self.keep(saved.model_copy(update={"said": [*saved.said, said]}))

    def keep_notebook(self, saved: SavedSession, notebook: Mapping[str, NotebookEntry]) -> SavedSession:
        """Save a scratch map."""
        return self.keep(saved.model_copy(update={"notebook": dict(notebook)}))

    def keep(self, saved: SavedSession) -> SavedSession:
        write_session(session_file(self.folder, saved.name, saved.scene), saved)
        return saved

    def _under(self, scene: str) -> dict[str, object]:
        return {**self.options.as_dict(), "scene": self.cases[scene].scene.digest}
