"""Pictures per second on this machine's GPU (or CPU): previews in memory, and standard views with all their files.

    python benchmarks/render_device.py --packages FOLDER --out FOLDER                  # everything, 230 s
    python benchmarks/render_device.py --packages FOLDER --out FOLDER --only workers   # standard views with files, 90 s

`--packages` is a folder with Mitsuba, Dr.Jit, pyoidn, cffi and pydantic for a machine that has only NumPy and Pillow;
of Tolman only `core`, `world` and `render` are imported. Each measurement is a program of its own with a time limit, so
one that fails costs no other. In `--out` are then `results.json`, and `standard.png`, `preview.png` and `views.npz` to
look at and to compare with another engine. Workers are processes that render whole scenes: all views of an explorer,
each as rgb, ids and depth, written to a temporary folder; views count that end within a window of time, with whatever
was built in it. This comes first, as it is what takes longest to start. The first worker starts alone, so that programs
are compiled once and the others find them on the disk; the window begins when all are ready, or after `--starting`
seconds with those that are.
"""

import argparse
import contextlib
import ctypes
import json
import multiprocessing
import os
import platform
import queue
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import traceback
import types
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1] / "src"
DRIVERS = ("/usr/local/nvidia/lib64", "/usr/local/nvidia/lib", "/usr/local/cuda/compat", "/usr/lib/wsl/lib")
"""Folders of NVIDIA's libraries that the loader may not search."""
LIBRARIES = {"DRJIT_LIBCUDA_PATH": ("libcuda.so", "libcuda.so.1"), "DRJIT_LIBOPTIX_PATH": ("libnvoptix.so.1",)}
Result = dict[str, Any]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--packages", default="", help="folder with the packages that are not installed")
    parser.add_argument("--out", default="", help="folder of results.json and pictures")
    parser.add_argument("--workers", type=int, nargs="+", default=[16, 8], help="numbers of processes to try")
    parser.add_argument("--views-at-once", type=int, nargs="+", default=[16, 32], help="views to trace together")
    parser.add_argument("--size", type=int, default=384, help="pixels of a side")
    parser.add_argument("--scenes", type=int, default=10_000, help="most scenes that workers render")
    parser.add_argument("--window", type=float, default=20.0, help="seconds that workers are measured for")
    parser.add_argument("--starting", type=float, default=40.0, help="most seconds that workers are waited for")
    parser.add_argument("--budget", type=float, default=0.0, help="seconds of everything (230; 90 with --only)")
    parser.add_argument("--only", choices=[name for name in MEASUREMENTS if name != "machine"], help="one measurement")
    parser.add_argument("--measure", default="", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.measure:
        prepare(options.packages)
        name, *numbers = options.measure.split()
        print(json.dumps(MEASUREMENTS[name](options, *map(int, numbers))))
    else:
        run_all(options)


def prepare(packages: str) -> None:
    """Make Tolman importable, without what its top packages import where that is not installed; name libraries."""
    sys.path[:0] = [str(ROOT), *([packages] if packages else [])]
    sys.dont_write_bytecode = True
    if packages:
        for name in ("tolman", "tolman.render"):
            package = types.ModuleType(name)
            package.__path__ = [str(ROOT.joinpath(*name.split(".")))]
            sys.modules[name] = package
        for library in sorted(Path(packages).glob("llvm/lib/libLLVM.so.*")):
            os.environ.setdefault("DRJIT_LIBLLVM_PATH", str(library.resolve()))
    for variable, names in LIBRARIES.items():
        if variable not in os.environ and not loads(names[0]):
            places = [Path(folder, name) for folder in DRIVERS for name in names]
            if found := next((place for place in places if place.exists()), None):
                os.environ[variable] = str(found)


def loads(library: str) -> bool:
    """Whether the loader finds a library by its name."""
    try:
        ctypes.CDLL(library)
    except OSError:
        return False
    return True


def run_all(options: argparse.Namespace) -> None:
    """All measurements, each in a process of its own; results are written after each."""
    first, *others = [f"workers {count} {options.views_at_once[0]}" for count in options.workers]
    plan = ["machine", first, "pictures", "previews", "steps", *others]
    plan += [f"workers {options.workers[0]} {at_once}" for at_once in options.views_at_once[1:]]
    plan += [f"many_previews {options.workers[-1]}"]
    if options.only:
        plan = [name for name in plan if name.split()[0] in ("machine", options.only)]
    begin, results = time.perf_counter(), dict[str, Result]()
    budget = options.budget or (90.0 if options.only else 230.0)
    for name in plan:
        left = budget - (time.perf_counter() - begin)
        if left < 10:
            print(f"{name}: no time left", flush=True)
            continue
        print(f"\n== {name} ({left:.0f} s left)", flush=True)
        started = time.perf_counter()
        results[name] = measured(name, min(left, 80.0))
        results[name]["took_s"] = round(time.perf_counter() - started, 1)
        if options.out:
            Path(options.out).mkdir(parents=True, exist_ok=True)
            Path(options.out, "results.json").write_text(json.dumps(results, indent=1), encoding="utf-8")
    summarise(results)


def measured(name: str, limit: float) -> Result:
    """The result of one measurement, or why there is none."""
    command = [sys.executable, str(Path(__file__).resolve()), *sys.argv[1:], "--measure", name]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, start_new_session=True)  # noqa: S603
    try:
        out, _ = process.communicate(timeout=limit)
    except subprocess.TimeoutExpired:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        out, _ = process.communicate()
        print(out, f"{name}: more than {limit:.0f} s", flush=True)
        return {"error": f"more than {limit:.0f} s"}
    lines = out.rstrip().split("\n")
    if process.returncode != 0:
        print(out, f"{name}: exit code {process.returncode}", flush=True)
        return {"error": f"exit code {process.returncode}"}
    print("\n".join(lines[:-1]), flush=True)
    return json.loads(lines[-1])


