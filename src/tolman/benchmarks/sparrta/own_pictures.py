"""Pictures of our own for an evaluation: made once into a folder of the cache, and used again from there."""

from dataclasses import dataclass
from pathlib import Path

from tolman.benchmarks.sparrta.make import PicturePlan, Told, make_pictures
from tolman.benchmarks.sparrta.rules import Rules
from tolman.benchmarks.sparrta.set_files import is_made, set_files
from tolman.benchmarks.sparrta.triples import ENVIRONMENTS, Triple, triple_of, triples_of
from tolman.cache_folder import cache_folder
from tolman.errors import SettingsError
from tolman.seeds import digest
from tolman.world.select import seeds_in

ALL = "all"


@dataclass(frozen=True)
class OwnPictures:
    """Which pictures are wanted, as options name them."""

    environment: str = ALL
    triple: str = "1"
    images: str = "0-99"
    size: int = 224
    ambiguity: float = 15.0
    balanced: bool = False
    preset: str = "standard"
    models: str = "auto"

    @property
    def plan(self) -> PicturePlan:
        """What is to be made. The target is clear from both viewpoints, whichever are asked for."""
        indices = seeds_in(self.images)
        if indices is None:
            raise SettingsError(f"--images {self.images!r} names no pictures; give some such as 0-99")
        rules = Rules(ambiguity=self.ambiguity, balanced=self.balanced)
        return PicturePlan(self._triples, tuple(indices), self.size, rules, self.preset, self.models)

    @property
    def _triples(self) -> tuple[Triple, ...]:
        environments = ENVIRONMENTS if self.environment == ALL else _listed(self.environment)
        numbers = ("1", "2", "3") if self.triple == ALL else _listed(self.triple)
        for number in numbers:
            if not number.isdecimal():
                raise SettingsError(f"--triple is 1, 2, 3, several of them, or all, not {self.triple!r}")
        for environment in environments:
            triples_of(environment)
        return tuple(triple_of(environment, int(number)) for environment in environments for number in numbers)


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
