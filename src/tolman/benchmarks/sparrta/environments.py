"""The five environments, each in several variants; and what stands for a thing in them."""

from collections.abc import Callable
from functools import lru_cache
from importlib import import_module

from tolman.benchmarks.sparrta.sample import Role
from tolman.benchmarks.sparrta.triples import HUMAN, Environment, Triple
from tolman.render.outdoors.setting import Setting
from tolman.seeds import rng

VARIANTS = 8
"""Of each environment. A picture's number decides in which one it is taken."""
CHOICES: dict[Role, int] = {"source": 2, "target": 2, "human": 3}
"""Models of a role that are at hand in a variant."""
_MODELS: dict[Role, int] = {"source": 4, "target": 4, "human": 10}
"""Seeds that models are drawn from, so that few of them are ever made."""


@lru_cache(maxsize=2)
def setting(environment: Environment, variant: int) -> Setting:
    """A variant of an environment, built."""
    module = import_module(f"tolman.render.outdoors.{environment}")
    build: Callable[[int], Setting] = getattr(module, environment)
    return build(variant)


def variant_of(environment: str, index: int, variants: int = VARIANTS) -> int:
    """In which variant a picture is taken: all triples of an environment alike."""
    return int(rng(0, "sparrta", environment, "variant", index).integers(variants))


def kind_of(triple: Triple, role: Role) -> str:
    """What a role is played by."""
    kind = {"source": triple.source, "target": triple.target, "human": HUMAN}[role]
    return "snowy tree" if kind == "tree" and triple.environment == "winter_town" else kind


def model_seeds(triple: Triple, role: Role, variant: int) -> tuple[int, ...]:
    """Seeds of the models that may play a role in a variant; none of them twice."""
    stream = rng(0, "sparrta", triple.name, "models", role, variant)
    return tuple(int(seed) for seed in stream.permutation(_MODELS[role])[: CHOICES[role]])
