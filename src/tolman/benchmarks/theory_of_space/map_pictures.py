"""Pictures for the log: the map that a model states after a turn, against the truth."""

import base64
import re

from tolman.benchmarks.theory_of_space.case import Case
from tolman.benchmarks.theory_of_space.stated_maps import plain_map
from tolman.explore.episode import Episode, Turn
from tolman.render import map_picture
from tolman.rules import STRICT
from tolman.sense import Observation

_CALL = re.compile(r"(explore|revise)/(\d+)/global/1")


def asks_for_map(call: str) -> bool:
    """Whether a call asks for a map of the whole world, for the first time after a turn."""
    return _CALL.fullmatch(call) is not None


def map_markdown(case: Case, episode: Episode, call: str, reply: str) -> str:
    """Markdown that shows the map in the reply to such a call."""
    phase, number = call.split("/", maxsplit=1)[0], int(call.split("/")[1])
    said = plain_map(reply, case.scene, STRICT)
    turns = [turn for turn in episode.turns if turn.phase == phase][:number]
    world = case.changed if phase == "revise" and case.changed else case.scene
    pose = world.pose_at(turns[-1].standing_on, turns[-1].heading)
    picture = base64.b64encode(map_picture(world, pose, said or {}, seen=_seen(turns))).decode("ascii")
    what = "against the truth" if said is not None else "but the reply holds none"
    return f"**Map after {phase} turn {number}, {what}**\n\n![map](data:image/png;base64,{picture})"


def _seen(turns: list[Turn]) -> set[str]:
    return {name for turn in turns if isinstance(turn.told, Observation) for name in turn.told.names}
