"""Episode pages of scenes that scripted models lived through, in a folder as a report makes it."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path

from playwright.sync_api import Page

from tests.benchmarks.theory_of_space.scripted_runs import scripted_scene
from tolman.benchmarks.theory_of_space.ideal_observer import SceneInsight, scene_insight
from tolman.benchmarks.theory_of_space.options import Options
from tolman.benchmarks.theory_of_space.record import SceneRecord, ScoredCase
from tolman.benchmarks.theory_of_space.replay.episode_page import write_assets, write_episode
from tolman.benchmarks.theory_of_space.runs import TheoryOfSpaceRun, score_record
from tolman.report.site.folder import open_folder

ACTIVE, PASSIVE = Options(), Options(mode="passive")


def scout(seed: int = 0) -> ScoredCase:
    """A whole default scene: three rooms, 27 questions, a revision."""
    return scripted_scene("scout", seed, ACTIVE)


def random() -> ScoredCase:
    """A scene of which little was seen."""
    return scripted_scene("random", 1, ACTIVE)


def passive() -> ScoredCase:
    """A scene whose model read the strategist's log."""
    return scripted_scene("strategist", 1, PASSIVE)


@cache
def insight(of: ScoredCase) -> SceneInsight:
    return scene_insight(of, observer="relations")


def saying(of: ScoredCase, change: Callable[[str, str], str]) -> ScoredCase:
    """The same scene with other replies, each made from the name of its call and the reply that was given."""
    calls = [call.model_copy(update={"reply": change(call.name, call.reply)}) for call in of.record.calls]
    return ScoredCase(of.case, of.options, SceneRecord(log=of.record.log, calls=calls))


def with_replies(of: ScoredCase, replies: Mapping[str, str]) -> ScoredCase:
    """The same scene with some replies exchanged."""
    return saying(of, replies.get)


def thinking(of: ScoredCase, reasoning: str) -> ScoredCase:
    """The same scene by a model that thinks before every reply."""
    calls = [call.model_copy(update={"reasoning": reasoning}) for call in of.record.calls]
    return ScoredCase(of.case, of.options, SceneRecord(log=of.record.log, calls=calls))


def called(of: ScoredCase, name: str) -> ScoredCase:
    """The same scene under another name."""
    return ScoredCase(replace(of.case, id=name), of.options, of.record)


def write(folder: Path, of: ScoredCase, model: str = "tolman/scout") -> Path:
    """The page of a scene, with all that it needs."""
    open_folder(folder)
    write_assets(folder / "assets")
    scene = score_record(of)
    run = TheoryOfSpaceRun(model, of.options, [scene], [], 1)
    (folder / "index.html").write_text("<title>index</title>", encoding="utf-8")
    return write_episode(
        folder / "episodes",
        run,
        scene,
        insight(of),
        back="../index.html",
        previous=None,
        following="next.html",
        assets="../assets",
    )


def opened(page: Page, path: Path, at: str = "") -> None:
    """Go to a page, at a moment if one is named, and wait until it is drawn."""
    page.goto(path.as_uri() + at)
    page.locator("#map .names text").first.wait_for(state="attached")


def title(page: Page) -> str:
    return page.locator("#turn-title").inner_text()


def unfold(page: Page, within: str) -> None:
    """Open everything that is folded away in a part of the page."""
    page.locator(f"{within} details:not([open]) > summary").evaluate_all("all => all.forEach(one => one.click())")
