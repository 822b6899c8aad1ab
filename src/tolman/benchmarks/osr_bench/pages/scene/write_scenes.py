"""Write the pages of all scenes in parallel, with the pictures that were sent, read from the logs."""

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from jinja2 import Template
from PIL import Image

from tolman.benchmarks.osr_bench.pages.scene.scene_data import AskedScene, scene_data
from tolman.benchmarks.osr_bench.pages.series import ReportedModel, scene_files
from tolman.benchmarks.osr_bench.panoramas import PANORAMA, Pixels, read_panorama, rotated
from tolman.benchmarks.osr_bench.runs import Condition, FinishedScene
from tolman.core.errors import SceneFileError
from tolman.core.files import encoded, write_by_digest
from tolman.core.parallel import parallel_map
from tolman.harness.images import data_url, logged_pictures, thumbnail
from tolman.harness.logs import SampleAddress
from tolman.harness.tracking import Track
from tolman.report.site.environment import environment
from tolman.report.site.page import LeftOut, attempt, write_note

FOLDER = "panoramas"
WIDEST, _VIEW, _QUALITY = 1024, 384, 85
SentView = tuple[int, str, bytes]
"""Camera rotation in degrees, name of the view, and content of the picture file."""


def picture_script(addresses: Sequence[SampleAddress], folder: Path) -> str | None:
    """Write the pictures of a scene as a script, as pages opened from disk may not load pictures; returns its name.

    Takes the first log with a panorama, else the first with perspective views; None if there is none.
    """
    views: list[tuple[str, str]] = []
    for address in addresses:
        sent = list(_sent(address))
        for turn, view, data in sent:
            if view == PANORAMA and (pixels := _panorama(data)) is not None:
                return _saved({"panorama": _url(_sized(rotated(pixels, -turn)))}, folder)
        views = views or [(view, url) for turn, view, data in sent if turn == sent[0][0] and (url := _view(data))]
    return _saved({"views": views}, folder) if views else None


def _sent(address: SampleAddress) -> Iterator[SentView]:
    """All pictures that were sent; none if the log is missing or damaged. Malformed entries are skipped."""
    for entry, data in logged_pictures(address):
        if isinstance(turn := entry.get("turn"), int):
            yield turn, str(entry.get("view"))[:20], data


def _panorama(data: bytes) -> Pixels | None:
    try:
        return read_panorama(data, PANORAMA)
    except SceneFileError:
        return None


def _sized(pixels: Pixels) -> Image.Image:
    """Resized to a power of two, as WebGL needs for repeating textures."""
    width = min(WIDEST, 2 ** round(math.log2(max(2, pixels.shape[1]))))
    return Image.fromarray(pixels).resize((width, width // 2), Image.Resampling.LANCZOS)


def _view(data: bytes) -> str | None:
    small = thumbnail(data, _VIEW)
    return None if small is None else _url(small)


def _url(picture: Image.Image) -> str:
    return data_url(encoded(picture, "JPEG", quality=_QUALITY), "jpeg")


def _saved(seen: Mapping[str, object], folder: Path) -> str:
    return write_by_digest(folder, f"window.SEEN = {json.dumps(seen)};\n".encode(), ".js")


_PAGE = Path(__file__).parent / "page"
_SCRIPTS = (
    *("dom", "look", "sphere", "strip", "seen", "grid"),
    *("labels", "map", "classes", "questions", "choice", "begin"),
)
_STYLES = ("page", "seen", "map", "questions")
"""Scripts and styles, in order of dependence."""
Files = Mapping[str, Mapping[str, str]]
"""Names of pages, by folder and scene."""
_UP = "../.."
"""Path from a scene page to the top of the report."""


@dataclass(frozen=True)
class Job:
    """One page to write."""

    folder: Path
    file: str
    scene: str
    model: str
    conditions: tuple[AskedScene, ...]
    home: str
    previous: str | None
    following: str | None
    others: tuple[tuple[str, str], ...]
    """Names and addresses of the pages of other models on the same scene."""


def write_scenes(reported: Sequence[ReportedModel], out: Path, home: str, track: Track, jobs: int) -> None:
    """Write a page for each scene of each model. `home` is the path of the scene list from the top of the report."""
    _write_assets(out / "assets")
    files = {one.folder: scene_files(one) for one in reported}
    work = [job for one in reported for job in _jobs(one, reported, files, out / "episodes", home)]
    done = parallel_map(_write, work, jobs)
    for _ in track([job.scene for job in work], "scenes"):
        next(done)


def _write_assets(assets: Path) -> None:
    for names, ending in ((_SCRIPTS, "js"), (_STYLES, "css")):
        parts = [(_PAGE / f"{name}.{ending}").read_text(encoding="utf-8") for name in names]
        (assets / f"osr-scene.{ending}").write_text("\n".join(parts), encoding="utf-8")


def _jobs(
    one: ReportedModel, reported: Sequence[ReportedModel], files: Files, episodes: Path, home: str
) -> Iterator[Job]:
    folder, conditions = episodes / one.folder, _conditions(one)
    folder.mkdir(parents=True, exist_ok=True)
    pages, names = list(files[one.folder].values()), list(files[one.folder])
    for place, scene in enumerate(names):
        others = [(o.name, f"../{o.folder}/{file}") for o in reported if (file := files[o.folder].get(scene))]
        yield Job(
            folder=folder,
            file=pages[place],
            scene=scene,
            model=one.name,
            conditions=tuple(conditions[scene]),
            home=home,
            previous=pages[place - 1] if place else None,
            following=pages[place + 1] if place + 1 < len(pages) else None,
            others=tuple(others) if len(others) > 1 else (),
        )


def _conditions(one: ReportedModel) -> dict[str, list[AskedScene]]:
    """By scene, the conditions in which it was finished; of repeated ones the first."""
    found: dict[str, dict[Condition, FinishedScene]] = {}
    for condition, scored in one.model.conditions.items():
        for case in scored.run.cases:
            found.setdefault(case.id, {}).setdefault(condition, case)
    return {scene: list(conditions.items()) for scene, conditions in found.items()}


def _write(job: Job) -> None:
    written = attempt(job.scene, lambda: _write_scene(job))
    if isinstance(written, LeftOut):
        back, assets = f"{_UP}/{job.home}", f"{_UP}/assets"
        write_note(job.folder / job.file, f"Scene {job.scene}", written.reason, back, assets)


def _write_scene(job: Job) -> None:
    addresses = [scene.address for _, scene in job.conditions if scene.address is not None]
    script = picture_script(addresses, job.folder.parent / FOLDER)
    page = _template().render(
        job=job,
        data=scene_data(job.conditions),
        seen=f"../{FOLDER}/{script}" if script else "",
        back=f"{_UP}/{job.home}",
        assets=f"{_UP}/assets",
    )
    (job.folder / job.file).write_bytes(page.encode("utf-8", "replace"))


@cache
def _template() -> Template:
    return environment(_PAGE).get_template("scene.html")
