"""A variant of an environment with its actors: built once, then set up anew for every picture.

An actor's pixels are counted twice: where it is alone, and where everything else is there. So what hides it is known
exactly, and pictures in which too much is hidden are never taken.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from tolman.benchmarks.sparrta.environments import CHOICES, kind_of, model_seeds, setting
from tolman.benchmarks.sparrta.footing import Footing, Pose, footing
from tolman.benchmarks.sparrta.placement import AT_ONCE, candidates
from tolman.benchmarks.sparrta.rules import Rules
from tolman.benchmarks.sparrta.sample import ROLES, Role, Sample
from tolman.benchmarks.sparrta.triples import Triple
from tolman.errors import GenerationError
from tolman.render.assets.outdoor.source import outdoor_source
from tolman.render.assets.source import Source
from tolman.render.engine.light import to_srgb
from tolman.render.engine.parts import Part
from tolman.render.engine.presets import Preset
from tolman.render.engine.stage import NOTHING, Stage
from tolman.render.outdoors.look_at import LookAt
from tolman.render.outdoors.sky import Sky, hazy
from tolman.render.renderer import Picture
from tolman.seeds import rng

PRESETS = {
    "draft": Preset("draft", 2, 4, 3, True),
    "standard": Preset("standard", 6, 5, 3, True),
    "reference": Preset("reference", 512, 12, 8, False),
}
"""Under the sky light needs fewer bounces than in a room, and edges of leaves more rays."""
_CLUTTER = 1
_NEAR, _BEFORE = 4.5, 0.02
"""Share of a picture that clutter within so many metres may cover."""
_TRIES = 4000
"""Draws of layouts, so many at once, after which a picture is given up."""


@dataclass(frozen=True, eq=False)
class Staged:
    """A sample that holds by its masks, and all that its picture depends on."""

    sample: Sample
    poses: Mapping[Role, Pose]
    cast: Mapping[Role, int]
    """Which of a role's models plays it."""
    sky: Sky
    variant: int
    attempt: int
    """Draws of layouts before."""
    alone: Mapping[Role, int]
    """Pixels of each actor, were it alone."""
    camera: LookAt


