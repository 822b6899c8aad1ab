"""An entry of Theory of Space: one run with every reply and every claimed score; its options, cases and calls are
recomputed and checked against the protocol.

What the entry itself says about its scenes is never believed.
"""

import math
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field, JsonValue

from tolman.benchmarks.theory_of_space.case import Case, case_from_dict, case_in, case_of, case_to_dict
from tolman.benchmarks.theory_of_space.options import Options
from tolman.benchmarks.theory_of_space.protocol.run_scene import explorer_log, run_offline
from tolman.benchmarks.theory_of_space.record import SceneRecord, ScoredCase
from tolman.core.errors import TolmanError
from tolman.core.limits import BOARD_CASE, BOARD_OPTIONS, BOARD_ROOMS, BOARD_SCENES, BOARD_THINGS
from tolman.core.rules import RuleSetName
from tolman.report.leaderboard.benchmark import StillSealed, checked_options
from tolman.report.leaderboard.entry_file import (
    LONGEST_REPLY,
    MOST_CALLS,
    MOST_ITEMS,
    EntryHeader,
    EntryRefused,
    Hex,
    Line,
    Number,
    StrictModel,
    Summary,
    parse_entry,
    read_json,
)
from tolman.world import WorldSettings
from tolman.world.select import SceneChoice, SealedSplit, sealed_choices

ScoreItems = Annotated[dict[str, Number], Field(max_length=MOST_ITEMS)]
"""Scores by name; see `verify.score_items`."""


class EntryWorlds(StrictModel):
    """What the scenes are made of."""

    rooms: int = Field(ge=1, le=BOARD_ROOMS)
    things: int = Field(ge=1, le=BOARD_THINGS)


class EntrySplit(StrictModel):
    """Where the scenes come from: public seeds, a sealed split, or files that nobody can make again."""

    kind: Literal["seeds", "sealed", "files"]
    commitment: Hex | Literal[""] = ""


class EntryScene(StrictModel):
    """What a model said in one scene, and the scores that are claimed for it."""

    id: Line
    seed: int | None = Field(ge=0, lt=2**63)
    """None where it is not the seed that makes the scene, or where it is a secret."""
    digest: Hex
    case: dict[str, JsonValue] | None
    """The scene and its questions, where they can't be made from a seed."""
    record: SceneRecord
    scores: dict[RuleSetName, ScoreItems]


class LeaderboardEntry(EntryHeader):
    """A whole run. Nothing in it is believed: see `verify`."""

    benchmark: Literal["theory-of-space"]  # pyright: ignore[reportIncompatibleVariableOverride]
    options: dict[str, JsonValue]
    worlds: EntryWorlds
    generation: dict[str, JsonValue]
    """Temperature and the like, as the log has them."""
    split: EntrySplit
    scenes: list[EntryScene] = Field(min_length=1, max_length=BOARD_SCENES)
    summary: Summary


def entry_from_values(values: object) -> LeaderboardEntry:
    """The entry that some JSON holds; refused with the first thing that is wrong with it."""
    return parse_entry(LeaderboardEntry, values)


def read_entry(path: Path) -> LeaderboardEntry:
    """The entry in a file."""
    return entry_from_values(read_json(path))


def read_options(values: Mapping[str, object]) -> Options:
    """Options as plain values tell of them; refused where one is unknown, of another type, or beyond all bounds."""
    options = checked_options(Options, values, BOARD_OPTIONS)
    for name in ("phases", "maps", "kinds"):
        given: tuple[str, ...] = getattr(options, name)
        if len(set(given)) != len(given):
            raise EntryRefused(f"its option {name} names something twice")
    if options.captions:
        raise EntryRefused("the files of its pictures held the words for them, which is for tests only")
    if options.choices:
        raise EntryRefused("its answers were chosen among several, not given in its own words")
    if options.condition:
        raise EntryRefused(f"it was run with --{options.condition}, a task condition with tables of its own")
    return options


Splits = Mapping[str, SealedSplit]
"""Sealed splits that have been opened, by commitment."""


