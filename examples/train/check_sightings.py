"""How well a model that was trained with `--reasoning sightings` keeps track: what it states against what is true.

    python check_sightings.py transcripts/cpu-13775/3-rooms.txt --out sightings.csv

Every reply of the transcripts (`evaluate.py --transcripts`) is carried out again: where the agent stands and which way
it faces, what observations have shown to be in view from there, and which positions are certain.
"""

import re
from collections import Counter

from check_ranges import REPLY, check

from tolman.env.exploration import Exploration
from tolman.env.options import EnvironmentOptions
from tolman.explore.episode import Episode
from tolman.explore.topological_map import TopologicalMap
from tolman.sense import Observation
from tolman.world import START

POSE = re.compile(r"I am at (?:the )?([a-z ]+), facing (\w+)\.")
IN_VIEW = re.compile(r"In view from here: (.*?)\.")
OPEN = re.compile(r"Open: ([^.]*)\.")
View = tuple[str, str]
"""A heading, and a name that is in view in it."""


def count(transcripts: str) -> Counter[str]:
    """How many statements there are, and how many are right."""
    counts: Counter[str] = Counter()
    for text in transcripts.split("==== scene ")[1:]:
        seed, _, body = text.partition("\n")
        exploration = Exploration(int(seed), EnvironmentOptions(allow_test_scenes=True))
        for reply in REPLY.findall(body):
            if exploration.over:
                break
            _count_pose(reply, exploration.episode, counts)
            _count_views(reply, exploration.episode, counts)
            _count_certain(reply, exploration, counts)
            exploration.reply(reply)
            counts["replies"] += 1
            counts["failed"] += _failed(exploration.episode)
    return counts


def _failed(episode: Episode) -> bool:
    latest = episode.turns[-1] if episode.turns else None
    return latest is not None and (latest.failure is not None or not latest.parsed)


def _count_pose(reply: str, episode: Episode, counts: Counter[str]) -> None:
    after = "after a failure" if _failed(episode) else "after success"
    said = POSE.search(reply)
    counts[f"poses, {after}"] += 1
    if said:
        counts[f"places right, {after}"] += said[1] == (
            "start" if episode.standing_on == START else episode.standing_on
        )
        counts[f"headings right, {after}"] += said[2] == episode.heading.word


def _count_views(reply: str, episode: Episode, counts: Counter[str]) -> None:
    topology = TopologicalMap()
    for turn in episode.turns:
        if isinstance(turn.feedback, Observation):
            topology.learn(turn.feedback)
    lines = topology.sight_lines.get(episode.standing_on, {})
    true = {(heading.word, name) for name, heading in lines.items() if name != START}
    said = _views(reply)
    replies_here = sum(turn.standing_on == episode.standing_on for turn in episode.turns)
    when = "first reply at a place" if replies_here <= 1 else "later replies at a place"
    counts[f"views shown, {when}"] += len(true)
    counts[f"views stated, {when}"] += len(said)
    counts[f"views stated right, {when}"] += len(said & true)


def _views(reply: str) -> set[View]:
    found = IN_VIEW.search(reply)
    parts = [part.partition(" ") for part in found[1].split("; ")] if found else []
    return {(heading, name) for heading, _, names in parts for name in names.split(", ")}


def _count_certain(reply: str, exploration: Exploration, counts: Counter[str]) -> None:
    belief = exploration.belief
    found = OPEN.search(reply)
    for item in found[1].split(", ") if found else ():
        name, _, state = item.rpartition(" ")
        if name in belief.names:
            said = "certain" if state == "certain" else "open"
            counts[f"stated as {said}"] += 1
            counts[f"stated as {said}, which is right"] += (belief.count(name) == 1) == (said == "certain")


if __name__ == "__main__":
    check(count, "Statements of pose, views and certainty against the truth.", "sightings.csv")
