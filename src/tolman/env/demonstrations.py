"""Demonstrations: conversations of scripted explorers in the words of the evaluation, as JSON lines or Parquet.

Files are written in parts, each whole or not at all, so that the same call resumes an interrupted one.
"""

import importlib
import io
import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any, Literal

from tolman import __version__
from tolman.belief import Belief
from tolman.core.bins import facing_label
from tolman.core.errors import SettingsError
from tolman.core.files import atomic_write, check_made_with, clear_unfinished, lock_folder
from tolman.core.geometry import Heading
from tolman.core.parallel import parallel_map
from tolman.core.seeds import FIRST_TRAINING_SEED
from tolman.core.wording import wording
from tolman.env.exploration import Exploration
from tolman.env.options import EnvironmentOptions, RewardName
from tolman.env.range_steps import RangeTracker
from tolman.explore.actions import Actions, Query, Rotate, Term
from tolman.explore.agents.registry import make_explorer
from tolman.explore.episode import Episode
from tolman.explore.topological_map import TopologicalMap
from tolman.harness.names import counted, seeds_said
from tolman.models.scripted.reply import exploration_reasoning, formatted_reply, reply_to
from tolman.sense import Observation, Sighting
from tolman.world import START, generate

ContentForm = Literal["chat", "actions"]
FileForm = Literal["jsonl", "parquet"]
Then = Literal["nothing", "map", "answers"]
Reasoning = Literal["count", "belief", "ranges", "sightings"]
SHARD = 100
"""Worlds in one file."""
_REWARDS: dict[Then, RewardName] = {"nothing": "dense", "map": "map", "answers": "answers"}
_RETURNS: dict[Then, str] = {
    "nothing": "the information gain at the end",
    "map": "the score of the map stated at the end",
    "answers": "the score of the answer at the end",
}
_COLUMNS: dict[ContentForm, str] = {
    "chat": "| `messages` | the conversation, with `role` and `content`: system page, messages, replies |",
    "actions": "| `actions` | the actions of each turn |",
}


@dataclass(frozen=True)
class DemonstrationPlan:
    """The specification of a set of demonstrations."""

    seeds: tuple[int, ...]
    agent: str = "greedy-planner"
    content: ContentForm = "chat"
    files: FileForm = "jsonl"
    then: Then = "nothing"
    """What follows the exploration; replies are those of the ideal observer."""
    reasoning: Reasoning = "count"
    """What the agent writes before its actions: how much it has seen (`count`), or its pose, the positions that became
    certain, those that are still open, and its route (`belief`); with `ranges`, in place of positions that became
    certain, each step by which the latest reply narrows the ranges of x and y of a position; with `sightings` no
    position, but from how many places each has been seen that was still open."""
    options: EnvironmentOptions = field(default_factory=EnvironmentOptions)

    def __post_init__(self) -> None:
        if not self.seeds or len(set(self.seeds)) != len(self.seeds):
            raise SettingsError("demonstrations need distinct seeds, such as 100000-199999")
        if self.options.world != "text":
            raise SettingsError("demonstrations are of the text world")
        make_explorer(self.agent, generate(self.seeds[0], self.options.world_settings))
        test = [seed for seed in self.seeds if seed < FIRST_TRAINING_SEED]
        if test and not self.options.allow_test_scenes:
            raise SettingsError(
                f"seeds {test[0]} to {test[-1]} are scenes of the evaluation (0 to {FIRST_TRAINING_SEED - 1:,}); "
                f"choose seeds from {FIRST_TRAINING_SEED:,} on, or allow them with --allow-test-scenes"
            )

    @property
    def environment(self) -> EnvironmentOptions:
        """The environment in which the agent acts."""
        return self.options.updated({"reward": _REWARDS[self.then]})

    def as_dict(self) -> dict[str, object]:
        """Everything that the files depend on."""
        options = self.options
        return {
            "tolman": __version__,
            "seeds": seeds_text(self.seeds),
            "agent": self.agent,
            "content": self.content,
            "files": self.files,
            "then": self.then,
            **({} if self.reasoning == "count" else {"reasoning": self.reasoning}),
            "rooms": options.rooms,
            "things": options.things,
            "budget": options.budget,
            "think": options.think,
        }

    def parts(self) -> list[tuple[str, tuple[int, ...]]]:
        """Names of the files, with the seeds that each holds."""
        chunks = [self.seeds[first : first + SHARD] for first in range(0, len(self.seeds), SHARD)]
        return [(f"part-{number:05d}.{self.files}", chunk) for number, chunk in enumerate(chunks)]


def seeds_text(seeds: Sequence[int]) -> str:
    """Seeds as they are given: `100000-199999,300000`."""
    ranges: list[list[int]] = []
    for seed in seeds:
        if ranges and seed == ranges[-1][1] + 1:
            ranges[-1][1] = seed
        else:
            ranges.append([seed, seed])
    return ",".join(str(first) if first == last else f"{first}-{last}" for first, last in ranges)


