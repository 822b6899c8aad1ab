"""Environments with their actors, built once and arranged anew for every picture; occlusion is measured by counting
pixels.

An actor's pixels are counted twice, alone and with everything else, so pictures in which too much is hidden are
never taken.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from importlib import import_module

import numpy as np
from numpy.typing import NDArray

from tolman.benchmarks.sparrta.sample import HUMAN, ROLES, Environment, Role, Sample, Triple
from tolman.benchmarks.sparrta.scenes.placement import AT_ONCE, Footing, PlacementRules, Pose, candidates, footing
from tolman.core.errors import GenerationError
from tolman.core.seeds import rng
from tolman.render.assets.outdoor.source import outdoor_source
from tolman.render.assets.source import AssetSource
from tolman.render.camera import LookAt
from tolman.render.engine.conversion import to_srgb
from tolman.render.engine.traced_scene import NOTHING, TracedScene
from tolman.render.engine.values import RenderPreset, ScenePart
from tolman.render.environments.environment import BuiltEnvironment, Sky, add_haze
from tolman.render.renderer import Picture

VARIANTS = 8
"""Of each environment. A picture's number decides in which one it is taken."""
MODELS_OF_A_ROLE: dict[Role, int] = {"source": 2, "target": 2, "human": 3}
"""Models of a role that are at hand in a variant."""
_MODELS: dict[Role, int] = {"source": 4, "target": 4, "human": 10}
"""Seeds that models are drawn from, so that few of them are ever made."""


@lru_cache(maxsize=2)
def environment_setting(environment: Environment, variant: int) -> BuiltEnvironment:
    """A variant of an environment, built."""
    module = import_module(f"tolman.render.environments.{environment}")
    build: Callable[[int], BuiltEnvironment] = getattr(module, environment)
    return build(variant)


def variant_of(environment: str, index: int, variants: int = VARIANTS) -> int:
    """In which variant a picture is taken: all triples of an environment alike."""
    return int(rng(0, "sparrta", environment, "variant", index).integers(variants))


def actor_kind(triple: Triple, role: Role) -> str:
    """What a role is played by."""
    kind = {"source": triple.source, "target": triple.target, "human": HUMAN}[role]
    return "snowy tree" if kind == "tree" and triple.environment == "winter_town" else kind


def asset_seeds(triple: Triple, role: Role, variant: int) -> tuple[int, ...]:
    """Seeds of the models that may play a role in a variant; none of them twice."""
    stream = rng(0, "sparrta", triple.name, "models", role, variant)
    return tuple(int(seed) for seed in stream.permutation(_MODELS[role])[: MODELS_OF_A_ROLE[role]])


PRESETS = {
    "draft": RenderPreset("draft", 2, 4, 3, True),
    "standard": RenderPreset("standard", 6, 5, 3, True),
    "reference": RenderPreset("reference", 512, 12, 8, False),
}
"""Under the sky light needs fewer bounces than in a room, and edges of leaves more rays."""
_CLUTTER = 1
_NEAR, _BEFORE = 4.5, 0.02
"""Share of a picture that clutter within so many metres may cover."""
_TRIES = 4000
"""Draws of layouts, so many at once, after which a picture is given up."""


@dataclass(frozen=True, eq=False)
class StagedSample:
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


