"""The pages of all scenes, spread over processes. Their data is in them; code and style are in files they share."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from jinja2 import Template

from tolman.report.osr_bench.osr_logs import FinishedScene, Way
from tolman.report.osr_bench.scene.scene_data import Asked, scene_data
from tolman.report.osr_bench.scene.seen import FOLDER, seen_script
from tolman.report.osr_bench.shown import Shown, scene_files
from tolman.report.site.attempt import LeftOut, tried
from tolman.report.site.environment import environment
from tolman.report.site.page import write_note
from tolman.report.track import Track
from tolman.spread import spread

_PAGE = Path(__file__).parent / "page"
_SCRIPTS = (
    "dom",
    "look",
    "sphere",
    "strip",
    "seen",
    "grid",
    "labels",
    "map",
    "classes",
    "questions",
    "choice",
    "begin",
)
_STYLES = ("page", "seen", "map", "questions")
"""Each in the order in which they need each other."""
Files = Mapping[str, Mapping[str, str]]
"""Names of pages, by folder and scene."""
_UP = "../.."
"""The top of the report, as seen from a page."""


@dataclass(frozen=True)
class Job:
    """One page to write."""

    folder: Path
    file: str
    scene: str
    model: str
    ways: tuple[Asked, ...]
    home: str
    previous: str | None
    following: str | None
    others: tuple[tuple[str, str], ...]
    """Names and addresses of the pages of other models on the same scene."""


def write_scenes(shown: Sequence[Shown], out: Path, home: str, track: Track, jobs: int) -> None:
    """Write a page for each scene of each model. `home` is the list of them, as seen from the top of the report."""
    _write_assets(out / "assets")
    files = {one.folder: scene_files(one) for one in shown}
    work = [job for one in shown for job in _jobs(one, shown, files, out / "episodes", home)]
    done = spread(_write, work, jobs)
    for _ in track([job.scene for job in work], "scenes"):
        next(done)


def _write_assets(assets: Path) -> None:
    for names, ending in ((_SCRIPTS, "js"), (_STYLES, "css")):
        parts = [(_PAGE / f"{name}.{ending}").read_text(encoding="utf-8") for name in names]
        (assets / f"osr-scene.{ending}").write_text("\n".join(parts), encoding="utf-8")


def _jobs(one: Shown, shown: Sequence[Shown], files: Files, episodes: Path, home: str) -> Iterator[Job]:
    folder, ways = episodes / one.folder, _ways(one)
    folder.mkdir(parents=True, exist_ok=True)
    pages, names = list(files[one.folder].values()), list(files[one.folder])
    for place, scene in enumerate(names):
        others = [(o.name, f"../{o.folder}/{file}") for o in shown if (file := files[o.folder].get(scene))]
        yield Job(
            folder=folder,
            file=pages[place],
            scene=scene,
            model=one.name,
            ways=tuple(ways[scene]),
            home=home,
            previous=pages[place - 1] if place else None,
            following=pages[place + 1] if place + 1 < len(pages) else None,
            others=tuple(others) if len(others) > 1 else (),
        )


def _ways(one: Shown) -> dict[str, list[Asked]]:
    """By scene, the ways in which it was finished; of one that was gone through repeatedly, the first time."""
    found: dict[str, dict[Way, FinishedScene]] = {}
    for way, known in one.subject.ways.items():
        for case in known.run.cases:
            found.setdefault(case.id, {}).setdefault(way, case)
    return {scene: list(ways.items()) for scene, ways in found.items()}


def _write(job: Job) -> None:
    written = tried(job.scene, lambda: _write_scene(job))
    if isinstance(written, LeftOut):
        back, assets = f"{_UP}/{job.home}", f"{_UP}/assets"
        write_note(job.folder / job.file, f"Scene {job.scene}", written.reason, back, assets)


def _write_scene(job: Job) -> None:
    addresses = [scene.address for _, scene in job.ways if scene.address is not None]
    script = seen_script(addresses, job.folder.parent / FOLDER)
    page = _template().render(
        job=job,
        data=scene_data(job.ways),
        seen=f"../{FOLDER}/{script}" if script else "",
        back=f"{_UP}/{job.home}",
        assets=f"{_UP}/assets",
    )
    (job.folder / job.file).write_bytes(page.encode("utf-8", "replace"))


@cache
def _template() -> Template:
    return environment(_PAGE).get_template("scene.html")