def summarise(results: dict[str, Result]) -> None:
    """The two figures that count."""
    standard = {
        name: r["views_per_s"] for name, r in results.items() if name.startswith("workers") and "error" not in r
    }
    rates = results.get("previews", {}).get("rates", {})
    previews = {f"1 process, {at_once} at once": rate for at_once, rate in rates.items()}
    previews |= {name: r["views_per_s"] for name, r in results.items() if name.startswith("many") and "error" not in r}
    print("\n== Summary")
    for title, rates, aim in (("standard with files", standard, 60), ("preview in memory", previews, 1000)):
        best = max(rates, key=lambda name: rates[name], default=None)
        figure = "not measured" if best is None else f"{rates[best]:.1f} views/s ({best}; aim {aim})"
        print(f"{title:22} {figure}", flush=True)


def measure_machine(options: argparse.Namespace) -> Result:
    """What this machine is, and whether the engine starts."""
    query = "name,driver_version,memory.total"
    gpu = console("nvidia-smi", f"--query-gpu={query}", "--format=csv,noheader")
    threads = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    found: Result = {"gpu": gpu, "cpu_threads": threads, "python": platform.python_version()}
    found["libraries"] = {name: os.environ.get(name, "by the loader") for name in (*LIBRARIES, "DRJIT_LIBLLVM_PATH")}
    for key, value in found.items():
        print(f"{key:12} {value}", flush=True)
    from tolman.render.engine.traced_scene import gpu_denoiser  # noqa: PLC0415 after `prepare`
    from tolman.render.engine.variant import variant  # noqa: PLC0415

    found["engine"] = variant()
    print(f"engine       {found['engine']}", flush=True)
    denoises = found["engine"] == "cuda_ad_rgb" and gpu_denoiser(options.size, options.size) is not None
    found["denoiser"] = "GPU" if denoises else "CPU"
    print(f"denoiser     {found['denoiser']}", flush=True)
    return found


