"""Playrooms for tests, and people who say what a scripted agent would say."""

import asyncio
from functools import cache
from pathlib import Path

from starlette.testclient import TestClient

from tests.benchmarks.theory_of_space.plain_stage import PlainStage, scripted
from tolman.benchmarks.theory_of_space.case import Case, case_of
from tolman.benchmarks.theory_of_space.options import Options
from tolman.benchmarks.theory_of_space.protocol.run_scene import SceneRun
from tolman.explore.agents.registry import run_explorer
from tolman.play.playable import PlaySetting
from tolman.play.server import build_app
from tolman.play.theory_of_space.play import SpacePlay
from tolman.play.theory_of_space.session import PlaySession, RequestedReply, requests
from tolman.world import WorldSettings
from tolman.world.select import choose_scenes

SHORT = Options(probe="last", questions=1, kinds=("direction",))
SMALL = WorldSettings(rooms=2, things_per_room=3)


def playroom(folder: Path, options: Options = SHORT, scenes: str = "7", *, tools: bool = False) -> SpacePlay:
    return SpacePlay(scenes, SMALL, options, PlaySetting(folder, tools=tools))


def next_request(session: PlaySession) -> RequestedReply | None:
    """The first call that has no reply yet; None when the scene is finished."""
    return next((each for each in requests(session) if each.call not in session.replies), None)


def client(room: SpacePlay) -> TestClient:
    return TestClient(build_app(room), base_url="http://127.0.0.1:8421", follow_redirects=True)


@cache
def case(seed: str, options: Options, worlds: WorldSettings = SMALL) -> Case:
    (choice,) = choose_scenes(seed, worlds)
    return case_of(choice, options)


@cache
def spoken(seed: str, options: Options, worlds: WorldSettings = SMALL) -> PlainStage:
    """What the scout is asked, and says, in a whole scene."""
    of, stage = case(seed, options, worlds), PlainStage(scripted("scout"))
    log = run_explorer(options.passive_explorer, of.scene, of.seed) if options.mode == "passive" else None
    asyncio.run(SceneRun(of, options, stage).run(log))
    return stage
