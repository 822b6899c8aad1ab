"""Pictures of our own for an evaluation: made once into a folder of the cache, and used again from there."""

from dataclasses import dataclass
from pathlib import Path

from tolman.benchmarks.sparrta.make import PicturePlan, Told, make_pictures
from tolman.benchmarks.sparrta.rules import Rules
from tolman.benchmarks.sparrta.set_layout import is_made, set_files
from tolman.benchmarks.sparrta.triples import ENVIRONMENTS, Triple, triple_of, triples_of
from tolman.cache_folder import cache_folder
from tolman.errors import SettingsError
from tolman.seeds import digest
from tolman.world.select import seeds_in

ALL = "all"


@dataclass(frozen=True)
class OwnPictures:
    """Which pictures are wanted, as options name them."""

    environment: str = ""
    """Empty for all."""
    triple: str = ""
    """Empty for the first."""
    images: str = ""
    """Empty for the first hundred."""
    size: int = 224
    ambiguity: float = 15.0
    balanced: bool = False
    preset: str = "standard"
    models: str = "auto"

    @property
    def plan(self) -> PicturePlan:
        """What is to be made. The target is clear from both viewpoints, whichever are asked for."""
        indices, triples = numbers_in(self.images or "0-99"), named_triples(self.environment, self.triple or "1")
        rules = Rules(ambiguity=self.ambiguity, balanced=self.balanced)
        return PicturePlan(triples, indices, self.size, rules, self.preset, self.models)


def named_triples(environment: str, triple: str) -> tuple[Triple, ...]:
    """Triples that options name: environments and numbers with commas, or all of them where nothing is said."""
    environments = ENVIRONMENTS if environment in {"", ALL} else _listed(environment)
    numbers = ("1", "2", "3") if triple in {"", ALL} else _listed(triple)
    for number in numbers:
        if not number.isdecimal():
            raise SettingsError(f"--triple is 1, 2, 3, several of them, or all, not {triple!r}")
    for name in environments:
        triples_of(name)
    return tuple(triple_of(name, int(number)) for name in environments for number in numbers)


def numbers_in(images: str) -> tuple[int, ...]:
    """Numbers of pictures that an option names."""
    indices = seeds_in(images)
    if indices is None:
        raise SettingsError(f"--images {images!r} names no pictures; give some such as 0-99")
    return tuple(indices)


def _listed(text: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(part.strip() for part in text.split(",")))


def picture_folder(plan: PicturePlan) -> Path:
    """Where pictures that are made in this way are kept."""
    return cache_folder() / "sparrta" / digest(plan.as_dict())[:20]


def prepare(plan: PicturePlan, told: Told, workers: int = 1) -> Path:
    """The folder that holds all pictures of a plan; those that are missing are made, which takes its time."""
    folder = picture_folder(plan)
    if not all(is_made(set_files(folder, triple, index)) for triple in plan.triples for index in plan.indices):
        make_pictures(plan, folder, told, workers=workers)
    return folder
