"""What a model reads: whole messages, put together from wordings."""

import json
from typing import Literal

from tolman.belief.cognitive_map import global_form, true_global_map
from tolman.benchmarks.theory_of_space.options import MapMode, Options
from tolman.benchmarks.theory_of_space.picture_marks import Distances, Names, mark
from tolman.explore.episode import Episode, Turn
from tolman.explore.words import SayLook, say_brief, say_history
from tolman.rules import STRICT
from tolman.sense import say_observation
from tolman.wording import Wording, wording

Wanted = Literal["act", "answer"]
"""What a reply is to end with: actions, or an answer."""


def _page(name: str) -> Wording:
    return wording("tolman.benchmarks.theory_of_space", name)


def system_page(options: Options) -> str:
    """The system message: the form of all replies."""
    return _page("system" if options.think else "system_plain").text


def explore_page(episode: Episode, options: Options, *, pictured: bool = False) -> str:
    """The first message to a model that explores by itself; `pictured` if what it sees is shown, not told."""
    brief = say_brief(episode.brief)
    return _page("explore").fill(**_common(options, pictured), budget=options.budget, brief=brief)


def reason_page(
    episode: Episode,
    options: Options,
    turns: tuple[Turn, ...],
    say_look: SayLook = say_observation,
    *,
    pictured: bool = False,
) -> str:
    """The first message to a model that reads the log of another explorer, in which `say_look` tells the looks."""
    history = say_history(turns, say_look)
    return _page("reason").fill(**_common(options, pictured), brief=say_brief(episode.brief), history=history)


def _common(options: Options, pictured: bool) -> dict[str, str]:
    world, senses = (_page(f"{part}_{options.world}").text for part in ("world", "senses"))
    if not pictured:
        return {"world": world, "senses": senses, "actions": _page("actions").text}
    shown = _page("calibration").fill(distances=mark(Distances()), names=mark(Names()))
    return {"world": world, "senses": f"{senses}\n\n{shown}", "actions": _page("actions_vision").text}


def footer(wanted: Wanted, options: Options) -> str:
    """The form of the reply that is wanted, at the end of a message."""
    return _page(wanted if options.think else f"{wanted}_plain").text


def left_out(count: int) -> str:
    """What stands for turns that are not sent along."""
    return _page("left_out").fill(count=count)


def picture_left_out(count: int) -> str:
    """What stands for a picture where only so many, the latest, are sent."""
    return _page("picture_left_out").fill(count=count)


def map_page(mode: MapMode, episode: Episode) -> str:
    """What goes before a question in a map mode; empty where nothing does."""
    if mode == "say":
        return _page("say_map").text
    return _page("true_map").fill(map=true_map(episode)) if mode == "true" else ""


def true_map(episode: Episode) -> str:
    """The true map of the world as it was explored, as JSON: everything, and the agent where it ended."""
    scene = episode.before or episode.scene
    last = next((turn for turn in reversed(episode.turns) if turn.phase == "explore"), None)
    pose = (
        scene.pose_at(last.standing_on, last.heading) if last else scene.pose_at(episode.standing_on, episode.heading)
    )
    form = global_form(true_global_map(scene, pose, scene.names, STRICT))
    return json.dumps(form.model_dump(mode="json", exclude_none=True))