def console(*command: str) -> str:
    """What a program prints; empty if there is none."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=20, check=True)  # noqa: S603
        return done.stdout.strip()
    except (OSError, subprocess.SubprocessError):
        return ""


def measure_pictures(options: argparse.Namespace) -> Result:
    """Four views to look at, with ids and depth to compare; and how long the first pictures take."""
    import numpy as np  # noqa: PLC0415
    from PIL import Image  # noqa: PLC0415

    arrays: dict[str, Any] = {}
    found: Result = {}
    for preset in ("preview", "standard"):
        begin = time.perf_counter()
        cameras, cells, renderer = some_views(3, preset, 4, options.size)
        pictures = list(renderer.pictures(cameras, cells))
        found[f"first_{preset}_s"] = round(time.perf_counter() - begin, 2)
        print(
            f"{preset:10} first {len(pictures)} views of a scene: {found[f'first_{preset}_s']} s with building",
            flush=True,
        )
        arrays |= {f"{preset}_rgb": np.stack([picture.rgb for picture in pictures])}
        arrays |= {"ids": np.stack([picture.ids for picture in pictures])}
        arrays |= {"depth": np.stack([picture.depth for picture in pictures])}
        found[f"mean_{preset}"] = float(arrays[f"{preset}_rgb"].mean())
        if options.out:
            rows = [np.concatenate([p.rgb for p in pictures[i : i + 2]], axis=1) for i in (0, 2)]
            Image.fromarray(np.concatenate(rows)).save(Path(options.out, f"{preset}.png"))
    if options.out:
        np.savez_compressed(Path(options.out, "views.npz"), **arrays)
    return found


def measure_previews(options: argparse.Namespace) -> Result:
    """Many views of one scene, as a training environment asks for them; one process, in memory."""
    from tolman.core.geometry import Heading  # noqa: PLC0415

    renderer = made_renderer(0, "preview")
    names = [thing.name for thing in renderer.scene.things]
    poses = [renderer.scene.pose_at(name, heading) for name in names for heading in Heading]
    rates: dict[str, float] = {}
    for size in (options.size, 256):
        for at_once in (1, 16, len(poses)):
            rate = repeated(lambda n=at_once, s=size: renderer.previews(poses[:n], size=s), 3.0) * at_once
            print(f"preview, {size} pixels, {at_once:3} views at once {rate:8.1f} views/s", flush=True)
            rates |= {str(at_once): rate} if size == options.size else {f"{at_once} of {size} pixels": rate}
    return {"rates": rates}


def repeated(step: Callable[[], Any], seconds: float) -> float:
    """Calls a second, after three to warm up."""
    for _ in range(3):
        step()
    begin, done = time.perf_counter(), 0
    while time.perf_counter() - begin < seconds:
        step()
        done += 1
    return done / (time.perf_counter() - begin)


def measure_steps(options: argparse.Namespace) -> Result:
    """Where the time of a standard view goes in one process."""
    from tolman.render.renderer import PNG_ENCODERS  # noqa: PLC0415

    found: Result = {}
    at_once = options.views_at_once[0]
    begin = time.perf_counter()
    cameras, cells, renderer = some_views(1, "standard", at_once, options.size)
    pictures = list(renderer.pictures(cameras, cells))
    found["first_s"] = time.perf_counter() - begin
    print(f"first {at_once} views       {found['first_s']:8.2f} s with building and compiling")
    tracer: Any = renderer._traced._tracer
    steps: dict[str, Callable[[], Any]] = {
        "light": lambda: tracer.light(cameras, cells, renderer.preset, 0),
        "ids, depth": lambda: tracer.hits(cameras, cells),
        "guides": lambda: tracer.guides(cameras, cells),
        "all with denoising": lambda: list(renderer.pictures(cameras, cells)),
        "three PNG files": lambda: [encode(picture) for picture in pictures for encode in PNG_ENCODERS.values()],
    }
    for name, step in steps.items():
        cpu, begin = time.process_time(), time.perf_counter()
        rate = repeated(step, 2.0)
        share = (time.process_time() - cpu) / (time.perf_counter() - begin)
        found[name] = {"ms": 1000 / rate / at_once, "cores": share}
        print(f"{name:20} {found[name]['ms']:8.2f} ms a view, {share:.1f} cores busy", flush=True)
    begin = time.perf_counter()
    cameras, cells, renderer = some_views(2, "standard", at_once, options.size)
    list(renderer.pictures(cameras, cells))
    found["next_scene_s"] = time.perf_counter() - begin
    print(f"next scene           {found['next_scene_s']:8.2f} s to its first {at_once} views", flush=True)
    return found


@dataclass
class Tally:
    """What workers did."""

    ready: int = 0
    ended: int = 0
    batches: list[tuple[float, int]] = field(default_factory=list)
    """Time at the end, and views."""
    cpu_s: float = 0.0
    scenes: int = 0
    failed: int = 0

    def hear(self, messages: Any) -> None:
        """Wait a second for a worker's message and add it."""
        try:
            kind, value = messages.get(timeout=1)
        except queue.Empty:
            return
        self.ready += kind == "ready"
        self.failed += kind == "failed"
        if kind == "batch":
            at, views, cpu_s = value
            self.batches.append((at, views))
            self.cpu_s += cpu_s
        if kind == "done":
            self.ended += 1
            self.scenes += value


