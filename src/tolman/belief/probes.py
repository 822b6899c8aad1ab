"""The words in which an agent is asked to state its belief. Each asks for one of the forms in `cognitive_map`."""

from typing import Literal

from tolman.wording import wording

Probe = Literal["global", "local", "points"]
"""A map of everything, a map of what is in view, and the points not yet in view."""


def ask_global_map() -> str:
    """Asks for a `GlobalMapForm`."""
    return wording("tolman.belief", "global_map").text


def ask_local_map() -> str:
    """Asks for a `LocalMapForm`."""
    return wording("tolman.belief", "local_map").text


def ask_revision_map() -> str:
    """Asks for a `RevisionMapForm`."""
    return wording("tolman.belief", "revision_map").text


def ask_unexplored(plan: str) -> str:
    """Asks for an `UnexploredForm` about the lettered points of a plan (see `point_map`)."""
    return wording("tolman.belief", "unexplored").fill(plan=plan)


def ask_unexplored_picture(plan: str) -> str:
    """Asks for the same where the plan is a picture; `plan` is what stands for it in the text."""
    return wording("tolman.belief", "unexplored_picture").fill(plan=plan)
