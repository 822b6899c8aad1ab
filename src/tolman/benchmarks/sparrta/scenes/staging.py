"""Environments with their actors, built once and arranged anew for every picture; occlusion is measured by counting
pixels.

An actor's pixels are counted twice, alone and with everything else, so pictures with too much occlusion are
never rendered.
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
"""Number of variants of each environment. A picture's number determines its variant."""
ASSETS_PER_ROLE: dict[Role, int] = {"source": 2, "target": 2, "human": 3}
"""Number of 3D assets per role in a variant."""
_ASSET_SEEDS: dict[Role, int] = {"source": 4, "target": 4, "human": 10}
"""Number of seeds that the assets of a role are drawn from."""


@lru_cache(maxsize=2)
def environment_setting(environment: Environment, variant: int) -> BuiltEnvironment:
    """A variant of an environment, built."""
    module = import_module(f"tolman.render.environments.{environment}")
    build: Callable[[int], BuiltEnvironment] = getattr(module, environment)
    return build(variant)


def variant_of(environment: str, index: int, variants: int = VARIANTS) -> int:
    """The variant of a picture, the same for all triples of an environment."""
    return int(rng(0, "sparrta", environment, "variant", index).integers(variants))


def actor_kind(triple: Triple, role: Role) -> str:
    """The kind of asset for a role."""
    kind = {"source": triple.source, "target": triple.target, "human": HUMAN}[role]
    return "snowy tree" if kind == "tree" and triple.environment == "winter_town" else kind


def asset_seeds(triple: Triple, role: Role, variant: int) -> tuple[int, ...]:
    """Distinct seeds of the assets for a role in a variant."""
    stream = rng(0, "sparrta", triple.name, "models", role, variant)
    return tuple(int(seed) for seed in stream.permutation(_ASSET_SEEDS[role])[: ASSETS_PER_ROLE[role]])


PRESETS = {
    "preview": RenderPreset("preview", 0, 0, 0, False),
    "draft": RenderPreset("draft", 2, 4, 3, True),
    "standard": RenderPreset("standard", 6, 5, 3, True),
    "reference": RenderPreset("reference", 512, 12, 8, False),
}
"""Outdoor light needs fewer bounces than a room, and edges of leaves more samples."""
_CLUTTER = 1
_NEAR, _BEFORE = 4.5, 0.02
"""Clutter nearer than so many metres may cover at most this share of a picture."""
_TRIES = 4000
"""Maximum number of batches of layouts for a picture."""


@dataclass(frozen=True, eq=False)
class StagedSample:
    """A sample whose actors are visible, and all that its picture depends on."""

    sample: Sample
    poses: Mapping[Role, Pose]
    choices: Mapping[Role, int]
    """Index of the asset of each role."""
    sky: Sky
    variant: int
    attempt: int
    """Number of batches of layouts before."""
    alone: Mapping[Role, int]
    """Pixels of each actor without occlusion."""
    camera: LookAt