def measure_workers(options: argparse.Namespace, workers: int, at_once: int) -> Result:
    """Standard views of whole scenes with all files, by several processes."""
    return in_workers(options, workers, at_once, "standard")


def measure_many_previews(options: argparse.Namespace, workers: int) -> Result:
    """Previews in memory, by several processes."""
    return in_workers(options, workers, 60, "preview")


def in_workers(options: argparse.Namespace, workers: int, at_once: int, preset: str) -> Result:
    out = Path(tempfile.mkdtemp(prefix="tolman-pictures-"))
    context = multiprocessing.get_context("spawn")
    messages, start, counter = context.Queue(), context.Event(), context.Value("i", 0)
    job = vars(options) | {"count": workers, "at_once": at_once, "preset": preset, "out": str(out)}
    processes = [context.Process(target=work, args=(job, messages, start, counter)) for _ in range(workers)]
    begin, tally = time.monotonic(), Tally()
    try:
        for number, process in enumerate(processes):
            process.start()
            while number == 0 and not tally.ready + tally.failed and time.monotonic() - begin < options.starting:
                tally.hear(messages)
        while tally.ready + tally.failed < workers and time.monotonic() - begin < options.starting:
            tally.hear(messages)
        started = time.monotonic()
        load: list[float] = []
        threading.Thread(target=watch_gpu, args=(load,), daemon=True).start()
        start.set()
        while tally.ended + tally.failed < workers and time.monotonic() - started < options.window + 5:
            tally.hear(messages)
        files = [file.stat().st_size for file in out.rglob("*.png")]
    finally:
        for process in processes:
            process.kill()
        shutil.rmtree(out, ignore_errors=True)
    if not tally.batches:
        raise RuntimeError(f"none of {workers} workers rendered anything")
    end = min(started + options.window, max(at for at, _ in tally.batches))
    views, total = sum(n for at, n in tally.batches if at <= end), sum(n for _, n in tally.batches)
    rate = views / (end - started)
    found = {"views_per_s": rate, "views": views, "window_s": end - started, "scenes": tally.scenes}
    found |= {
        "starting_s": started - begin,
        "ready_workers": tally.ready,
        "cpu_s_a_view": tally.cpu_s / total,
        "failed_workers": tally.failed,
    }
    found |= {"files": len(files), "megabytes": sum(files) / 2**20, "gpu_busy_percent": sum(load) / max(1, len(load))}
    print(f"{preset}, {workers} workers, {at_once} views at once: {rate:.1f} views/s")
    print(f"  {views} views in {end - started:.1f} s, {found['cpu_s_a_view']:.3f} CPU s a view, {tally.scenes} scenes,")
    print(f"  {len(files)} files of {found['megabytes']:.0f} MB, GPU {found['gpu_busy_percent']:.0f} % busy,")
    print(f"  {started - begin:.1f} s to start, {tally.ready} workers ready, {tally.failed} failed", flush=True)
    return found


