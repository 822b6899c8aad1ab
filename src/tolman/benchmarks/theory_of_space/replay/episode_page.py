"""The HTML page of one scene: its data is embedded, scripts and styles are in shared files."""

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from statistics import fmean

from jinja2 import Template

from tolman.benchmarks.theory_of_space.columns import columns
from tolman.benchmarks.theory_of_space.ideal_observer import SceneInsight
from tolman.benchmarks.theory_of_space.record import ScoredCase
from tolman.benchmarks.theory_of_space.replay.episode_data import episode_data
from tolman.benchmarks.theory_of_space.replay.map_data import picture_folder
from tolman.benchmarks.theory_of_space.runs import ScoredScene, TheoryOfSpaceRun
from tolman.benchmarks.theory_of_space.tables.run_summary import ANSWERS, CORRECTNESS, GAIN
from tolman.report.site.page import environment


@dataclass(frozen=True)
class HeadlineNumber:
    """A formatted number with its ceiling, where that is known."""

    title: str
    value: str
    ceiling: str = ""


def headline_numbers(scene: ScoredScene, insight: SceneInsight) -> list[HeadlineNumber]:
    """Cost and information gain of the exploration, and strict scores in percent with their ceilings."""
    scored = columns(scene.scores["strict"])
    asked = [question.ceiling for question in insight.questions if question.mode == "none"]
    found = (
        ("Information gain", GAIN, None),
        ("Answers", ANSWERS, fmean(asked) if asked else None),
        ("Last map", CORRECTNESS, insight.final_ceiling),
        ("Changes found (F1)", "revise/f1", None),
    )
    return [
        HeadlineNumber("Cost", str(scene.scores["strict"].exploration.cost)),
        *(
            HeadlineNumber(title, _percent(fmean(scored[column])), "" if ceiling is None else _percent(ceiling))
            for title, column, ceiling in found
            if column in scored
        ),
    ]


def _percent(share: float) -> str:
    return f"{100 * share:.0f}"


_PAGE = Path(__file__).parent / "page"
_SCRIPTS = (
    *("dom", "words", "episode", "store", "player", "marks", "labels", "map", "heat", "stated", "scene", "layers"),
    *("chart", "revision", "pictures", "turn", "questions", "keys", "save", "begin"),
)
_STYLES = ("page", "map", "controls", "words", "narrow")
"""Scripts and styles in the order in which they are concatenated."""


def write_assets(folder: Path) -> None:
    """Write `replay.js` and `replay.css`, which all episode pages need besides the site's `style.css`."""
    for names, ending in ((_SCRIPTS, "js"), (_STYLES, "css")):
        parts = [(_PAGE / f"{name}.{ending}").read_text(encoding="utf-8") for name in names]
        (folder / f"replay.{ending}").write_text("\n".join(parts), encoding="utf-8")


def episode_file(scene: str) -> str:
    """The file name of a scene's page, safe for any name of a scene."""
    return f"{re.sub(r'[^A-Za-z0-9_-]', '_', scene)[:80] or 'scene'}.html"


def write_episode(  # noqa: PLR0913 links are arguments
    folder: Path,
    run: TheoryOfSpaceRun,
    scene: ScoredScene,
    insight: SceneInsight,
    *,
    back: str,
    previous: str | None,
    following: str | None,
    assets: str,
    file: str = "",
) -> Path:
    """Write the page of one scene into a folder, as `file` or by the name of the scene.

    `back`, `previous`, `following` and `assets` are addresses relative to the page: of the index, of the pages of the
    scenes before and after, and of the folder with `style.css` and the files of `write_assets`. Pictures that a model
    was sent go into a folder beside `folder`.
    """
    explorer = _explorer(scene.logged)
    page = _template().render(
        scene=scene.id,
        model=run.name,
        how=_how(run, explorer),
        sums=headline_numbers(scene, insight),
        back=back,
        previous=previous,
        following=following,
        assets=assets,
        episode={**episode_data(scene, insight, picture_folder(scene, folder)), "explorer": explorer},
    )
    path = folder / (file or episode_file(scene.id))
    path.write_bytes(page.encode("utf-8", "replace"))
    return path


@cache
def _template() -> Template:
    return environment(_PAGE).get_template("episode.html")


def _how(run: TheoryOfSpaceRun, explorer: str) -> str:
    reads = f", reading the log of the {explorer}" if explorer else ""
    return f"{run.mode}, {run.world} world{reads}"


def _explorer(logged: ScoredCase) -> str:
    """Agent whose log a passive model read; empty for an active model."""
    if logged.options.mode == "active":
        return ""
    return logged.case.explorer or logged.options.passive_explorer
