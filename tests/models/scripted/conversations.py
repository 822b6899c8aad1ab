"""Conversations as a benchmark leads them: real episodes, told in words between instructions and forms of reply."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from tolman.core.rules import STRICT
from tolman.explore.episode import Episode, begin_revision, step
from tolman.explore.grammar import read_actions
from tolman.explore.messages import describe_brief, describe_change, describe_history, describe_latest, describe_turn
from tolman.models.call_context import SceneCallContext
from tolman.models.scripted.conversation_parsing import RoleText
from tolman.models.scripted.reply import reply_to
from tolman.world import ChangedWorld, Scene

OPENING = """You are dropped into a place you do not know.

WHAT YOU CAN DO
- Goto(NAME): go there. - Observe(): look.
Good:
Actions: [Rotate(90), Goto(white door), Rotate(-90), Observe()]

WHAT YOU ARE TOLD
- front-left: from -45 up to (not including) -22.5 degrees
- near: above 0, up to 2

THE PLACE
"""
ACT = "Reply in this form:\nTHINK:\n<your thoughts>\nFINAL ANSWER:\nActions: [<moves>, <closing action>]"
ANSWER = "Reply in this form:\nTHINK:\n<your thoughts>\nFINAL ANSWER:\n<only the answer>"


@dataclass(frozen=True)
class Talk:
    """An agent in a world, all that was said so far, and the news that the next message begins with."""

    agent: str
    episode: Episode
    said: tuple[RoleText, ...]
    news: str

    def messages(self, request: str, form: str = ANSWER) -> list[RoleText]:
        """The conversation with a request at its end."""
        text = "\n\n".join(filter(None, (self.news, request, form)))
        if not self.said:
            return [("system", "You reason about space."), ("user", OPENING + text)]
        return [*self.said, ("user", text)]

    def ask(self, request: str, form: str = ANSWER, seed: int = 0) -> str:
        """The agent's reply to a request, which leaves no trace."""
        context = SceneCallContext("test", "0", self.episode.scene, self.episode.before)
        return reply_to(self.agent, self.messages(request, form), context, seed)

    def turn(self, request: str = "", seed: int = 0) -> "Talk":
        """The talk after one more turn."""
        left = f"Replies left: {self.episode.turns_left}."
        wanted = f"{request}\n\n{left}" if request else left
        reply = self.ask(wanted, ACT, seed)
        episode = step(self.episode, read_actions(reply, STRICT, self.episode.phase))
        said = (*self.messages(wanted, ACT), ("assistant", reply))
        return Talk(self.agent, episode, said, describe_turn(episode.turns[-1]))


def begin(agent: str, scene: Scene) -> Talk:
    """Before the first turn."""
    episode = Episode(scene)
    return Talk(agent, episode, (), f"{describe_brief(episode.brief)}\n\n{describe_latest(episode)}")


def exploring(agent: str, scene: Scene, seed: int = 0) -> Iterator[Talk]:
    """The talk after each turn of an exploration."""
    talk = begin(agent, scene)
    while not talk.episode.over:
        talk = talk.turn(seed=seed)
        yield talk


def explored(agent: str, scene: Scene, seed: int = 0) -> Talk:
    """The talk after a whole exploration."""
    *_, last = exploring(agent, scene, seed)
    return last


def revising(talk: Talk, changed: ChangedWorld) -> Iterator[Talk]:
    """The talk after each turn of a revision."""
    talk = replace(talk, episode=begin_revision(talk.episode, changed))
    budget = talk.episode.settings.revise_turns
    talk = talk.turn(describe_change(len(changed.changes), budget))
    yield talk
    while not talk.episode.over:
        talk = talk.turn()
        yield talk


def reading(agent: str, log: Episode) -> Talk:
    """Someone who reads the log of another explorer."""
    return Talk(agent, log, (), f"{describe_brief(log.brief)}\n\nTHE LOG\n{describe_history(log.turns)}")
