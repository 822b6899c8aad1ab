"""Observations in words: our own sentences, with the published labels for bins."""

from tolman.sense.observation import Location, NearPair, Observation, Sighting
from tolman.world import START

YOU_SEE = "You see:"
NOTHING = "You see nothing in your field of view."
CLOSE_TOGETHER = 'Close together (calling the way you face "north"):'


def say_sighting(sighting: Sighting) -> str:
    """`sofa: front-left, mid distance, facing right`."""
    parts = [f"{sighting.name}: {sighting.direction}", str(sighting.distance)]
    if sighting.detail is not None:
        parts.append(str(sighting.detail))
    return ", ".join(parts)


def say_pair(pair: NearPair) -> str:
    """`vase is north east of lamp, near`."""
    return f"{pair.name} is {pair.direction} of {pair.other}, {pair.distance}"


def say_observation(observation: Observation) -> str:
    """The whole view as a short list, one line for each thing in sight and each close pair."""
    if not observation.sightings:
        return NOTHING
    lines = [YOU_SEE, *(f"- {say_sighting(sighting)}" for sighting in observation.sightings)]
    if observation.near_pairs:
        lines.append(CLOSE_TOGETHER)
        lines += [f"- {say_pair(pair)}" for pair in observation.near_pairs]
    return "\n".join(lines)


def say_location(location: Location) -> str:
    """`The sofa is at (3, -2), facing west.`"""
    x, y = location.position
    subject = "Your starting point" if location.name == START else f"The {location.name}"
    facing = "" if location.facing is None else f", facing {location.facing.word}"
    return f"{subject} is at ({x}, {y}){facing}."
