"""Maps as an agent states them: JSON in the forms that are asked for."""

from collections.abc import Iterable

from tolman.belief.cognitive_map import CognitiveMap, Placed, global_form, local_form
from tolman.explore.heard import HeardEpisode
from tolman.geometry import Heading, difference, to_ego
from tolman.models.scripted.mind import Mind
from tolman.sense import Observation, visible
from tolman.world import AGENT, Pose, Thing


def say_global_map(mind: Mind, heard: HeardEpisode, names: Iterable[str]) -> str:
    """Some things and doors, and the agent, in cells east and north of the start."""
    here = _pose(mind, heard)
    places = {name: Placed(mind.world.from_start(name), _facing(mind, name)) for name in names if name in mind.world}
    places[AGENT] = Placed(difference(here.cell, mind.world.start), here.heading)
    return global_form(CognitiveMap(places)).model_dump_json(exclude_none=True)


def say_local_map(mind: Mind, heard: HeardEpisode) -> str:
    """What is in view, in cells to the right and ahead."""
    here = _pose(mind, heard)
    names = (name for name in _in_view(mind, heard, here) if name in mind.world)
    places = {
        name: Placed(to_ego(difference(mind.world.item(name).cell, here.cell), here.heading), _facing(mind, name))
        for name in names
    }
    return local_form(CognitiveMap(places), here.heading).model_dump_json(exclude_none=True)


def _pose(mind: Mind, heard: HeardEpisode) -> Pose:
    return mind.world.pose_at(heard.standing_on, heard.heading)


def _facing(mind: Mind, name: str) -> Heading | None:
    """The front of a thing, if it is known to have one; doors are asked for without."""
    item = mind.world.item(name)
    return item.front if isinstance(item, Thing) and name not in mind.guessed else None


def _in_view(mind: Mind, heard: HeardEpisode, here: Pose) -> tuple[str, ...]:
    """What the last look listed, if it was from here; else what should be in view of all that was seen."""
    told = heard.turns[-1].told if heard.turns else None
    if isinstance(told, Observation):
        return told.names
    return tuple(item.name for item in visible(mind.world, here) if item.name in heard.seen)
