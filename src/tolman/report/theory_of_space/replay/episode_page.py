"""One scene as a page that opens from disk. Its data is in it; code and style are in files that all pages share."""

import re
from functools import cache
from pathlib import Path

from jinja2 import Template

from tolman.benchmarks.theory_of_space.insight import SceneInsight
from tolman.benchmarks.theory_of_space.record import ScoredCase
from tolman.report.site.environment import environment
from tolman.report.theory_of_space.logs import FinishedScene, Run
from tolman.report.theory_of_space.replay.album import album
from tolman.report.theory_of_space.replay.episode_data import episode_data
from tolman.report.theory_of_space.replay.sums import sums

_PAGE = Path(__file__).parent / "page"
_SCRIPTS = (
    *("dom", "words", "episode", "store", "player", "marks", "labels", "map", "heat", "stated", "scene", "layers"),
    *("chart", "revision", "pictures", "turn", "questions", "keys", "save", "begin"),
)
_STYLES = ("page", "map", "controls", "words", "narrow")
"""Each in the order in which they need each other."""


def write_assets(folder: Path) -> None:
    """Put `replay.js` and `replay.css`, which all episode pages need beside the site's `style.css`, into a folder."""
    for names, ending in ((_SCRIPTS, "js"), (_STYLES, "css")):
        parts = [(_PAGE / f"{name}.{ending}").read_text(encoding="utf-8") for name in names]
        (folder / f"replay.{ending}").write_text("\n".join(parts), encoding="utf-8")


def episode_file(scene: str) -> str:
    """The name of a scene's page. Whatever a scene is called, it is a plain file name."""
    return f"{re.sub(r'[^A-Za-z0-9_-]', '_', scene)[:80] or 'scene'}.html"


def write_episode(  # noqa: PLR0913 links are arguments
    folder: Path,
    run: Run,
    scene: FinishedScene,
    insight: SceneInsight,
    *,
    back: str,
    previous: str | None,
    following: str | None,
    assets: str,
    file: str = "",
) -> Path:
    """Write the page of one scene into a folder, as `file` or by the name of the scene.

    `back`, `previous`, `following` and `assets` are addresses as seen from the page: of the index, of the scenes
    before and after, and of the folder that holds `style.css` and what `write_assets` wrote. Pictures that a model
    was shown go into a folder beside `folder`.
    """
    explorer = _explorer(scene.logged)
    page = _template().render(
        scene=scene.id,
        model=run.name,
        how=_how(run, explorer),
        sums=sums(scene, insight),
        back=back,
        previous=previous,
        following=following,
        assets=assets,
        episode={**episode_data(scene, insight, album(scene, folder)), "explorer": explorer},
    )
    path = folder / (file or episode_file(scene.id))
    path.write_bytes(page.encode("utf-8", "replace"))
    return path


@cache
def _template() -> Template:
    return environment(_PAGE).get_template("episode.html")


def _how(run: Run, explorer: str) -> str:
    reads = f", reading the log of the {explorer}" if explorer else ""
    return f"{run.mode}, {run.world} world{reads}"


def _explorer(logged: ScoredCase) -> str:
    """Whose log a passive model read; empty for an active one."""
    if logged.options.mode == "active":
        return ""
    return logged.case.explorer or logged.options.passive_explorer
