"""Tolman measures spatial cognition in foundation models.

`import tolman as tm` offers `tm.generate`, `tm.evaluate`, `tm.load`, `tm.environment` and the values they return
(docs/python.md); what a name needs is imported when it is first used. Importing it makes its environments known to
Gymnasium: `gymnasium.make("tolman/TheoryOfSpace-v0")`, and `tolman/TheoryOfSpaceVision-v0` with pictures.
"""

from importlib import import_module
from typing import TYPE_CHECKING

import gymnasium

if TYPE_CHECKING:
    from tolman.api import environment as environment
    from tolman.api import evaluate as evaluate
    from tolman.api import load as load
    from tolman.api import run_recipe as run_recipe
    from tolman.belief import Belief as Belief
    from tolman.belief.cognitive_map import CognitiveMap as CognitiveMap
    from tolman.explore.episode import Episode as Episode
    from tolman.explore.episode import step as step
    from tolman.report.whole_report import Results as Results
    from tolman.world import Scene as Scene
    from tolman.world import WorldSettings as WorldSettings
    from tolman.world import generate as generate
    from tolman.world import read_scene as read_scene

__version__ = "0.1.0"

for _name, _class in {"TheoryOfSpace": "TheoryOfSpaceEnv", "TheoryOfSpaceVision": "TheoryOfSpaceVisionEnv"}.items():
    gymnasium.register(  # pyright: ignore[reportUnknownMemberType]
        id=f"tolman/{_name}-v0",
        entry_point=f"tolman.env.gym:{_class}",
        disable_env_checker=True,  # its pleas about text spaces; the test suite runs the full check
    )

_PLACES = {
    **dict.fromkeys(("environment", "evaluate", "load", "run_recipe"), "tolman.api"),
    "Belief": "tolman.belief",
    "CognitiveMap": "tolman.belief.cognitive_map",
    **dict.fromkeys(("Episode", "step"), "tolman.explore.episode"),
    "Results": "tolman.report.whole_report",
    **dict.fromkeys(("Scene", "WorldSettings", "generate", "read_scene"), "tolman.world"),
}
"""Where the public names are."""


def __getattr__(name: str) -> object:
    """A public name, imported when it is first used."""
    if name not in _PLACES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found: object = getattr(import_module(_PLACES[name]), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *_PLACES})