def demonstrate(plan: DemonstrationPlan, seed: int) -> dict[str, Any]:
    """The row of one world."""
    exploration = Exploration(seed, plan.environment)
    agent = make_explorer(plan.agent, exploration.case.scene, seed)
    gains: list[float] = []
    while not exploration.over:
        episode = exploration.episode
        if episode.over:
            said = reply_to("ideal", [(message.role, message.text) for message in exploration.messages], seed=seed)
            exploration.reply(said)
        else:
            said = demonstrated_reply(exploration, agent.act(episode), plan.reasoning)
            exploration.reply(said)
            gains.append(exploration.information_gain)
    return {
        "seed": seed,
        "scene": exploration.case.scene.digest,
        "agent": plan.agent,
        **_content(plan.content, exploration),
        "information_gain": gains,
        "reward": float(sum(exploration.rewards)),
        "cost": exploration.episode.cost(),
        "truncated": exploration.episode.turns[-1].forced,
        "digest": exploration.digest,
    }


def demonstrated_reply(exploration: Exploration, actions: Actions, reasoning: Reasoning) -> str:
    """The reply of an agent that takes these actions next, with the reasoning of a demonstration before them."""
    shown = (
        exploration_reasoning(exploration.episode)
        if reasoning == "count"
        else belief_reasoning(exploration, actions, reasoning)
    )
    return formatted_reply(shown, str(actions), think=exploration.options.think)


def belief_reasoning(exploration: Exploration, actions: Actions, reasoning: Reasoning = "belief") -> str:
    """The exact belief before a turn, and the plan of the turn, in words.

    The pose; what observations have shown to be in view from here, by heading; the positions that the latest reply made
    certain; the objects and doors whose positions are still open; the route, from its end, with the heading in which
    each place on it is in view. Positions are (x, y) in steps from the start, y to the north. With `ranges`, in place
    of positions that became certain, every step by which the latest reply narrows the ranges of x and y of a position
    (`range_steps`). With `sightings` there are no positions: what was open before or is seen for the first time, in the
    order of first sight, with the number of places from which it has been seen, or the word that it is certain now.
    """
    episode, now = exploration.episode, exploration.belief
    here, seen = episode.standing_on, set(episode.seen)
    own, news, still_open = "", "", [n for n in episode.brief.names if n in seen and now.count(n) > 1]
    match reasoning:
        case "ranges":
            tracker = RangeTracker(episode, now.extent)
            news, own = f"Now: {'; '.join(_steps(exploration, tracker))}.", f" {tracker.before[here]}"
            still_open = [name for name in episode.brief.names if name in seen and not tracker.ranges[name].is_point]
        case "sightings":
            still_open = list(_sightings(exploration))
        case _:
            news, own = f"Now certain: {', '.join(_certain_now(exploration))}.", _certain_position(now, here)
    parts = [f"I am at {'the start' if here == START else f'the {here}'}{own}, facing {episode.heading.word}."]
    if in_view := list(_in_view_from(episode)):
        parts.append(f"In view from here: {'; '.join(in_view)}.")
    if not news.endswith(": ."):
        parts.append(news)
    if still_open:
        parts.append(f"Open: {', '.join(still_open)}.")
    unseen = len(episode.brief.names) - len(seen)
    if unseen:
        parts.append(f"Not seen: {unseen}.")
    return " ".join([*filter(None, parts), f"Next: {'; '.join(_plan(episode.heading, actions))}."])


def _sightings(exploration: Exploration) -> Iterator[str]:
    """What was open before the latest reply, or is new in it. A look from a place counts as one of that place too."""
    episode, now, before = exploration.episode, exploration.belief, exploration.beliefs[-2:][0]
    looks = [turn.feedback for turn in episode.turns if isinstance(turn.feedback, Observation)]
    seen_before = {name for look in looks[:-1] for name in look.names}
    for name in episode.seen:
        if before.count(name) > 1 or name not in seen_before:
            places = {look.standing_on for look in looks if name in (*look.names, look.standing_on)}
            yield f"{name} {'certain' if now.count(name) == 1 else len(places)}"


def _certain_now(exploration: Exploration) -> Iterator[str]:
    """The positions that the latest reply made certain."""
    episode, now, before = exploration.episode, exploration.belief, exploration.beliefs[-2:][0]
    for name in episode.brief.names:
        if name in episode.seen and now.count(name) == 1 != before.count(name):
            yield f"{name}{_certain_position(now, name)}"


def _steps(exploration: Exploration, tracker: RangeTracker) -> Iterator[str]:
    """The steps to which the latest reply led; what is told for the first time has its facing by the compass."""
    episode = exploration.episode
    latest = episode.turns[-1].feedback if episode.turns else None
    told = {each.name: each for each in latest.sightings} if isinstance(latest, Observation) else {}
    for step in tracker.steps:
        first = step.known is None and step.name in told
        yield f"{step}{_facing_word(told[step.name], episode.heading) if first else ''}"


