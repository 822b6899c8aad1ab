"""One episode of the greedy planner, which every adapter must reproduce; and a world whose pictures render quickly."""

from functools import cache
from typing import Any

from tolman.env import EnvironmentOptions, Exploration
from tolman.explore.actions import Actions
from tolman.explore.agents.registry import run_explorer
from tolman.explore.episode import Episode
from tolman.models.scripted.reply import formatted_reply
from tolman.world import generate

SEED = 100_003
SMALL_PICTURES: dict[str, Any] = {
    "rooms": 1,
    "things": 2,
    "image_size": 32,
    "preset": "preview",
    "assets": "built-in",
}


@cache
def planned() -> Episode:
    """The greedy planner's exploration of world `SEED`."""
    return run_explorer("greedy-planner", generate(SEED), SEED, EnvironmentOptions().protocol.episode)


def planned_replies() -> list[str]:
    """Its turns as replies of a model."""
    turns = [str(turn.asked) for turn in planned().turns if isinstance(turn.asked, Actions)]
    return [formatted_reply("As planned.", turn, think=True) for turn in turns]


def expected_episode() -> dict[str, Any]:
    """What an adapter must give for these replies."""
    exploration = Exploration(SEED)
    outcomes = [exploration.reply(reply) for reply in planned_replies()]
    return {
        "seed": SEED,
        "replies": planned_replies(),
        "messages": [outcome.message for outcome in outcomes],
        "rewards": exploration.rewards,
        "digest": exploration.digest,
    }
