"""Observations read back from words: what someone knows who was told and never saw. No text makes it raise."""

import re

from tolman.bins import CardinalBin, DistanceBin, EgoBin, FacingLabel, WallLabel
from tolman.geometry import Heading
from tolman.sense.observation import Location, NearPair, Observation, Sighting
from tolman.sense.words import CLOSE_TOGETHER, NOTHING, YOU_SEE
from tolman.world import START


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


def hear_sightings(text: str) -> tuple[Sighting, ...]:
    """Every line of a text that tells of one thing or door in view, such as `- sofa: front-left, near`."""
    found = (_SIGHTING.fullmatch(line.strip()) for line in text.split("\n"))
    return tuple(_sighting(line) for line in found if line)


def hear_observation(text: str, standing_on: str, heading: Heading) -> Observation | None:
    """The first view that a text tells of, for someone who knows where they stand and which way they face."""
    view = _VIEW.search(text)
    nothing = text.find(NOTHING)
    if nothing >= 0 and (view is None or nothing < view.start()):
        return Observation(standing_on, heading, (), ())
    if view is None:
        return None
    sightings = hear_sightings(view.group(1))
    pairs = map(_PAIR.fullmatch, (view.group(2) or "").split("\n"))
    return Observation(standing_on, heading, sightings, tuple(_pair(line) for line in pairs if line))


def hear_location(text: str) -> Location | None:
    """The first answer to a query in a text: cells east and north of the start."""
    found = _LOCATION.search(text)
    if found is None:
        return None
    name, x, y, facing = found.groups()
    return Location(name or START, (int(x), int(y)), Heading[facing.upper()] if facing else None)


def _sighting(line: re.Match[str]) -> Sighting:
    name, direction, distance, detail = line.groups()
    return Sighting(name, EgoBin(direction), DistanceBin(distance), _detail(detail))


def _detail(text: str | None) -> FacingLabel | WallLabel | None:
    if text is None:
        return None
    return FacingLabel(text) if text in tuple(FacingLabel) else WallLabel(text)


def _pair(line: re.Match[str]) -> NearPair:
    name, direction, other, distance = line.groups()
    return NearPair(name, other, CardinalBin(direction), DistanceBin(distance))