def _certain_position(belief: Belief, name: str) -> str:
    """Where something is, if that is certain."""
    possible = [(0, 0)] if name == START else belief.positions(name)
    return f" ({possible[0][0]}, {possible[0][1]})" if len(possible) == 1 else ""


def _facing_word(sighting: Sighting, heading: Heading) -> str:
    """The compass heading of something with a front."""
    fronts = [front for front in Heading if facing_label(front, heading) == sighting.detail]
    return f" {fronts[0].word}" if fronts else ""


def _in_view_from(episode: Episode) -> Iterator[str]:
    """For each heading, what is in view from where the agent stands, as far as observations have shown it."""
    topology = TopologicalMap()
    for turn in episode.turns:
        if isinstance(turn.feedback, Observation):
            topology.learn(turn.feedback)
    lines = topology.sight_lines.get(episode.standing_on, {})
    for heading in Heading:
        names = [name for name, toward in lines.items() if toward == heading and name != START]
        if names:
            yield f"{heading.word} {', '.join(names)}"


def _plan(heading: Heading, actions: Actions) -> Iterator[str]:
    """A turn in words: the place to go to, the route to it and the closing action.

    The route begins at its end: from where that place is in view and in which heading, and so on back to here. So each
    leg can be looked up by the one before it.
    """
    legs: list[str] = []
    place = "here"
    for move in actions.moves:
        if isinstance(move, Rotate):
            heading = heading.turned(move.degrees)
        else:
            legs.append(f"{move.name} from {place} {heading.word}")
            place = move.name
    if legs:
        yield f"to {place}: {', '.join(reversed(legs))}"
    match actions.final:
        case Term():
            yield "end"
        case Query():
            yield f"ask for {actions.final.name}"
        case _:
            yield f"look {heading.word}"


def _content(content: ContentForm, exploration: Exploration) -> dict[str, Any]:
    if content == "actions":
        return {"actions": [str(turn.asked) for turn in exploration.episode.turns if not turn.forced]}
    *spoken, _ = exploration.messages  # the last message only says that all is over
    return {"messages": [{"role": message.role, "content": message.text} for message in spoken]}


def make_demonstrations(
    plan: DemonstrationPlan,
    out: Path,
    on_progress: Callable[[int], object] = lambda _: None,
    *,
    workers: int = -1,
    force: bool = False,
) -> int:
    """Write all missing files; returns how many worlds were explored now. `on_progress` gets the worlds done so far."""
    if plan.files == "parquet":
        _pyarrow("pyarrow")
    with lock_folder(out):
        check_made_with(out, plan.as_dict(), force=force)
        clear_unfinished(out)
        missing = [(name, seeds) for name, seeds in plan.parts() if not (out / name).exists()]
        todo = [seed for _, seeds in missing for seed in seeds]
        done = len(plan.seeds) - len(todo)
        on_progress(done)
        rows = parallel_map(partial(demonstrate, plan), todo, workers)
        for name, seeds in missing:
            part: list[dict[str, Any]] = []
            for row in islice(rows, len(seeds)):
                part.append(row)
                done += 1
                on_progress(done)
            atomic_write(out / name, _file(part, plan.files), durable=False)
        atomic_write(out / "README.md", _card(plan).encode())
    return len(todo)


def read_demonstrations(folder: Path) -> Iterator[dict[str, Any]]:
    """All rows of a folder, in order."""
    for file in sorted(folder.glob("part-*")):
        if file.suffix == ".parquet":
            yield from _pyarrow("pyarrow.parquet").read_table(file).to_pylist()
        else:
            with file.open(encoding="utf-8") as lines:
                yield from map(json.loads, lines)


def _file(rows: Sequence[dict[str, Any]], files: FileForm) -> bytes:
    if files == "jsonl":
        return "".join(f"{json.dumps(row, ensure_ascii=False)}\n" for row in rows).encode()
    buffer = io.BytesIO()
    _pyarrow("pyarrow.parquet").write_table(_pyarrow("pyarrow").Table.from_pylist(rows), buffer, compression="zstd")
    return buffer.getvalue()


def _pyarrow(name: str) -> Any:
    try:
        return importlib.import_module(name)
    except ImportError:
        raise SettingsError("Parquet files need pyarrow: pip install pyarrow, or write JSON lines") from None


def _card(plan: DemonstrationPlan) -> str:
    test = sum(seed < FIRST_TRAINING_SEED for seed in plan.seeds)
    leaked = f"{test:,} of these worlds are such: do not evaluate on them a model trained on this set."
    return (
        wording("tolman.env", "demonstrations_card").fill(
            scenes=counted(len(plan.seeds), "world"),
            seeds=seeds_said(seeds_text(plan.seeds)),
            rooms=counted(plan.options.rooms, "room"),
            things=counted(plan.options.things, "object"),
            agent=plan.agent,
            version=__version__,
            shard=SHARD,
            columns=_COLUMNS[plan.content],
            reward=_RETURNS[plan.then],
            budget=plan.options.budget,
            test_scenes=leaked if test else "None of these worlds is one of them.",
        )
        + "\n"
    )