class EnvironmentStage:
    """One variant with all models that its actors may have."""

    def __init__(self, triple: Triple, variant: int, models: str, size: int, rules: PlacementRules) -> None:
        self.triple, self.variant, self.size, self.rules = triple, variant, size, rules
        self.setting = environment_setting(triple.environment, variant)
        self.seeds: dict[Role, tuple[int, ...]] = {role: asset_seeds(triple, role, variant) for role in ROLES}
        self.players: dict[tuple[Role, int], ActorModel] = {
            (role, choice): actor_model(models, actor_kind(triple, role), seed)
            for role in ROLES
            for choice, seed in enumerate(self.seeds[role])
        }
        self._numbers: dict[tuple[Role, int], int] = {who: number for number, who in enumerate(self.players, start=1)}
        self._empty = TracedScene([ScenePart(mesh, int(number > 0)) for number, mesh in enumerate(self.setting.meshes)])

    @cached_property
    def _full(self) -> TracedScene:
        """All together; actors that no picture has yet are out of sight."""
        parts = [ScenePart(mesh, 0, still=True) for mesh in self.setting.meshes]
        for who, one in self.players.items():
            parts += [ScenePart(mesh, self._numbers[who]) for mesh in one.meshes]
        stage = TracedScene(parts, Sky(0, 45, 0, 0).picture())
        stage.arrange(dict.fromkeys(self._numbers.values()))
        return stage

    def samples(self, index: int) -> Iterator[StagedSample]:
        """Samples that hold, in the order in which they are drawn for a picture's number.

        What else was staged before makes no difference.
        """
        stream = rng(0, "sparrta", self.triple.name, index)
        cast: dict[Role, int] = {role: int(stream.integers(MODELS_OF_A_ROLE[role])) for role in ROLES}
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
                staged = StagedSample(
                    candidate.sample, candidate.poses, cast, sky, self.variant, attempt, alone, camera
                )
                if self.holds(staged, self._composed(camera, depths)):
                    yield staged
        tried = _TRIES * AT_ONCE
        raise GenerationError(f"no picture {index} of {self.triple.name} holds in {tried} tries; ask for less")

    def _has_view(self, camera: LookAt) -> bool:
        """Whether no twig or wall is right before the camera."""
        hits = self._empty.hits(camera)
        return float(((hits.ids == _CLUTTER) & (hits.depth < _NEAR)).mean()) <= _BEFORE

    def ids(self, staged: StagedSample) -> NDArray[np.int32]:
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

    def holds(self, staged: StagedSample, ids: NDArray[np.int32]) -> bool:
        """Whether enough is to be seen of every actor in a picture with these ids."""
        pixels, least = pixels_of(ids), self._least
        return all(pixels[role] >= max(least, self.rules.share * staged.alone[role]) for role in ROLES)

    def take(self, index: int, preset: RenderPreset) -> tuple[StagedSample, Picture]:
        """The picture of a number, and the sample that it shows: the first that holds by the picture's own mask."""
        for staged in self.samples(index):
            picture = self._picture(staged, preset)
            if self.holds(staged, picture.ids):
                return staged, picture
        raise GenerationError(f"no picture {index} of {self.triple.name} holds")

    def _picture(self, staged: StagedSample, preset: RenderPreset) -> Picture:
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
        rgb = to_srgb(add_haze(view.light, view.hits.depth, light, self.setting.sight))
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


class ActorModel:
    """A model by itself."""

    def __init__(self, kind: str, source: AssetSource, seed: int) -> None:
        model = source.model(kind, seed)
        self.footing: Footing = footing(kind, model)
        self.meshes = model.meshes
        self._stage = TracedScene([ScenePart(mesh, 1) for mesh in model.meshes])

    def depth(self, camera: LookAt, pose: Pose) -> NDArray[np.float32]:
        """Metres along each pixel's ray to the model where nothing else is; infinite beside it."""
        return self._stage.hits(camera.seen_from(pose)).depth


@lru_cache(maxsize=64)
def actor_model(models: str, kind: str, seed: int) -> ActorModel:
    """A model of a kind, made once."""
    return ActorModel(kind, find_assets(models), seed)


@lru_cache(maxsize=4)
def find_assets(models: str) -> AssetSource:
    """Models by their word; checked once in a process."""
    return outdoor_source(models)


@lru_cache(maxsize=2)
def environment_stage(triple: Triple, variant: int, models: str, size: int, rules: PlacementRules) -> EnvironmentStage:
    """The latest ones stay built."""
    return EnvironmentStage(triple, variant, models, size, rules)
