"""What a model reads: prompts filled in from the wordings, and the conversation that they make up.

A conversation is an immutable value: any point of it can be branched off and leaves no trace.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from tolman.ask import Question
from tolman.belief.cognitive_map import global_form, true_global_map, unexplored_picture_prompt, unexplored_prompt
from tolman.belief.unexplored import CandidatePoints, point_map
from tolman.benchmarks.theory_of_space.case import Case
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
"""What a reply is to end with: actions, or an answer."""


def _page(name: str) -> Wording:
    return wording("tolman.benchmarks.theory_of_space", name)


def system_page(options: Options) -> str:
    """The system message: the form of all replies."""
    return _page("system" if options.think else "system_plain").text


def explore_page(episode: Episode, options: Options, *, pictured: bool = False) -> str:
    """The first message to a model that explores by itself; `pictured` if what it sees is shown, not told."""
    brief = describe_brief(episode.brief)
    return _page("explore").fill(**_common_parts(options, pictured), budget=options.budget, brief=brief)


def reason_page(
    episode: Episode,
    options: Options,
    turns: tuple[Turn, ...],
    say_look: DescribeView = describe_observation,
    *,
    pictured: bool = False,
) -> str:
    """The first message to a model that reads the log of another explorer, in which `say_look` tells the looks."""
    history = describe_history(turns, say_look)
    return _page("reason").fill(
        **_common_parts(options, pictured), brief=describe_brief(episode.brief), history=history
    )


def _common_parts(options: Options, pictured: bool) -> dict[str, str]:
    world, senses = (_page(f"{part}_{options.world}").text for part in ("world", "senses"))
    if not pictured:
        return {"world": world, "senses": senses, "actions": _page("actions").text}
    shown = _page("calibration").fill(
        distances=picture_mark(DistanceCalibration()), names=picture_mark(NameCalibration())
    )
    return {"world": world, "senses": f"{senses}\n\n{shown}", "actions": _page("actions_vision").text}


def footer(wanted: ReplyForm, options: Options) -> str:
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


def in_pictures(case: Case, options: Options) -> bool:
    """Whether looks are told by pictures. Released runs are not: what they were shown then can't be rendered here."""
    return options.world == "vision" and not case.released


def observation_wording(case: Case, options: Options, scene: Scene, phase: Phase) -> DescribeView:
    """How a look is told in a phase, in which the world is `scene`."""
    if not in_pictures(case, options):
        return describe_observation

    def say(observation: Observation) -> str:
        pose = scene.pose_at(observation.standing_on, observation.heading)
        return f"{YOU_SEE}\n{picture_mark(ViewPicture(phase, pose.cell, pose.heading))}"

    return say


def question_prompt(question: Question) -> str:
    """A question as it is put: where it comes with a view, the view's mark is in it."""
    pose = question.image
    return question.text if pose is None else question.text.replace("<image>", _view_mark(pose))


def points_prompt(case: Case, options: Options, pose: Pose, points: CandidatePoints) -> str:
    """The request for unexplored points, with a plan of the place in characters or as a picture."""
    if not in_pictures(case, options):
        return unexplored_prompt(point_map(case.scene, pose, points))
    return unexplored_picture_prompt(picture_mark(PointPlan(pose.cell, pose.heading, points.cells)))


def _view_mark(pose: Pose) -> str:
    return picture_mark(ViewPicture("explore", pose.cell, pose.heading))


Role = Literal["system", "user", "assistant"]


@dataclass(frozen=True, slots=True)
class Message:
    """One message; `role` is who speaks."""

    role: Role
    text: str


@dataclass(frozen=True)
class Conversation:
    """What was said so far, and the news since then that the next message begins with."""

    system: str
    opening: str
    """The page that explains everything; it is always sent along."""
    news: str
    said: tuple[tuple[str, str], ...] = ()
    """Messages and the replies to them. The opening belongs to the first message, but is kept apart."""

    def asking(self, request: str, window: int | None = None) -> list[Message]:
        """The messages that put a request, with the last `window` turns only if told so."""
        kept = self.said if window is None else self.said[max(0, len(self.said) - window) :]
        left = len(self.said) - len(kept)
        opening = f"{self.opening}\n\n{left_out(left)}" if left else self.opening
        users = [*(message for message, _ in kept), _joined(self.news, request)]
        messages = [Message("system", self.system)]
        for number, user in enumerate(users):
            messages.append(Message("user", user if number else _joined(opening, user)))
            if number < len(kept):
                messages.append(Message("assistant", kept[number][1]))
        return messages

    def answered(self, request: str, reply: str, news: str) -> "Conversation":
        """The conversation after a reply, and what the world said to it."""
        return replace(self, said=(*self.said, (_joined(self.news, request), reply)), news=news)


def _joined(*parts: str) -> str:
    return "\n\n".join(filter(None, parts))


def request(*parts: str) -> str:
    """Parts of a request, one under the other; empty ones are left out."""
    return _joined(*parts)


def as_text(messages: Sequence[Message]) -> str:
    """A conversation for people: who said what."""
    return "\n\n".join(f"[{message.role}]\n{message.text}" for message in messages)
