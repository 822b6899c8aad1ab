"""What is visible from a pose, described in words and parsed back: the only interface from a scene to an agent."""

from tolman.sense.observation import Location, NearPair, Observation, Sighting, in_view, look, observe, query, visible
from tolman.sense.words import (
    describe_location,
    describe_observation,
    describe_pair,
    describe_sighting,
    parse_location,
    parse_observation,
    parse_sightings,
)

__all__ = [
    "Location",
    "NearPair",
    "Observation",
    "Sighting",
    "describe_location",
    "describe_observation",
    "describe_pair",
    "describe_sighting",
    "in_view",
    "look",
    "observe",
    "parse_location",
    "parse_observation",
    "parse_sightings",
    "query",
    "visible",
]
