"""Scripted agents where answers can be written down beforehand: one knows, one guesses, one never varies."""

from tolman.errors import UnknownNameError
from tolman.models.handed import HandedAnswers
from tolman.seeds import rng

CHOOSERS = ("oracle", "random", "constant")


def choose(agent: str, handed: HandedAnswers, seed: int = 0) -> str:
    """What an agent says to a call. A guess depends on the seed, the scene and the call, and on nothing else."""
    check_chooser(agent)
    if agent == "oracle":
        return handed.true
    if agent == "constant":
        return handed.constant
    guesses = handed.guesses
    return guesses[int(rng(seed, "guess", handed.case, handed.call).integers(len(guesses)))]


def check_chooser(agent: str) -> None:
    """Refuse a name that no such agent has."""
    if agent not in CHOOSERS:
        raise UnknownNameError(f"tolman/{agent} does not take this benchmark; choose one of {', '.join(CHOOSERS)}")
