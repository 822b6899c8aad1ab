"""What a picture depends on, in 64 hexadecimal digits: the world, the camera, the models, the engine and the preset."""

from dataclasses import asdict
from importlib.metadata import PackageNotFoundError, version

from tolman.render.camera import Panorama, Perspective, TopDown
from tolman.render.engine.presets import Preset
from tolman.seeds import digest
from tolman.world import Scene
from tolman.world.space.values import Space

LOOK = 3
"""Raised whenever the same scene would come out looking otherwise."""


def picture_digest(
    scene: Scene | Space,
    camera: Perspective | Panorama | TopDown,
    preset: Preset,
    models: str,
    engine: str,
    in_the_look_of: Scene | None = None,
) -> str:
    """The identity of a picture; `models` is the digest of their source, `engine` the variant that renders.

    A changed world looks as it did before the change, so that one is named with it.
    """
    return digest(
        {
            "look": LOOK,
            "scene": scene.digest,
            "in the look of": (in_the_look_of or scene).digest,
            "camera": [type(camera).__name__, asdict(camera)],
            "preset": asdict(preset),
            "models": models,
            "engine": [engine, _version("mitsuba"), _version("pyoidn") if preset.denoised else ""],
        }
    )


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return ""