class EnvironmentStage:
    """One variant of an environment with all assets of its actors."""

    def __init__(self, triple: Triple, variant: int, assets: str, size: int, rules: PlacementRules) -> None:
        self.triple, self.variant, self.size, self.rules = triple, variant, size, rules
        self.setting = environment_setting(triple.environment, variant)
        self.seeds: dict[Role, tuple[int, ...]] = {role: asset_seeds(triple, role, variant) for role in ROLES}
        self.actor_assets: dict[tuple[Role, int], ActorAsset] = {
            (role, choice): actor_asset(assets, actor_kind(triple, role), seed)
            for role in ROLES
            for choice, seed in enumerate(self.seeds[role])
        }
        self._numbers: dict[tuple[Role, int], int] = {
            key: number for number, key in enumerate(self.actor_assets, start=1)
        }
        self._empty = TracedScene([ScenePart(mesh, int(number > 0)) for number, mesh in enumerate(self.setting.meshes)])

    @cached_property
    def _full(self) -> TracedScene:
        """The environment with all actors, which are hidden until arranged."""
        parts = [ScenePart(mesh, 0, static=True) for mesh in self.setting.meshes]
        for key, one in self.actor_assets.items():
            parts += [ScenePart(mesh, self._numbers[key]) for mesh in one.meshes]
        stage = TracedScene(parts, Sky(0, 45, 0, 0).picture())
        stage.arrange(dict.fromkeys(self._numbers.values()))
        return stage

    def samples(self, index: int) -> Iterator[StagedSample]:
        """Valid samples for a picture's number, in the order of drawing; independent of earlier calls."""
        stream = rng(0, "sparrta", self.triple.name, index)
        choices: dict[Role, int] = {role: int(stream.integers(ASSETS_PER_ROLE[role])) for role in ROLES}
        sky = self.setting.weather.draw(stream)
        footings: dict[Role, Footing] = {role: self.actor_assets[role, choices[role]].footing for role in ROLES}
        for attempt in range(_TRIES):
            draws = rng(0, "sparrta", self.triple.name, index, attempt)
            for candidate in candidates(self.triple, index, self.setting, footings, self.rules, draws):
                camera = candidate.camera(self.size)
                depths = self._depths(candidate.poses, choices, camera)
                if depths is None or not self._has_view(camera):
                    continue
                alone: dict[Role, int] = {role: int(np.isfinite(depths[role]).sum()) for role in ROLES}
                staged = StagedSample(
                    candidate.sample, candidate.poses, choices, sky, self.variant, attempt, alone, camera
                )
                if self.is_visible(staged, self._composed(camera, depths)):
                    yield staged
        tried = _TRIES * AT_ONCE
        raise GenerationError(f"no picture {index} of {self.triple.name} is valid in {tried} tries; relax the rules")

    def _has_view(self, camera: LookAt) -> bool:
        """Whether no clutter is right in front of the camera."""
        hits = self._empty.hits(camera)
        return float(((hits.ids == _CLUTTER) & (hits.depth < _NEAR)).mean()) <= _BEFORE

    def ids(self, staged: StagedSample) -> NDArray[np.int32]:
        """Actor ids per pixel without rendering: exact, and much faster than a picture."""
        actor_assets = {role: self.actor_assets[role, staged.choices[role]] for role in ROLES}
        depths: dict[Role, NDArray[np.float32]] = {
            role: actor_assets[role].depth(staged.camera, staged.poses[role]) for role in ROLES
        }
        return self._composed(staged.camera, depths)

    def _composed(self, camera: LookAt, depths: Mapping[Role, NDArray[np.float32]]) -> NDArray[np.int32]:
        """Actor ids per pixel, composed from depths of the empty environment and of each actor alone."""
        hits = self._empty.hits(camera)
        ids, depth = np.minimum(hits.ids, 0), hits.depth
        for number, role in enumerate(ROLES, start=1):
            ids, depth = np.where(depths[role] < depth, number, ids), np.minimum(depths[role], depth)
        return ids.astype(np.int32)

    def is_visible(self, staged: StagedSample, ids: NDArray[np.int32]) -> bool:
        """Whether every actor is visible enough in a picture with these ids."""
        pixels, least = pixels_of(ids), self._least
        return all(pixels[role] >= max(least, self.rules.share * staged.alone[role]) for role in ROLES)

    def take(self, index: int, preset: RenderPreset) -> tuple[StagedSample, Picture]:
        """Render the picture of a number: the first sample that is also valid by the rendered mask."""
        for staged in self.samples(index):
            picture = self._picture(staged, preset)
            if self.is_visible(staged, picture.ids):
                return staged, picture
        raise GenerationError(f"no picture {index} of {self.triple.name} is valid")

    def _picture(self, staged: StagedSample, preset: RenderPreset) -> Picture:
        """Ids are 1 for the source, 2 for the target, 3 for the human."""
        light = staged.sky.picture()
        poses: dict[int, Pose | None] = {
            number: staged.poses[role] if staged.choices[role] == choice else None
            for (role, choice), number in self._numbers.items()
        }
        self._full.arrange(poses, light)
        view = self._full.render(staged.camera, preset)
        table = np.zeros(len(self._numbers) + 2, np.int32)
        table[NOTHING] = NOTHING
        for number, role in enumerate(ROLES, start=1):
            table[self._numbers[role, staged.choices[role]]] = number
        rgb = to_srgb(add_haze(view.light, view.hits.depth, light, self.setting.visibility))
        return Picture(rgb, view.hits.depth, table[view.hits.ids], view.hits.normals)

    @property
    def _least(self) -> float:
        return self.rules.pixels * (self.size / 224) ** 2

    def _depths(
        self, poses: Mapping[Role, Pose], choices: Mapping[Role, int], camera: LookAt
    ) -> dict[Role, NDArray[np.float32]] | None:
        """Depth of each actor alone along every ray; None if one is too small. The human, most often so, is first."""
        found: dict[Role, NDArray[np.float32]] = {}
        for role in reversed(ROLES):
            found[role] = self.actor_assets[role, choices[role]].depth(camera, poses[role])
            if np.isfinite(found[role]).sum() < self._least:
                return None
        return found


def pixels_of(ids: NDArray[np.int32]) -> dict[Role, int]:
    """Pixels of each actor in a picture with these ids."""
    counts = np.bincount(np.maximum(ids, 0).ravel(), minlength=len(ROLES) + 1)
    return {role: int(counts[number]) for number, role in enumerate(ROLES, start=1)}


class ActorAsset:
    """A 3D asset of an actor, traced alone."""

    def __init__(self, kind: str, source: AssetSource, seed: int) -> None:
        asset = source.asset(kind, seed)
        self.footing: Footing = footing(kind, asset)
        self.meshes = asset.meshes
        self._stage = TracedScene([ScenePart(mesh, 1) for mesh in asset.meshes])

    def depth(self, camera: LookAt, pose: Pose) -> NDArray[np.float32]:
        """Metres along each pixel's ray to the asset alone; infinite where it is missed."""
        return self._stage.hits(camera.in_frame_of(pose)).depth


@lru_cache(maxsize=64)
def actor_asset(assets: str, kind: str, seed: int) -> ActorAsset:
    """The asset of a kind and seed, cached."""
    return ActorAsset(kind, find_assets(assets), seed)


@lru_cache(maxsize=4)
def find_assets(assets: str) -> AssetSource:
    """The asset source by name, cached."""
    return outdoor_source(assets)


@lru_cache(maxsize=2)
def environment_stage(triple: Triple, variant: int, assets: str, size: int, rules: PlacementRules) -> EnvironmentStage:
    """The stage of a triple and variant; the latest two are cached."""
    return EnvironmentStage(triple, variant, assets, size, rules)
