"""Send the replies of a released run to our world, under the published rules."""

from collections.abc import Sequence
from dataclasses import replace

from tolman.benchmarks.theory_of_space.released_logs import LoggedRoom, LoggedThing, LoggedTurn, Point
from tolman.benchmarks.theory_of_space.released_runs import ReleasedRun
from tolman.benchmarks.theory_of_space.stored_files import ReleasedRunError
from tolman.errors import ReplayError, SceneFileError
from tolman.explore.actions import Actions, Query
from tolman.explore.episode import Episode, EpisodeSettings, begin_revision, step
from tolman.explore.grammar import read_actions
from tolman.geometry import Cell, Heading, heading_of
from tolman.rules import PUBLISHED
from tolman.world import ChangedWorld, Door, Scene, Thing, changes_between
from tolman.world.grid import door_spots, rooms_of


def scene_of(run: ReleasedRun) -> Scene:
    """The world in which a run began."""
    history = run.history
    return _scene(run, history.room, history.agent.init_pos)


def changed_scene_of(run: ReleasedRun) -> Scene | None:
    """The world after the change behind the agent's back; None where the revision phase was not run."""
    return _changed(run, run.revision_turns)


def replay(run: ReleasedRun) -> Episode:
    """The episode that the replies of a run make here: its exploration and, where it was run, its revision."""
    explored, revised = run.exploration_turns, run.revision_turns
    if not explored:
        raise ReleasedRunError(f"the run {run} has no turns to replay: the model was handed the log of another agent")
    episode = _follow(run, Episode(scene_of(run), EpisodeSettings(rules=PUBLISHED)), explored)
    changed = _changed(run, revised)
    if changed is not None:
        episode = begin_revision(episode, ChangedWorld(changed, changes_between(episode.scene, changed)))
        episode = _follow(run, episode, revised)
    return episode


def _changed(run: ReleasedRun, revised: Sequence[LoggedTurn]) -> Scene | None:
    return _scene(run, revised[0].room, revised[0].agent.init_pos) if revised else None


def _follow(run: ReleasedRun, episode: Episode, turns: Sequence[LoggedTurn]) -> Episode:
    """The episode after some logged replies. A query that the log shows refused is refused here too."""
    refused_any = not episode.settings.answer_queries
    answers = [*(turn.user_message for turn in turns[1:]), ""]
    for turn, answer in zip(turns, answers, strict=True):
        if episode.over:
            raise ReplayError(f"turn {turn.turn_number} of the run {run} comes after its phase was over")
        asked = read_actions(turn.reply, PUBLISHED, episode.phase)
        refused = isinstance(asked, Actions) and isinstance(asked.final, Query) and "Cannot query" in answer
        refused_any = refused_any or refused
        episode = step(replace(episode, settings=replace(episode.settings, answer_queries=not refused)), asked)
    return replace(episode, settings=replace(episode.settings, answer_queries=not refused_any))


def _scene(run: ReleasedRun, room: LoggedRoom, start: Point) -> Scene:
    names = {_cell(gate.pos): gate.name for gate in room.gates}
    try:
        spots = door_spots(room.mask)
        if {cell for cell, *_ in spots} != set(names):
            raise SceneFileError("its list of doors does not fit its mask")
        return Scene(
            rooms=rooms_of(room.mask),
            doors=tuple(Door(names[cell], cell, sides, axis) for cell, sides, axis in spots),
            things=tuple(map(_thing, room.objects)),
            start=_cell(start),
            label=run.scene_hash,
        )
    except (SceneFileError, ValueError) as error:
        raise ReleasedRunError(f"the scene of the run {run} can't be rebuilt: {error}") from None


def _thing(thing: LoggedThing) -> Thing:
    front: Heading | None = heading_of(thing.ori) if thing.has_orientation else None
    return Thing(thing.name, thing.name, _cell(thing.pos), front, thing.room_id)


def _cell(point: Point) -> Cell:
    return round(point[0]), round(point[1])
