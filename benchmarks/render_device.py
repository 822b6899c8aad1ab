"""Pictures per second on this machine's GPU (or CPU): previews in memory, and standard views with all their files.

    python benchmarks/render_device.py --packages FOLDER --workers 12

`--packages` is a folder with Mitsuba, Dr.Jit, pyoidn, cffi, pydantic for a machine that has only NumPy and Pillow; of
Tolman only `world` and `render` are imported. Each worker is a process that renders whole scenes: all views of an
explorer, each as rgb, ids and depth, written to a temporary folder.
"""

import argparse
import importlib.util
import multiprocessing
import os
import shutil
import sys
import tempfile
import time
import types
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1] / "src"


def prepare(packages: str) -> None:
    """Make Tolman importable, without what its top packages import where that is not installed."""
    sys.path[:0] = [str(ROOT), *([packages] if packages else [])]
    if importlib.util.find_spec("gymnasium") is None or importlib.util.find_spec("matplotlib") is None:
        for name in ("tolman", "tolman.render"):
            package = types.ModuleType(name)
            package.__path__ = [str(ROOT.joinpath(*name.split(".")))]
            sys.modules[name] = package


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--packages", default="")
    parser.add_argument("--workers", type=int, default=12)
    parser.add_argument("--scenes", type=int, default=48)
    parser.add_argument("--size", type=int, default=384)
    parser.add_argument("--views-at-once", type=int, default=16)
    options = parser.parse_args()
    prepare(options.packages)
    measure_previews(options.size)
    measure_one_process(options.size, options.views_at_once)
    measure_workers(options)


def measure_previews(size: int) -> None:
    """Many views of one scene, as a training environment asks for them."""
    from tolman.core.geometry import Heading  # noqa: PLC0415 after `prepare`
    from tolman.render.engine.variant import variant  # noqa: PLC0415

    renderer = made_renderer(0, "preview")
    names = [thing.name for thing in renderer.scene.things]
    poses = [renderer.scene.pose_at(name, heading) for name in names for heading in Heading]
    print(f"engine {variant()}, {size} by {size} pixels, built-in assets", flush=True)
    for at_once in (1, 16, len(poses)):
        some = poses[:at_once]
        for _ in range(3):
            renderer.previews(some, size=size)
        begin, done = time.perf_counter(), 0
        while time.perf_counter() - begin < 3:
            renderer.previews(some, size=size)
            done += at_once
        rate = done / (time.perf_counter() - begin)
        print(f"preview, {at_once:3} views at once    {rate:8.1f} views/s, one process, in memory", flush=True)


def measure_one_process(size: int, at_once: int) -> None:
    """Where the time of a standard view goes."""
    from tolman.render.views import RenderJob, shots  # noqa: PLC0415

    begin = time.perf_counter()
    renderer = made_renderer(1, "standard")
    some = list(shots(renderer.scene, RenderJob(("ego",), size)))[:at_once]
    cameras, cells = [shot.camera for shot in some], [shot.cell for shot in some]
    list(renderer.pictures(cameras, cells))
    print(f"standard, first {at_once} views      {time.perf_counter() - begin:8.2f} s with building and compiling")
    traced: Any = renderer._traced
    tracer = traced._tracer
    steps = {
        "light": lambda: tracer.light(cameras, cells, renderer.preset, 0),
        "ids, depth": lambda: tracer.hits(cameras, cells),
        "guides": lambda: tracer.guides(cameras, cells),
        "all with denoising": lambda: list(renderer.pictures(cameras, cells)),
    }
    for name, step in steps.items():
        step()
        begin = time.perf_counter()
        for _ in range(3):
            step()
        spent = (time.perf_counter() - begin) / 3 / len(some)
        print(f"standard, {name:18} {spent * 1000:8.1f} ms a view, one process, in memory", flush=True)


def measure_workers(options: argparse.Namespace) -> None:
    """Whole scenes with all files, by several processes."""
    out = Path(tempfile.mkdtemp(prefix="tolman-pictures-"))
    context = multiprocessing.get_context("spawn")
    begin = time.perf_counter()
    try:
        with context.Pool(options.workers, start_worker, (options.packages, options.workers)) as pool:
            pool.map(warm_up, [options.size] * options.workers, chunksize=1)
            ready = time.perf_counter()
            jobs = [(seed, options.size, str(out), options.views_at_once) for seed in range(options.scenes)]
            views = sum(pool.imap_unordered(render_scene, jobs))
            end = time.perf_counter()
        files = list(out.rglob("*.png"))
        size = sum(file.stat().st_size for file in files) / 2**20
    finally:
        shutil.rmtree(out, ignore_errors=True)
    print(f"{views} views of {options.scenes} scenes, {len(files)} files of {size:.0f} MB, {options.workers} workers")
    print(f"standard with files         {views / (end - ready):8.1f} views/s after {ready - begin:.1f} s of starting")
    print(f"                            {views / (end - begin):8.1f} views/s with starting", flush=True)


def start_worker(packages: str, workers: int) -> None:
    """Set up a process with its share of the cores."""
    os.environ["OIDN_NUM_THREADS"] = str(max(1, (os.cpu_count() or 1) // workers))
    prepare(packages)


def warm_up(size: int) -> None:
    """Start the engine of a worker; its programs come from the compiler's own cache afterwards."""
    from tolman.core.geometry import Heading  # noqa: PLC0415

    renderer = made_renderer(1000, "standard")
    renderer.ego(renderer.scene.pose_at(renderer.scene.things[0].name, Heading.NORTH), size=size)
    time.sleep(2)  # so that every worker gets one of these


def render_scene(job: tuple[int, int, str, int]) -> int:
    """All views of a scene with their files; returns how many."""
    from tolman.render.views import RenderJob, render_views, shots  # noqa: PLC0415

    seed, size, out, at_once = job
    renderer = made_renderer(seed, "standard")
    some = list(shots(renderer.scene, RenderJob(("ego",), size)))
    for first in range(0, len(some), at_once):
        render_views(renderer, some[first : first + at_once], Path(out, f"scene-{seed:04}"))
    return len(some)


def made_renderer(seed: int, preset: str) -> Any:
    """The renderer of a generated scene."""
    from tolman.render.assets.choose import find_source  # noqa: PLC0415
    from tolman.render.renderer import Renderer  # noqa: PLC0415
    from tolman.world import generate  # noqa: PLC0415

    return Renderer(generate(seed), find_source("built-in").asset, preset)


if __name__ == "__main__":
    main()
