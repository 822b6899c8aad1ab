"""What Inspect finds when Tolman is installed: its tasks and its model providers."""

from tolman.benchmarks.osr_bench.task import osr_bench
from tolman.benchmarks.sparrta.task import sparrta
from tolman.benchmarks.theory_of_space.released.replies import open_released
from tolman.benchmarks.theory_of_space.task import theory_of_space
from tolman.models.local.provider import LocalAPI
from tolman.models.replay import HumanAPI, HumanWithToolsAPI, ReplayAPI
from tolman.models.scripted.provider import ScriptedAPI

__all__ = [
    "HumanAPI",
    "HumanWithToolsAPI",
    "LocalAPI",
    "ReplayAPI",
    "ScriptedAPI",
    "open_released",
    "osr_bench",
    "sparrta",
    "theory_of_space",
]