@dataclass(frozen=True)
class CaseMaker:
    """Makes the cases of one entry."""

    entry: LeaderboardEntry
    options: Options
    sealed: Mapping[str, SceneChoice]
    """Scenes of the sealed split, by name."""

    @classmethod
    def of(cls, entry: LeaderboardEntry, options: Options, splits: Splits) -> "CaseMaker":
        """Refuses an entry whose scenes are not those of its split, as far as that can be told at once."""
        _check_scenes(entry)
        if entry.split.kind != "sealed":
            return cls(entry, options, {})
        split = splits.get(entry.split.commitment)
        if split is None:
            raise StillSealed(f"its scenes are sealed; the split {entry.split.commitment[:16]}… is not here")
        sealed = {choice.name: choice for choice in sealed_choices(split)}
        if set(sealed) != {scene.id for scene in entry.scenes}:
            raise EntryRefused(f"its scenes are not the {len(sealed)} of the sealed split")
        if (entry.worlds.rooms, entry.worlds.things) != (split.settings.rooms, split.settings.things_per_room):
            raise EntryRefused("its worlds are not those of the sealed split")
        return cls(entry, options, sealed)

    def case(self, scene: EntryScene) -> Case:
        """The case of a scene, as the task would make it."""
        try:
            case = self._made(scene)
        except TolmanError as error:
            raise EntryRefused(f"scene {scene.id} can't be made: {error}") from None
        if case.id != scene.id or case.scene.digest != scene.digest:
            raise EntryRefused(f"scene {scene.id} is not the one that its seed makes")
        return case

    def _made(self, scene: EntryScene) -> Case:
        if self.entry.split.kind == "files":
            return _asked_of_its_scene(_bounded(case_from_dict(scene.case or {})), self.options)
        if self.entry.split.kind == "sealed":
            return case_of(self.sealed[scene.id], self.options)
        return case_of(SceneChoice(scene.seed or 0, world_settings(self.entry.worlds)), self.options)


def _bounded(case: Case) -> Case:
    """A case from outside, if it is no larger than one of ours can be."""
    scene = case.scene
    sizes = len(scene.rooms), len(scene.items), scene.extent, len(case.questions)
    for size, (what, most) in zip(sizes, BOARD_CASE.items(), strict=True):
        if size > most:
            raise EntryRefused(f"its scene has {size} {what}, and {most} is the most")
    return case


def _asked_of_its_scene(case: Case, options: Options) -> Case:
    """A case whose questions, truths and changes are those that its scene gives; of a released one none can be made."""
    if case.released:
        return case
    again = case_in(case.scene, case.seed, case.id, options)
    if case_to_dict(again) != case_to_dict(case):
        raise EntryRefused(f"the questions, answers or changes of scene {case.id} are not those that its scene gives")
    return case


def world_settings(worlds: EntryWorlds) -> WorldSettings:
    """Settings of the generator, as the task takes them."""
    return WorldSettings(rooms=worlds.rooms, things_per_room=worlds.things)


def worlds_of(settings: WorldSettings) -> EntryWorlds:
    """What an entry says of such settings."""
    return EntryWorlds(rooms=settings.rooms, things=settings.things_per_room)


def _check_scenes(entry: LeaderboardEntry) -> None:
    seen: set[str] = set()
    for scene in entry.scenes:
        if scene.id in seen:
            raise EntryRefused(f"scene {scene.id} is there twice")
        seen.add(scene.id)
        if (scene.seed is not None) != (entry.split.kind == "seeds"):
            raise EntryRefused(f"scene {scene.id} has a seed where there should be none, or none where there should be")
        if (scene.case is not None) != (entry.split.kind == "files"):
            raise EntryRefused(f"scene {scene.id} comes with a case, or lacks one, against what its split says")
    if (entry.split.kind == "sealed") != bool(entry.split.commitment):
        raise EntryRefused("a sealed split has a commitment, and no other has one")


def record_faults(logged: ScoredCase, *, whole: bool) -> Iterator[str]:
    """What is wrong with a record, line by line. It need not be `whole` where a replay may lack a reply."""
    calls = logged.record.calls
    if len(calls) > MOST_CALLS:
        yield f"{len(calls)} replies, and {MOST_CALLS} is the most"
        return
    for call in calls:
        if max(len(call.reply), len(call.reasoning)) > LONGEST_REPLY or len(call.name) > 200:
            yield f"{call.name[:60]}: longer than any reply may be"
            return
        if min(call.input_tokens, call.output_tokens, call.reasoning_tokens) < 0 or not _is_price(call.cost):
            yield f"{call.name}: its tokens or its price can't be"
    for name, times in Counter(call.name for call in calls).items():
        if times > 1:
            yield f"{name}: {times} replies to one call"
    yield from _against_protocol(logged, whole=whole)


def _is_price(cost: float | None) -> bool:
    return cost is None or (math.isfinite(cost) and cost >= 0)


def _against_protocol(logged: ScoredCase, *, whole: bool) -> Iterator[str]:
    replies = logged.record.replies
    log = explorer_log(logged.case, logged.options)
    if logged.record.log != [str(turn.asked) for turn in (log.turns if log else ())]:
        yield "the log that was read is not the explorer's"
        return
    asked = run_offline(logged.case, logged.options, lambda call, messages, episode: replies.get(call))  # noqa: ARG005
    for call in asked if whole else ():
        if call not in replies:
            yield f"{call}: there is no reply"
    for call in replies:
        if call not in asked:
            yield f"{call}: a reply to a call that is never made"
