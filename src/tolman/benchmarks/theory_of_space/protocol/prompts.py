"""Prompts, filled in from the files in `wordings`, the conversation that they make up, and its branches.

A conversation is an immutable value, so that requests can branch off at any point without affecting later ones, as
those for maps and unexplored points after turns of an exploration do.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Literal

from tolman.ask import Question
from tolman.belief.cognitive_map import (
    ElicitationKind,
    global_form,
    global_map_prompt,
    local_map_prompt,
    true_global_map,
    unexplored_picture_prompt,
    unexplored_prompt,
)
from tolman.belief.unexplored import CandidatePoints, point_map
from tolman.benchmarks.theory_of_space.case import Case, elicit_call
from tolman.benchmarks.theory_of_space.explored_turns import ExploredTurn, explored_turns, points_of
from tolman.benchmarks.theory_of_space.options import MapMode, Options
from tolman.benchmarks.theory_of_space.protocol.picture_marks import (
    DistanceCalibration,
    NameCalibration,
    PointPlan,
    ViewPicture,
    picture_mark,
)
from tolman.core.rules import STRICT
from tolman.core.wording import Wording, wording
from tolman.explore.actions import Phase
from tolman.explore.episode import Episode, Turn
from tolman.explore.messages import DescribeView, describe_brief, describe_history
from tolman.sense import Observation, describe_observation
from tolman.sense.words import YOU_SEE
from tolman.world import Pose, Scene

ReplyForm = Literal["act", "answer"]
"""Required end of a reply: actions, or an answer."""


def _page(name: str) -> Wording:
    return wording("tolman.benchmarks.theory_of_space", name)


def system_page(options: Options) -> str:
    """The system message: the format of all replies."""
    return _page("system" if options.think else "system_plain").fill()


def explore_page(episode: Episode, options: Options, *, pictured: bool = False) -> str:
    """The first message to an active model; `pictured` if observations are pictures."""
    brief = describe_brief(episode.brief)
    return _page("explore").fill(
        **_common_parts(options, pictured, episode.scene.version), budget=options.turns("explore"), brief=brief
    )


def reason_page(
    episode: Episode,
    options: Options,
    turns: tuple[Turn, ...],
    describe_view: DescribeView = describe_observation,
    *,
    pictured: bool = False,
) -> str:
    """The message to a passive model with another explorer's log; `describe_view` words its observations."""
    history = describe_history(turns, describe_view)
    return _page("reason").fill(
        **_common_parts(options, pictured, episode.scene.version), brief=describe_brief(episode.brief), history=history
    )


def _common_parts(options: Options, pictured: bool, version: int) -> dict[str, str]:
    world, senses = (_page(f"{part}_{options.world}").fill() for part in ("world", "senses"))
    if not pictured:
        return {"world": world, "senses": senses, "actions": _page("actions").fill()}
    calibration = _page("calibration").fill(
        eye=f"{options.eye_height:g}",
        distances=picture_mark(DistanceCalibration()),
        names=picture_mark(NameCalibration()),
    )
    seen = "\n\n".join((senses, calibration, _page(f"sizes_{version}").fill()))
    return {"world": world, "senses": seen, "actions": _page("actions_vision").fill()}


def footer(wanted: ReplyForm, options: Options) -> str:
    """The end of a message, which states the required format of the reply."""
    return _page(wanted if options.think else f"{wanted}_plain").fill()


def left_out(count: int) -> str:
    """The note in place of turns that are not sent."""
    return _page("left_out").fill(count=count)


def picture_left_out(count: int) -> str:
    """The note in place of a picture that is not sent; only the latest `count` are."""
    return _page("picture_left_out").fill(count=count)


def map_page(mode: MapMode, episode: Episode) -> str:
    """The text before a question in a map mode; may be empty."""
    if mode == "say":
        return _page("say_map").fill()
    return _page("true_map").fill(map=true_map(episode)) if mode == "true" else ""


def true_map(episode: Episode) -> str:
    """The true map as JSON: all things and doors before the change, and the agent's last pose while exploring."""
    scene = episode.before or episode.scene
    last = next((turn for turn in reversed(episode.turns) if turn.phase == "explore"), None)
    pose = (
        scene.pose_at(last.standing_on, last.heading) if last else scene.pose_at(episode.standing_on, episode.heading)
    )
    form = global_form(true_global_map(scene, pose, scene.names, STRICT))
    return json.dumps(form.model_dump(mode="json", exclude_none=True))


