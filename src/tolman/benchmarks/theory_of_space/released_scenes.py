"""The world of a released run, before and after the change."""

from collections.abc import Sequence

from tolman.benchmarks.theory_of_space.released_logs import LoggedRoom, LoggedThing, LoggedTurn, Point
from tolman.benchmarks.theory_of_space.released_runs import ReleasedRun
from tolman.benchmarks.theory_of_space.stored_files import ReleasedRunError
from tolman.errors import SceneFileError
from tolman.geometry import Cell, Heading, heading_of
from tolman.world import Door, Scene, Thing
from tolman.world.grid import door_spots, rooms_of


def scene_of(run: ReleasedRun) -> Scene:
    """The world in which a run began."""
    history = run.history
    return _scene(run, history.room, history.agent.init_pos)


def changed_scene_of(run: ReleasedRun) -> Scene | None:
    """The world after the change behind the agent's back; None where the revision phase was not run."""
    return _changed(run, run.revision_turns)


def _changed(run: ReleasedRun, revised: Sequence[LoggedTurn]) -> Scene | None:
    return _scene(run, revised[0].room, revised[0].agent.init_pos) if revised else None


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