def watch_gpu(load: list[float]) -> None:
    """Append the GPU's load in percent once a second."""
    while answer := console("nvidia-smi", "--query-gpu=utilization.gpu", "--format=csv,noheader,nounits"):
        with contextlib.suppress(ValueError):
            load.append(float(answer.split("\n")[0]))
        time.sleep(1)


def work(job: dict[str, Any], messages: Any, start: Any, counter: Any) -> None:
    """Render scenes from `start` on as long as the window lasts; with its share of the cores."""
    try:
        os.environ["OIDN_NUM_THREADS"] = str(max(1, (os.cpu_count() or 1) // job["count"]))
        prepare(job["packages"])
        from tolman.render.engine.variant import drjit  # noqa: PLC0415

        drjit().set_thread_count(max(1, (os.cpu_count() or 1) // job["count"]))
        for _ in render_scene(1_000_000 + os.getpid() % 100, job, job["at_once"]):
            break
        messages.put(("ready", None))
        start.wait()
        end, cpu, scenes, now = time.monotonic() + job["window"], cpu_seconds(), 0, 0.0
        while now < end:
            with counter.get_lock():
                seed = counter.value
                counter.value += 1
            if seed >= job["scenes"]:
                break
            for views in render_scene(seed, job, job["at_once"]):
                now, used = time.monotonic(), cpu_seconds()
                messages.put(("batch", (now, views, used - cpu)))
                cpu = used
                if now > end:
                    break
            scenes += 1
        messages.put(("done", scenes))
    except BaseException:
        traceback.print_exc()
        messages.put(("failed", None))


def cpu_seconds() -> float:
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def render_scene(seed: int, job: dict[str, Any], at_once: int) -> Iterator[int]:
    """All views of a scene, standard ones with their files; yields how many were rendered together."""
    from tolman.render.views import RenderJob, render_views, shots  # noqa: PLC0415

    renderer, size = made_renderer(seed, job["preset"]), job["size"]
    some = list(shots(renderer.scene, RenderJob(("ego",), size)))
    for _ in range(1 if job["preset"] == "standard" else 20):
        for first in range(0, len(some), at_once):
            together = some[first : first + at_once]
            if job["preset"] == "standard":
                render_views(renderer, together, Path(job["out"], f"scene-{seed:04}"))
            else:
                renderer._traced.previews([shot.camera for shot in together], [shot.cell for shot in together])
            yield len(together)


def some_views(seed: int, preset: str, count: int, size: int) -> tuple[list[Any], list[Any], Any]:
    """The first views of a scene: cameras, their cells, and the renderer."""
    from tolman.render.views import RenderJob, shots  # noqa: PLC0415

    renderer = made_renderer(seed, preset)
    some = list(shots(renderer.scene, RenderJob(("ego",), size)))[:count]
    return [shot.camera for shot in some], [shot.cell for shot in some], renderer


def made_renderer(seed: int, preset: str) -> Any:
    """The renderer of a generated scene."""
    from tolman.render.assets.choose import find_source  # noqa: PLC0415
    from tolman.render.renderer import Renderer  # noqa: PLC0415
    from tolman.world import generate  # noqa: PLC0415

    return Renderer(generate(seed), find_source("built-in").asset, preset)


MEASUREMENTS: dict[str, Callable[..., Result]] = {
    "machine": measure_machine,
    "pictures": measure_pictures,
    "previews": measure_previews,
    "steps": measure_steps,
    "workers": measure_workers,
    "many_previews": measure_many_previews,
}

if __name__ == "__main__":
    main()
