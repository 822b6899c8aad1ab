"""Observations as text, and parsed from text. Parsing never raises."""

import re

from tolman.core.bins import CardinalBin, DistanceBin, EgoBin, FacingLabel, WallLabel
from tolman.core.geometry import Heading
from tolman.sense.observation import Location, NearPair, Observation, Sighting
from tolman.world import START

YOU_SEE = "You see:"
NOTHING_IN_VIEW = "You see nothing in your field of view."
CLOSE_TOGETHER = 'Close together (calling the way you face "north"):'


def describe_sighting(sighting: Sighting) -> str:
    """`sofa: front-left, mid distance, facing right`."""
    parts = [f"{sighting.name}: {sighting.direction}", str(sighting.distance)]
    if sighting.detail is not None:
        parts.append(str(sighting.detail))
    return ", ".join(parts)


def describe_pair(pair: NearPair) -> str:
    """`vase is north east of lamp, near`."""
    return f"{pair.name} is {pair.direction} of {pair.other}, {pair.distance}"


def describe_observation(observation: Observation) -> str:
    """The observation as a list, one line for each sighting and each close pair."""
    if not observation.sightings:
        return NOTHING_IN_VIEW
    lines = [YOU_SEE, *(f"- {describe_sighting(sighting)}" for sighting in observation.sightings)]
    if observation.near_pairs:
        lines.append(CLOSE_TOGETHER)
        lines += [f"- {describe_pair(pair)}" for pair in observation.near_pairs]
    return "\n".join(lines)


def describe_location(location: Location) -> str:
    """`The sofa is at (3, -2), facing west.`"""
    x, y = location.position
    subject = "Your starting point" if location.name == START else f"The {location.name}"
    facing = "" if location.facing is None else f", facing {location.facing.word}"
    return f"{subject} is at ({x}, {y}){facing}."


def _any_of(labels: tuple[str, ...]) -> str:
    return "|".join(map(re.escape, sorted(labels, key=len, reverse=True)))


_DISTANCES = _any_of(tuple(DistanceBin))
_SIGHTING = re.compile(
    rf"- (.+): ({_any_of(tuple(EgoBin))}), ({_DISTANCES})(?:, ({_any_of((*FacingLabel, *WallLabel))}))?"
)
_PAIR = re.compile(rf"- (.+) is ({_any_of(tuple(CardinalBin))}) of (.+), ({_DISTANCES})")
_VIEW = re.compile(rf"{re.escape(YOU_SEE)}\n((?:- .*\n?)+)(?:{re.escape(CLOSE_TOGETHER)}\n((?:- .*\n?)+))?")
_LOCATION = re.compile(
    r"(?:Your starting point|The ((?:(?!The )[^\n(])+?)) is at "
    r"\((-?[0-9]{1,6}), (-?[0-9]{1,6})\)(?:, facing (north|east|south|west))?\."
)


def parse_sightings(text: str) -> tuple[Sighting, ...]:
    """The sightings in a text, each a line such as `- sofa: front-left, near`."""
    lines = (_SIGHTING.fullmatch(line.strip()) for line in text.split("\n"))
    return tuple(_parse_sighting(line) for line in lines if line)


def parse_observation(text: str, standing_on: str, heading: Heading) -> Observation | None:
    """The first observation in a text, for an agent that knows where it stands and its heading."""
    view = _VIEW.search(text)
    nothing = text.find(NOTHING_IN_VIEW)
    if nothing >= 0 and (view is None or nothing < view.start()):
        return Observation(standing_on, heading, (), ())
    if view is None:
        return None
    sightings = parse_sightings(view.group(1))
    pairs = map(_PAIR.fullmatch, (view.group(2) or "").split("\n"))
    return Observation(standing_on, heading, sightings, tuple(_parse_pair(line) for line in pairs if line))


def parse_location(text: str) -> Location | None:
    """The first answer to a query in a text."""
    found = _LOCATION.search(text)
    if found is None:
        return None
    name, x, y, facing = found.groups()
    return Location(name or START, (int(x), int(y)), Heading[facing.upper()] if facing else None)


def _parse_sighting(line: re.Match[str]) -> Sighting:
    name, direction, distance, detail = line.groups()
    return Sighting(name, EgoBin(direction), DistanceBin(distance), _parse_detail(detail))


def _parse_detail(text: str | None) -> FacingLabel | WallLabel | None:
    if text is None:
        return None
    return FacingLabel(text) if text in tuple(FacingLabel) else WallLabel(text)


def _parse_pair(line: re.Match[str]) -> NearPair:
    name, direction, other, distance = line.groups()
    return NearPair(name, other, CardinalBin(direction), DistanceBin(distance))