def in_pictures(case: Case, options: Options) -> bool:
    """Whether observations are pictures. Never in released runs, whose pictures can't be rendered here."""
    return options.world == "vision" and not case.released


def observation_wording(case: Case, options: Options, scene: Scene, phase: Phase) -> DescribeView:
    """How observations are described in a phase, in which the world is `scene`: in words or by a picture mark."""
    if not in_pictures(case, options):
        return describe_observation

    def describe_as_picture(observation: Observation) -> str:
        pose = scene.pose_at(observation.standing_on, observation.heading)
        return f"{YOU_SEE}\n{picture_mark(ViewPicture(phase, pose.cell, pose.heading))}"

    return describe_as_picture


def question_prompt(question: Question) -> str:
    """The text of a question, with the mark of its picture if it has one."""
    pose = question.image
    return question.text if pose is None else question.text.replace("<image>", _view_mark(pose))


def points_prompt(case: Case, options: Options, pose: Pose, points: CandidatePoints) -> str:
    """The request for unexplored points, with a floor plan in characters or as a picture."""
    if not in_pictures(case, options):
        return unexplored_prompt(point_map(case.scene, pose, points))
    return unexplored_picture_prompt(picture_mark(PointPlan(pose.cell, pose.heading, points.cells)))


def _view_mark(pose: Pose) -> str:
    return picture_mark(ViewPicture("explore", pose.cell, pose.heading))


Role = Literal["system", "user", "assistant"]


@dataclass(frozen=True, slots=True)
class Message:
    """One message of a conversation."""

    role: Role
    text: str


@dataclass(frozen=True)
class Conversation:
    """The messages so far, and the feedback with which the next one begins."""

    system: str
    opening: str
    """The instructions, which are part of every request."""
    news: str
    exchanges: tuple[tuple[str, str], ...] = ()
    """Messages and the replies to them, without the opening, which precedes the first message."""

    def asking(self, request: str, window: int | None = None) -> list[Message]:
        """The messages of a request; with `window`, only the latest `window` exchanges."""
        kept = self.exchanges if window is None else self.exchanges[max(0, len(self.exchanges) - window) :]
        omitted = len(self.exchanges) - len(kept)
        opening = f"{self.opening}\n\n{left_out(omitted)}" if omitted else self.opening
        users = [*(message for message, _ in kept), _joined(self.news, request)]
        messages = [Message("system", self.system)]
        for number, user in enumerate(users):
            messages.append(Message("user", user if number else _joined(opening, user)))
            if number < len(kept):
                messages.append(Message("assistant", kept[number][1]))
        return messages

    def answered(self, request: str, reply: str, news: str) -> "Conversation":
        """The conversation after a reply; `news` is the feedback to it."""
        return replace(self, exchanges=(*self.exchanges, (_joined(self.news, request), reply)), news=news)


def _joined(*parts: str) -> str:
    return "\n\n".join(filter(None, parts))


def request(*parts: str) -> str:
    """The parts of a request, joined by blank lines; empty ones are dropped."""
    return _joined(*parts)


@dataclass(frozen=True)
class Branch:
    """A request on a branch of the conversation, which later requests do not see."""

    call: str
    heading: str
    """Heading of the group of requests in the log."""
    conversation: Conversation
    request: str


def elicitations(
    case: Case, episode: Episode, history: Mapping[int, Conversation], options: Options
) -> Iterator[Branch]:
    """All elicitations of an exploration. `history` is the conversation after each reply, by its number."""
    turns = explored_turns(episode)
    elicited = {"every": turns, "last": turns[-1:], "off": ()}[options.probe_turns]
    if not elicited:
        return
    points = dict(zip((turn.number for turn in turns), points_of(case, turns), strict=True))
    for turn in elicited:
        for kind, request in _turn_requests(case, turn, points[turn.number], options):
            for repeat in range(1, options.repeats + 1):
                call = elicit_call("explore", turn.number, kind, repeat)
                yield Branch(call, f"maps after turn {turn.number}", history[turn.number], request)


def _turn_requests(
    case: Case, turn: ExploredTurn, points: CandidatePoints, options: Options
) -> Iterator[tuple[ElicitationKind, str]]:
    """Requests after one turn; after the one that ends the exploration, only for the global map, as published."""
    yield "global", global_map_prompt()
    if turn.turn.ended_phase:
        return
    view = turn.turn.feedback.names if isinstance(turn.turn.feedback, Observation) else ()
    if view or case.released:
        yield "local", local_map_prompt()
    if points.cells:
        yield "points", points_prompt(case, options, turn.pose, points)
