"""The only door from a scene to an agent: what is visible from a pose, and how it is told and heard."""

from tolman.sense.hear import hear_location, hear_observation, hear_sightings
from tolman.sense.observation import Location, NearPair, Observation, Sighting, look, observe, query
from tolman.sense.view import in_view, visible
from tolman.sense.words import say_location, say_observation, say_pair, say_sighting

__all__ = [
    "Location",
    "NearPair",
    "Observation",
    "Sighting",
    "hear_location",
    "hear_observation",
    "hear_sightings",
    "in_view",
    "look",
    "observe",
    "query",
    "say_location",
    "say_observation",
    "say_pair",
    "say_sighting",
    "visible",
]
