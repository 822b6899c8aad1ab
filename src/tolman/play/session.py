"""A play session: a person in a scene as a value, the order of requests, and the setup and storage of all sessions.

Maps are elicited right after the turn, and unexplored points only at the very end, as the plan shown there reveals the
walls.
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
from tolman.models.human import (
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
        """The session after one more reply; a call that has a reply keeps it."""
        return replace(self, replies={call: reply, **self.replies})

    @cached_property
    def explored(self) -> Episode:
        """The exploration so far; in passive mode, the whole log that the person reads."""
        if self.options.mode == "passive":
            explorer = self.case.explorer or self.options.passive_explorer
            return _explorer_log(explorer, self.case.scene, self.case.seed)
        return self._carried_out(Episode(self.case.scene, self.options.episode))

    @cached_property
    def revised(self) -> Episode | None:
        """The revision so far; None where there is none, or not yet."""
        changed = self.case.changed_world
        if changed is None or not self.options.revises or not self.explored.over:
            return None
        return self._carried_out(begin_revision(self.explored, changed))

    def _carried_out(self, episode: Episode) -> Episode:
        """The episode after all replies of its phase so far."""
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


_NO_CONVERSATION = Conversation("", "", "")
"""In place of the conversation from which a model's elicitation branches; a person sees the past turns instead."""


@dataclass(frozen=True)
class RequestedReply:
    """One requested reply: the name of the call, the request, and the past turns that are shown."""

    call: str
    request: str
    """The same text as for a model; for a turn, only the announcement of the change."""
    episode: Episode
    past: tuple[Turn, ...]
    question: Question | None = None

    @property
    def is_turn(self) -> bool:
        return self.call.count("/") == 1

    @property
    def elicits(self) -> str:
        """`global`, `local` or `points`; empty for anything else."""
        return "" if self.is_turn or self.question else self.call.split("/")[2]


def next_request(session: PlaySession) -> RequestedReply | None:
    """The first call that has no reply yet; None when the scene is finished."""
    return next((each for each in _requests(session) if each.call not in session.replies), None)


def _requests(session: PlaySession) -> Iterator[RequestedReply]:
    """Requests in order, up to the next turn."""
    explored, revised = session.explored, session.revised
    maps, points = _elicited_maps(session)
    yield from maps
    if not explored.over:
        yield _turn_request(explored, "")
        return
    for call, question in chain.from_iterable(question_calls(m, session.case.questions) for m in session.options.maps):
        text = question_prompt(question) if in_pictures(session.case, session.options) else question.text
        yield RequestedReply(call, text, explored, explored.turns, question)
    if revised is not None:
        yield from _revision_maps(session, revised)
        if not revised.over:
            yield _turn_request(revised, describe_change(len(session.case.changes), session.options.turns("revise")))
            return
    yield from points


def _turn_request(episode: Episode, news: str) -> RequestedReply:
    number = 1 + sum(turn.phase == episode.phase for turn in episode.turns)
    return RequestedReply(turn_call(episode.phase, number), news, episode, episode.turns)


def _elicited_maps(session: PlaySession) -> tuple[Sequence[RequestedReply], Sequence[RequestedReply]]:
    """Maps and points that are elicited after the turns of the exploration so far."""
    episode, options = session.explored, session.options
    if options.probe_turns == "off" or (options.probe_turns == "last" and not episode.over):
        return (), ()
    history = dict.fromkeys(range(len(episode.turns) + 1), _NO_CONVERSATION)
    asked = [
        RequestedReply(branch.call, branch.request, episode, episode.turns[: int(branch.call.split("/")[1])])
        for branch in elicitations(session.case, episode, history, options)
    ]
    return [each for each in asked if each.elicits != "points"], [each for each in asked if each.elicits == "points"]


def _revision_maps(session: PlaySession, revised: Episode) -> Iterator[RequestedReply]:
    if session.options.probe_turns != "every":
        return
    before = len(session.explored.turns)
    for number, turn in enumerate(revised.turns[before:], start=1):
        if turn.parsed and not turn.ended_phase:
            for repeat in range(1, session.options.repeats + 1):
                call = elicit_call("revise", number, "global", repeat)
                yield RequestedReply(call, revision_map_prompt(), revised, revised.turns[: before + number])


_LONGEST_NAME = 40


def slug(name: str) -> str:
    """A name in lower-case letters, digits and hyphens: `Zoë B.` is `zoe-b`."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode("ascii").lower()
    safe = re.sub(r"[^a-z0-9]+", "-", plain)[:_LONGEST_NAME].strip("-")
    if not safe:
        raise SettingsError("a name needs at least one letter from a to z, or a digit")
    return safe


class UnknownSessionError(TolmanError):
    """There is no session of that name in that scene."""


@dataclass(frozen=True)
class PlaySetup:
    """The scenes and options of all sessions, and the folder of sessions and logs."""

    scenes: str
    """Seeds such as `0-2`, a folder of scenes, or a scene file, as on the command line."""
    worlds: WorldSettings
    options: Options
    log_dir: Path
    tools: bool = False
    """Whether people have a ruler and a protractor."""
    name: str = ""
    """Name of the person that the first page suggests."""

    @cached_property
    def choices(self) -> Mapping[str, SceneChoice]:
        """Scene choices by case name, in the order of play."""
        return {case.id: choice for case, choice in self._cases_and_choices}

    @cached_property
    def cases(self) -> Mapping[str, Case]:
        """Cases by name, in the order of play."""
        return {case.id: case for case, _ in self._cases_and_choices}

    @cached_property
    def _cases_and_choices(self) -> list[tuple[Case, SceneChoice]]:
        return [(case_of(choice, self.options), choice) for choice in choose_scenes(self.scenes, self.worlds)]

    @property
    def folder(self) -> Path:
        return self.log_dir / ("sittings-with-tools" if self.tools else "sittings")

    def logs(self, saved: SavedSession) -> Path:
        """Folder of the log of one session."""
        return self.log_dir / f"{saved.name}{'-with-tools' * self.tools}" / saved.scene

    def model(self, name: str) -> str:
        """The model name of a person in logs and tables."""
        return f"{'human-with-tools' if self.tools else 'human'}/{name}"

    # ---- saved sessions ----

    def begin(self, name: str) -> None:
        """Begin the sessions of a person, or continue them."""
        for scene in self.cases:
            file = session_file(self.folder, name, scene)
            if read_session(file) is None:
                write_session(file, SavedSession(name=name, scene=scene, under=self._under(scene)))
            self.saved(name, scene)

    def saved(self, name: str, scene: str) -> SavedSession:
        """The saved session of a person in a scene, which must have been begun under the same options."""
        valid = scene in self.cases and NAME.fullmatch(name)
        found = read_session(session_file(self.folder, name, scene)) if valid else None
        if found is None:
            raise UnknownSessionError("there is no session of that name in that scene; begin on the first page")
        if found.under != self._under(scene):
            raise SettingsError(f"{name} began scene {scene} under other options; use them again, or another name")
        return found

    def session(self, saved: SavedSession) -> PlaySession:
        """The session of a saved one."""
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
