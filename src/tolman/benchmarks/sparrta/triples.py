"""Which things stand in which environment: fifteen triples of a source, a target and a human, as published."""

from dataclasses import dataclass
from typing import Literal, get_args

from tolman.errors import UnknownNameError

Environment = Literal["forest", "desert", "winter_town", "bridge", "city"]
ENVIRONMENTS: tuple[Environment, ...] = get_args(Environment)


@dataclass(frozen=True)
class Triple:
    """A source and a target with a human, in an environment. The source looks alike from all sides, or nearly."""

    environment: Environment
    number: int
    source: str
    target: str

    @property
    def name(self) -> str:
        """The released folder: the first triple has the environment's name alone."""
        return self.environment if self.number == 1 else f"{self.environment}_{self.number}"


_PAIRS: dict[Environment, tuple[tuple[str, str], ...]] = {
    "forest": (("tree", "rock"), ("tent", "bear"), ("rock", "fox")),
    "desert": (("rock", "truck"), ("cactus", "camel"), ("barrel", "camel")),
    "winter_town": (("tree", "truck"), ("snowman", "husky"), ("tree", "deer")),
    "bridge": (("tree", "truck"), ("trash bin", "bicycle"), ("trash bin", "motor scooter")),
    "city": (("traffic cone", "motor scooter"), ("fire hydrant", "taxi"), ("traffic cone", "bicycle")),
}
TRIPLES: tuple[Triple, ...] = tuple(
    Triple(environment, number, *pair)
    for environment, pairs in _PAIRS.items()
    for number, pair in enumerate(pairs, start=1)
)
RELEASED_LABELS: dict[str, str] = {
    "Tree": "tree",
    "Rock": "rock",
    "Tent": "tent",
    "Bear": "bear",
    "Fox": "fox",
    "Truck": "truck",
    "Cactus": "cactus",
    "Camel": "camel",
    "Barrel": "barrel",
    "Snowman": "snowman",
    "Husky": "husky",
    "Deer": "deer",
    "TrashBin": "trash bin",
    "Bike": "bicycle",
    "Vespa": "motor scooter",
    "Cone": "traffic cone",
    "Hydrant": "fire hydrant",
    "FireHydrant": "fire hydrant",
    "Taxi": "taxi",
}
"""What the authors call them, without spaces. Anything that begins with `Human` is the human."""
HUMAN = "human"


def triples_of(environment: str) -> tuple[Triple, ...]:
    """The three triples of an environment."""
    found = tuple(triple for triple in TRIPLES if triple.environment == environment)
    if not found:
        raise UnknownNameError(f"there is no environment {environment!r}; choose one of {', '.join(ENVIRONMENTS)}")
    return found


def triple_of(environment: str, number: int) -> Triple:
    """One triple of an environment, from 1 to 3."""
    for triple in triples_of(environment):
        if triple.number == number:
            return triple
    raise UnknownNameError(f"the triples of {environment} are 1, 2 and 3, not {number}")
