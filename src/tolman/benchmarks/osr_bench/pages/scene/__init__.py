"""One page for each scene of a model: the panorama, the map against the truth, and every question with its reply."""

from tolman.benchmarks.osr_bench.pages.scene.write_scenes import write_scenes

__all__ = ["write_scenes"]