class Theatre:
    """One variant with all models that its actors may have."""

    def __init__(self, triple: Triple, variant: int, models: str, size: int, rules: Rules) -> None:
        self.triple, self.variant, self.size, self.rules = triple, variant, size, rules
        self.setting = setting(triple.environment, variant)
        self.seeds: dict[Role, tuple[int, ...]] = {role: model_seeds(triple, role, variant) for role in ROLES}
        self.players: dict[tuple[Role, int], Player] = {
            (role, choice): player(models, kind_of(triple, role), seed)
            for role in ROLES
            for choice, seed in enumerate(self.seeds[role])
        }
        self._numbers: dict[tuple[Role, int], int] = {who: number for number, who in enumerate(self.players, start=1)}
        self._empty = Stage([Part(mesh, int(number > 0)) for number, mesh in enumerate(self.setting.meshes)])

    @cached_property
    def _full(self) -> Stage:
        """All together; actors that no picture has yet are out of sight."""
        parts = [Part(mesh, 0, still=True) for mesh in self.setting.meshes]
        for who, one in self.players.items():
            parts += [Part(mesh, self._numbers[who]) for mesh in one.meshes]
        stage = Stage(parts, Sky(0, 45, 0, 0).picture())
        stage.arrange(dict.fromkeys(self._numbers.values()))
        return stage

    def samples(self, index: int) -> Iterator[Staged]:
        """Samples that hold, in the order in which they are drawn for a picture's number.

        What else was staged before makes no difference.
        """
        stream = rng(0, "sparrta", self.triple.name, index)
        cast: dict[Role, int] = {role: int(stream.integers(CHOICES[role])) for role in ROLES}
        sky = self.setting.weather.draw(stream)
        footings: dict[Role, Footing] = {role: self.players[role, cast[role]].footing for role in ROLES}
        for attempt in range(_TRIES):
            draws = rng(0, "sparrta", self.triple.name, index, attempt)
            for candidate in candidates(self.triple, index, self.setting, footings, self.rules, draws):
                camera = candidate.camera(self.size)
                depths = self._depths(candidate.poses, cast, camera)
                if depths is None or not self._has_view(camera):
                    continue
                alone: dict[Role, int] = {role: int(np.isfinite(depths[role]).sum()) for role in ROLES}
                staged = Staged(candidate.sample, candidate.poses, cast, sky, self.variant, attempt, alone, camera)
                if self.holds(staged, self._composed(camera, depths)):
                    yield staged
        tried = _TRIES * AT_ONCE
        raise GenerationError(f"no picture {index} of {self.triple.name} holds in {tried} tries; ask for less")

    def _has_view(self, camera: LookAt) -> bool:
        """Whether no twig or wall is right before the camera."""
        hits = self._empty.hits(camera)
        return float(((hits.ids == _CLUTTER) & (hits.depth < _NEAR)).mean()) <= _BEFORE

    def ids(self, staged: Staged) -> NDArray[np.int32]:
        """Who is to be seen where, without any light: exact, and many times quicker than a picture."""
        players = {role: self.players[role, staged.cast[role]] for role in ROLES}
        depths: dict[Role, NDArray[np.float32]] = {
            role: players[role].depth(staged.camera, staged.poses[role]) for role in ROLES
        }
        return self._composed(staged.camera, depths)

    def _composed(self, camera: LookAt, depths: Mapping[Role, NDArray[np.float32]]) -> NDArray[np.int32]:
        """What is nearest of the empty environment and each actor alone."""
        hits = self._empty.hits(camera)
        ids, depth = np.minimum(hits.ids, 0), hits.depth
        for number, role in enumerate(ROLES, start=1):
            ids, depth = np.where(depths[role] < depth, number, ids), np.minimum(depths[role], depth)
        return ids.astype(np.int32)

    def holds(self, staged: Staged, ids: NDArray[np.int32]) -> bool:
        """Whether enough is to be seen of every actor in a picture with these ids."""
        pixels, least = pixels_of(ids), self._least
        return all(pixels[role] >= max(least, self.rules.share * staged.alone[role]) for role in ROLES)

    def take(self, index: int, preset: Preset) -> tuple[Staged, Picture]:
        """The picture of a number, and the sample that it shows: the first that holds by the picture's own mask."""
        for staged in self.samples(index):
            picture = self._picture(staged, preset)
            if self.holds(staged, picture.ids):
                return staged, picture
        raise GenerationError(f"no picture {index} of {self.triple.name} holds")

    def _picture(self, staged: Staged, preset: Preset) -> Picture:
        """Ids are 1 for the source, 2 for the target, 3 for the human."""
        light = staged.sky.picture()
        shown: dict[int, Pose | None] = {
            number: staged.poses[role] if staged.cast[role] == choice else None
            for (role, choice), number in self._numbers.items()
        }
        self._full.arrange(shown, light)
        view = self._full.look(staged.camera, preset)
        table = np.zeros(len(self._numbers) + 2, np.int32)
        table[NOTHING] = NOTHING
        for number, role in enumerate(ROLES, start=1):
            table[self._numbers[role, staged.cast[role]]] = number
        rgb = to_srgb(hazy(view.light, view.hits.depth, light, self.setting.sight))
        return Picture(rgb, view.hits.depth, table[view.hits.ids], view.hits.normals)

    @property
    def _least(self) -> float:
        return self.rules.pixels * (self.size / 224) ** 2

    def _depths(
        self, poses: Mapping[Role, Pose], cast: Mapping[Role, int], camera: LookAt
    ) -> dict[Role, NDArray[np.float32]] | None:
        """How far each actor is along every ray, were it alone; None where one is too small, most often the human."""
        found: dict[Role, NDArray[np.float32]] = {}
        for role in reversed(ROLES):
            found[role] = self.players[role, cast[role]].depth(camera, poses[role])
            if np.isfinite(found[role]).sum() < self._least:
                return None
        return found


def pixels_of(ids: NDArray[np.int32]) -> dict[Role, int]:
    """Pixels of each actor in a picture with these ids."""
    counts = np.bincount(np.maximum(ids, 0).ravel(), minlength=len(ROLES) + 1)
    return {role: int(counts[number]) for number, role in enumerate(ROLES, start=1)}


class Player:
    """A model by itself."""

    def __init__(self, kind: str, source: Source, seed: int) -> None:
        model = source.model(kind, seed)
        self.footing: Footing = footing(kind, model)
        self.meshes = model.meshes
        self._stage = Stage([Part(mesh, 1) for mesh in model.meshes])

    def depth(self, camera: LookAt, pose: Pose) -> NDArray[np.float32]:
        """Metres along each pixel's ray to the model where nothing else is; infinite beside it."""
        return self._stage.hits(camera.seen_from(pose)).depth


@lru_cache(maxsize=64)
def player(models: str, kind: str, seed: int) -> Player:
    """A model of a kind, made once."""
    return Player(kind, find_models(models), seed)


@lru_cache(maxsize=4)
def find_models(models: str) -> Source:
    """Models by their word; checked once in a process."""
    return outdoor_source(models)


@lru_cache(maxsize=2)
def theatre(triple: Triple, variant: int, models: str, size: int, rules: Rules) -> Theatre:
    """The latest ones stay built."""
    return Theatre(triple, variant, models, size, rules)
