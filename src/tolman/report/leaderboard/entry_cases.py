"""The cases of an entry, made anew from their seeds: what the entry says about its scenes is never believed."""

from collections.abc import Mapping
from dataclasses import dataclass

from tolman.benchmarks.theory_of_space.case import Case, case_from_dict, case_in, case_of, case_to_dict
from tolman.benchmarks.theory_of_space.options import Options
from tolman.errors import TolmanError
from tolman.limits import BOARD_CASE
from tolman.report.leaderboard.entry import Entry, EntryScene, Worlds
from tolman.report.leaderboard.refused import EntryRefused
from tolman.world import WorldSettings
from tolman.world.sealed import SealedSplit
from tolman.world.select import SceneChoice, sealed_choices

Splits = Mapping[str, SealedSplit]
"""Sealed splits that have been opened, by commitment."""


class StillSealed(EntryRefused):
    """The scenes of an entry are secret, and can't be made yet."""


@dataclass(frozen=True)
class CaseMaker:
    """Makes the cases of one entry."""

    entry: Entry
    options: Options
    sealed: Mapping[str, SceneChoice]
    """Scenes of the sealed split, by name."""

    @classmethod
    def of(cls, entry: Entry, options: Options, splits: Splits) -> "CaseMaker":
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


def world_settings(worlds: Worlds) -> WorldSettings:
    """Settings of the generator, as the task takes them."""
    return WorldSettings(rooms=worlds.rooms, things_per_room=worlds.things)


def worlds_of(settings: WorldSettings) -> Worlds:
    """What an entry says of such settings."""
    return Worlds(rooms=settings.rooms, things=settings.things_per_room)


def _check_scenes(entry: Entry) -> None:
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
