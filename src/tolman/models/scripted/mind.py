"""What an agent takes the world to be when it replies: the true one, or the one it believes in."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from tolman.explore.heard import HeardEpisode
from tolman.ideal.knowledge import Knowledge, evidence_in, learn
from tolman.models.handed import Handed
from tolman.models.scripted.believed import Beliefs, believe
from tolman.models.scripted.changes import Revised, revise
from tolman.models.scripted.conversation import GivenMap
from tolman.world import Change, Scene, changes_between


@dataclass(frozen=True)
class Mind:
    """A world, and how sure one is of it."""

    world: Scene
    changes: tuple[Change, ...]
    """What was found to have changed behind the agent's back, surest first."""
    how: str
    """Where it comes from, in one honest line."""
    guessed: frozenset[str] = frozenset()
    """Things whose front nobody has told of."""
    beliefs: Beliefs | None = None

    def others(self) -> Iterator[Scene]:
        """Other worlds that one might believe in just as well."""
        return iter(()) if self.beliefs is None else self.beliefs.others()


def knowing(handed: Handed) -> Mind:
    """The mind of someone who was handed the world."""
    changes = changes_between(handed.before, handed.scene) if handed.before else ()
    return Mind(handed.scene, changes, "I was handed the true world.")


@lru_cache(maxsize=128)
def believing(heard: HeardEpisode, changed: int | None, given: GivenMap, seed: int) -> Mind:
    """The mind of someone who knows what was said, and nothing else."""
    revised = _revised(heard, changed)
    knowledge, brief = revised.knowledge, heard.brief
    beliefs = believe(knowledge, seed, dict(given))
    guessed = {name for name in brief.things if name not in knowledge.fronts and name not in dict(given)}
    return Mind(beliefs.likeliest, revised.changes, _source(knowledge, given), frozenset(guessed), beliefs)


def _source(knowledge: Knowledge, given: GivenMap) -> str:
    if given:
        return "I work this out on the map that I was given."
    names = knowledge.brief.names
    certain = sum(knowledge.belief.count(name) == 1 for name in names)
    return f"I work this out on my own map: {certain} of {len(names)} positions are certain."


def _revised(heard: HeardEpisode, changed: int | None) -> Revised:
    memory = learn(heard.brief, evidence_in(turn for turn in heard.turns if turn.phase == "explore"))
    if heard.phase == "explore":
        return Revised(memory, ())
    since = evidence_in(turn for turn in heard.turns if turn.phase == "revise")
    return revise(memory, since, changed or 0)
